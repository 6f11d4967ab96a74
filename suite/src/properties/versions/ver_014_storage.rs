//! VER-014: a write uses the current storage version; objects written earlier keep theirs.

use crdible_generators::choice::Choices;
use serde_json::json;

use super::shared::own;
use crate::{
    properties::{Capability, Property, shared::spec_of},
    scenario::{Body, Edit, Expectation, Method, Plan, Request, Scenario, Version},
};

pub(super) const PROPERTY: Property = Property {
    id: "ver-014-storage",
    title: "every write loses the fields that the storage version lacks, and objects stored in another version keep theirs until they are written",
    asserts: &["VER-014", "VER-014/e1", "VER-016", "CONV-001", "CONV-002", "CONV-002/e1"],
    needs: &[Capability::Storing, Capability::Pruning, Capability::DefinitionUpdates],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let integer = || json!({ "type": "integer" });
    let narrow = spec_of(json!({ "a": integer() }));
    let wide = spec_of(json!({ "a": integer(), "b": integer() }));
    let storing = |in_wide: bool| -> Vec<Version> {
        vec![
            Version::named("narrow", narrow.clone()).stored_if(!in_wide),
            Version::named("wide", wide.clone()).stored_if(in_wide),
        ]
    };
    let begins_wide = choices.chance(1, 2);
    let definition = own(&mut plan, storing(begins_wide));
    let (a, b) = (choices.between(0, 9), choices.between(0, 9));
    let both = json!({ "spec": { "a": a, "b": b } });
    let one = json!({ "spec": { "a": a } });
    let kept = |in_wide: bool| Expectation::Content(if in_wide { both.clone() } else { one.clone() });
    let old = plan.create_at(definition, "wide", both.clone());
    plan.check("first-answer", &["VER-014", "VER-014/e1", "CONV-002"], old, kept(begins_wide));
    plan.install_versions(definition, storing(!begins_wide));
    let read = plan.get_at(old, "wide");
    plan.check("stays", &["VER-014", "VER-016"], read, kept(begins_wide));
    let new = plan.create_at(definition, "wide", both.clone());
    plan.check("second-answer", &["VER-014", "VER-014/e1", "CONV-002"], new, kept(!begins_wide));
    let read = plan.get_at(new, "wide");
    plan.check("second-read", &["VER-014", "CONV-001"], read, kept(!begins_wide));
    let narrow_read = plan.get_at(new, "narrow");
    plan.check("narrow-read", &["CONV-001"], narrow_read, Expectation::Content(one.clone()));
    // Whichever version stored it first, a rewritten object went through the narrow one. Dry runs convert like writes.
    let first = plan.get_at(old, "wide");
    let edit = vec![Edit::Set("/metadata/labels".into(), json!({ "l": "x" }))];
    let tried = plan.try_put_back(first, edit);
    plan.check("dry-run", &["CONV-002", "CONV-002/e1"], tried, kept(false));
    let labels = Body::json(json!({ "metadata": { "labels": { "l": "x" } } }));
    let rewritten = plan.send(Request::new(Method::MergePatch, plan.object_at(old, "wide"), labels));
    plan.check("rewritten", &["VER-014", "VER-014/e1"], rewritten, kept(false));
    plan.count_case();
    plan.finish()
}
