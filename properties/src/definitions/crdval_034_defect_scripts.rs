//! CRDVAL-034, where kube-apiserver violates it: Unicode scripts whose names are not a single capitalized word.

use super::shared::JUDGING;
use crate::prelude::*;

const ASSERTS: &[&str] = &["CRDVAL-034"];

pub(super) const PROPERTY: Property = Property::new("crdval-034-defect-scripts", plan)
    .title("a pattern may name any Unicode script")
    .asserts(ASSERTS)
    .needs(JUDGING);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let script = choices.pick(&["Old_Italic", "SignWriting"]);
    let node = json!({ "type": "string", "pattern": format!(r"\p{{{script}}}") });
    let defined = plan.try_define(object_of(json!({ "p": node })));
    plan.count_case();
    plan.check("accepted", ASSERTS, defined, Expectation::Accepted);
}
