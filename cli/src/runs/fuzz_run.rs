//! A run whose cases learn: its corpus and its notes.

use std::{
    collections::BTreeSet,
    sync::Arc,
    time::{Duration, Instant},
};

use crdible_reports::{
    journal::{self, Event, Line},
    text::{grouped, plural},
};
use tokio::sync::mpsc::{self, UnboundedReceiver};

use crate::{
    files::{Corpus, Recorder},
    output,
};
use crdible::{
    explore,
    fuzz::{CorpusChange, Entry, FuzzOptions, Fuzzer, Reached},
    properties,
    run::{CaseOutcome, Event as RunEvent, RunOptions, Supply, generator_digest},
};

/// The time between two lines of progress in the journal.
const INTERVAL: Duration = Duration::from_secs(60);

/// The most notes about what no property judges.
const MOST_NOTES: usize = 20;

/// The corpus of a fuzz run.
#[derive(Debug)]
pub(crate) struct FuzzRun {
    corpus: Corpus,
    entries: Vec<(String, Entry)>,
    until_quiet: Option<Duration>,
    running: Option<(Arc<Fuzzer>, UnboundedReceiver<CorpusChange>)>,
    notes: BTreeSet<String>,
    noted: Instant,
}

impl FuzzRun {
    pub(crate) fn new(corpus: Corpus, entries: Vec<(String, Entry)>, until_quiet: Option<Duration>) -> Self {
        Self { corpus, entries, until_quiet, running: None, notes: BTreeSet::new(), noted: Instant::now() }
    }

    /// Becomes the supply of a run, and prints which entries of the corpus are not used as they are.
    pub(crate) fn begin(&mut self, options: &mut RunOptions) {
        let (sender, changes) = mpsc::unbounded_channel();
        let fuzz = FuzzOptions {
            sources: options.sources.clone(),
            generator: generator_digest(),
            release: options.release,
            seed: options.seed,
            until_quiet: self.until_quiet,
        };
        let fuzzer = Fuzzer::new(&fuzz, sender);
        let entries = std::mem::take(&mut self.entries);
        let is_known = |id: &str| properties::find(id).is_some() || explore::all().any(|one| one.id == id);
        let count = |is: &dyn Fn(&Entry) -> bool| entries.iter().filter(|(_, entry)| is(entry)).count() as u64;
        let all = entries.len() as u64;
        let unknown = count(&|entry| !is_known(&entry.property));
        let digest = generator_digest();
        let other = count(&|entry| entry.generator != digest);
        if all > 0 {
            output::remark(&format!("the corpus has {}", plural_entries(all)));
        }
        if unknown > 0 {
            output::remark(&format!(
                "{} of the corpus belong to properties that this version does not have: they stay there, unused",
                plural_entries(unknown)
            ));
        }
        if other > 0 {
            output::remark(&format!(
                "{} of the corpus were written by another version of crdible, for which the same choices mean \
                 other cases: they are tried, and kept again if they reach something new",
                plural_entries(other)
            ));
        }
        let left_out = fuzzer.load(entries);
        if left_out > 0 {
            output::remark(&format!(
                "{} of the corpus are not used, since there are too many of one property: the largest ones",
                plural_entries(left_out as u64)
            ));
        }
        let fuzzer = Arc::new(fuzzer);
        options.supply = Some(Arc::clone(&fuzzer) as Arc<dyn Supply>);
        self.running = Some((fuzzer, changes));
    }

