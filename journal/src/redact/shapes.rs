//! Credentials that are recognised by their form: private keys, user-info and parameters of URLs, options of a command.

use std::borrow::Cow;

use super::PLACEHOLDER;

/// Names of URL parameters whose values are credentials.
const SECRET_PARAMETERS: [&str; 12] = [
    "token",
    "access_token",
    "id_token",
    "refresh_token",
    "bearer",
    "auth",
    "password",
    "passwd",
    "secret",
    "client_secret",
    "api_key",
    "apikey",
];

/// Options of a command line whose values are credentials.
const SECRET_OPTIONS: [&str; 3] = ["--token", "--password", "--client-key-data"];

/// How every PEM block of any kind begins, in base64: `-----BEGIN `, without the last character, which depends on what
/// follows.
const PEM_IN_BASE64: &str = "LS0tLS1CRUdJTi";

/// Removes PEM blocks of private keys, plain or in base64 (as in a kubeconfig). An unterminated block extends to the
/// end of the text.
pub(super) fn without_private_keys(text: &str) -> Cow<'_, str> {
    let mut result = Cow::Borrowed(text);
    let mut from = 0;
    while let Some(begin) = find(&result, "-----BEGIN ", from) {
        let label_end = begin + "-----BEGIN ".len();
        let label = result[label_end..].split("-----").next().unwrap_or_default();
        if !label.ends_with("PRIVATE KEY") || label.len() > 40 {
            from = label_end;
            continue;
        }
        let end = find(&result, "PRIVATE KEY-----", label_end + label.len() + "-----".len())
            .map_or(result.len(), |end| end + "PRIVATE KEY-----".len());
        result = Cow::Owned(format!("{}{PLACEHOLDER}{}", &result[..begin], &result[end..]));
        from = begin + PLACEHOLDER.len();
    }
    let mut from = 0;
    while let Some(begin) = find(&result, PEM_IN_BASE64, from) {
        let length =
            result[begin..].bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(byte)).count();
        let end = begin + length;
        if is_private_key(&result[begin..end]) {
            result = Cow::Owned(format!("{}{PLACEHOLDER}{}", &result[..begin], &result[end..]));
            from = begin + PLACEHOLDER.len();
        } else {
            from = end;
        }
    }
    result
}

fn is_private_key(encoded: &str) -> bool {
    use base64::Engine as _;
    // The first line defines the kind; the rest may be cut off, so only whole groups of its beginning are decoded.
    let beginning = &encoded[..encoded.len().min(88) / 4 * 4];
    base64::engine::general_purpose::STANDARD
        .decode(beginning)
        .is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains("PRIVATE KEY"))
}

/// Removes the user-info of URLs and the values of parameters that are credentials.
pub(super) fn without_url_credentials(text: &str) -> String {
    let mut result = text.to_owned();
    let mut from = 0;
    while let Some(scheme_end) = find(&result, "://", from) {
        let start = scheme_end + "://".len();
        let length = result[start..].find(is_authority_end).unwrap_or(result.len() - start);
        if let Some(at) = result[start..start + length].rfind('@') {
            result.replace_range(start..start + at, PLACEHOLDER);
        }
        from = start;
    }
    for parameter in SECRET_PARAMETERS {
        for opener in ['?', '&'] {
            let mut from = 0;
            while let Some(begin) = find_ignoring_case(&result, &format!("{opener}{parameter}="), from) {
                let start = begin + 1 + parameter.len() + 1;
                let length = result[start..].find(is_parameter_end).unwrap_or(result.len() - start);
                result.replace_range(start..start + length, PLACEHOLDER);
                from = start;
            }
        }
    }
    result
}

/// An argument without the value of a secret option, and whether the next argument is such a value.
pub(super) fn without_option_value(argument: &str) -> (Cow<'_, str>, bool) {
    for option in SECRET_OPTIONS {
        if argument == option {
            return (Cow::Borrowed(argument), true);
        }
        if argument.strip_prefix(option).is_some_and(|rest| rest.starts_with('=')) {
            return (Cow::Owned(format!("{option}={PLACEHOLDER}")), false);
        }
    }
    (Cow::Borrowed(argument), false)
}

fn is_authority_end(character: char) -> bool {
    matches!(character, '/' | '?' | '#' | '"' | '\'' | '<' | '>') || character.is_whitespace()
}

fn is_parameter_end(character: char) -> bool {
    matches!(character, '&' | '#' | '"' | '\'') || character.is_whitespace()
}

fn find(text: &str, what: &str, from: usize) -> Option<usize> {
    text.get(from..)?.find(what).map(|at| at + from)
}

fn find_ignoring_case(text: &str, what: &str, from: usize) -> Option<usize> {
    text.get(from..)?.to_ascii_lowercase().find(what).map(|at| at + from)
}
