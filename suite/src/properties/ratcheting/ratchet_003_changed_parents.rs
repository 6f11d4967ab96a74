//! RATCHET-003: beside a changed sibling a child is forgiven its own keywords, and the parent nothing.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{only, root};
use crate::{
    properties::{Capability, Property},
    scenario::{Cause, Definition, Edit, Expectation, Plan, Scenario},
};

const ASSERTS: &[&str] = &["RATCHET-003", "RATCHET-003/e1"];

pub(super) const PROPERTY: Property = Property {
    id: "ratchet-003-changed-parents",
    title: "once a sibling changed, what the parent demands is enforced, also what it says of an unchanged child",
    asserts: ASSERTS,
    needs: &[Capability::Storing, Capability::Validation],
    edges: &[],
    plan,
};

/// A keyword of the parent that the old value breaks.
struct Rule {
    keywords: fn() -> Value,
    /// What it says of the parent while the child is as it was, or is another wrong one.
    causes: fn() -> Vec<Cause>,
    /// Whether it holds once the child is mended.
    is_mended_with_child: bool,
}

const RULES: [Rule; 6] = [
    Rule {
        keywords: || json!({ "required": ["needed"] }),
        causes: || vec![Cause::new("spec.needed", "Required")],
        is_mended_with_child: false,
    },
    Rule {
        keywords: || json!({ "maxProperties": 1 }),
        causes: || vec![Cause::new("spec", "TooMany")],
        is_mended_with_child: false,
    },
    Rule {
        keywords: || json!({ "allOf": [{ "properties": { "p": { "maxLength": 2 } } }] }),
        causes: || vec![Cause::new("spec.p", "TooLong"), nil()],
        is_mended_with_child: true,
    },
    Rule {
        keywords: || json!({ "anyOf": [{ "properties": { "p": { "maxLength": 2 } } }] }),
        causes: || vec![Cause::new("spec.p", "TooLong"), nil()],
        is_mended_with_child: true,
    },
    Rule {
        keywords: || json!({ "oneOf": [{ "properties": { "p": { "pattern": "^a" } } }] }),
        causes: || vec![Cause::new("spec.p", "Invalid"), nil()],
        is_mended_with_child: true,
    },
    Rule { keywords: || json!({ "not": { "required": ["p"] } }), causes: || vec![nil()], is_mended_with_child: false },
];

fn nil() -> Cause {
    Cause::new("<nil>", "Invalid")
}

/// What the child itself gets, with the reason for which it is refused.
const CHILDREN: [(&str, Option<&str>); 3] = [("", None), ("maxLength", Some("TooLong")), ("pattern", Some("Invalid"))];

fn plan(choices: &mut Choices) -> Scenario {
    let rule = choices.pick(&RULES);
    let (keyword, reason) = *choices.pick(&CHILDREN);
    let properties = |child: Value| json!({ "p": child, "q": { "type": "integer" }, "needed": { "type": "string" } });
    let child = match keyword {
        "maxLength" => json!({ "type": "string", "maxLength": 2 }),
        "pattern" => json!({ "type": "string", "pattern": "^a" }),
        _ => json!({ "type": "string" }),
    };
    let mut plan = Plan::new();
    let definition = plan.define(Definition::of_schema(root(&properties(json!({ "type": "string" })), &json!({}))));
    let updates = choices.many("update", 1, 4, |choices, _| choices.draw(3));
    let created = plan.create(definition, json!({ "spec": { "p": "wrong", "q": 0 } }));
    plan.install_versions(definition, only(root(&properties(child), &(rule.keywords)())));
    let own: Vec<Cause> = reason.map(|reason| Cause::new("spec.p", reason)).into_iter().collect();
    for update in updates {
        let (name, p, q, causes) = match update {
            // A sibling changed: the child's own keywords are forgiven.
            0 => ("sibling", "wrong", 1, (rule.causes)()),
            1 => ("untouched", "wrong", 0, vec![]),
            // The child changed to another wrong value: both are enforced, and what both say is reported once (chapter 5, head).
            2 => {
                let mut causes = (rule.causes)();
                causes.extend(own.iter().filter(|cause| !(rule.causes)().contains(cause)).cloned());
                ("child", "worse", 0, causes)
            }
            // The child is right now.
            _ => ("mended", "a", 1, if rule.is_mended_with_child { vec![] } else { (rule.causes)() }),
        };
        let content = json!({ "spec": { "p": p, "q": q } });
        let put = plan.try_put_back(created, vec![Edit::Set("/spec".into(), content["spec"].clone())]);
        let expected = if causes.is_empty() { Expectation::Content(content) } else { Expectation::Causes(causes) };
        plan.check(name, ASSERTS, put, expected);
        plan.count_case();
    }
    plan.finish()
}
