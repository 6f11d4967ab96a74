//! CEL-027: deletions evaluate no rule.

use super::shared::{rule, with_rules};
use crate::prelude::*;
use crate::shared::{definitions::refused_as, has};

const ASSERTS: &[&str] = &["CEL-027"];

pub(super) const PROPERTY: Property = Property::new("cel-027-deletions", plan)
    .title("objects that break a rule are deleted as all others are, each alone or with their collection")
    .asserts(ASSERTS)
    .needs(&[Capability::Storing, Capability::Rules]);

/// Rules that no number, and none that follows a smaller one, fulfils: false, or an error. The last two look at the old
/// number, so that not even an unchanged one is forgiven (RATCHET-015).
const BROKEN: [&str; 4] = ["self < 0", "1 / (self - self) == 1", "self < oldSelf", "oldSelf == self + 1"];

/// Objects are stored; then the schema has rules that all of them break.
fn plan(plan: &mut Plan, choices: &mut Choices) {
    let is_on_number = choices.chance(1, 2);
    let rules = choices.span("node", |choices| choices.many("rule", 1, 3, |choices, _| *choices.pick(&BROKEN)));
    let schema = |rules: &[&str]| {
        let number = json!({ "type": "integer" });
        if is_on_number {
            return spec_of(json!({ "n": with_rules(number, rules.iter().map(|text| rule(text))) }));
        }
        let of_object = |text: &&str| rule(&text.replace("self", "self.n").replace("oldSelf", "oldSelf.n"));
        root_of(with_rules(object_of(json!({ "n": number })), rules.iter().map(of_object)))
    };
    let definition = plan.define_schema(schema(&[]));
    let stored: Vec<(StepId, bool)> = choices.many_parts("object", 1, 4, |choices, _| {
        let is_held = choices.chance(1, 4);
        let finalizers = if is_held { json!(["crdible.dev/kept"]) } else { json!([]) };
        let fields = json!({ "metadata": { "finalizers": finalizers }, "spec": { "n": choices.between(0, 3) } });
        (plan.create(definition, fields), is_held)
    });
    plan.install_schema(definition, schema(&rules));
    let field = if is_on_number { "spec.n" } else { "spec" };
    let causes: Vec<Cause> = rules.iter().map(|_| Cause::new(field, Reason::Invalid.name())).collect();
    for &(created, _) in &stored {
        let written = plan.try_put_back(created, vec![Edit::Set("/spec/n".to_owned(), json!(5))]);
        plan.check("in-force", ASSERTS, written, Expectation::Causes(causes.clone()));
    }
    let is_of_all = choices.chance(1, 3);
    if is_of_all {
        let deleted = plan.send(Request::delete(Resource::objects(definition, "v1")));
        plan.check("all-deleted", ASSERTS, deleted, Expectation::Status(200));
    }
    for &(created, is_held) in &stored {
        if !is_of_all {
            let deleted = plan.send(Request::delete(plan.object_of(created)));
            plan.check("deleted", ASSERTS, deleted, Expectation::Status(200));
        }
        let read = plan.get(created);
        let expected = if is_held { has("/metadata/deletionTimestamp") } else { refused_as(404, "NotFound") };
        plan.check("read", ASSERTS, read, expected);
        plan.count_case();
    }
    // With the rules, no update could remove a finalizer.
    plan.install_schema(definition, schema(&[]));
}
