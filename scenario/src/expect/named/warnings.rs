//! Checks of the `Warning` headers of an answer.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use crdible_semantics::Reason;
use serde_json::json;

use super::{super::Mismatch, Given};
use crate::transcript::normal_field;

/// Reasons of mismatches.
const MISSING: &str = "warning-missing";
const UNEXPECTED: &str = "warning-unexpected";

pub(super) fn exactly(given: &Given<'_>, expected: &[String]) -> Result<(), Mismatch> {
    let actual = &given.answer.warnings;
    if expected == actual {
        return Ok(());
    }
    let missing = expected.iter().find(|text| !actual.contains(text));
    let unexpected = actual.iter().find(|text| !expected.contains(text));
    let (reason, what) = match (missing, unexpected) {
        (Some(text), _) => (MISSING, format!("the warning {text:?} is missing")),
        (None, Some(text)) => (UNEXPECTED, format!("the warning {text:?} is unexpected")),
        (None, None) => (UNEXPECTED, "the warnings are repeated, or in another order".to_owned()),
    };
    Err(Mismatch::new(json!(expected), json!(actual), "", reason, in_answer(given, what)))
}

/// What is wrong with the warnings of an answer, and its code if that is unusual, too.
fn in_answer(given: &Given<'_>, what: String) -> String {
    let answer = given.answer;
    if answer.is_accepted() { what } else { format!("{what}; the answer is {}", answer.status) }
}

/// Whether a warning is about a rule, as upstream words it: a field, one of the reasons that a rule may have (CEL-004),
/// and a message.
pub fn is_of_rule(warning: &str) -> bool {
    let reasons = [Reason::Required, Reason::Invalid, Reason::Forbidden, Reason::Duplicate];
    reasons.iter().any(|reason| warning.contains(&format!(": {}: ", reason.title())))
}

pub(super) fn of_rules(given: &Given<'_>, expected: &[(String, String)]) -> Result<(), Mismatch> {
    let mut unmatched: Vec<&String> = given.answer.warnings.iter().collect();
    let mut missing = None;
    for rule @ (field, message) in expected {
        // Keys of maps stand in brackets or follow a dot, as in causes.
        let field = normal_field(field);
        let holds_both = |text: &&String| normal_field(text).contains(&field) && text.contains(message.as_str());
        match unmatched.iter().position(holds_both) {
            Some(at) => drop(unmatched.remove(at)),
            None => missing = missing.or(Some(rule)),
        }
    }
    // Others may come from elsewhere, such as the policies of a cluster.
    let is_of_rules =
        |text: &&String| expected.iter().any(|(_, message)| text.contains(message.as_str())) || is_of_rule(text);
    let (reason, what) = match (missing, unmatched.into_iter().find(is_of_rules)) {
        (None, None) => return Ok(()),
        (Some((field, _)), _) => (MISSING, format!("no warning says that a rule at {field:?} is broken and forgiven")),
        (None, Some(text)) => (UNEXPECTED, format!("a warning about a rule is unexpected: {text}")),
    };
    let place = missing.map_or("", |(field, _)| field.as_str());
    let expected: Vec<String> = expected.iter().map(|(field, message)| format!("{field}: …: {message}")).collect();
    Err(Mismatch::new(json!(expected), json!(given.answer.warnings), place, reason, in_answer(given, what)))
}

pub(super) fn deprecation(given: &Given<'_>, due: Option<&str>, others: &[String]) -> Result<(), Mismatch> {
    let is_other = |text: &str| others.iter().any(|other| other == text);
    let warnings: Vec<&str> = given.answer.warnings.iter().map(String::as_str).collect();
    let about: Vec<&str> = warnings
        .into_iter()
        .filter(|text| due == Some(*text) || is_other(text) || text.contains(" is deprecated"))
        .collect();
    if about == due.into_iter().collect::<Vec<_>>() {
        return Ok(());
    }
    let is_missing = due.is_some_and(|due| !about.contains(&due));
    let (reason, what) = if is_missing {
        (MISSING, "the deprecation warning is missing")
    } else {
        (UNEXPECTED, "a deprecation warning is unexpected")
    };
    Err(Mismatch::new(json!(due), json!(about), "", reason, in_answer(given, what.to_owned())))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{super::evaluate, Given};
    use crate::{scenario::NamedCheck, transcript::Answer};

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(ToString::to_string).collect()
    }

    fn reason(check: &NamedCheck, warnings: &[&str]) -> Option<String> {
        let answer = Answer { warnings: texts(warnings), ..Answer::default() };
        evaluate(check, &Given::of(&answer)).err().map(|mismatch| mismatch.reason)
    }

    #[rstest]
    #[case::none(&[], &[], None)]
    #[case::all(&["a", "b"], &["a", "b"], None)]
    #[case::other_order(&["a", "b"], &["b", "a"], Some("warning-unexpected"))]
    #[case::missing(&["a"], &[], Some("warning-missing"))]
    #[case::twice(&["a"], &["a", "a"], Some("warning-unexpected"))]
    fn warnings_are_exact(#[case] due: &[&str], #[case] warnings: &[&str], #[case] expected: Option<&str>) {
        assert_eq!(reason(&NamedCheck::Warnings { texts: texts(due) }, warnings).as_deref(), expected);
    }

    #[rstest]
    #[case::none(&[], &[], None)]
    #[case::any_order(&[("a", "x"), ("b", "y")], &["b: Invalid value: 1: y", "a: Forbidden: x"], None)]
    #[case::key(&[("a.k", "x")], &["a[k]: Forbidden: x"], None)]
    #[case::other_field(&[("a", "x")], &["b: x"], Some("warning-missing"))]
    #[case::other_message(&[("a", "x")], &["a: y"], Some("warning-missing"))]
    #[case::each_has_its_own(&[("a", "x"), ("a", "x")], &["a: x"], Some("warning-missing"))]
    #[case::another(&[("a", "x")], &["a: x", "b: x"], Some("warning-unexpected"))]
    #[case::of_a_rule_that_holds(&[], &["spec.a: Invalid value: 1: y"], Some("warning-unexpected"))]
    #[case::from_elsewhere(&[("a", "x")], &["a: x", "policy: set a limit"], None)]
    fn each_forgiven_rule_has_a_warning(
        #[case] due: &[(&str, &str)],
        #[case] warnings: &[&str],
        #[case] expected: Option<&str>,
    ) {
        let rules = due.iter().map(|(field, message)| ((*field).to_owned(), (*message).to_owned())).collect();
        assert_eq!(reason(&NamedCheck::RuleWarnings { rules }, warnings).as_deref(), expected);
    }

    #[rstest]
    #[case::warnings(Some("gone"), &["gone", "unknown field \"x\""], None)]
    #[case::silent(None, &["be nice"], None)]
    #[case::missing(Some("gone"), &["be nice"], Some("warning-missing"))]
    #[case::twice(Some("gone"), &["gone", "gone"], Some("warning-unexpected"))]
    #[case::of_another(Some("gone"), &["gone", "leave"], Some("warning-unexpected"))]
    #[case::in_upstreams_words(None, &["g/v1 Thing is deprecated; use g/v2 Thing"], Some("warning-unexpected"))]
    fn deprecation_is_reported_once(
        #[case] due: Option<&str>,
        #[case] warnings: &[&str],
        #[case] expected: Option<&str>,
    ) {
        let check = NamedCheck::Deprecation { text: due.map(str::to_owned), others: texts(&["gone", "leave"]) };
        assert_eq!(reason(&check, warnings).as_deref(), expected);
    }
}
