//! How soon a whole run sees a fault: in scenarios sent to a server in process, until the first one that fails and
//! until the first failure is confirmed.
//!
//! ```sh
//! CRDIBLE_FAULT_SOON=40 cargo test --release --test faults -- --exact soon --nocapture
//! ```
//!
//! It prints a table, by which the order of a run can be judged. Nothing here is about time, and no number is required.

use std::sync::Mutex;

use crdible::{
    properties::{self, Property},
    run::{CaseOutcome, Event, Interrupt, RunOptions},
};
use libtest_mimic::Failed;
use tokio::sync::mpsc;

use crate::{
    clock::{self, PATIENCE},
    search::{open, unshrunk},
    settings::release,
    table::{self, Fault, applies},
};

/// Scenarios after which the search for a fault ends.
const MOST: usize = 6000;
/// As many as a run over HTTP has.
const WORKERS: usize = 24;

/// How many scenarios it took.
#[derive(Clone, Copy, Debug, Default)]
struct Took {
    scenarios: usize,
    seen: Option<usize>,
    confirmed: Option<usize>,
}

/// Measures it for this number of faults from all over the table.
pub(crate) fn is_measured(faults: usize) -> Result<(), Failed> {
    let runtime = clock::paused()?;
    let all: Vec<&Fault> = table::applying().collect();
    let step = (all.len() / faults).max(1);
    anstream::println!("{:<58} {:>8} {:>10}", "scenarios until", "seen", "confirmed");
    let mut rows = Vec::new();
    for fault in all.into_iter().step_by(step).take(faults) {
        let took = runtime.block_on(search(fault)).map_err(Failed::from)?;
        let [seen, confirmed] = [took.seen, took.confirmed].map(shown);
        anstream::println!("{:<58} {seen:>8} {confirmed:>10}", fault.name);
        rows.push(took);
    }
    for (name, part) in [("median", 2), ("worst quarter", 4)] {
        let [seen, confirmed] = [|took: &Took| took.seen, |took: &Took| took.confirmed].map(|of| {
            let mut numbers: Vec<usize> = rows.iter().map(|took| of(took).unwrap_or(MOST)).collect();
            numbers.sort_unstable();
            numbers.get(numbers.len() - 1 - (numbers.len() - 1) / part).copied()
        });
        anstream::println!("{name:<58} {:>8} {:>10}", shown(seen), shown(confirmed));
    }
    Ok(())
}

fn shown(number: Option<usize>) -> String {
    number.map_or_else(|| format!("> {MOST}"), |number| number.to_string())
}

/// Runs all properties until a failure is confirmed. A missing capability is seen before the first scenario.
async fn search(fault: &Fault) -> Result<Took, String> {
    let session = open(&fault.start(), PATIENCE).await?;
    if session.missing_capabilities().next().is_some() {
        return Ok(Took { scenarios: 0, seen: Some(0), confirmed: Some(0) });
    }
    let sources: Vec<&'static Property> =
        properties::all().filter(|property| applies(property) && !clock::is_real(property.needs)).collect();
    let options =
        RunOptions { release: release(), workers: WORKERS, shrink: unshrunk(), ..RunOptions::new(sources, 200) };
    let (stop, interrupt) = Interrupt::new();
    let (sender, mut events) = mpsc::unbounded_channel();
    let took = Mutex::new(Took::default());
    let watching = async {
        while let Some(event) = events.recv().await {
            let mut took = took.lock().unwrap();
            match event {
                Event::Case(report) => {
                    took.scenarios += 1;
                    if matches!(report.outcome, CaseOutcome::Fail(_)) && took.seen.is_none() {
                        took.seen = Some(took.scenarios);
                    }
                }
                Event::Found(finding) if !finding.is_flaky() => took.confirmed = Some(took.scenarios),
                _ => {}
            }
            if took.confirmed.is_some() || took.scenarios >= MOST {
                break;
            }
        }
        let _ = stop.send(true);
    };
    tokio::join!(session.run(options, sender, interrupt), watching);
    Ok(took.into_inner().unwrap())
}
