//! What the workers of a run share: how far each property is, and what went wrong so far.

use std::{
    any::Any,
    collections::BTreeMap,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};

use tokio::sync::RwLock;

use super::{
    case::Case,
    schedule::RunOptions,
    state::{CaseOutcome, CaseReport},
};

/// A property is given up after so many failing scenarios: more of them say nothing new. It is above the minimum of cases
/// that a verdict wants, so that a failure which is known does not leave a run incomplete.
const FAILING_CASES: u64 = 60;
/// … or when so many scenarios in a row were discarded.
const DISCARDS_IN_A_ROW: u32 = 200;
/// … or when so many of its scenarios in a row ended in an error.
const ERRORS_OF_A_PROPERTY: u32 = 10;
/// After so many errors in a row, over all workers, the target is asked whether it is still there.
const ERRORS_IN_A_ROW: u32 = 16;
/// A failure that does not come again every time is looked at in so many cases, until it does in one.
const TRIES_OF_A_SIGNATURE: u32 = 5;

/// What the workers share.
pub(super) struct Board {
    pub(super) options: RunOptions,
    /// Held by whoever confirms a failure, and shared by all who run scenarios.
    pub(super) quiet: RwLock<()>,
    progress: Vec<Mutex<Progress>>,
    errors_in_a_row: AtomicU32,
    lost: Mutex<Option<String>>,
    /// The case at which a worker panicked.
    broken: Mutex<Option<(&'static str, u64)>>,
}

/// How far a property is.
#[derive(Debug, Default)]
struct Progress {
    next: u64,
    /// Cases judged or in flight.
    planned: u64,
    judged: u64,
    failing: u64,
    discards_in_a_row: u32,
    errors_in_a_row: u32,
    /// The failures that were looked at.
    signatures: BTreeMap<String, Looks>,
    given_up: bool,
}

/// How often a failure was looked at.
#[derive(Clone, Copy, Debug, Default)]
struct Looks {
    tries: u32,
    /// A worker looks at it now, or it came again every time.
    is_taken: bool,
}

/// A case in hand: if its worker panics, the board says at which case.
pub(super) struct InHand<'a> {
    board: &'a Board,
    case: (&'static str, u64),
}

impl Drop for InHand<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            locked(&self.board.broken).get_or_insert(self.case);
        }
    }
}

/// Properties are named by their position in the options.
impl Board {
    pub(super) fn new(options: RunOptions) -> Self {
        let progress = options.properties.iter().map(|_| Mutex::default()).collect();
        let (lost, broken) = (Mutex::default(), Mutex::default());
        let errors_in_a_row = AtomicU32::new(0);
        Self { options, progress, errors_in_a_row, lost, quiet: RwLock::default(), broken }
    }