    /// A function that returns the current progress in a few words.
    pub(crate) fn progress_text(&self) -> impl Fn() -> String + Send + 'static {
        let fuzzer = self.running.as_ref().map(|(fuzzer, _)| Arc::clone(fuzzer));
        move || fuzzer.as_ref().map_or_else(String::new, |fuzzer| brief(&fuzzer.reached()))
    }

    /// The next change of the corpus; never if there is none.
    pub(crate) async fn next_change(&mut self) -> CorpusChange {
        if let Some((_, changes)) = &mut self.running
            && let Some(change) = changes.recv().await
        {
            return change;
        }
        std::future::pending().await
    }

    /// Writes a change.
    pub(crate) fn keep(&self, change: CorpusChange) {
        self.corpus.keep(change);
    }

    /// Keeps a case that no property judges out of the journal; anything remarkable about it becomes a note.
    pub(crate) fn takes_note(&mut self, event: &RunEvent) -> bool {
        let (id, remark) = match event {
            RunEvent::Case(report) => match &report.outcome {
                CaseOutcome::Pass | CaseOutcome::Discard(_) => (report.property, None),
                CaseOutcome::Error(error) => (report.property, Some(format!("a scenario ended in an error: {error}"))),
                // A legal definition was rejected, which counts as a failure.
                CaseOutcome::Fail(_) => return false,
            },
            RunEvent::Stopped { property, reason } => (*property, Some(format!("it was stopped, because {reason}"))),
            _ => return false,
        };
        let is_exploration = explore::all().any(|exploration| exploration.id == id);
        if let Some(remark) = remark.filter(|_| is_exploration && self.notes.len() < MOST_NOTES) {
            self.notes.insert(format!("{id}: {remark}"));
        }
        is_exploration
    }

    /// Writes a line of progress if the last one is old enough.
    pub(crate) fn note_progress_if_due(&mut self, recorder: &mut Recorder) {
        if self.noted.elapsed() >= INTERVAL {
            self.noted = Instant::now();
            if let Some((fuzzer, _)) = &self.running {
                recorder.write(Line::Reached(as_data(&fuzzer.reached())));
            }
        }
    }

    /// Writes the last changes, and notes for the report.
    pub(crate) fn end(&mut self, recorder: &mut Recorder) {
        let Some((fuzzer, mut changes)) = self.running.take() else { return };
        while let Ok(change) = changes.try_recv() {
            self.corpus.keep(change);
        }
        let reached = fuzzer.reached();
        recorder.write(Line::Reached(as_data(&reached)));
        let failed = reached.failed_answers.iter().cloned();
        let notes = std::iter::once(sentence(&reached)).chain(failed).chain(std::mem::take(&mut self.notes));
        for note in notes {
            recorder.write(Line::Event(Event::new(Event::NOTE, note)));
        }
    }
}

fn as_data(reached: &Reached) -> journal::Reached {
    journal::Reached {
        scenarios: reached.scenarios,
        cells: reached.cells as u64,
        all_cells: reached.all_cells as u64,
        pairs: reached.pairs as u64,
        answers: reached.answers as u64,
        entries: reached.entries as u64,
        waiting: reached.waiting as u64,
        kept: reached.kept,
        quiet_seconds: reached.quiet.as_secs_f64(),
    }
}

fn plural_entries(count: u64) -> String {
    if count == 1 { "1 entry".to_owned() } else { format!("{} entries", grouped(count)) }
}

fn brief(reached: &Reached) -> String {
    let Reached { cells, pairs, answers, kept, quiet, .. } = reached;
    format!(
        "{} cells, {} pairs, {} kinds of answers, {} kept, the last {} s ago",
        grouped(*cells as u64),
        grouped(*pairs as u64),
        grouped(*answers as u64),
        grouped(*kept),
        quiet.as_secs(),
    )
}

fn sentence(reached: &Reached) -> String {
    let Reached { scenarios, cells, all_cells, pairs, answers, entries, waiting, kept, quiet, .. } = reached;
    let rest = if *waiting > 0 {
        format!("; {} of the corpus had no turn", plural_entries(*waiting as u64))
    } else {
        String::new()
    };
    let kept = if *kept > 0 {
        format!("{} kept, the last {} s before the end", plural_entries(*kept), quiet.as_secs())
    } else {
        "nothing new was kept".to_owned()
    };
    format!(
        "{} reached {} of {} cells (keyword, position, class of value), {} pairs of keywords and {} \
         kinds of answers with a corpus of {}; {kept}{rest}",
        plural(*scenarios, "scenario"),
        grouped(*cells as u64),
        grouped(*all_cells as u64),
        grouped(*pairs as u64),
        grouped(*answers as u64),
        plural_entries(*entries as u64),
    )
}
