//! The syntax of Kubernetes names, labels and versions. Functions named `…_faults` return one message per violated
//! rule, because upstream reports one cause per rule. The messages are those of kube-apiserver 1.36.

/// Whether a string is an `apiVersion`: `group/version` or `version`, that is, not empty and with at most one slash.
pub fn is_group_version(text: &str) -> bool {
    !text.is_empty() && text.matches('/').count() <= 1
}

/// Whether a string is a kind: its lower case is a DNS-1035 label.
pub fn is_kind(text: &str) -> bool {
    dns1035_label_faults(&text.to_lowercase()).is_empty()
}

/// Whether a string consists of lower-case letters, digits and dashes, with no dash at either end, and is not empty.
fn is_dns_label_text(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with('-')
        && !text.ends_with('-')
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// The messages of the rules that are violated.
fn faults<const N: usize>(rules: [(bool, &'static str); N]) -> Vec<&'static str> {
    rules.into_iter().filter(|(is_violated, _)| *is_violated).map(|(_, fault)| fault).collect()
}

/// What a subdomain must be, as a literal: it is also part of a longer message.
macro_rules! subdomain {
    () => {
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', \
         and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
         '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
    };
}

/// What the name in a qualified name must be.
macro_rules! qualified {
    () => {
        "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric \
         character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is \
         '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
    };
}

const LABEL: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must \
                     start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for \
                     validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const OLD_LABEL: &str = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an \
                         alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or \
                         'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const LABEL_VALUE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or \
                           '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or \
                           'my_value',  or '12345', regex used for validation is \
                           '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const TWO_SLASHES: &str = concat!(
    "a valid label key ",
    qualified!(),
    " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
);

/// The rules of a DNS-1123 label that a string violates.
pub fn dns1123_label_faults(text: &str) -> Vec<&'static str> {
    let form = if is_subdomain(text) { "must not contain dots" } else { LABEL };
    faults([(text.len() > 63, "must be no more than 63 characters"), (!is_dns_label_text(text), form)])
}

/// The rules of a DNS-1035 label that a string violates.
pub fn dns1035_label_faults(text: &str) -> Vec<&'static str> {
    let is_label = is_dns_label_text(text) && text.starts_with(|first: char| first.is_ascii_lowercase());
    faults([(text.len() > 63, "must be no more than 63 characters"), (!is_label, OLD_LABEL)])
}

/// The rules of a DNS-1123 subdomain that a string violates.
pub fn dns1123_subdomain_faults(text: &str) -> Vec<&'static str> {
    faults([(text.len() > 253, "must be no more than 253 characters"), (!is_subdomain(text), subdomain!())])
}

fn is_subdomain(text: &str) -> bool {
    text.split('.').all(is_dns_label_text)
}

/// The start of a name, as it is checked: a suffix follows, so it may end in a dash. Upstream replaces its last two
/// characters by a letter.
pub fn prefix_to_check(prefix: &str) -> String {
    match prefix.strip_suffix('-').and_then(|start| start.char_indices().next_back().map(|(end, _)| &start[..end])) {
        Some(start) => format!("{start}a"),
        None => prefix.to_owned(),
    }
}

/// The rules of the start of a URL path segment that a string violates.
pub fn path_segment_prefix_faults(text: &str) -> Vec<&'static str> {
    faults([(text.contains('/'), "may not contain '/'"), (text.contains('%'), "may not contain '%'")])
}

/// The rules of a URL path segment that a string violates.
pub fn path_segment_faults(text: &str) -> Vec<&'static str> {
    match text {
        "." => vec!["may not be '.'"],
        ".." => vec!["may not be '..'"],
        _ => path_segment_prefix_faults(text),
    }
}

/// The rules of a qualified name, `[subdomain/]name`, that a string violates. Label keys, lower-cased annotation keys
/// and finalizers are qualified names.
pub fn qualified_name_faults(text: &str) -> Vec<&'static str> {
    let mut found = Vec::new();
    let name = match text.split_once('/') {
        None => text,
        Some((_, name)) if name.contains('/') => return vec![TWO_SLASHES],
        Some((prefix, name)) => {
            if prefix.is_empty() {
                found.push("prefix part must be non-empty");
            } else {
                found.extend(faults([
                    (prefix.len() > 253, "prefix part must be no more than 253 bytes"),
                    (!is_subdomain(prefix), concat!("prefix part ", subdomain!())),
                ]));
            }
            name
        }
    };
    found.extend(faults([
        (name.is_empty(), "name part must be non-empty"),
        (name.len() > 63, "name part must be no more than 63 bytes"),
        (!is_label_text(name), concat!("name part ", qualified!())),
    ]));
    found
}

/// The rules of a label value that a string violates.
pub fn label_value_faults(text: &str) -> Vec<&'static str> {
    let is_value = text.is_empty() || is_label_text(text);
    faults([(text.len() > 63, "must be no more than 63 bytes"), (!is_value, LABEL_VALUE)])
}

fn is_label_text(text: &str) -> bool {
    let ends = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
    ends(text.bytes().next())
        && ends(text.bytes().last())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    type Rules = fn(&str) -> Vec<&'static str>;

    #[rstest]
    #[case::label(dns1123_label_faults, "0-a", 0)]
    #[case::label_with_dot(dns1123_label_faults, "a.b", 1)]
    #[case::long_label(dns1123_label_faults, &"a".repeat(64), 1)]
    #[case::long_and_malformed_label(dns1123_label_faults, &"A".repeat(64), 2)]
    #[case::old_label(dns1035_label_faults, "a-0", 0)]
    #[case::old_label_with_digit_first(dns1035_label_faults, "0-a", 1)]
    #[case::subdomain(dns1123_subdomain_faults, "a.0-b", 0)]
    #[case::empty_part_of_a_subdomain(dns1123_subdomain_faults, "a..b", 1)]
    #[case::long_subdomain(dns1123_subdomain_faults, &"a".repeat(254), 1)]
    #[case::path_segment(path_segment_faults, "a b", 0)]
    #[case::parent_folder(path_segment_faults, "..", 1)]
    #[case::slash_and_per_cent(path_segment_faults, "a/%", 2)]
    #[case::prefix_of_dots(path_segment_prefix_faults, "..", 0)]
    #[case::qualified_name(qualified_name_faults, "a.b/C_d", 0)]
    #[case::name_without_prefix(qualified_name_faults, "C.d", 0)]
    #[case::empty_prefix(qualified_name_faults, "/a", 1)]
    #[case::empty_name(qualified_name_faults, "a/", 2)]
    #[case::two_slashes(qualified_name_faults, "a/b/c", 1)]
    #[case::label_value(label_value_faults, "A_b.c", 0)]
    #[case::empty_label_value(label_value_faults, "", 0)]
    #[case::label_value_with_dash_last(label_value_faults, "a-", 1)]
    fn each_violated_rule_is_one_fault(#[case] faults: Rules, #[case] text: &str, #[case] count: usize) {
        assert_eq!(faults(text).len(), count, "{:?}", faults(text));
    }

    #[rstest]
    #[case("v1", true)]
    #[case("a/v1", true)]
    #[case("/", true)]
    #[case("a/b/c", false)]
    #[case("", false)]
    fn a_group_version_has_at_most_one_slash(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(is_group_version(text), expected);
    }

    #[rstest]
    #[case("FooBar", true)]
    #[case("1Foo", false)]
    #[case("Foo_", false)]
    fn a_kind_is_a_label_in_lower_case(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(is_kind(text), expected);
    }
}
