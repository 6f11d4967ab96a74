//! What the workers of a run share: the progress of each property, and what has gone wrong so far.

use std::{
    any::Any,
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::{
        Mutex, MutexGuard, PoisonError, TryLockError,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use crdible_generators::choice::Choices;
use crdible_journal::Signature;
use crdible_scenario::{Case, ScenarioSource};
use tokio::time::Instant;

use super::{
    access::Access,
    counterexample::Counterexample,
    coverage::Coverage,
    event::{CaseOutcome, CaseReport, Stop},
    investigations::{Depth, Investigations},
    late::LateCases,
    options::RunOptions,
    order::{is_heavy, places},
    shrink::ShrinkOptions,
    silence::Silences,
    unseen::Unseen,
};
use crate::connection::Slowdown;

/// A property is stopped after this many failing scenarios: more of them add nothing new. It is above the minimum of
/// cases that a verdict needs, so that a known failure does not leave a run incomplete.
const FAILING_CASES: u64 = 60;
/// A property is also stopped after this many failing scenarios in a row that
/// showed nothing new and are not known failures.
const NOTHING_NEW: u64 = 15;
/// It is also stopped after this much time in a row, spent on at least a few scenarios that showed
/// nothing new: they wait for what does not come.
const NOTHING_NEW_FOR: Duration = Duration::from_secs(15);
const A_FEW: u64 = 3;
/// It is also stopped after this many discarded scenarios in a row.
const DISCARDS_IN_A_ROW: u32 = 200;
/// It is also stopped after this many errors in a row.
const ERRORS_OF_A_PROPERTY: u32 = 10;
/// After this many errors in a row, over all workers, the run checks whether the target still responds.
const ERRORS_IN_A_ROW: u32 = 16;
/// The last part of the time, one in this many, is reserved for investigations.
const RESERVE: u32 = 5;
/// The longest such reserve.
const LONGEST_RESERVE: Duration = Duration::from_secs(15);
/// Heavy cases come last; in a limited time, they come when this part of it, one in this many, is over.
const HEAVY_AFTER: u32 = 2;
/// The time for investigations on a target that has become slow.
const RESERVE_OF_SLOW: Duration = Duration::from_secs(6);
/// A failure that is not reproduced every time is investigated in up to this many cases, until one reproduces it.
const TRIES_OF_A_SIGNATURE: u32 = 5;

/// The index of the first case that was kept from an earlier run: no seed leads to it.
const FIRST_KEPT: u64 = 1 << 40;

/// The shared progress of a run. Sources are named by their position in the options.
pub(super) struct Progress {
    pub(super) options: RunOptions,
    /// Access to the target.
    pub(super) access: Access,
    sources: Vec<Mutex<SourceProgress>>,
    /// The cases that were kept from earlier runs, which come first.
    kept: Mutex<VecDeque<Next>>,
    /// The scenarios of each source in which a request got no answer.
    pub(super) silences: Vec<Silences>,
    /// The places of the sources, which decide between two with equal progress.
    places: Vec<usize>,
    errors_in_a_row: AtomicU32,
    /// When the run began.
    started: Instant,
    /// The failures that are being confirmed and shrunk.
    pub(super) investigations: Investigations,
    /// The cases in which something came too late.
    pub(super) late: LateCases,
    /// What was sent.
    pub(super) coverage: Coverage,
    /// The case at which a worker panicked.
    broken: Mutex<Option<(&'static str, u64)>>,
}

/// The progress of one source.
#[derive(Debug, Default)]
struct SourceProgress {
    next: u64,
    /// Cases judged or in flight.
    planned: u64,
    /// Cases that workers took, including those that were then discarded; a discarded scenario counts as one.
    taken: u64,
    judged: u64,
    failing: u64,
    /// Failing scenarios in a row without a failure that was not seen before.
    nothing_new: u64,
    discards_in_a_row: u32,
    /// The total time of the last scenarios in a row that showed nothing new or were discarded.
    without_anything_new: Duration,
    errors_in_a_row: u32,
    /// What no planned scenario shows.
    unseen: Unseen,
    /// Its heavy cases, which are run when no others are left, or when they are due.
    heavy: Vec<Case>,
    /// The failures that were investigated.
    investigated: BTreeMap<Signature, Investigation>,
    is_stopped: bool,
}

/// How often a failure was seen and investigated.
#[derive(Clone, Debug, Default)]
struct Investigation {
    tries: u32,
    /// The scenarios that failed with it, by their indices.
    seen_in: BTreeSet<u64>,
    /// A worker is investigating it, or it was reproduced every time.
    is_taken: bool,
}

/// What a worker does next.
pub(super) struct Next {
    /// The position of the source.
    pub(super) source: usize,
    /// The case, or an index and a reason if the generator discarded it.
    pub(super) case: Result<Case, (u64, &'static str)>,
}

/// A case that a worker runs: if the worker panics, the progress knows at which case.
pub(super) struct InHand<'a> {
    progress: &'a Progress,
    case: (&'static str, u64),
}

impl Drop for InHand<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            locked(&self.progress.broken).get_or_insert(self.case);
        }
    }
}

impl Progress {
    pub(super) fn new(options: RunOptions) -> Self {
        let (workers, at_once) = (options.workers, options.workers.div_ceil(2));
        let begun = |source: &ScenarioSource| {
            let confirmed = options.confirmed.iter().filter(|signature| signature.property == source.id());
            let investigated = confirmed.map(|signature| {
                (signature.clone(), Investigation { tries: 1, is_taken: true, ..Investigation::default() })
            });
            let (investigated, unseen) = (investigated.collect(), Unseen::of(*source, options.release));
            Mutex::new(SourceProgress { unseen, investigated, ..SourceProgress::default() })
        };
        Self {
            sources: options.sources.iter().map(begun).collect(),
            silences: options.sources.iter().map(|_| Silences::default()).collect(),
            kept: Mutex::new(kept(&options)),
            places: places(&options.sources),
            options,
            access: Access::new(workers),
            errors_in_a_row: AtomicU32::new(0),
            started: Instant::now(),
            investigations: Investigations::new(at_once),
            late: LateCases::new(workers),
            coverage: Coverage::default(),
            broken: Mutex::default(),
        }
    }

    fn of(&self, source: usize) -> MutexGuard<'_, SourceProgress> {
        locked(&self.sources[source])
    }

    /// Whether the reserve of the investigations has begun, if there are any.
    pub(super) fn takes_no_more_cases(&self) -> bool {
        self.access.has_failed_enough()
            || self.access.slow().is_some()
            || self.is_exhausted()
            || self.investigations.are_open() && self.is_in_reserve()
    }

    /// Notices that the target has become slow, unless the user says how long the run may take.
    pub(super) fn notice(&self, slowdown: Option<Slowdown>) {
        if let Some(slowdown) = slowdown.filter(|_| self.options.time.is_none() && self.has_cases_left()) {
            self.access.set_slow(slowdown);
        }
    }

    /// Waits until the target has been slow for as long as its investigations may take.
    pub(super) async fn until_too_slow(&self) -> Slowdown {
        let slowdown = self.access.until_slow().await;
        tokio::time::sleep(RESERVE_OF_SLOW).await;
        slowdown
    }

    fn is_in_reserve(&self) -> bool {
        self.options.time.is_some_and(|time| self.started.elapsed() + (time / RESERVE).min(LONGEST_RESERVE) >= time)
    }

    /// Why the run ends when no worker has anything left to do.
    pub(super) fn ending(&self) -> Stop {
        let is_over = self.is_in_reserve();
        match self.access.lost() {
            Some(error) => Stop::TargetLost(error),
            None if self.is_exhausted() => Stop::Quiet,
            None if self.has_cases_left() && is_over => Stop::Time,
            None => self.access.slow().map_or(Stop::Finished, Stop::Slow),
        }
    }

    /// Whether heavy cases wait no longer for all others: there may be more others than the time allows.
    fn are_heavy_due(&self) -> bool {
        self.options.time.is_some_and(|time| self.started.elapsed() >= time / HEAVY_AFTER)
    }

    fn has_cases_left(&self) -> bool {
        (0..self.options.sources.len()).any(|at| {
            let progress = self.of(at);
            !progress.is_stopped && (progress.planned < self.cases_of(at) || !progress.heavy.is_empty())
        })
    }

    /// The cases that a source gets.
    fn cases_of(&self, source: usize) -> u64 {
        self.options.cases.saturating_mul(self.options.sources[source].times())
    }

    /// Whether the supply is exhausted.
    fn is_exhausted(&self) -> bool {
        self.options.supply.as_ref().is_some_and(|supply| supply.is_exhausted())
    }

    /// How to shrink a failure; `None` if it is only confirmed.
    pub(super) fn shrink(&self, depth: Depth) -> Option<ShrinkOptions> {
        let until = self.options.time.and_then(|time| self.started.checked_add(time));
        let options = ShrinkOptions { until, ..self.options.shrink };
        match depth {
            Depth::Thorough => Some(options),
            Depth::Brief => Some(options.briefly()),
            Depth::Confirmed => None,
        }
    }

    /// Records that a worker runs this case, until the returned guard is dropped.
    pub(super) fn in_hand(&self, source: usize, index: u64) -> InHand<'_> {
        InHand { progress: self, case: (self.options.sources[source].id(), index) }
    }

    /// Where a worker panicked, and its message.
    pub(super) fn panic_message(&self, panic: &(dyn Any + Send)) -> String {
        let message = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref().map(String::as_str));
        let message = message.unwrap_or("a panic without a message");
        match *locked(&self.broken) {
            Some((property, index)) => format!("{property}, scenario {index}: {message}"),
            None => message.to_owned(),
        }
    }

    /// Judged cases of each source.
    pub(super) fn judged(&self) -> BTreeMap<&'static str, u64> {
        let sources = self.options.sources.iter().enumerate();
        sources.map(|(at, source)| (source.id(), self.of(at).judged)).collect()
    }

    /// The next case, of the source with the fewest cases taken, by what it gets: so all make equal progress in a
    /// limited time, and sources with few cases per scenario are not left for the end, when nothing else runs beside
    /// their waits. Kept cases come before all others. Heavy cases come last, or beside the others when they are due.
    /// `None` if no source has any left.
    pub(super) fn next_case(&self) -> Option<Next> {
        if let Some(next) = locked(&self.kept).pop_front() {
            return Some(next);
        }
        let are_heavy_due = self.are_heavy_due();
        loop {
            let (mut behind, mut busy) = (None, None);
            for at in 0..self.sources.len() {
                let progress = match self.sources[at].try_lock() {
                    Ok(progress) => progress,
                    Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
                    // Another worker is planning its next case, which takes a while: try another source.
                    Err(TryLockError::WouldBlock) => {
                        busy = Some(at);
                        continue;
                    }
                };
                let has_heavy = !progress.is_stopped && !progress.heavy.is_empty();
                let has_others = self.has_cases(at, &progress);
                if has_others || has_heavy {
                    // It may wait in vain, as another one does.
                    let may_wait = self.silences[at].open.load(Ordering::Relaxed) > 0;
                    let taken = progress.taken / self.options.sources[at].times();
                    let comes_last = !has_others && !are_heavy_due;
                    let this = (comes_last, may_wait, taken, self.places[at], at);
                    behind = Some(behind.map_or(this, |other| this.min(other)));
                }
            }
            // While another worker plans, there may be others.
            let (comes_last, at) = match (behind, busy) {
                (Some((comes_last, .., at)), None) => (comes_last, at),
                (Some((false, .., at)), Some(_)) => (false, at),
                (_, busy) => (false, busy?),
            };
            let heavy = if comes_last || are_heavy_due { self.of(at).heavy.pop().map(Ok) } else { None };
            if let Some(case) = heavy.or_else(|| self.next_case_of(at)) {
                return Some(Next { source: at, case });
            }
        }
    }

    /// Whether a source has cases left, apart from the heavy ones.
    fn has_cases(&self, source: usize, progress: &SourceProgress) -> bool {
        !progress.is_stopped && (self.has_own_cases(source, progress) || self.is_searched(source, progress))
    }

    /// Whether the hand-made scenarios of a source, or its share of the cases, are not all planned.
    fn has_own_cases(&self, source: usize, progress: &SourceProgress) -> bool {
        let edges = self.options.sources[source].edge_count() as u64;
        progress.planned < self.cases_of(source) || progress.next < edges
    }

    /// Whether scenarios of a source are searched for what its cases did not show.
    fn is_searched(&self, source: usize, progress: &SourceProgress) -> bool {
        self.options.supply.is_none() && progress.unseen.is_searched(self.cases_of(source))
    }

    /// The next case of a source that is not heavy, or need not wait. It is planned under the lock: which indices are
    /// run depends on how many cases each holds, and must not depend on which worker is first.
    fn next_case_of(&self, at: usize) -> Option<Result<Case, (u64, &'static str)>> {
        let source = self.options.sources[at];
        let mut progress = self.of(at);
        while self.has_cases(at, &progress) {
            let is_own = self.has_own_cases(at, &progress);
            let index = if is_own { progress.next } else { progress.unseen.next() };
            progress.next += u64::from(is_own);
            let case = {
                let _in_hand = self.in_hand(at, index);
                match &self.options.supply {
                    Some(supply) => supply.plan(source, index),
                    None => Case::plan_at(self.options.release, source, self.options.seed, index),
                }
            };
            let scenario = case.as_ref().ok().map(|case| &case.scenario);
            if is_own {
                scenario.into_iter().for_each(|scenario| progress.unseen.note(source, scenario));
            } else if !progress.unseen.finds(source, scenario) {
                continue;
            }
            if let Some(&cases) = self.options.finished.get(&(source.id(), index)) {
                progress.planned += cases;
                progress.taken += cases.max(1);
                continue;
            }
            let cases = case.as_ref().map_or(0, |case| u64::from(case.scenario.cases()));
            progress.planned += cases;
            // Cases of other shards count, so that all shards together run what one run does.
            if self.options.shard.is_none_or(|shard| shard.has(source.id(), index)) {
                let price = self.options.supply.as_ref().map_or(1, |supply| supply.price(source).max(1));
                progress.taken += cases.max(1) * price;
                if let Ok(case) = &case
                    && self.options.supply.is_none()
                    && is_heavy(&case.scenario)
                    && !self.are_heavy_due()
                {
                    progress.heavy.push(case.clone());
                    continue;
                }
                return Some(case.map_err(|reason| (index, reason)));
            }
        }
        None
    }

    /// Subtracts the cases of a scenario that were planned as judged but were not judged.
    pub(super) fn unplan(&self, source: usize, case: &Case) {
        if case.index < FIRST_KEPT {
            let mut progress = self.of(source);
            progress.planned = progress.planned.saturating_sub(u64::from(case.scenario.cases()));
        }
    }

    /// Counts an error of a source before it is recorded; `true` if there were enough in a row that the run must check
    /// whether the target still responds.
    pub(super) fn doubts_the_target(&self, source: usize) -> bool {
        let in_a_row = self.errors_in_a_row.fetch_add(1, Ordering::Relaxed) + 1;
        let of_source = self.of(source).errors_in_a_row + 1;
        in_a_row.is_multiple_of(ERRORS_IN_A_ROW) || of_source >= ERRORS_OF_A_PROPERTY
    }

    /// Whether to investigate a failure of the scenario with this index; if so, no other worker will.
    pub(super) fn take_up(&self, source: usize, signature: &Signature, index: u64) -> bool {
        let mut progress = self.of(source);
        let investigation = progress.investigated.entry(signature.clone()).or_default();
        investigation.seen_in.insert(index);
        if investigation.is_taken || investigation.tries >= TRIES_OF_A_SIGNATURE {
            return false;
        }
        investigation.tries += 1;
        investigation.is_taken = true;
        true
    }

    /// In how many scenarios a failure was seen so far.
    pub(super) fn seen_in(&self, source: usize, signature: &Signature) -> u32 {
        self.of(source)
            .investigated
            .get(signature)
            .map_or(0, |investigation| u32::try_from(investigation.seen_in.len()).unwrap_or(u32::MAX))
    }

    /// Records that a new failure was confirmed, with its symptom. The run may end because of it.
    pub(super) fn confirm(&self, symptom: &str) {
        if self.options.max_failures.as_ref().is_some_and(|limit| limit.reaches(symptom)) {
            self.access.set_failed_enough();
        }
    }

    /// Records that a failure was not reproduced every time: another case may show more.
    pub(super) fn try_again(&self, source: usize, signature: &Signature) {
        if let Some(investigation) = self.of(source).investigated.get_mut(signature) {
            investigation.is_taken = false;
        }
    }

    /// Stops a source; returns whether it was not yet.
    pub(super) fn stop(&self, source: usize) -> bool {
        !std::mem::replace(&mut self.of(source).is_stopped, true)
    }

    /// Records a finished case; returns why its source is now stopped, if it is.
    /// `is_known` says that all its failures are known.
    pub(super) fn record(&self, source: usize, report: &CaseReport, is_known: bool) -> Option<&'static str> {
        let mut progress = self.of(source);
        let elapsed = Duration::from_micros(report.microseconds);
        let reason = match &report.outcome {
            CaseOutcome::Pass | CaseOutcome::Fail(_) => {
                progress.judged += u64::from(report.cases);
                progress.discards_in_a_row = 0;
                progress.errors_in_a_row = 0;
                self.errors_in_a_row.store(0, Ordering::Relaxed);
                let fails = matches!(report.outcome, CaseOutcome::Fail(_));
                progress.failing += u64::from(fails);
                let CaseOutcome::Fail(signatures) = &report.outcome else {
                    progress.without_anything_new = Duration::ZERO;
                    return None;
                };
                let is_new = signatures.iter().any(|signature| !progress.investigated.contains_key(signature));
                if is_new {
                    progress.nothing_new = 0;
                    progress.without_anything_new = Duration::ZERO;
                } else if !is_known {
                    progress.nothing_new += 1;
                    progress.without_anything_new += elapsed;
                }
                let is_slow = progress.nothing_new >= A_FEW && progress.without_anything_new >= NOTHING_NEW_FOR;
                // A fuzz run also searches behind a failure: only lost time counts.
                let is_often = progress.failing >= FAILING_CASES || progress.nothing_new >= NOTHING_NEW;
                let is_enough = is_slow || is_often && self.options.supply.is_none();
                is_enough.then_some("it failed often enough")
            }
            CaseOutcome::Discard(_) => {
                progress.discards_in_a_row += 1;
                progress.without_anything_new += elapsed;
                let is_slow =
                    u64::from(progress.discards_in_a_row) >= A_FEW && progress.without_anything_new >= NOTHING_NEW_FOR;
                let is_enough = progress.discards_in_a_row >= DISCARDS_IN_A_ROW || is_slow;
                is_enough.then_some("all its cases are discarded")
            }
            CaseOutcome::Error(_) => {
                progress.errors_in_a_row += 1;
                (progress.errors_in_a_row >= ERRORS_OF_A_PROPERTY).then_some("its cases end in errors")
            }
        };
        let reason = reason.filter(|_| !progress.is_stopped);
        progress.is_stopped |= reason.is_some();
        reason
    }
}

/// The cases that were kept, of the sources of this run: they come on top of those of the seed.
fn kept(options: &RunOptions) -> VecDeque<Next> {
    let next = |(index, kept): (u64, &Counterexample)| {
        let property = &kept.failure.signature.property;
        let source = options.sources.iter().position(|source| source.id() == property)?;
        let choices = Choices::replay(kept.tape.as_ref()?).at(options.release);
        let case = Case::from_choices(options.sources[source], index, choices).ok()?;
        Some(Next { source, case: Ok(case) })
    };
    (FIRST_KEPT..).zip(&options.kept).filter_map(next).collect()
}

/// Locks it, even if it is poisoned: after a panic the run ends and reports where.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
