//! STRUCT-005: every field that the quantifiers of the root mention must be declared in the structural part.

use crdible_generators::rule::quantified;

use super::shared::{JUDGING, rows_alone};
use crate::prelude::*;
use crate::shared::{PIECES, host};

pub(super) const PROPERTY: Property = Property::new("struct-005-completeness", plan)
    .title("a field that a quantifier of the root mentions must be declared in the structural part")
    .asserts(&["STRUCT-005", "STRUCT-005/e1"])
    .needs(JUDGING)
    .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, "STRUCT-005") }]);

/// A step through `items`; all other steps are property names. `metadata` is not one of them, because quantifiers must
/// not mention it (STRUCT-010).
const ITEMS: &str = "*";
const STEPS: &[&str] = &["a", "b", "x.y", "kind", ITEMS];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    choices.many("mention", 1, PIECES, |choices, _| {
        let mut path = vec!["planted"];
        path.extend(choices.many("step", 0, 3, |choices, _| *choices.pick(STEPS)));
        // The number of declared steps: in half of the cases, all of them.
        let is_gap = choices.chance(1, 2);
        let declared = if is_gap { choices.index(path.len()) } else { path.len() };
        let mentions = choices.many("branch", 1, 2, |choices, _| {
            let mention = mentioning(choices, &path);
            if choices.chance(1, 4) { quantified(choices, mention, &mut String::new()) } else { mention }
        });
        let (count, quantifier) = (mentions.len(), *choices.pick(&["allOf", "anyOf", "oneOf"]));
        let mut root = declaring(choices, &path[..declared]);
        match <[Value; 1]>::try_from(mentions) {
            Ok([mention]) if choices.chance(1, 4) => root["not"] = mention,
            Ok([mention]) => root[quantifier] = json!([mention]),
            Err(mentions) => root[quantifier] = Value::Array(mentions),
        }
        let defined = plan.try_define(host::root_with(choices, &root));
        plan.count_case();
        if is_gap {
            let gap = place_of(&path[..=declared]).schema_causes(vec![("", "Required"); count]);
            plan.check_causes("gap", &["STRUCT-005", "STRUCT-005/e1"], defined, gap);
        } else {
            plan.check("declared", &["STRUCT-005"], defined, Expectation::Accepted);
        }
    });
}

/// A branch that mentions the path, in some cases with quantifiers inside it.
fn mentioning(choices: &mut Choices, path: &[&str]) -> Value {
    let mut branch = choices.pick(&[json!({}), json!({ "minimum": 1 }), json!({ "required": ["a"] })]).clone();
    for step in path.iter().rev() {
        if choices.chance(1, 4) {
            branch = quantified(choices, branch, &mut String::new());
        }
        branch = if *step == ITEMS { json!({ "items": branch }) } else { json!({ "properties": { *step: branch } }) };
    }
    branch
}

/// A root that declares the path, and ends in a node that would accept further properties.
fn declaring(choices: &mut Choices, path: &[&str]) -> Value {
    let ends = [
        json!({ "type": "object" }),
        json!({ PRESERVE: true }),
        json!({ "type": "object", "additionalProperties": { "type": "string" } }),
        json!({ "type": "string" }),
    ];
    // The root itself must have type object, and no `additionalProperties`.
    let end = if path.is_empty() { ends[0].clone() } else { choices.pick(&ends).clone() };
    place_of(path).schema(end)
}

fn place_of(path: &[&str]) -> Place {
    path.iter().fold(
        Place::root(),
        |place, step| {
            if *step == ITEMS { place.child(Container::List) } else { place.property(*step) }
        },
    )
}
