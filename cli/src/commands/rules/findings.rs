//! What the rules of a definition say, as the JSON of the command has it.

use std::collections::BTreeMap;

use crdible_reports::text::grouped;
use crdible_semantics::rules::{AdvisedBound, Decision, EstimatedCost};
use serde::Serialize;

/// All that was found.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Findings {
    pub(super) definition: String,
    pub(super) releases: Vec<OfRelease>,
    /// What is not the same in all of them.
    pub(super) differences: Vec<Difference>,
}

/// What differs between releases.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Difference {
    /// About what.
    pub(super) about: String,
    /// What each release says.
    pub(super) releases: BTreeMap<String, String>,
}

/// What one release says.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OfRelease {
    pub(super) release: String,
    /// Of the definition; nothing if only an expression was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) definition: Option<OfDefinition>,
    pub(super) objects: Vec<OfObject>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) expressions: Vec<OfExpression>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OfDefinition {
    pub(super) is_accepted: bool,
    /// Why it cannot be read at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<String>,
    /// What is wrong with it, apart from single rules.
    pub(super) causes: Vec<Cause>,
    pub(super) warnings: Vec<String>,
    pub(super) versions: Vec<OfVersion>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Cause {
    pub(super) field: String,
    pub(super) reason: String,
    pub(super) message: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OfVersion {
    pub(super) versions: Vec<String>,
    pub(super) cost: u64,
    pub(super) limit: u64,
    pub(super) rules: Vec<OfRule>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OfRule {
    pub(super) place: String,
    pub(super) field: String,
    pub(super) rule: String,
    pub(super) uses_old_self: bool,
    pub(super) causes: Vec<Cause>,
    pub(super) cost: Option<Cost>,
    pub(super) message_cost: Option<Cost>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Cost {
    pub(super) once: u64,
    pub(super) values: u64,
    pub(super) total: u64,
    pub(super) limit: u64,
    pub(super) advice: Vec<Advice>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Advice {
    pub(super) bounds: Vec<Bound>,
    pub(super) value: u64,
    pub(super) total: u64,
    pub(super) highest: Option<u64>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Bound {
    pub(super) keyword: &'static str,
    pub(super) place: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OfObject {
    pub(super) place: String,
    pub(super) name: String,
    pub(super) version: String,
    pub(super) is_accepted: bool,
    pub(super) unknown_fields: Vec<String>,
    /// What is wrong apart from rules.
    pub(super) causes: Vec<Cause>,
    /// Whether the rules were asked: some other errors keep a server from it.
    pub(super) are_rules_asked: bool,
    pub(super) rules: Vec<OfValue>,
}

/// What a rule says about a value.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OfValue {
    pub(super) place: String,
    pub(super) rule: String,
    pub(super) outcome: &'static str,
    pub(super) messages: Vec<String>,
    pub(super) value: String,
    pub(super) spent: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) decision: Option<Decided>,
}

/// Which operand decided.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Decided {
    pub(super) text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) element: Option<String>,
    pub(super) value: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) because: Vec<Self>,
    #[serde(skip_serializing_if = "is_none")]
    pub(super) left_out: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_none(count: &usize) -> bool {
    *count == 0
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OfExpression {
    pub(super) version: String,
    /// Of which object; nothing if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) object: Option<String>,
    pub(super) at: String,
    pub(super) expression: String,
    /// Why it cannot be compiled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub(super) of: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) least_cost: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) most_cost: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) spent: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) decision: Option<Decided>,
    pub(super) is_fine: bool,
}

impl Findings {
    /// Whether nothing is refused.
    pub(super) fn is_fine(&self) -> bool {
        self.releases.iter().all(|release| {
            release.definition.as_ref().is_none_or(|definition| definition.is_accepted)
                && release.objects.iter().all(|object| object.is_accepted)
                && release.expressions.iter().all(|expression| expression.is_fine)
        })
    }
}

impl From<EstimatedCost> for Cost {
    fn from(cost: EstimatedCost) -> Self {
        let EstimatedCost { once, values, total, advice } = cost;
        let advice = advice.into_iter().map(|AdvisedBound { bounds, value, total, highest }| Advice {
            bounds: bounds.into_iter().map(|(keyword, place)| Bound { keyword, place }).collect(),
            value,
            total,
            highest,
        });
        Self { once, values, total, limit: EstimatedCost::LIMIT, advice: advice.collect() }
    }
}

impl From<Decision> for Decided {
    fn from(decision: Decision) -> Self {
        let Decision { text, element, value, because, left_out } = decision;
        Self { text, element, value, because: because.into_iter().map(Self::from).collect(), left_out }
    }
}

/// A cost, and its share of a limit.
pub(super) fn of_limit(cost: u64, limit: u64) -> String {
    let is_far_above = cost / 10 > limit;
    #[expect(clippy::cast_precision_loss, reason = "a share in a message")]
    let percent = cost as f64 / limit as f64 * 100.0;
    match cost {
        u64::MAX => "more than can be counted".to_owned(),
        _ if is_far_above => format!("{}: {} times the limit", grouped(cost), grouped(cost / limit)),
        _ if percent < 0.1 => format!("{}: below 0.1 % of the limit", grouped(cost)),
        _ if percent < 10.0 => format!("{}: {percent:.1} % of the limit", grouped(cost)),
        _ => format!("{}: {percent:.0} % of the limit", grouped(cost)),
    }
}
