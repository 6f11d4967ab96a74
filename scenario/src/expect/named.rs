//! Checks that plain data cannot express: pure functions of the transcript, each with a name and a version.
//!
//! The meaning of a version never changes: scenarios in files refer to it.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

mod arguments;
mod calls;
mod definitions;
mod discovery;
mod endings;
mod events;
mod initial;
mod lifecycle;
mod listings;
mod lists;
mod objects;
mod outcomes;
mod published;
mod tables;
mod warnings;

use serde::Deserialize as _;
use serde_json::{Value, json};

use self::arguments::{Arguments, Form};
use super::{Mismatch, holds};
use crate::{
    scenario::Expectation,
    transcript::{Answer, Call, Transcript},
};

/// The input of a named check.
pub(super) struct Given<'a> {
    /// Its arguments.
    pub(super) arguments: &'a Value,
    /// The answer that it judges.
    pub(super) answer: &'a Answer,
    /// The other answer that it uses.
    pub(super) other: Option<&'a Answer>,
    /// What the webhooks of the scenario were sent.
    pub(super) calls: &'a [Call],
}

type Check = fn(&Given<'_>) -> Result<(), Mismatch>;

/// `{"of": [expectation, …]}`: all of these hold of the answer. It is what a read waits for that is checked for several
/// facts: a server may write them one after the other. None of them looks at another answer.
fn all(given: &Given<'_>) -> Result<(), Mismatch> {
    let expectations = given.arguments["of"].as_array().into_iter().flatten();
    for expectation in expectations {
        let Ok(one) = Expectation::deserialize(expectation) else {
            let summary = "this version of crdible has no such expectation".to_owned();
            return Err(Mismatch::new(expectation.clone(), Value::Null, "", "unknown-check", summary));
        };
        holds(&one, given.answer, &Transcript::default())?;
    }
    Ok(())
}

/// All named checks, with their arguments.
const CHECKS: &[(&str, Arguments, Check)] = &[
    ("all@1", &[("of", Form::Expectations)], all),
    ("kept-keys-subset@1", &[], objects::kept_keys_subset),
    ("contains@1", &[("content", Form::Any)], objects::contains),
    ("same-listing@1", &[], listings::same),
    ("listing-within@1", &[], listings::within),
    ("listing-in-classes@1", &[("classes", Form::Classes)], listings::in_classes),
    ("aggregated-listing@1", &[], listings::aggregated),
    ("definition-causes@2", &[("causes", Form::Causes)], definitions::causes),
    ("condition@2", &[("type", Form::Text), ("status", Form::TextOrNull)], definitions::condition),
    (
        "condition-for@1",
        &[("type", Form::Text), ("status", Form::Text), ("reason", Form::Text)],
        definitions::condition_for,
    ),
    ("duplicate-fields@1", &[("paths", Form::Texts), ("refused", Form::Flag)], definitions::duplicate_fields),
    ("holds-nothing@1", &[("pointer", Form::Text)], definitions::holds_nothing),
    ("unrecognized-formats@2", &[("formats", Form::Texts)], definitions::unrecognized_formats),
    ("no-unrecognized-format@1", &[], definitions::no_unrecognized_format),
    ("other-revision@1", &[], objects::other_revision),
    ("next-generation@1", &[], objects::next_generation),
    ("warnings@1", &[("texts", Form::Texts)], warnings::exactly),
    ("deprecation@1", &[("text", Form::TextOrNull), ("others", Form::Texts)], warnings::deprecation),
    ("listed@1", &[], lists::listed),
    ("accepted-if@1", &[], outcomes::accepted_if),
    ("refused-as@1", &[("status", Form::Code), ("reason", Form::Text)], outcomes::refused_as),
    ("same-if-accepted@1", &[("pointer", Form::Text)], objects::same_if_accepted),
    ("has@1", &[("pointer", Form::Text)], objects::has),
    ("differs@1", &[("pointer", Form::Text)], objects::differs),
    ("generated-name@1", &[("prefix", Form::Text)], objects::generated_name),
    ("one-of@1", &[("contents", Form::Any)], objects::one_of),
    ("accepted-or-refused-as@1", &[("status", Form::Code), ("reason", Form::Text)], outcomes::accepted_or_refused_as),
    ("not-both@1", &[], outcomes::not_both),
    ("content-if@1", &[("content", Form::Any)], objects::content_if),
    ("slice@1", &[("from", Form::Number), ("count", Form::Number), ("expires", Form::Flag)], lists::slice),
    ("is-status@1", &[], outcomes::is_status),
    ("reason-of-code@1", &[], outcomes::reason_of_code),
    ("begins@1", &[("most", Form::Number)], lists::begins),
    ("other-than@1", &[("pointer", Form::Text), ("value", Form::Any)], objects::other_than),
    ("rejected-with@1", &[("pointer", Form::Text), ("value", Form::Any)], outcomes::rejected_with),
    ("remaining@1", &[("count", Form::Number)], lists::remaining),
    ("states@1", &[("states", Form::States), ("expires", Form::Flag)], lists::states),
    ("never-came@1", &[], outcomes::never_came),
    ("not-listed@1", &[], listings::not_listed),
    ("lists@1", &[("objects", Form::Numbers)], events::lists),
    ("events-complete@1", &[("version", Form::Text), ("events", Form::Events)], events::complete),
    (
        "events@1",
        &[("version", Form::Text), ("events", Form::Events), ("expires", Form::Flag), ("fewer", Form::Flag)],
        events::exactly,
    ),
    (
        "initial-events@1",
        &[("version", Form::Text), ("events", Form::Events), ("end", Form::Flag), ("any-order", Form::Flag)],
        initial::events,
    ),
    ("event-namespaces@1", &[("namespaces", Form::Texts)], events::namespaces),
    ("ended@1", &[("seconds", Form::Number)], endings::soon),
    ("ended-by-deletion@1", &[("objects", Form::Numbers), ("seconds", Form::Number)], endings::by_deletion),
    ("conditions@1", &[], lifecycle::well_formed),
    ("cleanup-begun@1", &[], lifecycle::cleanup_begun),
    ("cleanup-not-delayed@1", &[], lifecycle::cleanup_not_delayed),
    ("cleanup-over@1", &[], lifecycle::cleanup_over),
    ("established-after-names@1", &[], lifecycle::established_after_names),
    ("transitions@1", &[], lifecycle::transitions),
    ("condition-says@1", &[("type", Form::Text), ("text", Form::Text)], lifecycle::mentions),
    ("accepted-names@1", &[("names", Form::Any)], lifecycle::accepted_names),
    ("names-consistent@1", &[], lifecycle::names_consistent),
    (
        "names-decided@1",
        &[("names", Form::Any), ("accepted", Form::Text), ("established", Form::Text)],
        lifecycle::names_decided,
    ),
    ("same-managers@1", &[], lifecycle::same_managers),
    ("plain-404@1", &[], lifecycle::no_status),
    ("moved@1", &[("from", Form::Place), ("to", Form::Place)], outcomes::moved),
    ("taken@1", &[], outcomes::accepted_with_any_body),
    ("not-accepted@1", &[], outcomes::not_accepted),
    ("media-type@1", &[("type", Form::Text)], outcomes::media_type),
    ("lists-causes@1", &[], outcomes::lists_causes),
    (
        "webhook-reviews@1",
        &[("definition", Form::Number), ("reviews", Form::Text), ("path", Form::Text), ("versions", Form::Texts)],
        calls::reviews,
    ),
    ("webhook-sent@1", &[("definition", Form::Number), ("to", Form::Text)], calls::sent),
    ("webhook-silent@1", &[("definition", Form::Number)], calls::none),
    ("table@1", &[("version", Form::Text)], tables::is_table),
    ("table-columns@1", &[("columns", Form::Any)], tables::columns),
    ("table-rows@1", &[], tables::rows),
    ("table-metadata@1", &[], tables::of_list),
    ("table-events@1", &[("objects", Form::Text), ("columns", Form::Any), ("events", Form::Any)], tables::events),
    (
        "table-events-complete@1",
        &[("objects", Form::Text), ("columns", Form::Any), ("events", Form::Any)],
        tables::events_complete,
    ),
    ("table-initial@1", &[("rows", Form::Any)], initial::rows),
    ("table-objects@1", &[("objects", Form::Text)], tables::objects),
    ("table-cells@1", &[("column", Form::Number), ("cells", Form::Any)], tables::cells),
    ("metadata-only@1", &[("version", Form::Text)], tables::metadata),
    ("resources@1", &[("version", Form::Text), ("resources", Form::Any)], discovery::resources),
    ("resource-names@1", &[("version", Form::Text), ("names", Form::Texts)], discovery::names),
    ("resource@1", &[("name", Form::Text), ("entry", Form::Any)], discovery::entry),
    ("resource-verbs@1", &[("name", Form::Text), ("verbs", Form::Texts)], discovery::verbs),
    ("aggregated-resources@1", &[("versions", Form::Any)], discovery::aggregated),
    ("group@1", &[("versions", Form::Texts)], discovery::group),
    ("discovery-agrees@1", &[("version", Form::Text)], discovery::agrees),
    ("served-if-listed@1", &[("resource", Form::Text)], discovery::served_if_listed),
    ("storage-hash@1", &[("resource", Form::Text), ("hash", Form::Text)], discovery::hash),
    ("form@1", &[("type", Form::Text), ("vary", Form::Flag)], discovery::form),
    ("published-schema@1", &[("model", Form::Text), ("part", Form::Text), ("schema", Form::Any)], published::schema),
    ("published-value@1", &[("model", Form::Text), ("pointer", Form::Text), ("value", Form::Any)], published::value),
    ("published-current@1", &[("versions", Form::Texts), ("fields", Form::Any)], published::current),
    ("published-not@1", &[("model", Form::Text)], published::no_model),
    ("published-nothing@1", &[("version", Form::TextOrNull)], published::nothing),
    ("published-references@1", &[], published::resolves),
    ("published-routes@1", &[("version", Form::Text), ("part", Form::Text), ("routes", Form::Any)], published::routes),
    ("published-index@1", &[("listed", Form::Texts), ("unlisted", Form::Texts)], published::index),
    ("published-hash@1", &[("version", Form::Text)], published::hash_of),
    ("published-immutable@1", &[("is", Form::Flag)], published::immutable),
    ("published-same@1", &[], published::same_etag),
    ("published-other@1", &[], published::other_etag),
    ("published-not-modified@1", &[], published::not_modified),
    ("published-admits@1", &[("model", Form::Text)], published::admits),
    ("webhook-failure@1", &[("from", Form::Text), ("words", Form::Texts)], calls::failure),
];

/// Evaluates a named check; an unknown name is a mismatch.
pub(super) fn evaluate(name: &str, given: &Given<'_>) -> Result<(), Mismatch> {
    match CHECKS.iter().find(|(known, ..)| *known == name) {
        Some((_, _, check)) => check(given),
        None => {
            let summary = format!("this version of crdible has no check `{name}`");
            Err(Mismatch::new(json!(name), Value::Null, "", "unknown-check", summary))
        }
    }
}

/// Validates a named check of a scenario from a file: its name must be known, and its arguments valid.
pub(super) fn check_arguments(name: &str, arguments: &Value) -> Result<(), String> {
    match CHECKS.iter().find(|(known, ..)| *known == name) {
        Some((_, expected, _)) => {
            arguments::check(expected, arguments, |name, arguments| check_arguments(name, arguments).is_ok())
        }
        None => Err("this version of crdible does not have it".to_owned()),
    }
}

impl<'a> Given<'a> {
    /// The other answer, without which the check cannot be made.
    fn looked_at(&self) -> Result<&'a Answer, Mismatch> {
        self.other.ok_or_else(Mismatch::no_answer)
    }

    /// An argument that is a text.
    fn text(&self, name: &str) -> &'a str {
        self.arguments[name].as_str().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{Given, evaluate};
    use crate::transcript::Answer;

    #[rstest]
    #[case::all(json!([{ "at": { "pointer": "/spec/a", "value": 1 } }, "accepted"]), None)]
    #[case::one_does_not(json!([{ "status": 200 }, { "at": { "pointer": "/spec/a", "value": 2 } }]), Some("changed"))]
    #[case::a_named_one(json!([{ "named": { "check": "has@1", "arguments": { "pointer": "/kind" } } }]), None)]
    #[case::no_expectation(json!([{ "unheard-of": 1 }]), Some("unknown-check"))]
    fn all_of_several(#[case] of: Value, #[case] reason: Option<&str>) {
        let answer = Answer { status: 200, body: json!({ "kind": "X", "spec": { "a": 1 } }), ..Answer::default() };
        let given = Given { arguments: &json!({ "of": of }), answer: &answer, other: None, calls: &[] };
        assert_eq!(evaluate("all@1", &given).err().map(|found| found.reason).as_deref(), reason);
    }
}
