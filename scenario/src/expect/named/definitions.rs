//! Checks about definitions (chapter 1).
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use serde_json::{Value, json};

use super::{
    super::{
        Mismatch, causes as refusals,
        outcome::{accepted, bad_request},
    },
    Given,
};
use crate::{scenario::Cause, transcript::normal_field};

/// The parts of a version that upstream keeps once, at the top, if all versions share them (CRDVAL-023).
const HOISTED: &[&str] = &["subresources", "additionalPrinterColumns", "selectableFields"];

pub(super) fn causes(given: &Given<'_>, expected: &[Cause]) -> Result<(), Mismatch> {
    let of_document = |cause: &Cause| Cause { field: field_of_document(&cause.field), ..cause.clone() };
    let expected: Vec<Cause> = expected.iter().map(of_document).collect();
    let actual = given.answer.raw_causes().iter().map(of_document).collect();
    let mut actual = refusals::with_wanted_messages(&expected, actual);
    // Upstream's internal form repeats the first version's name (a quirk of CRDVAL-012).
    let has = |field: &str| expected.iter().any(|cause| cause.field == field && cause.reason == "Invalid");
    let again = actual.iter().position(|cause| cause.field == "spec.version" && cause.reason == "Invalid");
    if let Some(again) = again.filter(|_| has("spec.versions[0].name")) {
        actual.remove(again);
    }
    add_indices(&expected, &mut actual);
    actual.sort();
    refusals::exact(&expected, given.answer, &actual)
        .map_err(|mismatch| Mismatch { place: normal_field(&mismatch.place), ..mismatch })
}

/// Adds to causes without an index that of a matching expected cause that has no other match.
fn add_indices(expected: &[Cause], actual: &mut [Cause]) {
    let mut is_matched = vec![false; actual.len()];
    let mut open = Vec::new();
    for cause in refusals::choosing(expected) {
        match (0..actual.len()).find(|&at| !is_matched[at] && cause.matches(&actual[at])) {
            Some(at) => is_matched[at] = true,
            None => open.push(cause),
        }
    }
    for cause in open {
        let Some(below) = below_version(&cause.field) else { continue };
        if below == "openAPIV3Schema" && cause.reason == "Required" {
            continue;
        }
        let hoisted = Cause { field: below.to_owned(), ..cause.clone() };
        if let Some(at) = (0..actual.len()).find(|&at| !is_matched[at] && hoisted.matches(&actual[at])) {
            actual[at].field.clone_from(&cause.field);
            is_matched[at] = true;
        }
    }
}

/// The field of a cause as in the document of a definition; without the version if upstream has moved it to the top.
fn field_of_document(field: &str) -> String {
    if let Some(start) = field.find("openAPIV3Schema") {
        return if below_version(field).is_some() { field.to_owned() } else { field[start..].to_owned() };
    }
    let normal = normal_field(field);
    if let Some(rest) = normal.strip_prefix("spec.conversion.") {
        for (internal, external) in
            [("webhookClientConfig", "clientConfig"), ("conversionReviewVersions", "conversionReviewVersions")]
        {
            if let Some(rest) = rest.strip_prefix(internal) {
                return format!("spec.conversion.webhook.{external}{rest}");
            }
        }
        return normal;
    }
    let moved = normal.strip_prefix("spec.").filter(|rest| is_hoisted(rest)).unwrap_or(&normal);
    let is_column = moved.contains("additionalPrinterColumns[");
    match moved.strip_suffix(".JSONPath").filter(|_| is_column) {
        Some(column) => format!("{column}.jsonPath"),
        None => moved.to_owned(),
    }
}

/// The field of a version as upstream has it at the top if all versions share it; `None` if it is never moved there.
fn below_version(field: &str) -> Option<&str> {
    let (_, below) = field.strip_prefix("spec.versions[")?.split_once("].")?;
    let below = below.strip_prefix("schema.").filter(|below| below.starts_with("openAPIV3Schema")).unwrap_or(below);
    let is_moved = below.starts_with("openAPIV3Schema") || is_hoisted(below);
    is_moved.then_some(below)
}

