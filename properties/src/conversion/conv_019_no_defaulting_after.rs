//! CONV-019: a converted object is pruned by the schema of its new version and loses nulls, but gets no defaults.

use crate::prelude::*;
use crate::shared::definitions::two_versions;

pub(super) const PROPERTY: Property = Property::new("conv-019-no-defaulting-after", plan)
    .title("with strategy None, a converted object is pruned but not defaulted")
    .asserts(&["CONV-019", "CONV-019/e1"])
    .needs(&[Capability::Storing, Capability::Defaulting, Capability::Pruning]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let has_nullable = choices.chance(1, 2);
    let string = || json!({ "type": "string" });
    let mut served = json!({ "a": { "type": "integer" }, "w": { "type": "string", "default": "w" } });
    if has_nullable {
        served["n"] = string();
    }
    let stored = json!({
        "a": { "type": "integer" },
        "n": { "type": "string", "nullable": true },
        "d": { "type": "string", "default": "d" },
    });
    let definition = plan.define_versions(two_versions(spec_of(stored), spec_of(served)));
    plan.cases(choices, "object", |plan, choices| {
        let a = choices.between(0, 9);
        let bare = json!({ "spec": { "a": a } });
        let mut sent = bare.clone();
        if choices.chance(1, 2) {
            sent["spec"]["n"] = Value::Null;
        }
        let at_storage = plan.create_at(definition, "v1", sent);
        let read = plan.get_at(at_storage, "v2");
        plan.check("read", &["CONV-019"], read, Expectation::Content(bare.clone()));
        let at_other = plan.create_at(definition, "v2", bare.clone());
        plan.check("answer", &["CONV-019"], at_other, Expectation::Content(bare.clone()));
        let read = plan.get_at(at_other, "v1");
        let shown = json!({ "spec": { "a": a, "d": "d" } });
        plan.check("decoded", &["CONV-019", "CONV-019/e1"], read, Expectation::Content(shown));
        let again = plan.get_at(at_other, "v2");
        plan.check("read-back", &["CONV-019"], again, Expectation::Content(bare));
    });
}
