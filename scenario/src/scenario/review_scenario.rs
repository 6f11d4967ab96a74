//! An experiment on a converter: reviews that it is sent, and what is demanded of its answers.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use super::{Contract, Demand, Review, group_of, references::looks_back};

/// A whole experiment on a converter. Indices in steps and checks refer to positions in these lists.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a scenario of a converter")]
pub struct ReviewScenario {
    /// The reviews, in this order, except that some are sent together.
    pub steps: Vec<ReviewStep>,
    /// What must hold of the answers.
    pub checks: Vec<ReviewCheck>,
    /// How many generated objects the checks judge.
    pub cases: u32,
    /// What the converter is for.
    pub contract: Arc<Contract>,
}

/// One review, perhaps with assumptions about its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a step with an action")]
pub struct ReviewStep {
    /// What is done.
    pub action: Asked,
    /// It is sent together with the step before it, without waiting for that step's answer. Such steps refer only to
    /// steps before all of those that are sent together.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub concurrent: bool,
    /// If one of these does not hold of the answer, the case is discarded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assume: Vec<Demanded>,
}

/// What a step does: in files it is named, as the actions of other scenarios are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an action `{\"review\": …}`")]
pub struct Asked {
    /// Asks the converter of the scenario's contract.
    pub review: Box<Review>,
}

/// What must hold of an answer: in files it is named, as the expectations of other scenarios are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an expectation `{\"demand\": …}`")]
pub struct Demanded {
    /// What is demanded.
    pub demand: Demand,
}

/// One named check of one answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a check with a name")]
pub struct ReviewCheck {
    /// What is checked, in a word or two; part of the signature of a failure.
    pub name: String,
    /// The requirements and edges it asserts: `CONV-035`, `CONV-039/e3`.
    pub asserts: Vec<String>,
    /// The step whose answer it judges.
    pub step: usize,
    /// What must hold.
    pub expect: Demanded,
}

impl ReviewScenario {
    /// The steps that are sent together with this one, itself included.
    pub fn group_of(&self, step: usize) -> Range<usize> {
        group_of(step, self.steps.len(), |number| self.steps[number].concurrent)
    }

    /// Checks all references to earlier steps. The error names the part and what it refers to.
    pub fn check_references(&self) -> Result<(), String> {
        for (number, step) in self.steps.iter().enumerate() {
            let group = self.group_of(number);
            if number == 0 && step.concurrent {
                return Err("step 0 is sent together with the step before it, but there is none".to_owned());
            }
            for source in step.action.review.sources() {
                looks_back(&format!("step {number}"), group.start, source)?;
            }
            for other in step.assume.iter().filter_map(|assumed| assumed.demand.looks_at()) {
                looks_back(&format!("an assumption of step {number}"), group.end, other)?;
            }
        }
        for check in &self.checks {
            for step in std::iter::once(check.step).chain(check.expect.demand.looks_at()) {
                looks_back(&format!("check `{}`", check.name), self.steps.len(), step)?;
            }
        }
        Ok(())
    }

    /// The part that a check depends on, with this check only: the steps that it uses, those whose answers these send
    /// on, and all assumptions.
    #[must_use]
    pub fn slice(&self, check: usize) -> Self {
        let Some(check) = self.checks.get(check) else { return self.clone() };
        let mut kept = BTreeSet::new();
        let assuming = (0..self.steps.len()).filter(|&number| !self.steps[number].assume.is_empty());
        let used = std::iter::once(check.step).chain(check.expect.demand.looks_at());
        used.chain(assuming).for_each(|step| self.keep(step, &mut kept));

        let places: BTreeMap<usize, usize> = kept.iter().enumerate().map(|(now, &before)| (before, now)).collect();
        let renumber = |step: &mut usize| {
            if let Some(now) = places.get(step) {
                *step = *now;
            }
        };
        let mut part = Self {
            steps: kept.iter().map(|&number| self.steps[number].clone()).collect(),
            checks: vec![check.clone()],
            cases: 1,
            contract: Arc::clone(&self.contract),
        };
        for step in &mut part.steps {
            step.action.review.sources_mut().for_each(renumber);
            step.assume.iter_mut().filter_map(|assumed| assumed.demand.looks_at_mut()).for_each(renumber);
        }
        for check in &mut part.checks {
            renumber(&mut check.step);
            check.expect.demand.looks_at_mut().into_iter().for_each(renumber);
        }
        part
    }

    /// Keeps a step, and the steps that it depends on.
    fn keep(&self, number: usize, kept: &mut BTreeSet<usize>) {
        let Some(step) = self.steps.get(number) else { return };
        if !kept.insert(number) {
            return;
        }
        let assumed = step.assume.iter().filter_map(|assumed| assumed.demand.looks_at());
        // Steps that are sent together are one experiment.
        let together = self.group_of(number);
        step.action.review.sources().chain(assumed).chain(together).for_each(|other| self.keep(other, kept));
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::ReviewScenario;

    /// A part that is misspelt would not be checked.
    #[rstest]
    #[case::nothing("", json!(1), "expected a scenario of a converter")]
    #[case::part("", json!({ "step": [] }), "unknown field `step`")]
    #[case::step("/steps/0", json!("converted"), "expected a step with an action")]
    #[case::part_of_a_step("/steps/0/asume", json!([]), "unknown field `asume`")]
    #[case::action("/steps/0/action", json!("review"), "expected an action `{\"review\": …}`")]
    #[case::part_of_a_review("/steps/0/action/review/single", json!(true), "unknown field `single`")]
    #[case::part_of_an_object("/steps/0/action/review/objects/0/converted/bear", json!(true), "unknown field `bear`")]
    #[case::check("/checks/0", json!(1), "expected a check with a name")]
    #[case::part_of_a_check("/checks/0/blames", json!({}), "unknown field `blames`")]
    #[case::expectation("/checks/0/expect", json!("accepted"), "expected an expectation `{\"demand\": …}`")]
    #[case::part_of_a_demand("/checks/0/expect/demand/same/reverse", json!(true), "unknown field `reverse`")]
    #[case::part_of_the_contract("/contract/loss", json!([]), "unknown field `loss`")]
    fn a_bad_file_is_told_what_was_expected(#[case] pointer: &str, #[case] part: Value, #[case] expected: &str) {
        let review = json!({ "desired": "g.dev/v1", "objects": [{ "converted": { "step": 0, "at": 0 } }] });
        let demand = json!({ "same": { "as": 0 } });
        let mut file = json!({
            "steps": [{ "action": { "review": review } }],
            "checks": [{ "name": "c", "asserts": [], "step": 0, "expect": { "demand": demand } }],
            "cases": 1,
            "contract": { "group": "g.dev", "kind": "Thing", "namespaced": true, "versions": [], "reviews": ["v1"] },
        });
        let read = |file: &Value| serde_json::from_value::<ReviewScenario>(file.clone());
        assert!(read(&file).is_ok(), "without this part it is right");
        match pointer.rsplit_once('/').map(|(parent, name)| (file.pointer_mut(parent), name)) {
            Some((Some(Value::Object(parent)), name)) => drop(parent.insert(name.to_owned(), part)),
            Some((Some(Value::Array(parent)), _)) => parent[0] = part,
            _ => file = part,
        }
        let error = read(&file).expect_err("a bad file").to_string();
        assert!(error.contains(expected), "{error}");
    }
}
