//! Validation of names (VALUE-040, VALUE-041). Each function returns one message per broken rule.

const SUBDOMAIN: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const LABEL: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const QUALIFIED: &str = "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const LABEL_VALUE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

/// Finalizers that need no domain.
pub(crate) const STANDARD_FINALIZERS: [&str; 3] = ["kubernetes", "orphan", "foregroundDeletion"];

/// DNS-1123 subdomain.
pub(crate) fn subdomain_faults(name: &str) -> Vec<&'static str> {
    let well_formed = name.split('.').all(is_label);
    faults([(name.len() > 253, "must be no more than 253 bytes"), (!well_formed, SUBDOMAIN)])
}

/// DNS-1123 label.
pub(crate) fn label_faults(name: &str) -> Vec<&'static str> {
    faults([(name.len() > 63, "must be no more than 63 bytes"), (!is_label(name), LABEL)])
}

/// A path segment, which every name must be.
pub(crate) fn path_segment_faults(name: &str) -> Vec<&'static str> {
    faults([
        (name == ".", "may not be '.'"),
        (name == "..", "may not be '..'"),
        (name.contains('/'), "may not contain '/'"),
        (name.contains('%'), "may not contain '%'"),
    ])
}

/// `[prefix/]name`: keys of labels, finalizers.
pub(crate) fn qualified_name_faults(name: &str) -> Vec<&'static str> {
    let mut found = Vec::new();
    let part = match name.split_once('/') {
        None => name,
        Some((_, rest)) if rest.contains('/') => return vec![QUALIFIED],
        Some(("", rest)) => {
            found.push("prefix part must be non-empty");
            rest
        }
        Some((prefix, rest)) => {
            found.extend(subdomain_faults(prefix));
            rest
        }
    };
    found.extend(faults([
        (part.is_empty(), "name part must be non-empty"),
        (part.len() > 63, "name part must be no more than 63 bytes"),
        (!is_word(part), QUALIFIED),
    ]));
    found
}

/// Values of labels.
pub(crate) fn label_value_faults(value: &str) -> Vec<&'static str> {
    let well_formed = value.is_empty() || is_word(value);
    faults([(value.len() > 63, "must be no more than 63 bytes"), (!well_formed, LABEL_VALUE)])
}

/// A prefix with its trailing dash replaced, since names must not end with a dash but prefixes may (REST-018).
pub(crate) fn without_trailing_dash(prefix: &str) -> String {
    match prefix.strip_suffix('-') {
        Some(rest) if !rest.is_empty() => format!("{rest}a"),
        _ => prefix.to_owned(),
    }
}

fn faults<const N: usize>(rules: [(bool, &'static str); N]) -> Vec<&'static str> {
    rules.into_iter().filter(|(broken, _)| *broken).map(|(_, text)| text).collect()
}

fn is_label(text: &str) -> bool {
    let ends = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    is_made_of(text, ends, |byte| *byte == b'-')
}

fn is_word(text: &str) -> bool {
    is_made_of(text, u8::is_ascii_alphanumeric, |byte| b"-_.".contains(byte))
}

/// Whether the text is not empty, starts and ends with bytes in `ends`, and contains only bytes in `ends` or `inside`.
fn is_made_of(text: &str, ends: impl Fn(&u8) -> bool, inside: impl Fn(&u8) -> bool) -> bool {
    let bytes = text.as_bytes();
    bytes.first().is_some_and(&ends)
        && bytes.last().is_some_and(&ends)
        && bytes.iter().all(|byte| ends(byte) || inside(byte))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("a.b", 0)]
    #[case("1.2", 0)]
    #[case("", 1)]
    #[case("a..b", 1)]
    #[case("a.", 1)]
    #[case("A", 1)]
    #[case(&"a".repeat(254), 1)]
    #[case(&"A".repeat(254), 2)]
    fn value_040_subdomains(#[case] name: &str, #[case] count: usize) {
        assert_eq!(subdomain_faults(name).len(), count);
    }

    #[rstest]
    #[case("a", 0)]
    #[case("a/b", 0)]
    #[case("A_b.C", 0)]
    #[case("", 2)]
    #[case("/b", 1)]
    #[case("A/b", 1)]
    #[case("a/", 2)]
    #[case("a/b/c", 1)]
    #[case("-", 1)]
    fn value_041_qualified_names(#[case] name: &str, #[case] count: usize) {
        assert_eq!(qualified_name_faults(name).len(), count);
    }
}
