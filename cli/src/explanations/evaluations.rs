//! What rules say about writes, and which of that matters to a reader of a failure.

use std::cell::Cell;

use crdible_reports::model::{Operand, RuleEvaluation, RuleOutcome, RulesOfFinding};
use crdible_semantics::{
    Schema, Semantics,
    rules::{Decision, Ending, Examination, ExaminedRule, Subject},
};
use serde_json::Value;

use super::writes::Write;

/// At most this many evaluations are listed for one failure.
const MOST: usize = 6;
/// At most this many rules of one write that are true.
const MOST_TRUE: usize = 2;
/// For at most this many rules of one write it is found out which operand decided.
const MOST_DECISIONS: usize = 12;
/// Of a rule that cost more, its operands are not evaluated again.
const CHEAP: u64 = 100_000;

/// Whose answers the recorded requests have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answers {
    /// Those of the target that failed.
    OfTheTarget,
    /// Those of the embedded server, which say nothing about the target.
    Own,
}

/// How much an evaluation says about a failure. Only those that say most are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    /// The answer contradicts it.
    Contradicted,
    /// The answer says it in other words, or not at all.
    Unsaid,
    /// The answer agrees.
    Agreed,
}

/// What the rules say about these writes. `budget` is what all evaluations may still cost together.
pub(super) fn of(writes: &[Write<'_>], semantics: &Semantics, answers: Answers, budget: &mut u64) -> RulesOfFinding {
    let mut found: Vec<(Weight, RuleEvaluation)> = Vec::new();
    for write in writes {
        if *budget == 0 {
            break;
        }
        let Some(examination) = examined(write, semantics, answers) else { continue };
        let spent = examination.rules.iter().fold(0, |sum: u64, rule| sum.saturating_add(rule.spent));
        *budget = budget.saturating_sub(spent);
        for evaluation in weighed(write, examination, answers) {
            if !found.contains(&evaluation) {
                found.push(evaluation);
            }
        }
    }
    let heaviest = found.iter().map(|(weight, _)| *weight).min();
    let mut evaluations: Vec<RuleEvaluation> =
        found.into_iter().filter(|(weight, _)| Some(*weight) == heaviest).map(|(_, evaluation)| evaluation).collect();
    let left_out = evaluations.len().saturating_sub(MOST) as u64;
    evaluations.truncate(MOST);
    RulesOfFinding { evaluations, left_out }
}

/// The rules of the object that is written; nothing if no server reads it.
fn examined(write: &Write<'_>, semantics: &Semantics, answers: Answers) -> Option<Examination> {
    let (schema, _) = Schema::parse(&write.schema).ok()?;
    let subject = Subject::new(semantics, &schema, &write.object, write.old.as_ref()).ok()?;
    let (causes, decisions) = (write.causes(), Cell::new(0));
    let may_be_blamed = |rule: &ExaminedRule| {
        write.is_accepted() == Some(false) && (causes.is_empty() || causes.iter().any(|cause| is_at(cause, rule)))
    };
    let decides = |rule: &ExaminedRule| {
        let may_matter = rule.ending != Ending::Holds || answers == Answers::Own || may_be_blamed(rule);
        let is_decided = may_matter && rule.spent <= CHEAP && decisions.get() < MOST_DECISIONS;
        decisions.set(decisions.get() + usize::from(is_decided));
        is_decided
    };
    Some(subject.examine_and_decide(semantics, &schema, &decides))
}

/// The evaluations of a write that say something.
fn weighed(write: &Write<'_>, found: Examination, answers: Answers) -> Vec<(Weight, RuleEvaluation)> {
    let causes = write.causes();
    let is_refusal = |rule: &ExaminedRule| matches!(rule.ending, Ending::Fails | Ending::Errs);
    let refusals = found.rules.iter().filter(|rule| is_refusal(rule));
    let own: Vec<&String> = refusals.flat_map(|rule| &rule.messages).collect();
    let unexplained: Vec<&Value> = causes.iter().filter(|cause| !own.contains(&&said(cause))).collect();
    let is_right = found.violations.is_empty() && !found.rules.iter().any(is_refusal);
    let is_blamed = |rule: &ExaminedRule| {
        let names = |cause: &Value| cause["message"].as_str().is_some_and(|text| text.contains(rule.text.trim()));
        unexplained.iter().any(|cause| names(cause) || is_right && is_at(cause, rule)) || is_right && causes.is_empty()
    };
    let is_said = |rule: &ExaminedRule| rule.messages.iter().all(|own| causes.iter().any(|cause| *own == said(cause)));
    let weight = |rule: &ExaminedRule| match (answers, write.is_accepted(), rule.ending) {
        (Answers::Own, _, Ending::Holds) => is_right.then_some(Weight::Unsaid),
        (Answers::OfTheTarget, Some(true), Ending::Fails | Ending::Errs) => Some(Weight::Contradicted),
        (Answers::OfTheTarget, Some(false), Ending::Fails | Ending::Errs) if is_said(rule) => Some(Weight::Agreed),
        (Answers::OfTheTarget, Some(false), Ending::Holds | Ending::HasNoOldValue | Ending::Forgiven)
            if is_blamed(rule) =>
        {
            Some(Weight::Contradicted)
        }
        (_, _, Ending::Fails | Ending::Errs | Ending::Forgiven) => Some(Weight::Unsaid),
        (_, _, Ending::Holds | Ending::HasNoOldValue) => None,
    };
    let mut true_ones = 0;
    let weights: Vec<Option<Weight>> = { found.rules.iter() }
        .map(|rule| {
            true_ones += usize::from(rule.ending == Ending::Holds && weight(rule).is_some());
            weight(rule).filter(|_| rule.ending != Ending::Holds || true_ones <= MOST_TRUE)
        })
        .collect();
    let rules = weights.into_iter().zip(found.rules);
    rules.filter_map(|(weight, rule)| Some((weight?, evaluation(write, rule, answers)))).collect()
}

/// Whether a cause is at the value of a rule, or below it, where a rule may say that it is.
fn is_at(cause: &Value, rule: &ExaminedRule) -> bool {
    let below = cause["field"].as_str().and_then(|field| field.strip_prefix(rule.place.as_str()));
    below.is_some_and(|below| rule.place.is_empty() || below.is_empty() || below.starts_with(['.', '[']))
}

/// A cause in one text, as the messages of rules are.
fn said(cause: &Value) -> String {
    let part = |name: &str| cause[name].as_str().unwrap_or_default();
    format!("{}: {}", part("field"), part("message"))
}

fn evaluation(write: &Write<'_>, rule: ExaminedRule, answers: Answers) -> RuleEvaluation {
    let ExaminedRule { place, field, text, ending, messages, value, old, decision, .. } = rule;
    let error = (ending == Ending::Errs).then(|| {
        let error = decision.as_ref().and_then(|decision| decision.value.strip_prefix("error: "));
        error.map_or_else(|| messages.join("; "), str::to_owned)
    });
    let (because, left_out) = decision.map_or_else(Default::default, |decision| {
        let Decision { because, left_out, .. } = decision;
        (because.into_iter().map(operand).collect(), left_out as u64)
    });
    RuleEvaluation {
        request: format!("{} {}", write.request.method, write.request.path),
        status: write.request.status.filter(|_| answers == Answers::OfTheTarget),
        version: write.version.clone(),
        field,
        rule: text,
        outcome: match ending {
            Ending::Holds => RuleOutcome::True,
            Ending::Fails => RuleOutcome::False,
            Ending::Forgiven => RuleOutcome::Forgiven,
            Ending::Errs => RuleOutcome::Error,
            Ending::HasNoOldValue => RuleOutcome::NotAsked,
        },
        place,
        value,
        old_value: old,
        error,
        because,
        left_out,
    }
}

fn operand(decision: Decision) -> Operand {
    let Decision { text, element, value, because, left_out } = decision;
    Operand { text, element, value, because: because.into_iter().map(operand).collect(), left_out: left_out as u64 }
}