fn is_hoisted(field: &str) -> bool {
    HOISTED.iter().any(|part| field.starts_with(part))
}

pub(super) fn condition(given: &Given<'_>, kind: &str, expected: Option<&str>) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let of_type = condition_of(given, kind);
    let status = of_type.map(|condition| condition["status"].as_str().unwrap_or_default());
    if status == expected {
        return Ok(());
    }
    let summary = match expected {
        Some(expected) => format!("the condition {kind} is not {expected}"),
        None => format!("there is a condition {kind}"),
    };
    Err(Mismatch::new(json!(expected), json!(status), &format!("/status/conditions/{kind}"), "condition", summary))
}

pub(super) fn condition_for(given: &Given<'_>, kind: &str, status: &str, reason: &str) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let wanted = [status, reason].map(Some);
    let shown = ["status", "reason"].map(|key| condition_of(given, kind)?.get(key)?.as_str());
    if shown == wanted {
        return Ok(());
    }
    let summary = format!("the condition {kind} is not {status} for the reason {reason}");
    Err(Mismatch::new(json!(wanted), json!(shown), &format!("/status/conditions/{kind}"), "condition", summary))
}

/// The condition of this type.
fn condition_of<'a>(given: &Given<'a>, kind: &str) -> Option<&'a Value> {
    let conditions = given.answer.body.pointer("/status/conditions")?.as_array()?;
    conditions.iter().find(|condition| condition["type"] == kind)
}

