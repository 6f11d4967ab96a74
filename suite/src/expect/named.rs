//! Checks that plain data cannot express: pure functions of the transcript, each with a name and a version.
//!
//! The meaning of a version never changes: scenarios in files refer to it.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

mod arguments;
mod calls;
mod definitions;
mod events;
mod initial;
mod lifecycle;
mod listings;
mod objects;
mod tables;

use serde_json::{Value, json};

use self::arguments::{Arguments, Form};
use super::{
    Mismatch, equal,
    evaluate::same_value,
    mismatch::{shown, summary},
};
use crate::transcript::{Answer, Call};

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

/// All named checks, with their arguments.
const CHECKS: &[(&str, Arguments, Check)] = &[
    ("kept-keys-subset@1", &[], kept_keys_subset),
    ("contains@1", &[("content", Form::Any)], contains),
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
    ("other-revision@1", &[], other_revision),
    ("next-generation@1", &[], next_generation),
    ("warnings@1", &[("texts", Form::Texts)], warnings),
    ("deprecation@1", &[("text", Form::TextOrNull), ("others", Form::Texts)], deprecation),
    ("listed@1", &[], listed),
    ("accepted-if@1", &[], accepted_if),
    ("refused-as@1", &[("status", Form::Code), ("reason", Form::Text)], refused_as),
    ("has@1", &[("pointer", Form::Text)], objects::has),
    ("differs@1", &[("pointer", Form::Text)], objects::differs),
    ("generated-name@1", &[("prefix", Form::Text)], objects::generated_name),
    ("one-of@1", &[("contents", Form::Any)], objects::one_of),
    ("accepted-or-refused-as@1", &[("status", Form::Code), ("reason", Form::Text)], objects::accepted_or_refused_as),
    ("not-both@1", &[], objects::not_both),
    ("content-if@1", &[("content", Form::Any)], objects::content_if),
    ("slice@1", &[("from", Form::Number), ("count", Form::Number), ("expires", Form::Flag)], objects::slice),
    ("is-status@1", &[], objects::is_status),
    ("reason-of-code@1", &[], objects::reason_of_code),
    ("begins@1", &[("most", Form::Number)], objects::begins),
    ("other-than@1", &[("pointer", Form::Text), ("value", Form::Any)], objects::other_than),
    ("rejected-with@1", &[("pointer", Form::Text), ("value", Form::Any)], objects::rejected_with),
    ("remaining@1", &[("count", Form::Number)], objects::remaining),
    ("not-listed@1", &[], listings::not_listed),
    ("lists@1", &[("objects", Form::Numbers)], events::lists),
    ("events-complete@1", &[("version", Form::Text), ("events", Form::Events)], events::complete),
    (
        "events@1",
        &[("version", Form::Text), ("events", Form::Events), ("expires", Form::Flag), ("fewer", Form::Flag)],
        events::exactly,
    ),
    ("initial-events@1", &[("version", Form::Text), ("events", Form::Events), ("end", Form::Flag)], initial::events),
    ("conditions@1", &[], lifecycle::well_formed),
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
    ("present@1", &[("pointer", Form::Text)], lifecycle::present),
    ("other-value@1", &[("pointer", Form::Text)], lifecycle::other_value),
    ("same-managers@1", &[], lifecycle::same_managers),
    ("plain-404@1", &[], lifecycle::no_status),
    ("moved@1", &[("from", Form::Place), ("to", Form::Place)], moved),
    ("taken@1", &[], accepted_with_any_body),
    ("not-accepted@1", &[], not_accepted),
    ("lists-causes@1", &[], lists_causes),
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
    ("table-objects@1", &[("objects", Form::Text)], tables::objects),
    ("table-cells@1", &[("column", Form::Number), ("cells", Form::Any)], tables::cells),
    ("metadata-only@1", &[("version", Form::Text)], tables::metadata),
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
        Some((_, expected, _)) => arguments::check(expected, arguments),
        None => Err("this version of crdible does not have it".to_owned()),
    }
}

