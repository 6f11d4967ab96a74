//! OAPI-009..011: the models of version 2.

use crdible_scenario::ModelPart;

use super::{
    model::Dialect,
    published::{Drawn, read_current_v2, read_current_v3, uses},
};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("oapi-010-v2", plan)
    .title("the OpenAPI v2 models are the schemas without what OpenAPI v2 cannot express")
    .asserts(&["FSEL-014", "OAPI-002", "OAPI-005", "OAPI-008", "OAPI-009", "OAPI-010", "OAPI-010/e1", "OAPI-011"])
    .needs(&[Capability::Serving, Capability::DefinitionUpdates, Capability::OpenApiV2, Capability::OpenApiV3]);

/// The description of a schema that is installed later.
const CHANGED: &str = "changed";

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let first = choices.span("first", |choices| draw(choices, "first"));
    let changed = choices.chance(1, 3).then(|| choices.span("changed", |choices| draw(choices, CHANGED)));
    let definition = plan.define(Definition::with_versions(first.iter().map(Drawn::version).collect()));
    check(choices, plan, definition, &first, false);
    if let Some(changed) = changed {
        plan.install_versions(definition, changed.iter().map(Drawn::version).collect());
        check(choices, plan, definition, &changed, true);
    }
}

/// Versions, of which some keep unknown fields at the root.
fn draw(choices: &mut Choices, description: &str) -> Vec<Drawn> {
    let versions = choices.span("versions", |choices| Drawn::versions(choices, description));
    versions.into_iter().map(|drawn| if choices.chance(1, 6) { drawn.preserving() } else { drawn }).collect()
}

fn check(choices: &Choices, plan: &mut Plan, definition: usize, versions: &[Drawn], is_changed: bool) {
    let release = choices.release();
    // The large document is read when the small ones have followed.
    for version in versions {
        read_current_v3(plan, definition, &version.name);
    }
    let read = read_current_v2(plan, definition, versions);
    for version in versions {
        let plain = |keyword: &str| uses(&version.schema, keyword);
        let is_opaque = version.is_opaque();
        let asserts: &[&str] = match is_opaque {
            true => &["OAPI-011"],
            false if plain(EMBEDDED) || plain(INT_OR_STRING) => &["OAPI-010", "OAPI-010/e1"],
            false => &["OAPI-010"],
        };
        let model = version.model(ModelPart::All, Dialect::V2, release);
        plan.check("model", asserts, read, model);
        if is_changed && !is_opaque {
            plan.check("follows", &["OAPI-008"], read, version.is_described(CHANGED));
        }
        version.check_rest(plan, read, Dialect::V2, "OAPI-009");
        plan.count_case();
    }
}
