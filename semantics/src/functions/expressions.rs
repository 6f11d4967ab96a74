//! Rules in the Common Expression Language.

use std::borrow::Cow;

use crdible_cel::Evaluated;
use serde_json::Value;

use crate::rules::{self, FormFault, Rule};
use crate::{Reason, Schema};

area! {
    /// The rules of schemas: what may be written in a definition, and what they say of an object (chapter 7).
    ///
    /// The language itself is the crate `cel`.
    pub struct Expressions as expressions;

    /// CEL-001 to CEL-005: what is wrong with a rule before it is compiled.
    fn form_of_rule(rule: &Rule, schema: &Schema) -> Vec<FormFault> = rules::form_of_rule;
    /// The text that is compiled: as it was written.
    fn text_of_rule<'r>(text: &'r str) -> Cow<'r, str> = Cow::Borrowed;
    /// CEL-001: whether a rule with this error is accepted nevertheless.
    fn accepts_rule(error: &str) -> bool = |_| false;
    /// CEL-038: how many values of a node there can be for each value of its list or map; `None` if that has no bound.
    fn values_of_node(schema: &Schema) -> Option<u64> = rules::values_of_node;
    /// CEL-038: whether one expression costs too much, for all values of its node.
    fn costs_too_much(cost: u64) -> bool = |cost| cost > rules::PER_RULE;
    /// CEL-039: whether all expressions of a version cost too much.
    fn cost_too_much_together(cost: u64) -> bool = |cost| cost > rules::PER_VERSION;
    /// CEL-006: whether a rule of an element may use the old value, in a list with this schema.
    fn has_old_elements(schema: &Schema) -> bool = |schema: &Schema| schema.list_type.as_deref() == Some("map");
    /// CEL-012 to CEL-021: a value as rules see it.
    fn value_for_rules(&self, value: &Value, schema: &Schema, is_resource: bool) -> Evaluated =
        |semantics, value, schema, is_resource| rules::bound(value, schema, is_resource, semantics.release);
    /// CEL-029, CEL-030: whether a rule is evaluated, which uses the old value or not, and of which the old value is
    /// there or may be missing.
    fn runs_rule(uses_old: bool, has_old: bool, is_optional: bool) -> bool =
        |uses_old: bool, has_old, is_optional| !uses_old || has_old || is_optional;
    /// CEL-042: whether an evaluation that costs this is the last one.
    fn ends_evaluation(spent: u64) -> bool = |spent| spent > rules::evaluate::PER_EVALUATION;
    /// CRDVAL-053: whether rules judge a default, as a new value or as one that stays.
    fn judges_default(is_new: bool) -> bool = |_| true;
    /// CEL-033, CEL-034: whether a rule holds, or why it cannot be evaluated.
    fn outcome_of_rule(outcome: Result<bool, String>) -> Result<bool, String> = |outcome| outcome;
    /// RATCHET-014, RATCHET-015: whether a failure is forgiven, at a node whose value is unchanged or not.
    fn forgives_rule(uses_old: bool, is_unchanged: bool) -> bool = |uses_old: bool, is_unchanged| !uses_old && is_unchanged;
    /// CEL-036: the reason of a cause.
    fn reason_of_rule(rule: &Rule) -> Reason = Rule::reason_of_cause;
    /// CEL-035: the message of a cause. `made` is what its expression made.
    fn message_of_rule(rule: &Rule, made: Option<String>) -> String = rules::message_of_rule;
    /// CEL-035: whether messages of a node see the old value, which one of its rules uses or none.
    fn shows_old_value(uses_old: bool) -> bool = |uses_old| uses_old;
    /// CEL-033: the path below the node that a cause names.
    fn path_of_rule<'r>(path: Option<&'r str>) -> Option<&'r str> = |path| path;
    /// CEL-043: what is left of a budget after an evaluation; `None` if it is over.
    fn left_of_budget(left: u64, spent: u64) -> Option<u64> = u64::checked_sub;
}
