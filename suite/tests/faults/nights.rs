//! How soon faults are found by the random cases of a run, and by a corpus that learns (`crdible fuzz`): in scenarios
//! sent to a server in process, one after the other, until the first one that fails.
//!
//! ```sh
//! CRDIBLE_FAULT_NIGHTS=40 CRDIBLE_FAULT_SEEDS=5 cargo test --release --test faults -- --exact nights --nocapture
//! ```
//!
//! The corpus is measured twice: empty at the start, and as an earlier night on a correct server left it. Nothing here
//! is about time.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use crdible::{
    connection::Target,
    fuzz::{CorpusChange, Entry, FuzzOptions, Fuzzer},
    properties::{self, Property},
    run::{CaseOutcome, Event, Interrupt, RunOptions, Session, Supply, generator_digest},
};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use libtest_mimic::Failed;
use tokio::sync::mpsc;

use crate::{
    clock::PATIENCE,
    search::open,
    server::correct,
    settings::release,
    table::{self, Fault, Finder},
    trials::is_capability,
};

/// Scenarios after which the search for a fault ends.
const MOST: usize = 400;
/// Scenarios of the earlier night for each property.
const NIGHT: usize = 400;
/// The seed of the earlier night: none of those that are measured.
const SEED_OF_NIGHT: u64 = 9_999;

/// What it took to find a fault.
#[derive(Clone, Copy, Debug, Default)]
struct Took {
    /// Scenarios sent, the one that failed included.
    scenarios: usize,
    /// Objects, updates or version lists in them.
    cases: u64,
}

/// One fault: its name, whether it is subtle, and what it took a run, an empty corpus and a kept one.
struct Row {
    fault: &'static str,
    is_subtle: bool,
    took: [Took; 3],
}

/// Compares them with this number of faults, three quarters of which are subtle. The corpus must not be later than a
/// run in the median of the subtle ones.
pub(crate) fn are_compared(faults: usize, seeds: u64) -> Result<(), Failed> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let rows = runtime.block_on(rows(faults, seeds)).map_err(Failed::from)?;
    let medians = |is_subtle: bool, of: fn(&Took) -> u64| {
        [0, 1, 2]
            .map(|which| median(rows.iter().filter(|row| row.is_subtle == is_subtle).map(|row| of(&row.took[which]))))
    };
    anstream::println!("{:<58} {:>8} {:>8} {:>8}", "scenarios until found", "run", "empty", "kept");
    for Row { fault, is_subtle, took } in &rows {
        let name = format!("{fault}{}", if *is_subtle { "" } else { " (obvious)" });
        anstream::println!("{name:<58} {:>8} {:>8} {:>8}", took[0].scenarios, took[1].scenarios, took[2].scenarios);
    }
    for (name, is_subtle) in [("subtle", true), ("obvious", false)] {
        let [run, empty, kept] = medians(is_subtle, |took| took.scenarios as u64);
        anstream::println!("{:<58} {run:>8} {empty:>8} {kept:>8}", format!("median of {name} faults, scenarios"));
        let [run, empty, kept] = medians(is_subtle, |took| took.cases);
        anstream::println!("{:<58} {run:>8} {empty:>8} {kept:>8}", format!("median of {name} faults, cases"));
    }
    let late = |which: usize| rows.iter().filter(|row| row.took[which].scenarios >= MOST).count();
    anstream::println!("{:<58} {:>8} {:>8} {:>8}", format!("not found in {MOST} scenarios"), late(0), late(1), late(2));
    let [run, _, kept] = medians(true, |took| took.scenarios as u64);
    if kept <= run { Ok(()) } else { Err(Failed::from(format!("a run takes {run} scenarios, a kept corpus {kept}"))) }
}

/// Faults that are tried at once: many of them wait for what a wrong server never does. What is counted does not depend
/// on it.
const AT_ONCE: usize = 24;

async fn rows(faults: usize, seeds: u64) -> Result<Vec<Row>, String> {
    let chosen: Vec<(&Fault, &Property)> =
        chosen(faults).into_iter().filter_map(|fault| Some((fault, property_of(fault)?))).collect();
    let properties: BTreeMap<&str, &'static Property> =
        chosen.iter().map(|(_, property)| (property.id, *property)).collect();
    let nights = properties.into_values().map(|property| async move {
        let session = open(&Target::embedded(correct()), PATIENCE).await?;
        Ok::<_, String>((property.id, night(&session, property).await))
    });
    let corpora: BTreeMap<&str, Vec<(String, Entry)>> =
        stream::iter(nights).buffer_unordered(AT_ONCE).try_collect().await?;
    let rows = chosen.into_iter().map(|(fault, property)| row(fault, property, seeds, &corpora[property.id]));
    stream::iter(rows).buffered(AT_ONCE).try_collect().await
}

