//! REST-050..055, REST-057: unknown and repeated fields in updates and patches, in each mode of field validation.

use super::thing::{Thing, schema};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("rest-051-modes-of-updates", plan)
    .title("fieldValidation of PUT and patch: Warn reports an unknown or repeated field, Strict rejects it")
    .asserts(&["REST-050", "REST-051", "REST-052", "REST-053", "REST-054", "REST-055", "REST-055/e1", "REST-057"])
    .needs(&[Capability::Storing, Capability::FieldValidation]);

/// Where an unknown field is: its pointer, and how it is reported.
const UNKNOWN: [(&str, &str); 4] = [
    ("/spec/unknown", "spec.unknown"),
    ("/spec/o/extra", "spec.o.extra"),
    ("/extra", "extra"),
    ("/metadata/extra", "metadata.extra"),
];

/// Where any key is kept: in a map of texts, and in an object that preserves unknown fields.
const FREE: [&str; 2] = ["m", "p"];

/// What is wrong with a body.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wrong {
    Nothing,
    /// Nothing either: this field has a key that is not declared, but kept.
    Free(&'static str),
    /// Nothing either: a declared field is null, and so is dropped.
    Null,
    Unknown(&'static str, &'static str),
    /// A field of the spec, or one of the object that preserves unknown fields.
    Repeated {
        is_free: bool,
    },
}

impl Wrong {
    /// Whether Warn reports it, and Strict refuses it.
    fn is_reported(self) -> bool {
        matches!(self, Self::Unknown(..) | Self::Repeated { .. })
    }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define_schema(preserving());
    plan.case_parts(choices, "object", |plan, choices| {
        let mut thing = Thing::new(plan, definition, choices);
        let created = thing.created;
        thing.plan.assume(created, Expectation::Accepted);
        choices.many_average("write", 1, 5, 2, |choices, _| write(choices, &mut thing));
    });
}

/// The schema of a thing, with an object in its spec that preserves unknown fields.
fn preserving() -> Value {
    let mut schema = schema();
    schema["properties"]["spec"]["properties"]["p"] = json!({ "type": "object", PRESERVE: true });
    schema
}

fn write(choices: &mut Choices, thing: &mut Thing<'_>) {
    let read = thing.read(&["REST-054"]);
    let method = *choices.pick(&[Method::Put, Method::MergePatch, Method::JsonPatch]);
    let wrong = match choices.weighted(&[1, 5, 2, 3]) {
        1 => {
            let (pointer, path) = *choices.pick(&UNKNOWN);
            Wrong::Unknown(pointer, path)
        }
        // The text of a PUT is made from an answer, in which no field is repeated.
        2 if method == Method::MergePatch => Wrong::Repeated { is_free: choices.chance(1, 2) },
        // A null in a merge patch removes a field.
        3 if method != Method::MergePatch && choices.chance(1, 3) => Wrong::Null,
        3 => Wrong::Free(choices.pick::<&str>(&FREE)),
        _ => Wrong::Nothing,
    };
    let mode = *choices.pick(&[None, Some("Ignore"), Some("Warn"), Some("Strict")]);
    let value = choices.between(1, 9);
    let query = mode.map(|mode| ("fieldValidation".to_owned(), mode.to_owned())).into_iter().collect();
    let request = Request::new(method, thing.resource(), body(method, wrong, value, read));
    let written = thing.plan.send(Request { query, ..request });
    if mode == Some("Strict") && wrong.is_reported() {
        refused(thing, method, wrong, written);
        return;
    }
    thing.fields["spec"]["a"] = json!(value);
    match wrong {
        Wrong::Free(field) => thing.fields["spec"][field] = free(field, value),
        Wrong::Repeated { is_free: true } => thing.fields["spec"]["p"] = free("p", value),
        Wrong::Null => drop(pointer::remove(&mut thing.fields, NULLED)),
        _ => {}
    }
    let fields = thing.fields.clone();
    let is_silent = matches!(wrong, Wrong::Free(_) | Wrong::Null);
    let asserts: &[&str] = if is_silent { &["REST-057"] } else { &["REST-050", "REST-054"] };
    thing.check_fields("stored", asserts, written, &fields);
    thing.last = written;
    let (unknown, is_repeated) = match wrong {
        Wrong::Unknown(_, path) if mode != Some("Ignore") => (vec![path.to_owned()], false),
        Wrong::Repeated { .. } if mode != Some("Ignore") => (vec![], true),
        _ => (vec![], false),
    };
    let asserts: &[&str] = match (mode, method, wrong) {
        (Some("Ignore"), ..) => &["REST-053"],
        (_, _, Wrong::Free(_) | Wrong::Null | Wrong::Repeated { is_free: true }) => &["REST-057"],
        (_, Method::Put, Wrong::Unknown("/metadata/extra", _)) => &["REST-051", "REST-057"],
        (_, Method::Put, _) => &["REST-051"],
        (.., Wrong::Nothing) => &["REST-051", "REST-055", "REST-055/e1"],
        _ => &["REST-051", "REST-055"],
    };
    thing.plan.check("unknown-fields", asserts, written, Expectation::UnknownFieldWarnings(unknown));
    thing.plan.check("repeated-fields", asserts, written, Expectation::DuplicateFieldWarnings(is_repeated));
}

