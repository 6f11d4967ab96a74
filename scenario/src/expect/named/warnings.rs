//! Checks of the `Warning` headers of an answer.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use serde_json::{Value, json};

use super::{super::Mismatch, Given};

/// `{"texts": [text, …]}`: the `Warning` headers hold exactly these texts, in this order.
pub(super) fn exactly(given: &Given<'_>) -> Result<(), Mismatch> {
    let expected = given.arguments.get("texts").cloned().unwrap_or_else(|| json!([]));
    let actual = json!(given.answer.warnings);
    if expected == actual {
        return Ok(());
    }
    let is_among = |text: &Value, texts: &Value| texts.as_array().is_some_and(|texts| texts.contains(text));
    let is_missing = expected.as_array().into_iter().flatten().any(|text| !is_among(text, &actual));
    let reason = if is_missing { "warning-missing" } else { "warning-unexpected" };
    let summary = format!("the warnings differ from the expected ones: {reason}");
    Err(Mismatch::new(expected, actual, "", reason, summary))
}

/// `{"text": text or null, "others": [text, …]}`: one `Warning` header holds this text, and none reports another
/// version as deprecated, in one of the other texts or in the words of VER-012. Other warnings are ignored.
pub(super) fn deprecation(given: &Given<'_>) -> Result<(), Mismatch> {
    let due = given.arguments["text"].as_str();
    let others = given.arguments["others"].as_array();
    let is_other = |text: &str| others.into_iter().flatten().any(|other| other == text);
    let warnings: Vec<&str> = given.answer.warnings.iter().map(String::as_str).collect();
    let about: Vec<&str> = warnings
        .into_iter()
        .filter(|text| due == Some(*text) || is_other(text) || text.contains(" is deprecated"))
        .collect();
    if about == due.into_iter().collect::<Vec<_>>() {
        return Ok(());
    }
    let is_missing = due.is_some_and(|due| !about.contains(&due));
    let reason = if is_missing { "warning-missing" } else { "warning-unexpected" };
    let summary = format!("the deprecation warnings differ from the expected ones: {reason}");
    Err(Mismatch::new(json!(due), json!(about), "", reason, summary))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::{super::evaluate, Given};
    use crate::transcript::Answer;

    fn answer(warnings: &[&str]) -> Answer {
        Answer { warnings: warnings.iter().map(ToString::to_string).collect(), ..Answer::default() }
    }

    #[rstest]
    #[case::none(&[], &[], None)]
    #[case::all(&["a", "b"], &["a", "b"], None)]
    #[case::other_order(&["a", "b"], &["b", "a"], Some("warning-unexpected"))]
    #[case::missing(&["a"], &[], Some("warning-missing"))]
    #[case::twice(&["a"], &["a", "a"], Some("warning-unexpected"))]
    fn warnings_are_exact(#[case] due: &[&str], #[case] warnings: &[&str], #[case] reason: Option<&str>) {
        let (arguments, answer) = (json!({ "texts": due }), answer(warnings));
        let given = Given { arguments: &arguments, answer: &answer, other: None, calls: &[] };
        let found = evaluate("warnings@1", &given).err().map(|mismatch| mismatch.reason);
        assert_eq!(found.as_deref(), reason);
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
        #[case] reason: Option<&str>,
    ) {
        let (arguments, answer) = (json!({ "text": due, "others": ["gone", "leave"] }), answer(warnings));
        let given = Given { arguments: &arguments, answer: &answer, other: None, calls: &[] };
        let found = evaluate("deprecation@1", &given).err().map(|mismatch| mismatch.reason);
        assert_eq!(found.as_deref(), reason);
    }
}
