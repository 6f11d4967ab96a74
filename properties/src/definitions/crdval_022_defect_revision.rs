//! CRDVAL-022, where kube-apiserver violates it: a `resourceVersion` that is not a number.

use super::shared::INSTALLING;
use crate::prelude::*;
use crate::shared::definitions::{established, put, read};

const ASSERTS: &[&str] = &["CRDVAL-022"];

pub(super) const PROPERTY: Property = Property {
    id: "crdval-022-defect-revision",
    title: "a PUT of a definition with a resourceVersion that is not a number is rejected with a 4xx",
    asserts: ASSERTS,
    needs: INSTALLING,
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let (definition, _) = established(&mut plan, &[]);
    let before = read(&mut plan, definition);
    let revision = json!(*choices.pick(&["x", "one", "1.5"]));
    let edit = Edit::Set("/metadata/resourceVersion".into(), revision);
    let updated = put(&mut plan, definition, before, false, vec![edit]);
    plan.count_case();
    plan.check("refused", ASSERTS, updated, Expectation::Refused);
    plan.finish()
}