async fn row(
    fault: &'static Fault,
    property: &'static Property,
    seeds: u64,
    corpus: &[(String, Entry)],
) -> Result<Row, String> {
    let mut all: [Vec<Took>; 3] = Default::default();
    for seed in 0..seeds {
        for (which, took) in all.iter_mut().enumerate() {
            let session = open(&fault.start(), PATIENCE).await?;
            let supply = (which > 0).then(|| {
                let (fuzzer, _) = fuzzer(property, seed);
                if which == 2 {
                    fuzzer.load(corpus.iter().cloned());
                }
                Arc::new(fuzzer) as Arc<dyn Supply>
            });
            took.push(search(&session, property, seed, supply, MOST).await);
        }
    }
    let took = all.map(|took| Took {
        scenarios: median(took.iter().map(|took| took.scenarios)),
        cases: median(took.iter().map(|took| took.cases)),
    });
    Ok(Row { fault: fault.name, is_subtle: fault.subtle, took })
}

/// Faults from all over the table.
fn chosen(count: usize) -> Vec<&'static Fault> {
    let obvious = count / 4;
    let of = |is_subtle: bool, count: usize| {
        let all: Vec<&Fault> = table::applying()
            .filter(|fault| {
                fault.subtle == is_subtle && fault.finder == Finder::Choices && property_of(fault).is_some()
            })
            .collect();
        let step = all.len() / count.max(1);
        all.into_iter().step_by(step.max(1)).take(count)
    };
    of(true, count - obvious).chain(of(false, obvious)).collect()
}

/// The first property that catches it.
fn property_of(fault: &Fault) -> Option<&'static Property> {
    fault.checked_by().filter(|id| !is_capability(id)).find_map(properties::find)
}

fn fuzzer(property: &'static Property, seed: u64) -> (Fuzzer, mpsc::UnboundedReceiver<CorpusChange>) {
    let (sender, changes) = mpsc::unbounded_channel();
    let options = FuzzOptions {
        sources: vec![property.into()],
        generator: generator_digest(),
        release: release(),
        seed,
        until_quiet: None,
    };
    (Fuzzer::new(&options, sender), changes)
}

/// The corpus that an earlier night on this server leaves.
async fn night(session: &Session, property: &'static Property) -> Vec<(String, Entry)> {
    let (fuzzer, mut changes) = fuzzer(property, SEED_OF_NIGHT);
    search(session, property, SEED_OF_NIGHT, Some(Arc::new(fuzzer)), NIGHT).await;
    let mut kept = BTreeMap::new();
    while let Ok(change) = changes.try_recv() {
        let entry = match change {
            CorpusChange::Kept(entry) => entry,
            CorpusChange::Replaced(old, entry) => {
                kept.remove(&old);
                entry
            }
        };
        kept.insert(entry.name(), entry);
    }
    kept.into_iter().collect()
}

/// Runs the random scenarios of a property, one after the other, until one fails.
async fn search(
    session: &Session,
    property: &'static Property,
    seed: u64,
    supply: Option<Arc<dyn Supply>>,
    most: usize,
) -> Took {
    if session.missing(property).is_some() {
        return Took { scenarios: most, cases: 0 };
    }
    let edges = property.edges.len() as u64;
    let options = RunOptions {
        release: release(),
        seed,
        finished: (0..edges).map(|index| ((property.id, index), 1)).collect(),
        supply,
        ..RunOptions::new([property], u64::MAX / 4)
    };
    let (stop, interrupt) = Interrupt::new();
    let (sender, mut events) = mpsc::unbounded_channel();
    let took = Mutex::new(Took::default());
    let watching = async {
        while let Some(event) = events.recv().await {
            let Event::Case(report) = event else { continue };
            let mut took = took.lock().unwrap();
            took.scenarios += usize::from(!matches!(report.outcome, CaseOutcome::Discard(_)));
            took.cases += u64::from(report.cases);
            if matches!(report.outcome, CaseOutcome::Fail(_)) || took.scenarios >= most {
                break;
            }
        }
        let _ = stop.send(true);
    };
    tokio::join!(session.run(options, sender, interrupt), watching);
    took.into_inner().unwrap()
}

/// The middle one; the smaller of two.
fn median<T: Ord + Default>(values: impl Iterator<Item = T>) -> T {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    let middle = values.len().saturating_sub(1) / 2;
    values.into_iter().nth(middle).unwrap_or_default()
}
