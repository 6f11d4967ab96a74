//! CRDVAL-034, where kube-apiserver violates it: Unicode scripts whose names are not a single capitalized word.

use super::shared::JUDGING;
use crate::prelude::*;
use crate::shared::object_of;

const ASSERTS: &[&str] = &["CRDVAL-034"];

pub(super) const PROPERTY: Property = Property {
    id: "crdval-034-defect-scripts",
    title: "a pattern may name any Unicode script",
    asserts: ASSERTS,
    needs: JUDGING,
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let script = choices.pick(&["Old_Italic", "SignWriting"]);
    let node = json!({ "type": "string", "pattern": format!(r"\p{{{script}}}") });
    let defined = plan.try_define(object_of(json!({ "p": node })));
    plan.count_case();
    plan.check("accepted", ASSERTS, defined, Expectation::Accepted);
    plan.finish()
}
