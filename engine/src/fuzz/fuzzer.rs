//! The corpus of all properties, as the supply of a run.

use std::{
    collections::{BTreeMap, HashSet},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use crdible_scenario::{Case, ScenarioSource, transcript::Transcript};
use crdible_semantics::Release;
use tokio::sync::mpsc::UnboundedSender;

use super::{
    entry::Entry,
    features::{Feature, Kind, answered},
    shelf::{Learned, Shelf, Waiting},
};
use crate::{cells, run::Supply};

/// The most features that are counted over all properties, for the totals.
const MOST_FEATURES: usize = 500_000;

/// The options of a fuzzer.
#[derive(Clone, Debug)]
pub struct FuzzOptions {
    /// Where scenarios come from.
    pub sources: Vec<ScenarioSource>,
    /// The digest of the generators, which is stored with each entry: other
    /// generators make other scenarios of the same choices.
    pub generator: String,
    /// The release whose promises are generated and judged.
    pub release: Release,
    /// The seed of all random choices.
    pub seed: u64,
    /// Ends the run when nothing new was reached for this long.
    pub until_quiet: Option<Duration>,
}

/// A change of the corpus, for a caller that keeps it in files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CorpusChange {
    /// This entry is new.
    Kept(Entry),
    /// A smaller entry takes the place of the one with this name.
    Replaced(String, Entry),
}

/// What was reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// Scenarios that were answered.
    pub scenarios: u64,
    /// Cells of the table that were hit.
    pub cells: usize,
    /// Cells of the table.
    pub all_cells: usize,
    /// Pairs of keywords in one schema.
    pub pairs: usize,
    /// Kinds of answers.
    pub answers: usize,
    /// Entries that are drawn from.
    pub entries: usize,
    /// Entries of earlier fuzz runs that have not been run yet.
    pub waiting: usize,
    /// Entries that were kept since the start.
    pub kept: u64,
    /// How long ago something new was reached last, or since the start if nothing was.
    pub quiet: Duration,
    /// Answers with a status code of 5xx to scenarios of explorations, which no property
    /// judges: the first of each kind, in a few words.
    pub failed_answers: Vec<String>,
}

/// Cases that learn: see [the module](super).
#[derive(Debug)]
pub struct Fuzzer {
    shelves: BTreeMap<&'static str, Mutex<Shelf>>,
    release: Release,
    generator: String,
    until_quiet: Option<Duration>,
    changes: UnboundedSender<CorpusChange>,
    total: Mutex<Total>,
    /// The cells of the table.
    table: HashSet<Feature>,
}

/// What all properties reached together.
#[derive(Debug)]
struct Total {
    seen: HashSet<Feature>,
    reached: Reached,
    last_new_feature: Instant,
    /// When something new was reached, or an entry of an earlier fuzz run was run; the first case counts, too.
    last_progress: Option<Instant>,
}

/// The most kinds of failed answers that are named.
const MOST_FAILED_ANSWERS: usize = 20;

impl Fuzzer {
    /// An empty corpus. Changes are sent to `changes`.
    pub fn new(options: &FuzzOptions, changes: UnboundedSender<CorpusChange>) -> Self {
        let shelf =
            |source: &ScenarioSource| (source.id(), Mutex::new(Shelf::new(*source, options.release, options.seed)));
        let table: HashSet<Feature> = cells::cells().map(|cell| Feature::of_cell(&cell)).collect();
        Self {
            shelves: options.sources.iter().map(shelf).collect(),
            release: options.release,
            generator: options.generator.clone(),
            until_quiet: options.until_quiet,
            changes,
            total: Mutex::new(Total {
                seen: HashSet::new(),
                reached: Reached { all_cells: table.len(), ..Reached::default() },
                last_new_feature: Instant::now(),
                last_progress: None,
            }),
            table,
        }
    }

    /// Adds the entries of earlier fuzz runs, with the names of their files, except those of properties that are not
    /// run. Returns how many are left out because a property has too many.
    pub fn load(&self, entries: impl IntoIterator<Item = (String, Entry)>) -> usize {
        let mut left_out = 0;
        let mut loaded: BTreeMap<&'static str, Vec<Waiting>> = BTreeMap::new();
        for (name, Entry { property, release, generator, tape }) in entries {
            if let Some((id, _)) = self.shelves.get_key_value(property.as_str()) {
                let is_same = generator == self.generator && release == self.release;
                loaded.entry(id).or_default().push(Waiting::new(tape, name, is_same));
            }
        }
        let mut waiting = 0;
        for (id, loaded) in loaded {
            let mut shelf = locked(&self.shelves[id]);
            left_out += shelf.load(loaded);
            waiting += shelf.waiting();
        }
        locked(&self.total).reached.waiting = waiting;
        left_out
    }

