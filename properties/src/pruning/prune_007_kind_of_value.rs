//! PRUNE-007: the kind of the value decides how it is pruned, not the type in the schema.

use super::shared::{PLACES, undeclared};
use crate::prelude::*;

const ASSERTS: &[&str] = &["PRUNE-007"];

pub(super) const PROPERTY: Property = Property::new("prune-007-kind-of-value", plan)
    .title("pruning follows the kind of the value, not the type of the node")
    .asserts(&["PRUNE-007", "PRUNE-007/e1"])
    .needs(&[Capability::Serving, Capability::Pruning, Capability::Validation])
    .edges(&[Edge { name: "objects-at-scalars", plan: objects_at_scalars }]);

/// A type, and a value of it.
type Scalar = (&'static str, fn() -> Value);

/// No two of these types share a value.
const SCALARS: [Scalar; 3] = [("string", || json!("x")), ("integer", || json!(-7)), ("boolean", || json!(false))];

/// A scalar type with properties gets objects, and scalars of its own and of other types.
fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &PLACES);
    let (name, _) = *choices.pick(&SCALARS);
    let declared = json!({ "type": name, "properties": { "a": { "type": "integer" } } });
    let definition = plan.define_schema(place.schema(declared));
    let refused = || Expectation::Causes(place.causes([("", "TypeInvalid")]));
    for (other, scalar) in SCALARS {
        let value = scalar();
        let step = plan.try_create_validating(definition, "Strict", place.content(&value));
        let expect = if other == name { Expectation::Content(place.content(&value)) } else { refused() };
        plan.check("scalar", ASSERTS, step, expect);
        plan.count_case();
    }
    plan.cases(choices, "object", |plan, choices| {
        let mut object = undeclared(choices);
        let paths: Vec<String> = object.keys().map(|key| format!(".{key}")).collect();
        object.insert("a".to_owned(), json!(1));
        let content = place.content(Value::Object(object));
        let strict = plan.try_create_validating(definition, "Strict", content.clone());
        plan.check(
            "pruned",
            &["PRUNE-007", "PRUNE-007/e1"],
            strict,
            Expectation::StrictRefusal(place.all_fields(&paths)),
        );
        let lenient = plan.try_create(definition, content);
        plan.check("refused", &["PRUNE-007/e1"], lenient, refused());
    });
}

fn objects_at_scalars(plan: &mut Plan) {
    const KEYS: &[&str] = &["PRUNE-007", "PRUNE-007/e1"];
    plan.in_one_schema([Row::new(json!({ "type": "string", "properties": { "a": { "type": "integer" } } })).with([
        Example::refused("declared-keys-stay", KEYS, json!({ "a": 1 }), [("", "TypeInvalid")]),
        Example::unknown("undeclared-keys-go", KEYS, json!({ "a": 1, "b": 2 }), &[".b"]),
        Example::unknown("elements-are-emptied", KEYS, json!([{ "a": 1 }]), &["[0].a"]),
    ])])
}
