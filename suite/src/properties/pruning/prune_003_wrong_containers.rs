//! PRUNE-003 and PRUNE-005: a list where an object should be, and the other way round.

use crdible_generators::{choice::Choices, value};
use serde_json::{Value, json};

use super::shared::{Example, Outcome, Site, examples, parse};
use crate::{
    properties::{Capability, Edge, Property},
    scenario::{Cause, Expectation, Plan, Scenario},
};

const ASSERTS: &[&str] = &["PRUNE-003/e1", "PRUNE-005", "PRUNE-007"];

pub(super) const PROPERTY: Property = Property {
    id: "prune-003-wrong-containers",
    title: "a list at an object node is emptied element by element, an object at a list node as a whole, and both are refused",
    asserts: &["PRUNE-003", "PRUNE-003/e1", "PRUNE-005", "PRUNE-007"],
    needs: &[Capability::Serving, Capability::Pruning, Capability::Validation],
    edges: &[Edge { name: "kinds-of-nodes", plan: kinds_of_nodes }],
    plan,
};

const VALUES: usize = 4;

/// An object node meets lists, or a list node meets objects; which fields are reported follows from the value alone.
fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let site = Site::draw(choices);
    let declared = json!({ "type": "object", "properties": { "a": { "type": "integer" } } });
    let wants_object = choices.chance(1, 2);
    let node = if wants_object { declared } else { json!({ "type": "array", "items": declared }) };
    let definition = plan.definition(&site.schema(parse(&node)));
    choices.many("value", 1, VALUES, |choices, _| {
        let sent = if wants_object { list(choices, 2) } else { Value::Object(object(choices)) };
        let mut emptied = Vec::new();
        keys(&sent, "", &mut emptied);
        let strict = plan.try_create_validating(definition, "Strict", site.content(&sent));
        if emptied.is_empty() {
            plan.check("nothing-unknown", ASSERTS, strict, Expectation::Causes(type_invalid(&site)));
        } else {
            plan.check("reported", ASSERTS, strict, Expectation::StrictRefusal(site.all_fields(&emptied)));
        }
        let lenient = plan.try_create(definition, site.content(&sent));
        plan.check("refused", ASSERTS, lenient, Expectation::Causes(type_invalid(&site)));
        plan.count_case();
    });
    plan.finish()
}

fn type_invalid(site: &Site) -> Vec<Cause> {
    site.fields("").into_iter().map(|field| Cause::new(field, "TypeInvalid")).collect()
}

/// A list of scalars, objects and lists.
fn list(choices: &mut Choices, depth: usize) -> Value {
    Value::Array(choices.many("element", 0, 3, |choices, _| {
        match choices.weighted(&[1, 3, if depth > 0 { 2 } else { 0 }]) {
            0 => choices.pick(&[json!(1), json!("x"), Value::Null, json!(true)]).clone(),
            1 => Value::Object(object(choices)),
            _ => list(choices, depth - 1),
        }
    }))
}

fn object(choices: &mut Choices) -> serde_json::Map<String, Value> {
    let entries = choices
        .many("entry", 0, 3, |choices, _| ((*choices.pick(&["a", "b", "c"])).to_owned(), value::json(choices, 1)));
    entries.into_iter().collect()
}

/// The keys of the topmost objects.
fn keys(value: &Value, field: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => found.extend(object.keys().map(|key| format!("{field}.{key}"))),
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                keys(element, &format!("{field}[{index}]"), found);
            }
        }
        _ => {}
    }
}

fn kinds_of_nodes() -> Scenario {
    let object = || json!({ "type": "object", "properties": { "a": { "type": "integer" } } });
    let list = || json!({ "type": "array", "items": object() });
    let map = || json!({ "type": "object", "additionalProperties": object() });
    let example = |name, node, sent, outcome| Example { name, asserts: ASSERTS, node, sent, outcome };
    let refused = || Outcome::Causes(&[("", "TypeInvalid")]);
    examples(vec![
        Example {
            name: "nested-lists",
            asserts: &["PRUNE-003", "PRUNE-003/e1"],
            node: json!({ "type": "array", "items": list() }),
            sent: json!([[{ "a": 1, "b": 2 }, {}], [], [{ "b": 3 }]]),
            outcome: Outcome::Kept(json!([[{ "a": 1 }, {}], [], [{}]])),
        },
        example(
            "list-at-object",
            object(),
            json!([{ "a": 1 }, [{ "b": 2 }], 3]),
            Outcome::Unknown(&["[0].a", "[1][0].b"]),
        ),
        example("list-at-map", map(), json!([{ "a": 1 }]), Outcome::Unknown(&["[0].a"])),
        example("object-at-list", list(), json!({ "a": { "b": 1 } }), Outcome::Unknown(&[".a"])),
        example("object-at-list-is-refused", list(), json!({ "a": 1 }), refused()),
        example("empty-object-at-list", list(), json!({}), refused()),
    ])
}
