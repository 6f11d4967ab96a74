//! What the rules of a definition say about the objects of a finding, and which operands decided.

use serde::{Deserialize, Serialize};

/// The rules that matter for a finding. They are an explanation, and no part of the verdict.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesOfFinding {
    /// What each says about a value, those first that an answer contradicts.
    pub evaluations: Vec<RuleEvaluation>,
    /// How many more evaluations would be listed if the list had room for all.
    #[serde(default, skip_serializing_if = "is_none")]
    pub left_out: u64,
}

impl RulesOfFinding {
    /// Whether no rule matters.
    pub fn is_empty(&self) -> bool {
        self.evaluations.is_empty()
    }
}

/// What a rule says about one value that was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleEvaluation {
    /// Method and path of the request.
    pub request: String,
    /// The code with which the target answered; none if that is not recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The version of the definition whose rule it is.
    pub version: String,
    /// Where the rule is written in the schema of this version.
    pub field: String,
    /// The rule.
    pub rule: String,
    /// What it says.
    pub outcome: RuleOutcome,
    /// Where the value is, `self`; empty for the whole object.
    pub place: String,
    /// The value; a long one is cut.
    pub value: String,
    /// The value before, `oldSelf`, if the rule compares with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_value: Option<String>,
    /// Why the rule has no value, if it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The operands that decided; empty if the rule has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<Operand>,
    /// How many elements of a list decided, too, and are not listed.
    #[serde(default, skip_serializing_if = "is_none")]
    pub left_out: u64,
}

/// What a rule says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RuleOutcome {
    /// It is true.
    True,
    /// It is false: the object must be refused.
    False,
    /// It is false, but the value was there before (RATCHET-014): a warning.
    Forgiven,
    /// It has no value: the object must be refused.
    Error,
    /// It compares with an old value, and there is none: it is not asked.
    NotAsked,
}

/// A part of a rule that decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operand {
    /// The part, as it is written.
    pub text: String,
    /// In `all` and the like: for which element, such as `x = 5`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// Its value, or the error.
    pub value: String,
    /// What decided that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<Self>,
    /// How many elements of a list decided, too, and are not listed.
    #[serde(default, skip_serializing_if = "is_none")]
    pub left_out: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_none(count: &u64) -> bool {
    *count == 0
}