/// 2xx, whatever the body is.
fn accepted_with_any_body(given: &Given<'_>) -> Result<(), Mismatch> {
    if given.answer.is_accepted() {
        return Ok(());
    }
    super::evaluate::accepted(given.answer)
}

/// Any code but 2xx, whatever the body is.
fn not_accepted(given: &Given<'_>) -> Result<(), Mismatch> {
    let status = given.answer.status;
    if !given.answer.is_accepted() {
        return Ok(());
    }
    let summary = format!("expected the request to be rejected, got {status}");
    Err(Mismatch::new(json!("4xx"), shown(given.answer), "", "accepted", summary))
}

/// 422 with causes, or accepted: a server may overlook what is invalid, but if it rejects it, it says why.
fn lists_causes(given: &Given<'_>) -> Result<(), Mismatch> {
    if given.answer.is_accepted() || !given.answer.causes().is_empty() {
        return Ok(());
    }
    let summary = format!("the answer lists no causes: {}", summary(given.answer));
    Err(Mismatch::new(json!("422 with details.causes"), shown(given.answer), "", "no-causes", summary))
}

/// Every key of this content is a key of the other content at the same place, and every scalar is equal.
fn kept_keys_subset(given: &Given<'_>) -> Result<(), Mismatch> {
    included(&given.answer.content(), &given.looked_at()?.content())
}

/// `{"content": value}`: the content holds all of this, and perhaps more keys.
fn contains(given: &Given<'_>) -> Result<(), Mismatch> {
    included(given.arguments.get("content").unwrap_or(&Value::Null), &given.answer.content())
}

/// The object was written since the other answer: another `resourceVersion`.
fn other_revision(given: &Given<'_>) -> Result<(), Mismatch> {
    let (before, now) = (given.looked_at()?.revision(), given.answer.revision());
    if now.is_some() && now != before {
        return Ok(());
    }
    let summary = "the resourceVersion is unchanged: nothing was written".to_owned();
    let pointer = "/metadata/resourceVersion";
    Err(Mismatch::new(json!("another resourceVersion"), json!(now), pointer, "not-written", summary))
}

/// The content was changed once since the other answer: `generation` is the next number.
fn next_generation(given: &Given<'_>) -> Result<(), Mismatch> {
    let pointer = "/metadata/generation";
    let generation = |answer: &Answer| answer.body.pointer(pointer).and_then(Value::as_i64);
    let before = given.looked_at()?;
    for answer in [before, given.answer] {
        super::evaluate::accepted(answer)?;
    }
    let (before, now) = (generation(before), generation(given.answer));
    if now.is_some() && now == before.map(|number| number + 1) {
        return Ok(());
    }
    let reason = if now == before { "not-counted" } else { "other-generation" };
    let summary = "the generation is not the next one after the content changed".to_owned();
    Err(Mismatch::new(json!(before.map(|number| number + 1)), json!(now), pointer, reason, summary))
}

