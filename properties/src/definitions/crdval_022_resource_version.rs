//! CRDVAL-022, CRDVAL-060: a PUT needs the current `resourceVersion`, and a PUT without changes writes nothing.

use crdible_semantics::release::Change;

use super::shared::UPDATING;
use crate::prelude::*;
use crate::shared::definitions::{check_causes, established, merge, patch, put, read, refused_as};

pub(super) const PROPERTY: Property = Property::new("crdval-022-resource-version", plan)
    .title("a PUT of a definition needs the current resourceVersion")
    .asserts(&["CRDVAL-022", "CRDVAL-022/e1", "CRDVAL-022/e2", "CRDVAL-060", "REST-035"])
    .needs(UPDATING);

const REVISION: &str = "/metadata/resourceVersion";

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (definition, _) = established(plan, &[]);
    let causes = [("metadata.resourceVersion".to_owned(), Reason::Invalid)];
    choices.cases("update", |choices, number| {
        plan.count_case();
        let label = json!({ "metadata": { "labels": { "number": number.to_string() } } });
        match choices.draw(4) {
            0 => {
                let before = read(plan, definition);
                let updated = put(plan, definition, before, false, vec![]);
                plan.check("no-op-revision", &["CRDVAL-060"], updated, Expectation::same_revision(before));
                plan.check("no-op-generation", &["CRDVAL-060"], updated, Expectation::same_generation(before));
                plan.check("no-op", &["CRDVAL-060"], updated, Expectation::same_content(before));
                let (pointer, other) = ("/metadata".to_owned(), "/metadata".to_owned());
                let same = Expectation::SameAt { pointer, r#as: before, other };
                plan.check("no-op-metadata", &["CRDVAL-060"], updated, same);
            }
            1 => {
                let before = read(plan, definition);
                let edit = match choices.draw(2) {
                    0 => Edit::Remove(REVISION.into()),
                    1 => Edit::Set(REVISION.into(), json!("")),
                    _ => Edit::Set(REVISION.into(), json!("0")),
                };
                let asserts: &[&str] =
                    if matches!(edit, Edit::Remove(_)) { &["CRDVAL-022"] } else { &["CRDVAL-022/e1"] };
                let updated = put(plan, definition, before, false, vec![edit]);
                check_causes(plan, "without", asserts, updated, &causes);
            }
            2 => {
                let before = read(plan, definition);
                merge(plan, definition, label);
                let updated = put(plan, definition, before, false, vec![]);
                plan.check("outdated", &["CRDVAL-022/e1"], updated, refused_as(409, "Conflict"));
            }
            3 => {
                let updated = if choices.chance(1, 2) {
                    merge(plan, definition, label)
                } else {
                    let add = json!([{ "op": "add", "path": "/metadata/labels/patched", "value": number.to_string() }]);
                    patch(plan, definition, add)
                };
                plan.check("patched", &["CRDVAL-022/e1"], updated, Expectation::Accepted);
                plan.check("code", &["REST-035"], updated, accepted_as(200));
            }
            _ => {
                let missing = plan.uninstalled();
                let mut asserts: &[&str] = &["CRDVAL-022"];
                let versions = vec![Version::only(json!({ "type": "object" }))];
                let updated = if choices.chance(1, 2) {
                    let document = plan.try_define_versions(missing, versions);
                    plan.assume(document, Expectation::Accepted);
                    let mut edits = vec![Edit::Set(REVISION.into(), json!("1"))];
                    if choices.release().has(Change::AbsentWhateverUid) {
                        asserts = &["CRDVAL-022", "CRDVAL-022/e2"];
                    } else {
                        edits.push(Edit::Remove("/metadata/uid".into()));
                    }
                    put(plan, missing, document, false, edits)
                } else {
                    let body = Body::Definition { definition: missing, versions, edits: vec![] };
                    plan.send(Request::put(Resource::Definition { definition: missing }, body))
                };
                plan.check("creates-nothing", asserts, updated, refused_as(404, "NotFound"));
            }
        }
    });
}