    fn progress(&self, property: usize) -> MutexGuard<'_, Progress> {
        locked(&self.progress[property])
    }

    /// The error with which the target was lost, if it was.
    pub(super) fn lost(&self) -> Option<String> {
        locked(&self.lost).clone()
    }

    /// Says that the target is lost.
    pub(super) fn lose(&self, error: String) {
        locked(&self.lost).get_or_insert(error);
    }

    /// Takes a case in hand, until what is returned goes.
    pub(super) fn in_hand(&self, property: usize, index: u64) -> InHand<'_> {
        InHand { board: self, case: (self.options.properties[property].id, index) }
    }

    /// Where a worker panicked, and with which words.
    pub(super) fn broken_at(&self, panic: &(dyn Any + Send)) -> String {
        let words = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref().map(String::as_str));
        let words = words.unwrap_or("a panic without words");
        match *locked(&self.broken) {
            Some((property, index)) => format!("{property}, scenario {index}: {words}"),
            None => words.to_owned(),
        }
    }

    /// Judged cases for each property.
    pub(super) fn judged(&self) -> BTreeMap<&'static str, u64> {
        let properties = self.options.properties.iter().enumerate();
        properties.map(|(at, property)| (property.id, self.progress(at).judged)).collect()
    }

    /// The next case of a property, if it has some left; an index and a reason if the generator gave it up. It is planned before
    /// anyone else asks: which indices are run depends on how many cases each holds, and must not depend on who is first.
    pub(super) fn next_case(&self, at: usize) -> Option<Result<Case, (u64, &'static str)>> {
        let property = self.options.properties[at];
        let edges = property.edges.len() as u64;
        let mut progress = self.progress(at);
        while !progress.given_up && (progress.planned < self.options.cases || progress.next < edges) {
            let index = progress.next;
            progress.next += 1;
            if !self.options.finished.contains(&(property.id, index)) {
                let _in_hand = self.in_hand(at, index);
                let case = Case::plan(property, self.options.seed, index);
                progress.planned += case.as_ref().map_or(0, |case| u64::from(case.scenario.cases));
                return Some(case.map_err(|reason| (index, reason)));
            }
            // What an earlier run finished counts as one case here; its journal says how many it was.
            progress.planned += 1;
        }
        None
    }

    /// Takes back what was planned as judged cases, and said nothing.
    pub(super) fn unplan(&self, property: usize, cases: u32) {
        let mut progress = self.progress(property);
        progress.planned = progress.planned.saturating_sub(u64::from(cases));
    }

    /// Counts an error of a property that is not booked yet; `true` if there were so many in a row that the target is to be asked
    /// whether it is still there.
    pub(super) fn raises_doubt(&self, property: usize) -> bool {
        let in_a_row = self.errors_in_a_row.fetch_add(1, Ordering::Relaxed) + 1;
        let of_property = self.progress(property).errors_in_a_row + 1;
        in_a_row.is_multiple_of(ERRORS_IN_A_ROW) || of_property >= ERRORS_OF_A_PROPERTY
    }

    /// Whether a failure is to be looked at; nobody else does from then on.
    pub(super) fn takes_up(&self, property: usize, signature: &str) -> bool {
        let mut progress = self.progress(property);
        let looks = progress.signatures.entry(signature.to_owned()).or_default();
        if looks.is_taken || looks.tries >= TRIES_OF_A_SIGNATURE {
            return false;
        }
        *looks = Looks { tries: looks.tries + 1, is_taken: true };
        true
    }

    /// Says that a failure did not come again every time: another case of it may show more.
    pub(super) fn tries_again(&self, property: usize, signature: &str) {
        if let Some(looks) = self.progress(property).signatures.get_mut(signature) {
            looks.is_taken = false;
        }
    }

    /// Books a finished case; tells why the property is given up, if it is from now on.
    pub(super) fn book(&self, property: usize, report: &CaseReport) -> Option<&'static str> {
        let mut progress = self.progress(property);
        let reason = match &report.outcome {
            CaseOutcome::Pass | CaseOutcome::Fail(_) => {
                progress.judged += u64::from(report.cases);
                progress.discards_in_a_row = 0;
                progress.errors_in_a_row = 0;
                self.errors_in_a_row.store(0, Ordering::Relaxed);
                let fails = matches!(report.outcome, CaseOutcome::Fail(_));
                progress.failing += u64::from(fails);
                (fails && progress.failing >= FAILING_CASES).then_some("it failed often enough")
            }
            CaseOutcome::Discard(_) => {
                progress.discards_in_a_row += 1;
                (progress.discards_in_a_row >= DISCARDS_IN_A_ROW).then_some("no case of it says anything")
            }
            CaseOutcome::Error(_) => {
                progress.errors_in_a_row += 1;
                (progress.errors_in_a_row >= ERRORS_OF_A_PROPERTY).then_some("its cases end in errors")
            }
        };
        let reason = reason.filter(|_| !progress.given_up);
        progress.given_up |= reason.is_some();
        reason
    }
}

/// What a lock guards, also after a panic: the run ends then, and says where.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
