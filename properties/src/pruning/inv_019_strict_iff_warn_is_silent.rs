//! INV-019: Strict rejects exactly what Warn warns about.

use super::shared::Planted;
use crate::prelude::*;

const ASSERTS: &[&str] = &["INV-019"];

pub(super) const PROPERTY: Property = Property::new("inv-019-strict-iff-warn-is-silent", plan)
    .title("Strict rejects exactly the objects with fields that Warn reports")
    .asserts(&["INV-019", "PRUNE-029"])
    .needs(&[Capability::Serving, Capability::Pruning, Capability::FieldValidation]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = SchemaShape::swarm(choices);
    let schema = choices.span("schema", |choices| schema::schema(choices, &shape));
    let definition = plan.definition(&schema);
    plan.cases(choices, "object", |plan, choices| {
        let Planted { clean, dirty, unknown } = Planted::draw(choices, &schema);
        let unknown = if choices.chance(1, 2) { unknown } else { vec![] };
        let mut body = Json::from(if unknown.is_empty() { clean } else { dirty });
        let is_doubled = choices.chance(1, 3) && duplicate_entry(choices, &mut body);
        let content = Content::Exact(body);
        let warned = plan.try_create_validating(definition, "Warn", content.clone());
        plan.check("warn", ASSERTS, warned, Expectation::UnknownFieldWarnings(unknown.clone()));
        plan.check("warn-of-doubled", ASSERTS, warned, Expectation::DuplicateFieldWarnings(is_doubled));
        let strict = plan.try_create_validating(definition, "Strict", content);
        if is_doubled {
            plan.check("doubled", ASSERTS, strict, Expectation::BadRequest);
        } else if unknown.is_empty() {
            plan.check("silent", &["INV-019", "PRUNE-029"], strict, Expectation::Accepted);
        } else {
            plan.check("unknown", ASSERTS, strict, Expectation::StrictRefusal(unknown));
        }
    });
}

/// Duplicates one entry of some object.
fn duplicate_entry(choices: &mut Choices, json: &mut Json) -> bool {
    let entries = match json {
        Json::Object(entries) if !entries.is_empty() => entries,
        _ => return false,
    };
    let at = choices.index(entries.len());
    if choices.chance(1, 2) && duplicate_entry(choices, &mut entries[at].1) {
        return true;
    }
    let entry = entries[at].clone();
    entries.push(entry);
    true
}
