//! REST-050..055: unknown and repeated fields in updates and patches, in each mode of field validation.

use crdible_generators::{choice::Choices, json::Json};
use serde_json::{Value, json};

use super::thing::{Thing, schema};
use crate::{
    properties::{Capability, Property},
    scenario::{Body, Cause, Content, Edit, Expectation, Method, Plan, Request, Scenario, StepId},
};

pub(super) const PROPERTY: Property = Property {
    id: "rest-051-modes-of-updates",
    title: "an unknown or repeated field in a PUT or a patch is reported by Warn, refused by Strict, not mentioned by Ignore, and never stored",
    asserts: &["REST-050", "REST-051", "REST-052", "REST-053", "REST-054", "REST-055", "REST-055/e1"],
    needs: &[Capability::Storing, Capability::FieldValidation],
    edges: &[],
    plan,
};

/// Where an unknown field is: its pointer, and how it is reported.
const UNKNOWN: [(&str, &str); 4] = [
    ("/spec/unknown", "spec.unknown"),
    ("/spec/o/extra", "spec.o.extra"),
    ("/extra", "extra"),
    ("/metadata/extra", "metadata.extra"),
];

/// What is wrong with a body.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wrong {
    Nothing,
    Unknown(&'static str, &'static str),
    Repeated,
}

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let definition = plan.define_schema(schema());
    choices.case_parts("object", |choices, _| {
        let mut thing = Thing::new(&mut plan, definition, choices);
        let created = thing.created;
        thing.plan.assume(created, Expectation::Accepted);
        choices.many_average("write", 1, 5, 2, |choices, _| write(choices, &mut thing));
        plan.count_case();
    });
    plan.finish()
}

fn write(choices: &mut Choices, thing: &mut Thing<'_>) {
    let read = thing.read(&["REST-054"]);
    let method = *choices.pick(&[Method::Put, Method::MergePatch, Method::JsonPatch]);
    let wrong = match choices.weighted(&[1, 5, 2]) {
        1 => {
            let (pointer, path) = *choices.pick(&UNKNOWN);
            Wrong::Unknown(pointer, path)
        }
        // The text of a PUT is made from an answer, in which no field is repeated.
        2 if method == Method::MergePatch => Wrong::Repeated,
        _ => Wrong::Nothing,
    };
    let mode = *choices.pick(&[None, Some("Ignore"), Some("Warn"), Some("Strict")]);
    let value = choices.between(1, 9);
    let query = mode.map(|mode| ("fieldValidation".to_owned(), mode.to_owned())).into_iter().collect();
    let request = Request::new(method, thing.resource(), body(method, wrong, value, read));
    let written = thing.plan.send(Request { query, ..request });
    if mode == Some("Strict") && wrong != Wrong::Nothing {
        refused(thing, method, wrong, written);
        return;
    }
    thing.fields["spec"]["a"] = json!(value);
    let fields = thing.fields.clone();
    thing.check_fields("stored", &["REST-050", "REST-054"], written, &fields);
    thing.last = written;
    let (unknown, is_repeated) = match wrong {
        Wrong::Unknown(_, path) if mode != Some("Ignore") => (vec![path.to_owned()], false),
        Wrong::Repeated if mode != Some("Ignore") => (vec![], true),
        _ => (vec![], false),
    };
    let asserts: &[&str] = match (mode, method) {
        (Some("Ignore"), _) => &["REST-053"],
        (_, Method::Put) => &["REST-051"],
        _ if wrong == Wrong::Nothing => &["REST-051", "REST-055", "REST-055/e1"],
        _ => &["REST-051", "REST-055"],
    };
    thing.plan.check("unknown-fields", asserts, written, Expectation::UnknownFieldWarnings(unknown));
    thing.plan.check("repeated-fields", asserts, written, Expectation::DuplicateFieldWarnings(is_repeated));
}

/// The body of a write of `spec.a`.
fn body(method: Method, wrong: Wrong, value: i64, read: StepId) -> Body {
    match (method, wrong) {
        (Method::Put, Wrong::Unknown(pointer, _)) => {
            let edits = vec![Edit::Set("/spec/a".to_owned(), json!(value)), Edit::Set(pointer.to_owned(), json!("x"))];
            Body::Answer { step: read, edits }
        }
        (Method::Put, _) => Body::Answer { step: read, edits: vec![Edit::Set("/spec/a".to_owned(), json!(value))] },
        (Method::JsonPatch, wrong) => {
            let mut operations = vec![json!({ "op": "add", "path": "/spec/a", "value": value })];
            if let Wrong::Unknown(pointer, _) = wrong {
                operations.push(json!({ "op": "add", "path": pointer, "value": "x" }));
            }
            Body::json(json!(operations))
        }
        (_, Wrong::Repeated) => {
            let number = |value: i64| Json::Number(value.to_string());
            let spec = vec![("a".to_owned(), number(77)), ("a".to_owned(), number(value))];
            Body::json(Content::Exact(Json::Object(vec![("spec".to_owned(), Json::Object(spec))])))
        }
        (_, Wrong::Unknown(pointer, _)) => {
            let mut patch = json!({ "spec": { "a": value, "o": {} }, "metadata": {} });
            crdible_semantics::pointer::set(&mut patch, pointer, json!("x"));
            Body::json(patch)
        }
        (_, Wrong::Nothing) => Body::json(json!({ "spec": { "a": value } })),
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
                let nothing = json!({ "pointer": format!("/details/{part}"), "value": Value::Null });
                thing.plan.check(
                    "no-details",
                    &["REST-055"],
                    written,
                    Expectation::named_with("rejected-with@1", nothing),
                );
            }
        }
    }
    thing.read(&["REST-052"]);
}
