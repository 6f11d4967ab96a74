//! Tables of exact inputs: one node and one value in each row, all under one schema.

use serde_json::{Map, Value, json};

use super::spec_of;
use crate::scenario::{Cause, Expectation, Plan, Scenario};

/// One row: the property `name` of `spec` has this schema, and an object is sent with this value of it.
#[derive(Debug)]
pub(in super::super) struct Example {
    /// The name of the property and of the check.
    pub(in super::super) name: &'static str,
    /// What the row asserts.
    pub(in super::super) asserts: &'static [&'static str],
    /// The schema of the property.
    pub(in super::super) node: Value,
    /// The value.
    pub(in super::super) sent: Value,
    /// What comes of it.
    pub(in super::super) outcome: Outcome,
}

/// What comes of an example. Paths begin behind the property: `.a`, `[0].b`, or nothing.
#[derive(Debug)]
pub(in super::super) enum Outcome {
    /// Accepted, and this is left.
    Kept(Value),
    /// Accepted, and the property is gone.
    Gone,
    /// Accepted under Strict, and this is left.
    Silent(Value),
    /// Refused with these causes.
    Causes(&'static [(&'static str, &'static str)]),
    /// Refused under Strict, with these unknown fields.
    Unknown(&'static [&'static str]),
}

/// One dry run for each row.
pub(in super::super) fn examples(rows: Vec<Example>) -> Scenario {
    let mut plan = Plan::new();
    let properties: Map<String, Value> = rows.iter().map(|row| (row.name.to_owned(), row.node.clone())).collect();
    let definition = plan.definition(&spec_of(&Value::Object(properties)));
    for Example { name, asserts, sent, outcome, .. } in rows {
        let content = |value: Value| json!({ "spec": { name: value } });
        let field = |behind: &str| format!("spec.{name}{behind}");
        let (mode, expect) = match outcome {
            Outcome::Kept(value) => (None, Expectation::Content(content(value))),
            Outcome::Gone => (None, Expectation::Content(json!({ "spec": {} }))),
            Outcome::Silent(value) => (Some("Strict"), Expectation::Content(content(value))),
            Outcome::Causes(causes) => {
                let causes = causes.iter().map(|(behind, reason)| Cause::new(field(behind), *reason)).collect();
                (None, Expectation::Causes(causes))
            }
            Outcome::Unknown(paths) => {
                (Some("Strict"), Expectation::StrictRefusal(paths.iter().map(|behind| field(behind)).collect()))
            }
        };
        let step = match mode {
            Some(mode) => plan.try_create_validating(definition, mode, content(sent)),
            None => plan.try_create(definition, content(sent)),
        };
        plan.check(name, asserts, step, expect);
        plan.count_case();
    }
    plan.finish()
}
