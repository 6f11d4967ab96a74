//! RATCHET-003: if a sibling changes, an unchanged child is forgiven violations of its own keywords, and the parent
//! nothing.

use crate::prelude::*;
use crate::shared::Updates;

const ASSERTS: &[&str] = &["RATCHET-003", "RATCHET-003/e1"];

pub(super) const PROPERTY: Property = Property::new("ratchet-003-changed-parents", plan)
    .title("once a sibling changes, the keywords of the parent are enforced")
    .asserts(ASSERTS)
    .needs(&[Capability::Storing, Capability::Validation]);

/// What an update can repair.
#[derive(Clone, Copy, PartialEq)]
enum Repair {
    /// The child is valid.
    Child,
    /// The missing property is present.
    Needed,
}

/// Causes with paths relative to the parent, which is `spec`.
type Causes = &'static [RowCause];

/// A keyword of the parent that the old value violates.
struct Rule {
    keywords: fn() -> Value,
    /// The causes while the child has its old value, or another invalid one.
    causes: Causes,
    /// The repair that satisfies it.
    repair: Option<Repair>,
}

const RULES: [Rule; 6] = [
    Rule {
        keywords: || json!({ "required": ["needed"] }),
        causes: &[Cause::of(".needed", Reason::Required)],
        repair: Some(Repair::Needed),
    },
    Rule { keywords: || json!({ "maxProperties": 1 }), causes: &[Cause::of("", Reason::TooMany)], repair: None },
    Rule {
        keywords: || json!({ "allOf": [{ "properties": { "p": { "maxLength": 2 } } }] }),
        causes: &[Cause::of(".p", Reason::TooLong), NIL],
        repair: Some(Repair::Child),
    },
    Rule {
        keywords: || json!({ "anyOf": [{ "properties": { "p": { "maxLength": 2 } } }] }),
        causes: &[Cause::of(".p", Reason::TooLong), NIL],
        repair: Some(Repair::Child),
    },
    Rule {
        keywords: || json!({ "oneOf": [{ "properties": { "p": { "pattern": "^a" } } }] }),
        causes: &[Cause::of(".p", Reason::Invalid), NIL],
        repair: Some(Repair::Child),
    },
    Rule { keywords: || json!({ "not": { "required": ["p"] } }), causes: &[NIL], repair: None },
];

/// Keywords of the child itself, and the causes of its old value.
const CHILDREN: [(fn() -> Value, Causes); 5] = [
    (|| json!({}), &[]),
    (|| json!({ "maxLength": 2 }), &[Cause::of(".p", Reason::TooLong)]),
    (|| json!({ "pattern": "^a" }), &[Cause::of(".p", Reason::Invalid)]),
    (|| json!({ "not": { "enum": ["wrong", "worse"] } }), &[NIL]),
    (|| json!({ "anyOf": [{ "maxLength": 2 }] }), &[Cause::of(".p", Reason::TooLong), NIL]),
];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let rule = choices.pick(&RULES);
    let (child, own) = *choices.pick(&CHILDREN);
    let parent = |keywords: &Value| {
        let child = extended(json!({ "type": "string" }), keywords);
        object_of(json!({ "p": child, "q": { "type": "integer" }, "needed": { "type": "string" } }))
    };
    let loose = root_of(parent(&json!({})));
    let tight = root_of(extended(parent(&child()), &(rule.keywords)()));
    let old = json!({ "p": "wrong", "q": 0 });
    let after = |repair| if rule.repair == Some(repair) { vec![] } else { rule.causes.to_vec() };
    let examples = choices.cases("update", |choices, _| {
        let (name, edits, causes) = match choices.draw(4) {
            // A sibling changes: the child's own keywords are forgiven.
            0 => ("sibling", json!({ "q": 1 }), rule.causes.to_vec()),
            1 => ("untouched", json!({}), vec![]),
            // The child changes to another invalid value: both are enforced. A cause that both report with the same
            // text is reported once (chapter 5, head); the messages of quantifiers include their path.
            2 => {
                let own = own.iter().filter(|cause| **cause == NIL || !rule.causes.contains(cause));
                ("child", json!({ "p": "worse" }), rule.causes.iter().chain(own).copied().collect())
            }
            // The child becomes valid.
            3 => ("mended", json!({ "p": "a", "q": 1 }), after(Repair::Child)),
            // The parent may become valid, while the child stays invalid as before.
            _ => ("completed", json!({ "needed": "x" }), after(Repair::Needed)),
        };
        Example::judged(name, ASSERTS, extended(old.clone(), &edits), causes)
    });
    plan.try_updates(loose, tight, [Updates::new(old.clone(), examples)])
}
