//! CEL-032: a write of the status runs the rules of the whole object, and so does a write of the rest.

use super::shared::{forbidden, forbidding, with_rules};
use crate::prelude::*;

const ASSERTS: &[&str] = &["CEL-032"];

pub(super) const PROPERTY: Property = Property::new("cel-032-status", plan)
    .title("a write of the status and one of the rest of an object both run all rules of the whole object")
    .asserts(ASSERTS)
    .needs(&[Capability::Storing, Capability::Rules, Capability::Status]);

/// What is written and stored: a number in the spec and one in the status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    spec: i64,
    status: Option<i64>,
}

/// A rule: where it is, and whether it holds of the old and the new numbers. Each looks at old values, so that it is
/// never forgiven (RATCHET-015).
struct Placed {
    field: &'static str,
    rule: &'static str,
    message: &'static str,
    holds: fn(Numbers, Numbers) -> bool,
}

/// A rule of the root, with names that tell of what it is about.
const PLACED: [Placed; 5] = [
    Placed {
        field: "",
        rule: "!has(self.status) || oldSelf.spec.n <= 9 && self.spec.n <= self.status.n",
        message: "spec over status",
        holds: |_, new| new.status.is_none_or(|status| new.spec <= status),
    },
    Placed {
        field: "spec",
        rule: "self.n >= oldSelf.n",
        message: "spec shrinks",
        holds: |old, new| new.spec >= old.spec,
    },
    Placed {
        field: "spec",
        rule: "oldSelf.n <= 9 && self.n != 2",
        message: "spec is two",
        holds: |_, new| new.spec != 2,
    },
    Placed {
        field: "status",
        rule: "self.n >= oldSelf.n",
        message: "status shrinks",
        holds: |old, new| !matches!((old.status, new.status), (Some(old), Some(new)) if new < old),
    },
    Placed {
        field: "status",
        rule: "oldSelf.n <= 9 && self.n != 3",
        message: "status is three",
        holds: |old, new| old.status.is_none() || new.status != Some(3),
    },
];

fn schema(chosen: &[&Placed]) -> Value {
    let at = |field: &str| {
        let entries = chosen.iter().filter(|placed| placed.field == field);
        entries.map(|placed| forbidding(placed.rule, placed.message)).collect::<Vec<_>>()
    };
    let part = |field: &str| {
        let node = json!({ "type": "object", "required": ["n"], "properties": { "n": { "type": "integer" } } });
        with_rules(node, at(field))
    };
    let root = json!({
        "type": "object", "required": ["spec"], "properties": { "spec": part("spec"), "status": part("status") },
    });
    with_rules(root, at(""))
}

fn causes(chosen: &[&Placed], old: Numbers, new: Numbers) -> Vec<Cause> {
    let broken = chosen.iter().filter(|placed| !(placed.holds)(old, new));
    let field = |placed: &&Placed| if placed.field.is_empty() { NIL.field } else { placed.field };
    broken.map(|placed| forbidden(field(placed))).collect()
}

fn content(numbers: Numbers) -> Value {
    let mut content = json!({ "spec": { "n": numbers.spec } });
    if let Some(status) = numbers.status {
        content["status"] = json!({ "n": status });
    }
    content
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let chosen: Vec<&Placed> = choices.span("node", |choices| {
        let flags = [0; PLACED.len()].map(|_| choices.chance(1, 2));
        PLACED.iter().zip(flags).filter(|(_, is_there)| *is_there).map(|(placed, _)| placed).collect()
    });
    let version = Version {
        further: Map::from_iter([("subresources".to_owned(), json!({ "status": {} }))]),
        ..Version::only(schema(&chosen))
    };
    let definition = plan.define(Definition::with_versions(vec![version]));
    plan.cases(choices, "object", |plan, choices| {
        let mut stored = Numbers { spec: choices.between(0, 1), status: None };
        // No rule runs: each needs an old value.
        let created = plan.create(definition, content(stored));
        plan.check("created", ASSERTS, created, Expectation::Content(content(stored)));
        let mut last = created;
        choices.many("write", 1, 5, |choices, _| {
            let number = choices.between(0, 4);
            let is_of_status = choices.chance(2, 3);
            let (part, new) = if is_of_status {
                ("status", Numbers { status: Some(number), ..stored })
            } else {
                ("spec", Numbers { spec: number, ..stored })
            };
            let object = plan.object_of(created);
            let target = if is_of_status { object.subresource("status") } else { object };
            // What the other endpoint owns is ignored (SUB-012), in rules as well.
            let other = if is_of_status { "spec" } else { "status" };
            let has_other = choices.chance(1, 4);
            let value = json!({ "n": number });
            let (method, body) = match choices.weighted(&[3, 2]) {
                0 => {
                    let mut edits = vec![Edit::Set(format!("/{part}"), value)];
                    if has_other {
                        edits.push(Edit::Set(format!("/{other}"), json!({ "n": 2 })));
                    }
                    (Method::Put, Body::Answer { step: last, edits })
                }
                _ => {
                    let mut patch = json!({ part: value });
                    if has_other {
                        patch[other] = json!({ "n": 2 });
                    }
                    (Method::MergePatch, Body::json(patch))
                }
            };
            let written = plan.send(Request::new(method, target, body));
            let refused = causes(&chosen, stored, new);
            let name = if is_of_status { "status-written" } else { "spec-written" };
            if refused.is_empty() {
                (stored, last) = (new, written);
            }
            plan.check(name, ASSERTS, written, content_or(content(new), refused));
        });
    });
}
