//! What a run has sent, for the plots and as the evidence of a report: schemas, cells, and how long the answers took.

use std::{
    collections::{BTreeMap, HashSet},
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::{LazyLock, Mutex, PoisonError},
};

use crdible_journal::{Classes, Latency, Sent};
use crdible_scenario::{Action, Scenario, ScenarioSource, transcript::Transcript};

use crate::cells::{self, Cell, Counter, Keyword, each_judged, keywords, schemas};

/// Collects what was sent, from all workers.
#[derive(Debug)]
pub(super) struct Coverage(Mutex<State>);

#[derive(Debug)]
struct State {
    /// Leaves out the classes that take longest to find, so that counting does not slow a run down.
    counter: Counter,
    requests: BTreeMap<String, Latency>,
    schemas: BTreeMap<&'static str, HashSet<u64>>,
    /// The schemas of which the keywords were counted.
    counted: HashSet<u64>,
    together: BTreeMap<(Keyword, Keyword), u64>,
}

impl Default for Coverage {
    fn default() -> Self {
        Self(Mutex::new(State {
            counter: Counter::brief(),
            requests: BTreeMap::new(),
            schemas: BTreeMap::new(),
            counted: HashSet::new(),
            together: BTreeMap::new(),
        }))
    }
}

impl Coverage {
    /// Adds a scenario that was sent and judged.
    pub(super) fn note(&self, source: ScenarioSource, scenario: &Scenario, answers: &Transcript) {
        let mut counter = Counter::brief();
        each_judged(scenario, |schema, content| counter.count(schema, content));
        let hashed: Vec<_> = schemas(scenario).map(|schema| (hash(&schema.to_string()), schema)).collect();
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let state = &mut *state;
        state.counter.merge(counter);
        state.schemas.entry(source.id()).or_default().extend(hashed.iter().map(|(hash, _)| *hash));
        for (hash, schema) in hashed {
            if !state.counted.insert(hash) {
                continue;
            }
            let found: Vec<Keyword> = keywords(schema).into_iter().collect();
            for (at, one) in found.iter().enumerate() {
                for other in &found[at..] {
                    *state.together.entry((*one, *other)).or_default() += 1;
                }
            }
        }
        for (step, answer) in scenario.steps.iter().zip(&answers.answers) {
            if let (Some(kind), Some(answer)) = (kind(&step.action), answer) {
                let took = answer.timing.received.saturating_sub(answer.timing.sent);
                state.requests.entry(kind).or_default().note(took);
            }
        }
    }

    /// What was sent so far.
    pub(super) fn sent(&self) -> Sent {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut sent = Sent {
            requests: state.requests.clone(),
            schemas: state.schemas.iter().map(|(id, hashes)| ((*id).to_owned(), hashes.len() as u64)).collect(),
            ..Sent::default()
        };
        if state.counter.hit().is_empty() {
            return sent;
        }
        for NamedCell { cell, position, class } in &*CELLS {
            let classes = sent.cells.entry(cell.keyword.name().to_owned()).or_default();
            let Classes { hit, missed } = classes.entry(position.clone()).or_default();
            let is_hit = state.counter.hit().contains(cell);
            (if is_hit { hit } else { missed }).insert(class.clone());
        }
        for ((one, other), count) in &state.together {
            let (one, other) = (one.name().min(other.name()), one.name().max(other.name()));
            sent.together.entry(one.to_owned()).or_default().insert(other.to_owned(), *count);
        }
        sent
    }
}

/// A cell with its words, which are slow to build: a process of tests ends thousands of runs.
struct NamedCell {
    cell: Cell,
    position: String,
    class: String,
}

static CELLS: LazyLock<Vec<NamedCell>> = LazyLock::new(|| {
    let named = |cell: Cell| {
        let [position, class] = [words(&format!("{:?}", cell.position)), words(&format!("{:?}", cell.class))];
        NamedCell { cell, position, class }
    };
    cells::cells().map(named).collect()
});

/// What a step asks for, without the version.
fn kind(action: &Action) -> Option<String> {
    match action {
        Action::Send(request) if request.is_watch() => Some("watch".to_owned()),
        Action::Send(request) => Some(request.summary_at_any_version()),
        Action::Install { .. } | Action::Convert { .. } => None,
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// `OneByte` as `one byte`.
fn words(name: &str) -> String {
    let mut words = String::new();
    for character in name.chars() {
        if character.is_uppercase() && !words.is_empty() && !words.ends_with(['(', ' ']) {
            words.push(' ');
        }
        words.extend(character.to_lowercase());
    }
    words
}

#[cfg(test)]
mod tests {
    use crdible_scenario::{
        Case,
        transcript::{Answer, Timing},
    };

    use super::*;

    #[test]
    fn cells_schemas_and_times_add_up() {
        let property = crdible_properties::find("value-011-length").expect("a property");
        let coverage = Coverage::default();
        assert!(coverage.sent().is_empty());
        let mut schemas = 0;
        for index in 0..40 {
            let Ok(case) = Case::plan(property, 1, index) else { continue };
            let timing = Timing { sent: 10, received: 1_010 };
            let scenario = case.scenario.server().expect("of a server");
            let answers = scenario.steps.iter().map(|_| Some(Answer { timing, ..Answer::default() })).collect();
            let transcript = Transcript { answers, ..Transcript::default() };
            for _ in 0..2 {
                coverage.note(property.into(), scenario, &transcript);
            }
            schemas += scenario.definitions.len() as u64;
        }
        let sent = coverage.sent();
        let distinct = sent.schemas["value-011-length"];
        assert!(distinct > 10 && distinct <= schemas, "{distinct} of {schemas}: none counts twice");
        let Classes { hit, missed } = &sent.cells["maxLength"]["top"];
        assert!(hit.contains("on bound") && hit.is_disjoint(missed), "{hit:?} {missed:?}");
        assert!(sent.cells["multipleOf"].values().all(|classes| classes.hit.is_empty()), "no length has it");
        let together = sent.together["maxLength"]["type: string"];
        assert!(together > 0 && together <= sent.together["maxLength"]["maxLength"], "{:?}", sent.together);
        let creates = &sent.requests["dry-run POST of objects"];
        assert!(creates.count() > 20 && creates.within(50) >= 1_000 && creates.within(50) < 1_250);
        assert_eq!((words("OneByte").as_str(), words("AllOf").as_str()), ("one byte", "all of"));
    }
}
