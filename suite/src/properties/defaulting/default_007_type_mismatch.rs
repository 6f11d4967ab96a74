//! DEFAULT-007: a value of the wrong kind is left alone and refused, never replaced.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{Frame, OBJECTS, Sample, object_of, with_default};
use crate::{
    properties::{Capability, Property},
    scenario::{Cause, Definition, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "default-007-type-mismatch",
    title: "a value of the wrong kind is refused once at its place, whatever defaults stand there and below",
    asserts: &["DEFAULT-007"],
    needs: &[Capability::Serving, Capability::Validation],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let frame = Frame::draw(choices);
    // Either any node with a default, or an object with defaults below it: the one could be replaced, the other filled in.
    let (node, type_name) = if choices.chance(1, 2) {
        let below = Sample::draw(choices, "below");
        let default = below.value(choices, "default below");
        (object_of(&json!({ "a": with_default(&below.json(), &default) })), "object".to_owned())
    } else {
        let sample = Sample::draw(choices, "node");
        let default = sample.value(choices, "default");
        (with_default(&sample.json(), &default), sample.node.type_name.clone())
    };
    let wrong = wrong_kinds(&type_name, node.get("x-kubernetes-int-or-string").is_some());
    let mut plan = Plan::new();
    let definition = plan.define(Definition::of_schema(frame.schema(object_of(&json!({ "p": node })))));
    if wrong.is_empty() {
        // An untyped node takes everything (VALUE-002).
        choices.discard("no kind is wrong here");
        return plan.finish();
    }
    choices.many("object", 1, OBJECTS, |choices, _| {
        let value = choices.pick(&wrong).clone();
        let created = plan.try_create(definition, frame.content(json!({ "p": value })));
        plan.check_causes("refused-once", &["DEFAULT-007"], created, vec![Cause::new(format!("{}.p", frame.field()), "TypeInvalid")]);
        plan.count_case();
    });
    plan.finish()
}

/// Values of other kinds, with one cause each; 1.5 under `integer` would have two (VALUE-003).
fn wrong_kinds(type_name: &str, is_int_or_string: bool) -> Vec<Value> {
    let kinds = [
        ("boolean", vec![json!(true)]),
        ("string", vec![json!("text"), json!("")]),
        ("number", vec![json!(1), json!(0)]),
        ("array", vec![json!([]), json!([1, {}])]),
        ("object", vec![json!({}), json!({ "a": 1 })]),
    ];
    let fits = |kind: &str| match type_name {
        "integer" => kind == "number",
        "" if is_int_or_string => kind == "number" || kind == "string",
        "" => true,
        name => kind == name,
    };
    kinds.into_iter().filter(|(kind, _)| !fits(kind)).flat_map(|(_, values)| values).collect()
}
