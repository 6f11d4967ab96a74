//! CRDVAL-022, where kube-apiserver violates it: a `resourceVersion` that is not a number.

use super::shared::INSTALLING;
use crate::prelude::*;
use crate::shared::definitions::{established, put, read};

const ASSERTS: &[&str] = &["CRDVAL-022"];

pub(super) const PROPERTY: Property = Property::new("crdval-022-defect-revision", plan)
    .title("a PUT of a definition with a resourceVersion that is not a number is rejected with a 4xx")
    .asserts(ASSERTS)
    .needs(INSTALLING);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (definition, _) = established(plan, &[]);
    let before = read(plan, definition);
    let revision = json!(*choices.pick(&["x", "one", "1.5"]));
    let edit = Edit::Set("/metadata/resourceVersion".into(), revision);
    let updated = put(plan, definition, before, false, vec![edit]);
    plan.count_case();
    plan.check("refused", ASSERTS, updated, Expectation::Refused);
}
