//! DEFAULT-007: a value of the wrong type is rejected, not replaced by a default.

use super::shared::Sample;
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("default-007-type-mismatch", plan)
    .title("a value of the wrong type is rejected with one cause at its path, whatever defaults the node has")
    .asserts(&["DEFAULT-007"])
    .needs(&[Capability::Serving, Capability::Validation]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &Places::COPIED);
    let sample = Sample::draw(choices, "node");
    let default = sample.value(choices, "default");
    let defaulted = with_default(&sample.json(), &default);
    // Either the node itself has the default, or an object around it: the first could be replaced, the second filled
    // in. A node without a type accepts everything (VALUE-002), so it is always inside.
    let own = wrong_kinds(&sample.node.type_name, sample.node.int_or_string);
    let (node, wrong) = if own.is_empty() || choices.chance(1, 2) {
        (object_of(json!({ "a": defaulted })), wrong_kinds("object", false))
    } else {
        (defaulted, own)
    };
    let definition = plan.define_schema(place.schema(object_of(json!({ "p": node }))));
    plan.cases(choices, "object", |plan, choices| {
        let value = choices.pick(&wrong).clone();
        let created = plan.try_create(definition, place.content(json!({ "p": value })));
        plan.check_causes("refused-once", &["DEFAULT-007"], created, place.causes([(".p", "TypeInvalid")]));
    });
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
