//! Which failing rules an update is forgiven (chapter 6): objects whose members have two rules each.

use super::shared::{forbidden, forbidding, with_rules};
use crate::prelude::*;
use crate::shared::oracle::equal;

/// The rules of a member: of its number `v`, and of the object around it, which also has a `w`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Written {
    /// The `fieldPath` of the rule of the object.
    pub(super) path: &'static str,
    /// It has a `messageExpression` with `oldSelf`, which has no value since no rule of the node uses it (CEL-035).
    pub(super) has_expression: bool,
}

const OF_OBJECT: &str = "the object is too large";
const OF_NUMBER: &str = "the number is too large";
/// A number that is at least this breaks both rules.
const LIMIT: i64 = 5;

impl Written {
    /// What is drawn.
    pub(super) fn draw(choices: &mut Choices) -> Self {
        Self { path: *choices.pick(&["", "", ".w", ".v"]), has_expression: choices.chance(1, 3) }
    }

    /// A member with these further properties, before and after rules are added.
    pub(super) fn nodes(self, further: &Value) -> [Value; 2] {
        let number = json!({ "type": "integer" });
        let member = |number: Value| object_of(extended(json!({ "v": number, "w": { "type": "integer" } }), further));
        let mut entry = forbidding(&format!("!has(self.v) || self.v < {LIMIT}"), OF_OBJECT);
        if !self.path.is_empty() {
            entry["fieldPath"] = json!(self.path);
        }
        if self.has_expression {
            entry["messageExpression"] = json!("has(oldSelf.v) ? 'it was there' : 'it was not'");
        }
        let ruled = with_rules(number.clone(), [forbidding(&format!("self < {LIMIT}"), OF_NUMBER)]);
        [member(number), with_rules(member(ruled), [entry])]
    }
}

/// What is said of one update.
#[derive(Clone, Debug, Default)]
pub(super) struct Verdict {
    pub(super) causes: Vec<Cause>,
    /// Fields and messages of the rules that are forgiven.
    pub(super) warnings: Vec<(String, String)>,
}

impl Verdict {
    /// Judges a member at this path. If it correlates, it has an old value, else whether all of the list around it is
    /// unchanged decides.
    pub(super) fn judge(&mut self, path: &str, written: Written, new: &Value, old: Result<&Value, bool>) {
        if new["v"].as_i64().is_none_or(|number| number < LIMIT) {
            return;
        }
        let object_is_same = old.map_or_else(|is_same| is_same, |old| equal(old, new));
        let number_is_same = old.map_or_else(|is_same| is_same, |old| equal(&old["v"], &new["v"]));
        self.add(format!("{path}{}", written.path), OF_OBJECT, object_is_same);
        self.add(format!("{path}.v"), OF_NUMBER, number_is_same);
    }

    /// Adds a rule that is broken.
    pub(super) fn add(&mut self, field: String, message: &str, is_forgiven: bool) {
        if is_forgiven {
            self.warnings.push((field, message.to_owned()));
        } else {
            self.causes.push(forbidden(field));
        }
    }

    /// Checks the answer to an update with this content.
    pub(super) fn check(self, plan: &mut Plan, name: &str, asserts: &[&str], updated: StepId, content: Value) {
        plan.check(name, asserts, updated, content_or(content, self.causes));
        let name = format!("{name}-warnings");
        plan.check(&name, asserts, updated, NamedCheck::RuleWarnings { rules: self.warnings });
        plan.count_case();
    }
}

/// A member: a number that is too large more often than not, or none, and another.
pub(super) fn member(choices: &mut Choices) -> Value {
    let mut member = json!({ "w": choices.between(0, 2) });
    if choices.chance(4, 5) {
        member["v"] = json!(choices.between(3, 7));
    }
    member
}

/// The same member, or one with another number.
pub(super) fn changed(choices: &mut Choices, old: &Value) -> Value {
    let mut new = old.clone();
    match choices.weighted(&[3, 1, 1]) {
        0 => {}
        1 => new["w"] = json!(choices.between(0, 2)),
        _ => new["v"] = json!(choices.between(3, 7)),
    }
    new
}