    /// What was reached so far.
    pub fn reached(&self) -> Reached {
        let total = locked(&self.total);
        Reached { quiet: total.last_new_feature.elapsed(), ..total.reached.clone() }
    }

    fn entry(&self, source: ScenarioSource, tape: crdible_generators::choice::Tape) -> Entry {
        let (property, generator) = (source.id().to_owned(), self.generator.clone());
        Entry { property, release: self.release, generator, tape }
    }

    /// Sends a change. The receiver is gone if nothing is kept in files.
    fn send(&self, change: CorpusChange) {
        let _ = self.changes.send(change);
    }

    fn count(&self, learned: &Learned, failed: Option<String>) {
        let mut total = locked(&self.total);
        let Total { seen, reached, last_new_feature, last_progress } = &mut *total;
        let now = Instant::now();
        reached.scenarios += u64::from(!learned.all.is_empty());
        for feature in &learned.all {
            if seen.len() < MOST_FEATURES && seen.insert(*feature) {
                match feature.kind() {
                    Kind::Cell => reached.cells += usize::from(self.table.contains(feature)),
                    Kind::Pair => reached.pairs += 1,
                    Kind::Answer => reached.answers += 1,
                    Kind::Decision | Kind::Step => {}
                }
            }
        }
        reached.kept += u64::from(learned.keep.is_some() && !learned.is_loaded);
        reached.entries += usize::from(learned.is_entry);
        if learned.is_loaded {
            reached.waiting = reached.waiting.saturating_sub(1);
            *last_progress = Some(now);
        } else if !learned.new.is_empty() {
            *last_new_feature = now;
            *last_progress = Some(now);
        }
        if let Some(failed) = failed
            && reached.failed_answers.len() < MOST_FAILED_ANSWERS
            && !reached.failed_answers.contains(&failed)
        {
            reached.failed_answers.push(failed);
        }
    }
}

impl Supply for Fuzzer {
    fn plan(&self, source: ScenarioSource, index: u64) -> Result<Case, &'static str> {
        let Some(shelf) = self.shelves.get(source.id()) else { return Err("its property is not part of the corpus") };
        let mut shelf = locked(shelf);
        let before = shelf.waiting();
        let planned = shelf.plan(index);
        if planned.is_err() && shelf.waiting() < before {
            // A case that cannot be planned never reaches `learn`, so it is subtracted here.
            let waiting = &mut locked(&self.total).reached.waiting;
            *waiting = waiting.saturating_sub(1);
        }
        planned
    }

    fn learn(&self, source: ScenarioSource, case: &Case, answers: Option<&Transcript>) {
        let Some(shelf) = self.shelves.get(source.id()) else { return };
        let reached = answers.map(|transcript| answered(&case.scenario, transcript));
        let failed =
            answers.filter(|_| source.needs_no_checks()).and_then(|answers| failed_answer(source, case, answers));
        let mut shelf = locked(shelf);
        let learned = shelf.learn(case, reached);
        if let Some(tape) = &learned.keep {
            let entry = self.entry(source, tape.clone());
            shelf.name_last(entry.name());
            self.send(CorpusChange::Kept(entry));
        }
        if let Some((tape, old)) = shelf.minimised() {
            let entry = self.entry(source, tape);
            shelf.rename(&old, &entry.name());
            self.send(CorpusChange::Replaced(old, entry));
        }
        drop(shelf);
        self.count(&learned, failed);
    }

    fn price(&self, source: ScenarioSource) -> u64 {
        self.shelves.get(source.id()).map_or(1, |shelf| locked(shelf).price())
    }

    fn is_exhausted(&self) -> bool {
        let Some(limit) = self.until_quiet else { return false };
        // The time before the first case does not count.
        locked(&self.total).last_progress.get_or_insert_with(Instant::now).elapsed() >= limit
    }
}

/// The first answer of an exploration with a status code of 5xx, in a few words.
fn failed_answer(source: ScenarioSource, case: &Case, answers: &Transcript) -> Option<String> {
    let mut steps = case.scenario.server()?.steps.iter().zip(&answers.answers);
    steps.find_map(|(step, answer)| {
        let answer = answer.as_ref().filter(|answer| answer.status >= 500)?;
        let crdible_scenario::Action::Send(request) = &step.action else { return None };
        let reason = if answer.reason().is_empty() { "no reason" } else { answer.reason() };
        Some(format!(
            "{}: {} {:?} was answered with {} ({reason})",
            source.id(),
            request.resource.kind(),
            request.method,
            answer.status
        ))
    })
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