/// A declared field that is set to null.
const NULLED: &str = "/spec/t";

/// A value with a key that is not declared, but kept.
fn free(field: &str, value: i64) -> Value {
    if field == "m" { json!({ "k": value.to_string() }) } else { json!({ "k": value }) }
}

/// What a write sets besides `spec.a`.
fn besides(wrong: Wrong, value: i64) -> Option<(String, Value)> {
    match wrong {
        Wrong::Nothing | Wrong::Repeated { .. } => None,
        Wrong::Free(field) => Some((format!("/spec/{field}"), free(field, value))),
        Wrong::Null => Some((NULLED.to_owned(), Value::Null)),
        Wrong::Unknown(pointer, _) => Some((pointer.to_owned(), json!("x"))),
    }
}

/// The body of a write of `spec.a`.
fn body(method: Method, wrong: Wrong, value: i64, read: StepId) -> Body {
    let set = [("/spec/a".to_owned(), json!(value))].into_iter().chain(besides(wrong, value));
    match (method, wrong) {
        (Method::Put, _) => {
            let edits = set.map(|(pointer, value)| Edit::Set(pointer, value)).collect();
            Body::Answer { step: read, edits }
        }
        (Method::JsonPatch, _) => {
            let operations = set.map(|(pointer, value)| json!({ "op": "add", "path": pointer, "value": value }));
            Body::json(operations.collect::<Value>())
        }
        (_, Wrong::Repeated { is_free }) => {
            let fields = |name: &str, fields: [(&str, Json); 2]| {
                let fields = fields.map(|(name, value)| (name.to_owned(), value)).to_vec();
                vec![(name.to_owned(), Json::Object(fields))]
            };
            let number = |value: i64| Json::Number(value.to_string());
            let spec = if is_free {
                let mut spec = fields("p", [("k", number(77)), ("k", number(value))]);
                spec.push(("a".to_owned(), number(value)));
                vec![("spec".to_owned(), Json::Object(spec))]
            } else {
                fields("spec", [("a", number(77)), ("a", number(value))])
            };
            Body::json(Content::Exact(Json::Object(spec)))
        }
        _ => {
            let mut patch = json!({ "spec": { "o": {} }, "metadata": {} });
            for (pointer, value) in set {
                pointer::set(&mut patch, &pointer, value);
            }
            Body::json(patch)
        }
    }
}

/// Strict refuses, and nothing is stored.
fn refused(thing: &mut Thing<'_>, method: Method, wrong: Wrong, written: StepId) {
    match (method, wrong) {
        (Method::Put, Wrong::Unknown(_, path)) => {
            let refusal = Expectation::StrictRefusal(vec![path.to_owned()]);
            thing.plan.check("refused", &["REST-052"], written, refusal);
        }
        _ => {
            let causes = vec![Cause::new("patch", "Invalid")];
            thing.plan.check("patch-refused", &["REST-052", "REST-055"], written, Expectation::CausesInclude(causes));
            for part in ["kind", "name"] {
                let nothing = NamedCheck::RejectedWith { pointer: format!("/details/{part}"), value: Value::Null };
                thing.plan.check("no-details", &["REST-055"], written, nothing);
            }
        }
    }
    thing.read(&["REST-052"]);
}