pub(super) fn holds_nothing(given: &Given<'_>, pointer: &str) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let value = given.answer.body.pointer(pointer).unwrap_or(&Value::Null);
    if is_empty(value) {
        return Ok(());
    }
    let summary = format!("{pointer} holds something");
    Err(Mismatch::new(json!("nothing, or empty fields"), value.clone(), pointer, "unexpected", summary))
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(elements) => elements.is_empty(),
        Value::Object(fields) => fields.values().all(is_empty),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

pub(super) fn unrecognized_formats(given: &Given<'_>, formats: &[String]) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let mut expected: Vec<String> = formats.iter().map(|format| format!("unrecognized format \"{format}\"")).collect();
    let is_of_fields = |warning: &str| {
        ["unknown field \"", "duplicate field \""].iter().any(|beginning| warning.starts_with(beginning))
    };
    let mut actual: Vec<String> =
        given.answer.warnings.iter().filter(|warning| !is_of_fields(warning)).cloned().collect();
    expected.sort_unstable();
    actual.sort_unstable();
    if expected == actual {
        return Ok(());
    }
    let is_of_format = |warning: &String| warning.starts_with("unrecognized format \"");
    let (reason, summary) = match actual.iter().all(is_of_format) {
        true => ("other-formats", "the warnings name other formats"),
        false => ("other-warnings", "there are other warnings"),
    };
    Err(Mismatch::new(json!(expected), json!(actual), "", reason, summary.to_owned()))
}

pub(super) fn no_unrecognized_format(given: &Given<'_>) -> Result<(), Mismatch> {
    let reported: Vec<&String> =
        given.answer.warnings.iter().filter(|warning| warning.starts_with("unrecognized format \"")).collect();
    if given.answer.is_accepted() || reported.is_empty() {
        return Ok(());
    }
    let summary = "a rejected write has warnings about formats".to_owned();
    Err(Mismatch::new(json!([]), json!(reported), "", "other-formats", summary))
}

pub(super) fn duplicate_fields(given: &Given<'_>, expected: &[String], refused: bool) -> Result<(), Mismatch> {
    const BEGINNING: &str = "duplicate field \"";
    let answer = given.answer;
    let texts: Vec<&str> = if refused {
        bad_request(answer)?;
        vec![answer.body["message"].as_str().unwrap_or_default()]
    } else {
        accepted(answer)?;
        answer.warnings.iter().map(String::as_str).collect()
    };
    let paths = |text: &'_ str| -> Vec<String> {
        text.match_indices(BEGINNING)
            .filter_map(|(at, _)| text[at + BEGINNING.len()..].split('"').next().map(str::to_owned))
            .collect()
    };
    let mut actual: Vec<String> = texts.into_iter().flat_map(paths).collect();
    let mut expected: Vec<&String> = expected.iter().collect();
    actual.sort_unstable();
    expected.sort_unstable();
    if actual.iter().eq(expected.iter().copied()) {
        return Ok(());
    }
    let reason = if actual.len() < expected.len() { "not-reported" } else { "wrongly-reported" };
    let summary = "other fields are reported as duplicates".to_owned();
    Err(Mismatch::new(json!(expected), json!(actual), "", reason, summary))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{super::evaluate, Given, field_of_document};
    use crate::{
        scenario::{Cause, NamedCheck},
        transcript::Answer,
    };

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(ToString::to_string).collect()
    }

    #[rstest]
    #[case::at_the_top("spec.additionalPrinterColumns[1].JSONPath", "additionalPrinterColumns[1].jsonPath")]
    #[case::of_a_version(
        "spec.versions[2].additionalPrinterColumns[1].JSONPath",
        "spec.versions[2].additionalPrinterColumns[1].jsonPath"
    )]
    #[case::scale("spec.subresources.scale.specReplicasPath", "subresources.scale.specReplicasPath")]
    #[case::selectable("spec.selectableFields", "selectableFields")]
    #[case::webhook("spec.conversion.webhookClientConfig.url", "spec.conversion.webhook.clientConfig.url")]
    #[case::reviews(
        "spec.conversion.conversionReviewVersions[1]",
        "spec.conversion.webhook.conversionReviewVersions[1]"
    )]
    #[case::a_name("spec.versions[1].name", "spec.versions[1].name")]
    #[case::schema("spec.versions[1].schema.openAPIV3Schema.type", "spec.versions[1].schema.openAPIV3Schema.type")]
    #[case::schema_at_the_top("spec.validation.openAPIV3Schema.type", "openAPIV3Schema.type")]
    fn fields_of_definitions_have_one_form(#[case] field: &str, #[case] normal: &str) {
        assert_eq!(field_of_document(field), normal);
        assert_eq!(field_of_document(normal), normal, "the form is stable");
    }

    const PATH: &str = "spec.versions[1].selectableFields[0].jsonPath";
    const NAME: &str = "spec.versions[0].name";
    const TYPE: &str = "spec.versions[1].schema.openAPIV3Schema.type";
    const SCHEMA: &str = "spec.versions[1].schema.openAPIV3Schema";

    #[rstest]
    #[case::same(&[(PATH, "Invalid")], &[(PATH, "Invalid")], true)]
    #[case::at_the_top(&[(PATH, "Invalid")], &[("spec.selectableFields[0].jsonPath", "Invalid")], true)]
    #[case::of_another_version(&[(PATH, "Invalid")], &[("spec.versions[0].selectableFields[0].jsonPath", "Invalid")], false)]
    #[case::schema_at_the_top(&[(TYPE, "Required")], &[("spec.validation.openAPIV3Schema.type", "Required")], true)]
    #[case::schema_of_another(&[(TYPE, "Required")], &[("spec.versions[0].schema.openAPIV3Schema.type", "Required")], false)]
    #[case::missing_schema(&[(SCHEMA, "Required")], &[(SCHEMA, "Required")], true)]
    #[case::missing_at_the_top(&[(SCHEMA, "Required")], &[("spec.validation.openAPIV3Schema", "Required")], false)]
    #[case::root_at_the_top(&[(SCHEMA, "Invalid")], &[("spec.validation.openAPIV3Schema", "Invalid")], true)]
    #[case::once_too_few(&[(PATH, "Invalid"), (PATH, "Invalid")], &[(PATH, "Invalid")], false)]
    #[case::once_too_often(&[(PATH, "Invalid")], &[(PATH, "Invalid"), ("spec.selectableFields[0].jsonPath", "Invalid")], false)]
    #[case::another_reason(&[(PATH, "Invalid")], &[(PATH, "Required")], false)]
    #[case::name_again(&[(NAME, "Invalid")], &[(NAME, "Invalid"), ("spec.version", "Invalid")], true)]
    #[case::name_once(&[(NAME, "Invalid")], &[(NAME, "Invalid")], true)]
    #[case::name_for_another_reason(&[(NAME, "Invalid")], &[(NAME, "Invalid"), ("spec.version", "Forbidden")], false)]
    #[case::no_name(&[(PATH, "Invalid")], &[(PATH, "Invalid"), ("spec.version", "Invalid")], false)]
    fn causes_of_definitions(#[case] expected: &[(&str, &str)], #[case] actual: &[(&str, &str)], #[case] holds: bool) {
        let causes: Vec<_> = (actual.iter())
            .map(|(field, reason)| json!({ "field": field, "reason": format!("FieldValue{reason}") }))
            .collect();
        let body = json!({ "kind": "Status", "reason": "Invalid", "details": { "causes": causes } });
        let answer = Answer { status: 422, body, ..Answer::default() };
        let causes = expected.iter().map(|(field, reason)| Cause::new(*field, *reason)).collect();
        assert_eq!(evaluate(&NamedCheck::DefinitionCauses { causes }, &Given::of(&answer)).is_ok(), holds);
    }

    const AT_THE_TOP: &str = "spec.selectableFields[0].jsonPath";

    #[rstest]
    #[case::right(PATH, &[Some("a")], &[(PATH, "a")], true)]
    #[case::wrong(PATH, &[Some("a")], &[(PATH, "b")], false)]
    #[case::right_at_the_top(PATH, &[Some("a")], &[(AT_THE_TOP, "a")], true)]
    #[case::wrong_at_the_top(PATH, &[Some("a")], &[(AT_THE_TOP, "b")], false)]
    #[case::of_the_schema(TYPE, &[Some("a")], &[("spec.validation.openAPIV3Schema.type", "a")], true)]
    #[case::free(PATH, &[None], &[(PATH, "b")], true)]
    #[case::the_free_one_leaves_the_message(PATH, &[None, Some("a")], &[(AT_THE_TOP, "a"), (PATH, "b")], true)]
    fn messages_of_causes_of_definitions(
        #[case] field: &str,
        #[case] expected: &[Option<&str>],
        #[case] actual: &[(&str, &str)],
        #[case] holds: bool,
    ) {
        let causes: Vec<_> = (actual.iter())
            .map(|(field, message)| json!({ "field": field, "reason": "FieldValueInvalid", "message": message }))
            .collect();
        let body = json!({ "kind": "Status", "reason": "Invalid", "details": { "causes": causes } });
        let answer = Answer { status: 422, body, ..Answer::default() };
        let cause = |message: &str| Cause::new(field, "Invalid").with_message(message);
        let causes =
            expected.iter().map(|message| message.map_or_else(|| Cause::new(field, "Invalid"), cause)).collect();
        assert_eq!(evaluate(&NamedCheck::DefinitionCauses { causes }, &Given::of(&answer)).is_ok(), holds);
    }

    fn warning(warnings: &[&str]) -> Answer {
        let body = json!({ "kind": "CustomResourceDefinition" });
        Answer { status: 201, warnings: texts(warnings), body, ..Answer::default() }
    }

    const FORMATS: &[&str] = &["unrecognized format \"a\"", "unknown field \"x\"", "unrecognized format \"b\""];

    #[rstest]
    #[case::both(FORMATS, &["b", "a"], true)]
    #[case::one_is_missing(FORMATS, &["a"], false)]
    #[case::none(&[], &[], true)]
    #[case::something_else(&["it looks odd"], &[], false)]
    #[case::repeated_field(&["duplicate field \"a\""], &[], true)]
    fn formats_are_a_multiset(#[case] warnings: &[&str], #[case] formats: &[&str], #[case] holds: bool) {
        let check = NamedCheck::UnrecognizedFormats { formats: texts(formats) };
        assert_eq!(evaluate(&check, &Given::of(&warning(warnings))).is_ok(), holds);
    }

    #[rstest]
    #[case::the_same(&["duplicate field \"spec.scope\"", "unknown field \"x\""], &["spec.scope"], true)]
    #[case::another(&["duplicate field \"spec\""], &["spec.scope"], false)]
    #[case::twice(&["duplicate field \"a\"", "duplicate field \"a\""], &["a"], false)]
    #[case::none(&["unknown field \"x\""], &[], true)]
    #[case::unwanted(&["duplicate field \"a\""], &[], false)]
    fn duplicate_fields_are_warned_about(#[case] warnings: &[&str], #[case] paths: &[&str], #[case] holds: bool) {
        let check = NamedCheck::DuplicateFields { paths: texts(paths), refused: false };
        assert_eq!(evaluate(&check, &Given::of(&warning(warnings))).is_ok(), holds);
    }

    #[rstest]
    #[case::named("strict decoding error: duplicate field \"a\"", "BadRequest", true)]
    #[case::another("strict decoding error: duplicate field \"b\"", "BadRequest", false)]
    #[case::another_reason("duplicate field \"a\"", "Invalid", false)]
    fn duplicate_fields_are_refused(#[case] message: &str, #[case] reason: &str, #[case] holds: bool) {
        let body = json!({ "kind": "Status", "reason": reason, "message": message });
        let answer = Answer { status: 400, body, ..Answer::default() };
        let check = NamedCheck::DuplicateFields { paths: texts(&["a"]), refused: true };
        assert_eq!(evaluate(&check, &Given::of(&answer)).is_ok(), holds);
    }

    #[rstest]
    #[case::absent(json!({}), true)]
    #[case::null(json!({ "x": null }), true)]
    #[case::empty_list(json!({ "x": [] }), true)]
    #[case::empty_fields(json!({ "x": { "a": "", "b": [], "c": null } }), true)]
    #[case::field(json!({ "x": { "a": "", "b": ["c"] } }), false)]
    fn nothing_is_empty_or_absent(#[case] status: Value, #[case] holds: bool) {
        let body = json!({ "kind": "X", "status": status });
        let answer = Answer { status: 200, body, ..Answer::default() };
        let check = NamedCheck::HoldsNothing { pointer: "/status/x".to_owned() };
        assert_eq!(evaluate(&check, &Given::of(&answer)).is_ok(), holds);
    }

    #[rstest]
    #[case::there("Established", Some("True"), true)]
    #[case::otherwise("Established", Some("False"), false)]
    #[case::unwanted("Established", None, false)]
    #[case::absent("Terminating", None, true)]
    #[case::missing("Terminating", Some("True"), false)]
    fn conditions(#[case] kind: &str, #[case] status: Option<&str>, #[case] holds: bool) {
        let body = json!({ "kind": "X", "status": { "conditions": [{ "type": "Other", "status": "False" }, { "type": "Established", "status": "True" }] } });
        let answer = Answer { status: 200, body, ..Answer::default() };
        let check = NamedCheck::Condition { r#type: kind.to_owned(), status: status.map(str::to_owned) };
        assert_eq!(evaluate(&check, &Given::of(&answer)).is_ok(), holds);
    }

    #[rstest]
    #[case::there("Established", "False", "Late", true)]
    #[case::another_reason("Established", "False", "Early", false)]
    #[case::another_status("Established", "True", "Late", false)]
    #[case::missing("Terminating", "False", "Late", false)]
    #[case::no_reason("Other", "False", "", false)]
    fn conditions_with_reasons(#[case] kind: &str, #[case] status: &str, #[case] reason: &str, #[case] holds: bool) {
        let conditions = json!([{ "type": "Other", "status": "False" }, { "type": "Established", "status": "False", "reason": "Late" }]);
        let body = json!({ "kind": "X", "status": { "conditions": conditions } });
        let answer = Answer { status: 200, body, ..Answer::default() };
        let [r#type, status, reason] = [kind, status, reason].map(str::to_owned);
        let check = NamedCheck::ConditionFor { r#type, status, reason };
        assert_eq!(evaluate(&check, &Given::of(&answer)).is_ok(), holds);
    }
}
