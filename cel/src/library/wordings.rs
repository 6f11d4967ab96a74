//! What upstream says about names that are wrong. Rules read it: `format.dns1123Label().validate(self).value()[0]`.

use crdible_text::name::{
    dns1035_label_faults, dns1123_label_faults, dns1123_subdomain_faults, label_value_faults, qualified_name_faults,
};

const LABEL: &str = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN: &str = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
const OLD_LABEL: &str = "[a-z]([-a-z0-9]*[a-z0-9])?";
const KEY: &str = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const VALUE: &str = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?";
const ENDS: &str = "and must start and end with an alphanumeric character";

/// A rule with examples and its regular expression, as upstream ends such a message.
fn with_expression(rule: &str, examples: &[&str], expression: &str) -> String {
    let examples: Vec<String> = examples.iter().map(|example| format!("'{example}', ")).collect();
    format!("{rule} (e.g. {}regex used for validation is '{expression}')", examples.join(" or "))
}

pub(super) fn dns1123_label(text: &str) -> Vec<String> {
    let malformed = || {
        // A name with dots is called that.
        if text.len() <= 253 && dns1123_subdomain_faults(text).is_empty() && text.contains('.') {
            return "must not contain dots".to_owned();
        }
        let rule =
            format!("a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', {ENDS}");
        with_expression(&rule, &["my-name", "123-abc"], LABEL)
    };
    let wording = |fault: &str| if is_length(fault) { too_long(63, "characters") } else { malformed() };
    dns1123_label_faults(text).into_iter().map(wording).collect()
}

pub(super) fn dns1123_subdomain(text: &str) -> Vec<String> {
    let malformed = || {
        let rule = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.',";
        with_expression(&format!("{rule} {ENDS}"), &["example.com"], SUBDOMAIN)
    };
    let wording = |fault: &str| if is_length(fault) { too_long(253, "characters") } else { malformed() };
    dns1123_subdomain_faults(text).into_iter().map(wording).collect()
}

pub(super) fn dns1035_label(text: &str) -> Vec<String> {
    let malformed = || {
        let rule = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an \
                    alphabetic character, and end with an alphanumeric character";
        with_expression(rule, &["my-name", "abc-123"], OLD_LABEL)
    };
    let wording = |fault: &str| if is_length(fault) { too_long(63, "characters") } else { malformed() };
    dns1035_label_faults(text).into_iter().map(wording).collect()
}

pub(super) fn label_value(text: &str) -> Vec<String> {
    let malformed = || {
        let rule = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.',";
        with_expression(&format!("{rule} {ENDS}"), &["MyValue", "my_value", "12345"], VALUE)
    };
    let wording = |fault: &str| if is_length(fault) { too_long(63, "bytes") } else { malformed() };
    label_value_faults(text).into_iter().map(wording).collect()
}

pub(super) fn qualified_name(text: &str) -> Vec<String> {
    let malformed = || {
        let rule = format!("must consist of alphanumeric characters, '-', '_' or '.', {ENDS}");
        with_expression(&rule, &["MyName", "my.name", "123-abc"], KEY)
    };
    let wording = |fault: &str| match fault {
        "has more than one slash" => format!(
            "a valid label key {} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
            malformed()
        ),
        "has an empty prefix" => "prefix part must be non-empty".to_owned(),
        "has an empty name" => "name part must be non-empty".to_owned(),
        "has a name longer than 63 bytes" => format!("name part {}", too_long(63, "bytes")),
        _ => format!("name part {}", malformed()),
    };
    let prefix = text.split_once('/').map_or("", |(prefix, _)| prefix);
    let of_prefix = || dns1123_subdomain(prefix).into_iter().map(|fault| format!("prefix part {fault}"));
    let faults = qualified_name_faults(text);
    let is_of_prefix = |fault: &&str| fault.starts_with("is ");
    let has_wrong_prefix = faults.iter().any(|fault| is_of_prefix(&fault));
    let worded = faults.iter().filter(|fault| !is_of_prefix(fault)).map(|fault| wording(fault));
    of_prefix().filter(|_| has_wrong_prefix).chain(worded).collect()
}

fn is_length(fault: &str) -> bool {
    fault.starts_with("is longer than")
}

fn too_long(most: u32, unit: &str) -> String {
    format!("must be no more than {most} {unit}")
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(dns1123_label, "a.b", &["must not contain dots"])]
    #[case(dns1035_label, "a-1", &[])]
    #[case(label_value, "", &[])]
    #[case(qualified_name, "/a", &["prefix part must be non-empty"])]
    #[case(qualified_name, "a.b/C_d", &[])]
    fn faults(#[case] of: fn(&str) -> Vec<String>, #[case] text: &str, #[case] expected: &[&str]) {
        assert_eq!(of(text), expected);
    }

    #[test]
    fn each_part_of_a_name_has_its_faults() {
        let faults = qualified_name("A/");
        assert_eq!(faults.len(), 3, "{faults:?}");
        assert!(faults[0].starts_with("prefix part a lowercase RFC 1123 subdomain"), "{faults:?}");
        assert_eq!(faults[1], "name part must be non-empty");
    }
}