/// `{"texts": [text, …]}`: the `Warning` headers hold exactly these texts, in this order.
fn warnings(given: &Given<'_>) -> Result<(), Mismatch> {
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
fn deprecation(given: &Given<'_>) -> Result<(), Mismatch> {
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

/// The list has one item with the `uid` of the object that the other answer shows, and it equals that object.
fn listed(given: &Given<'_>) -> Result<(), Mismatch> {
    let object = &given.looked_at()?.body;
    let uid = |object: &Value| object.pointer("/metadata/uid").cloned();
    let items = given.answer.body.get("items").and_then(Value::as_array);
    let same: Vec<&Value> = items.into_iter().flatten().filter(|item| uid(item) == uid(object)).collect();
    match same[..] {
        [item] => same_value(object, item, "items"),
        _ => {
            let summary = format!("the list contains the object {} times", same.len());
            Err(Mismatch::new(object.clone(), json!(same), "items", "listed-otherwise", summary))
        }
    }
}

/// Accepted, if the other answer is.
fn accepted_if(given: &Given<'_>) -> Result<(), Mismatch> {
    let other = given.looked_at()?;
    if let Some(broken) = [other, given.answer].into_iter().find(|answer| answer.status >= 500) {
        let summary = format!("the server failed with code {}", broken.status);
        return Err(Mismatch::new(json!("an answer below 500"), json!(broken.status), "", "server-error", summary));
    }
    if !other.is_accepted() || given.answer.is_accepted() {
        return Ok(());
    }
    let causes = given.answer.causes();
    let place = causes.first().map_or("", |cause| &cause.field);
    let summary = format!("the other request is accepted, but this one is rejected with code {}", given.answer.status);
    Err(Mismatch::new(
        json!("2xx"),
        json!({ "status": given.answer.status, "causes": causes }),
        place,
        "refused",
        summary,
    ))
}

/// `{"status": code, "reason": text}`: rejected with this code, and a `Status` with this reason.
fn refused_as(given: &Given<'_>) -> Result<(), Mismatch> {
    let actual = json!({ "status": given.answer.status, "reason": given.answer.reason() });
    let kind = given.answer.body.get("kind").and_then(Value::as_str);
    if actual == *given.arguments && kind == Some("Status") {
        return Ok(());
    }
    let (status, wanted) = (&given.arguments["status"], given.arguments["reason"].as_str().unwrap_or_default());
    // Else both sides would read alike.
    let lacking = if actual == *given.arguments { " without a Status" } else { "" };
    let message = format!("expected {status} {wanted}, got {}{lacking}", summary(given.answer));
    let reason = format!("status-{}", given.answer.status);
    Err(Mismatch::new(given.arguments.clone(), actual, "", reason.trim_end(), message))
}

/// `{"from": {"field", "pointer"}, "to": {"field", "pointer"}}`: the other answer is about the same value at the place
/// `from`, this one at `to`. Both are accepted, with the same value there; or both are rejected with the same code and
/// causes, apart from the prefix of their fields.
fn moved(given: &Given<'_>) -> Result<(), Mismatch> {
    let (before, now) = (given.looked_at()?, given.answer);
    let place = |side: &str, part: &str| given.arguments[side][part].as_str().unwrap_or_default();
    if before.is_accepted() && now.is_accepted() {
        let at = |answer: &Answer, side: &str| answer.body.pointer(place(side, "pointer")).cloned().unwrap_or_default();
        return same_value(&at(before, "from"), &at(now, "to"), place("to", "pointer"));
    }
    let (from, to) = (place("from", "field"), place("to", "field"));
    let mut expected = before.causes();
    for cause in &mut expected {
        if let Some(behind) = cause.field.strip_prefix(from) {
            cause.field = format!("{to}{behind}");
        }
    }
    expected.sort();
    let actual = now.causes();
    if before.status == now.status && before.reason() == now.reason() && expected == actual && now.status < 500 {
        return Ok(());
    }
    let differs = actual.iter().find(|cause| !expected.contains(cause));
    let differs = differs.or_else(|| expected.iter().find(|cause| !actual.contains(cause)));
    let summary = format!("code {} at one place, and code {} at another", before.status, now.status);
    Err(Mismatch::new(
        json!({ "status": before.status, "causes": expected }),
        json!({ "status": now.status, "causes": actual }),
        differs.map_or("", |cause| &cause.field),
        "other-place",
        summary,
    ))
}

impl<'a> Given<'a> {
    fn looked_at(&self) -> Result<&'a Answer, Mismatch> {
        self.other.ok_or_else(Mismatch::no_answer)
    }
}

fn included(part: &Value, whole: &Value) -> Result<(), Mismatch> {
    let mut pointer = String::new();
    if is_included(part, whole, &mut pointer) {
        return Ok(());
    }
    let summary = format!("{} is not in the larger object", if pointer.is_empty() { "the root" } else { &pointer });
    Err(Mismatch::new(part.clone(), whole.clone(), &pointer, "not-included", summary))
}

fn is_included(part: &Value, whole: &Value, pointer: &mut String) -> bool {
    let length = pointer.len();
    let mut enter = |key: &str, part: &Value, whole: Option<&Value>| {
        pointer.truncate(length);
        pointer.push('/');
        pointer.push_str(key);
        whole.is_some_and(|whole| is_included(part, whole, pointer))
    };
    let included = match (part, whole) {
        (Value::Object(part), Value::Object(whole)) => {
            part.iter().all(|(key, value)| enter(key, value, whole.get(key)))
        }
        (Value::Array(part), Value::Array(whole)) => {
            part.len() == whole.len()
                && part.iter().enumerate().all(|(at, value)| enter(&at.to_string(), value, whole.get(at)))
        }
        (part, whole) => return equal(part, whole),
    };
    if included {
        pointer.truncate(length);
    }
    included
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{Given, evaluate};
    use crate::transcript::Answer;

    fn answer(revision: Option<&str>, warnings: &[&str]) -> Answer {
        Answer {
            status: 200,
            warnings: warnings.iter().map(ToString::to_string).collect(),
            body: json!({ "kind": "$kind", "metadata": { "resourceVersion": revision } }),
            ..Answer::default()
        }
    }

    #[rstest]
    #[case::the_same(Some("5"), Some("5"), false)]
    #[case::another(Some("5"), Some("6"), true)]
    #[case::none(Some("5"), None, false)]
    fn a_write_shows_in_the_revision(#[case] before: Option<&str>, #[case] now: Option<&str>, #[case] holds: bool) {
        let (before, now) = (answer(before, &[]), answer(now, &[]));
        let given = Given { arguments: &Value::Null, answer: &now, other: Some(&before), calls: &[] };
        assert_eq!(evaluate("other-revision@1", &given).is_ok(), holds);
    }

    #[rstest]
    #[case::next(json!(2), json!(3), None)]
    #[case::the_same(json!(2), json!(2), Some("not-counted"))]
    #[case::two_more(json!(2), json!(4), Some("other-generation"))]
    #[case::none(Value::Null, Value::Null, Some("not-counted"))]
    fn a_change_is_counted_once(#[case] before: Value, #[case] now: Value, #[case] reason: Option<&str>) {
        let of = |generation: Value| accepted(json!({ "metadata": { "generation": generation } }));
        let (before, now) = (of(before), of(now));
        let given = Given { arguments: &Value::Null, answer: &now, other: Some(&before), calls: &[] };
        let found = evaluate("next-generation@1", &given).err().map(|mismatch| mismatch.reason);
        assert_eq!(found.as_deref(), reason);
    }

    #[rstest]
    #[case::none(&[], &[], None)]
    #[case::all(&["a", "b"], &["a", "b"], None)]
    #[case::other_order(&["a", "b"], &["b", "a"], Some("warning-unexpected"))]
    #[case::missing(&["a"], &[], Some("warning-missing"))]
    #[case::twice(&["a"], &["a", "a"], Some("warning-unexpected"))]
    fn warnings_are_exact(#[case] due: &[&str], #[case] warnings: &[&str], #[case] reason: Option<&str>) {
        let (arguments, answer) = (json!({ "texts": due }), answer(None, warnings));
        let given = Given { arguments: &arguments, answer: &answer, other: None, calls: &[] };
        let found = evaluate("warnings@1", &given).err().map(|mismatch| mismatch.reason);
        assert_eq!(found.as_deref(), reason);
    }

    #[rstest]
    #[case::there(json!([{ "metadata": { "uid": "1" } }, { "metadata": { "uid": "2" }, "spec": 1 }]), true)]
    #[case::missing(json!([{ "metadata": { "uid": "1" } }]), false)]
    #[case::twice(json!([{ "metadata": { "uid": "2" }, "spec": 1 }, { "metadata": { "uid": "2" }, "spec": 1 }]), false)]
    #[case::other_content(json!([{ "metadata": { "uid": "2" }, "spec": 2 }]), false)]
    fn a_list_shows_the_object(#[case] items: Value, #[case] holds: bool) {
        let of = |body: Value| Answer { status: 200, body, ..Answer::default() };
        let (object, list) = (of(json!({ "metadata": { "uid": "2" }, "spec": 1 })), of(json!({ "items": items })));
        let given = Given { arguments: &Value::Null, answer: &list, other: Some(&object), calls: &[] };
        assert_eq!(evaluate("listed@1", &given).is_ok(), holds);
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
        let (arguments, answer) = (json!({ "text": due, "others": ["gone", "leave"] }), answer(None, warnings));
        let given = Given { arguments: &arguments, answer: &answer, other: None, calls: &[] };
        let found = evaluate("deprecation@1", &given).err().map(|mismatch| mismatch.reason);
        assert_eq!(found.as_deref(), reason);
    }

    fn accepted(body: Value) -> Answer {
        let mut body = body;
        body["kind"] = json!("X");
        Answer { status: 201, body, ..Answer::default() }
    }

    fn refused(field: &str) -> Answer {
        let causes = json!([{ "field": field, "reason": "FieldValueInvalid" }]);
        let body = json!({ "kind": "Status", "reason": "Invalid", "details": { "causes": causes } });
        Answer { status: 422, body, ..Answer::default() }
    }

    #[rstest]
    #[case::both(accepted(json!({})), accepted(json!({})), true)]
    #[case::neither(refused("a"), refused("b"), true)]
    #[case::looser(refused("a"), accepted(json!({})), true)]
    #[case::tighter(accepted(json!({})), refused("a"), false)]
    #[case::broken(refused("a"), Answer { status: 500, ..Answer::default() }, false)]
    fn acceptance_is_monotone(#[case] other: Answer, #[case] answer: Answer, #[case] holds: bool) {
        let given = Given { arguments: &Value::Null, answer: &answer, other: Some(&other), calls: &[] };
        assert_eq!(evaluate("accepted-if@1", &given).is_ok(), holds);
    }

    #[rstest]
    #[case::the_same(422, "Invalid", true)]
    #[case::another_code(409, "Invalid", false)]
    #[case::another_reason(422, "Conflict", false)]
    fn refusals_have_a_reason(#[case] status: u16, #[case] reason: &str, #[case] holds: bool) {
        let (answer, arguments) = (refused("a"), json!({ "status": status, "reason": reason }));
        let given = Given { arguments: &arguments, answer: &answer, other: None, calls: &[] };
        assert_eq!(evaluate("refused-as@1", &given).is_ok(), holds);
    }

    #[rstest]
    #[case::no_reason(json!({"kind": "Status"}), "expected 404 NotFound, got 404 without a reason")]
    #[case::no_status(json!({"reason": "NotFound"}), "expected 404 NotFound, got 404 NotFound without a Status")]
    fn what_a_refusal_lacks_is_told(#[case] body: Value, #[case] expected: &str) {
        let answer = Answer { status: 404, body, ..Answer::default() };
        let given = Given {
            arguments: &json!({ "status": 404, "reason": "NotFound" }),
            answer: &answer,
            other: None,
            calls: &[],
        };
        assert_eq!(evaluate("refused-as@1", &given).map_err(|mismatch| mismatch.summary), Err(expected.to_owned()));
    }

    #[rstest]
    #[case::value(accepted(json!({"a": [1]})), accepted(json!({"b": {"c": [1]}})), true)]
    #[case::other_value(accepted(json!({"a": [1]})), accepted(json!({"b": {"c": [2]}})), false)]
    #[case::cause(refused("a[0].x"), refused("b.c[0].x"), true)]
    #[case::other_cause(refused("a[0].x"), refused("b.c[1].x"), false)]
    #[case::no_field(refused("<nil>"), refused("<nil>"), true)]
    #[case::acceptance(refused("a"), accepted(json!({"b": {"c": 1}})), false)]
    fn places_do_not_matter(#[case] other: Answer, #[case] answer: Answer, #[case] holds: bool) {
        let arguments =
            json!({ "from": { "field": "a", "pointer": "/a" }, "to": { "field": "b.c", "pointer": "/b/c" } });
        let given = Given { arguments: &arguments, answer: &answer, other: Some(&other), calls: &[] };
        assert_eq!(evaluate("moved@1", &given).is_ok(), holds);
    }
}
