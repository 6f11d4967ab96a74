//! OAPI-002..005, OAPI-008, FSEL-014: the models of version 3.

use crdible_scenario::ModelPart;
use crdible_semantics::release::Change;

use super::{
    model::Dialect,
    published::{Drawn, read_current_v3, uses},
};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("oapi-003-models", plan)
    .title("the OpenAPI v3 models contain the schemas of the served versions as they were written")
    .asserts(&[
        "FSEL-014",
        "OAPI-002",
        "OAPI-002/e1",
        "OAPI-003",
        "OAPI-003/e1",
        "OAPI-004",
        "OAPI-004/e1",
        "OAPI-004/e2",
        "OAPI-004/e3",
        "OAPI-005",
        "OAPI-008",
    ])
    .needs(&[Capability::Serving, Capability::DefinitionUpdates, Capability::OpenApiV3]);

/// The description of a schema that is installed later.
const CHANGED: &str = "changed";

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let first = choices.span("first", |choices| Drawn::versions(choices, "first"));
    let changed = choices.chance(1, 2).then(|| choices.span("changed", |choices| Drawn::versions(choices, CHANGED)));
    let definition = plan.define(Definition::with_versions(first.iter().map(Drawn::version).collect()));
    check(choices, plan, definition, &first);
    if let Some(changed) = changed {
        plan.install_versions(definition, changed.iter().map(Drawn::version).collect());
        for (read, version) in check(choices, plan, definition, &changed).into_iter().zip(&changed) {
            plan.check("follows", &["OAPI-008"], read, version.is_described(CHANGED));
        }
    }
}

/// Reads and checks the document of each version. Returns the steps.
fn check(choices: &Choices, plan: &mut Plan, definition: usize, versions: &[Drawn]) -> Vec<StepId> {
    let release = choices.release();
    let mut reads = Vec::new();
    for version in versions {
        let read = read_current_v3(plan, definition, &version.name);
        let structure = version.model(ModelPart::Structure, Dialect::V3, release);
        let own = version.has_own_meta.then_some("OAPI-003/e1");
        let asserts: Vec<&str> = [Some("OAPI-003"), own].into_iter().flatten().collect();
        plan.check("structure", &asserts, read, structure);
        let examples = if release.has(Change::PublishedExamples) { "OAPI-004/e2" } else { "OAPI-004/e3" };
        let has_examples = uses(&version.schema, "example") || uses(&version.schema, "externalDocs");
        let asserts: Vec<&str> = [
            Some("OAPI-004"),
            uses(&version.schema, INT_OR_STRING).then_some("OAPI-004/e1"),
            has_examples.then_some(examples),
        ]
        .into_iter()
        .flatten()
        .collect();
        plan.check("values", &asserts, read, version.model(ModelPart::Values, Dialect::V3, release));
        version.check_rest(plan, read, Dialect::V3, "OAPI-002");
        plan.check("references", &["OAPI-002/e1"], read, NamedCheck::PublishedReferences);
        plan.count_case();
        reads.push(read);
    }
    reads
}
