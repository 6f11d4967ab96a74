//! CEL-027: every rule is evaluated for every value of its node.

use super::shared::ruled;
use crate::prelude::*;

const ASSERTS: &[&str] = &["CEL-027"];

pub(super) const PROPERTY: Property = Property::new("cel-027-every-value", plan)
    .title("a rule is evaluated for each value of its node, wherever it is, by each kind of write")
    .asserts(ASSERTS)
    .needs(&[Capability::Storing, Capability::Rules]);

/// The rule of each node: a number is at least this.
const LEAST: i64 = 3;

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let number = || ruled(json!({ "type": "integer" }), &format!("self >= {LEAST}"));
    let schema = spec_of(json!({
        "a": number(),
        "l": { "type": "array", "items": number() },
        "m": { "type": "object", "additionalProperties": number() },
        "o": { "type": "array", "items": object_of(json!({ "n": number() })) },
    }));
    let definition = plan.define_schema(schema);
    plan.cases(choices, "object", |plan, choices| {
        let (spec, causes) = drawn(choices);
        let fields = json!({ "spec": spec });
        let expected = |causes: Vec<Cause>, fields: Value| content_or(fields, causes);
        let written = match choices.weighted(&[3, 1, 1]) {
            0 => plan.try_create(definition, fields.clone()),
            way => {
                let created = plan.create(definition, json!({ "spec": { "a": LEAST } }));
                let clean = json!({ "spec": spec });
                if way == 1 {
                    plan.try_put_back(created, vec![Edit::Set("/spec".to_owned(), spec)])
                } else {
                    plan.try_patch(created, Method::MergePatch, clean)
                }
            }
        };
        plan.check("each-value", ASSERTS, written, expected(causes, fields));
    });
}

/// A `spec` with all properties, and the causes of what is too small.
fn drawn(choices: &mut Choices) -> (Value, Vec<Cause>) {
    let mut causes = Vec::new();
    let mut number = |choices: &mut Choices, path: String| {
        let value = choices.between(0, 5);
        if value < LEAST {
            causes.push(Cause::new(format!("spec.{path}"), Reason::Invalid.name()));
        }
        json!(value)
    };
    let a = number(choices, "a".to_owned());
    let l = choices.many("element", 0, 3, |choices, index| number(choices, format!("l[{index}]")));
    let m: Map<String, Value> = choices
        .many("entry", 0, 3, |choices, index| (format!("k{index}"), number(choices, format!("m.k{index}"))))
        .into_iter()
        .collect();
    let o = choices.many("object", 0, 2, |choices, index| json!({ "n": number(choices, format!("o[{index}].n")) }));
    (json!({ "a": a, "l": l, "m": m, "o": o }), causes)
}
