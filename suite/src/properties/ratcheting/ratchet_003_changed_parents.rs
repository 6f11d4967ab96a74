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

#[derive(Clone, Copy, PartialEq)]
enum Mending {
    /// A right child.
    Child,
    /// The property that was missing.
    Needed,
}

type Causes = fn() -> Vec<Cause>;

/// A keyword of the parent that the old value breaks.
struct Rule {
    keywords: fn() -> Value,
    /// What it says of the parent while the child is as it was, or is another wrong one.
    causes: Causes,
    /// What makes it hold.
    mended_by: Option<Mending>,
}

const RULES: [Rule; 6] = [
    Rule {
        keywords: || json!({ "required": ["needed"] }),
        causes: || vec![Cause::new("spec.needed", "Required")],
        mended_by: Some(Mending::Needed),
    },
    Rule {
        keywords: || json!({ "maxProperties": 1 }),
        causes: || vec![Cause::new("spec", "TooMany")],
        mended_by: None,
    },
    Rule {
        keywords: || json!({ "allOf": [{ "properties": { "p": { "maxLength": 2 } } }] }),
        causes: || vec![Cause::new("spec.p", "TooLong"), nil()],
        mended_by: Some(Mending::Child),
    },
    Rule {
        keywords: || json!({ "anyOf": [{ "properties": { "p": { "maxLength": 2 } } }] }),
        causes: || vec![Cause::new("spec.p", "TooLong"), nil()],
        mended_by: Some(Mending::Child),
    },
    Rule {
        keywords: || json!({ "oneOf": [{ "properties": { "p": { "pattern": "^a" } } }] }),
        causes: || vec![Cause::new("spec.p", "Invalid"), nil()],
        mended_by: Some(Mending::Child),
    },
    Rule { keywords: || json!({ "not": { "required": ["p"] } }), causes: || vec![nil()], mended_by: None },
];

fn nil() -> Cause {
    Cause::new("<nil>", "Invalid")
}

/// What the child itself gets, with the causes for which it is refused.
const CHILDREN: [(&str, Causes); 5] = [
    ("none", Vec::new),
    ("maxLength", || vec![Cause::new("spec.p", "TooLong")]),
    ("pattern", || vec![Cause::new("spec.p", "Invalid")]),
    ("not", || vec![nil()]),
    ("anyOf", || vec![Cause::new("spec.p", "TooLong"), nil()]),
];

fn plan(choices: &mut Choices) -> Scenario {
    let rule = choices.pick(&RULES);
    let (keyword, own) = *choices.pick(&CHILDREN);
    let properties = |child: Value| json!({ "p": child, "q": { "type": "integer" }, "needed": { "type": "string" } });
    let child = match keyword {
        "maxLength" => json!({ "type": "string", "maxLength": 2 }),
        "pattern" => json!({ "type": "string", "pattern": "^a" }),
        "not" => json!({ "type": "string", "not": { "enum": ["wrong", "worse"] } }),
        "anyOf" => json!({ "type": "string", "anyOf": [{ "maxLength": 2 }] }),
        _ => json!({ "type": "string" }),
    };
    let mut plan = Plan::new();
    let definition = plan.define(Definition::of_schema(root(&properties(json!({ "type": "string" })), &json!({}))));
    let updates = choices.many("update", 1, 4, |choices, _| choices.draw(4));
    let created = plan.create(definition, json!({ "spec": { "p": "wrong", "q": 0 } }));
    plan.install_versions(definition, only(root(&properties(child), &(rule.keywords)())));
    for update in updates {
        let of_parent = |mending| if rule.mended_by == Some(mending) { vec![] } else { (rule.causes)() };
        let mut content = json!({ "spec": { "p": "wrong", "q": 0 } });
        let (name, causes) = match update {
            // A sibling changed: the child's own keywords are forgiven.
            0 => {
                content["spec"]["q"] = json!(1);
                ("sibling", (rule.causes)())
            }
            1 => ("untouched", vec![]),
            // The child changed to another wrong value: both are enforced. What both say of it in the same words is told once
            // (chapter 5, head); the summaries of quantifiers name their place.
            2 => {
                content["spec"]["p"] = json!("worse");
                let mut causes = (rule.causes)();
                causes.extend(own().into_iter().filter(|cause| *cause == nil() || !(rule.causes)().contains(cause)));
                ("child", causes)
            }
            // The child is right now.
            3 => {
                content["spec"]["p"] = json!("a");
                content["spec"]["q"] = json!(1);
                ("mended", of_parent(Mending::Child))
            }
            // The parent may be right now, with a child that is as wrong as before.
            _ => {
                content["spec"]["needed"] = json!("x");
                ("completed", of_parent(Mending::Needed))
            }
        };
        let put = plan.try_put_back(created, vec![Edit::Set("/spec".into(), content["spec"].clone())]);
        let expected = if causes.is_empty() { Expectation::Content(content) } else { Expectation::Causes(causes) };
        plan.check(name, ASSERTS, put, expected);
        plan.count_case();
    }
    plan.finish()
}
