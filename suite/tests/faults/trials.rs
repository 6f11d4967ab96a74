//! What is demanded of each fault, and of a server without one.

use std::{env, fmt, sync::Mutex};

use crdible::{
    connection::Target,
    properties::{self, API_SERVER, Property},
    run::{Finding, Session},
};
use crdible_semantics::Upstream;
use libtest_mimic::Failed;

use crate::{
    hunt::{self, CASES, Cases, First},
    measure::lines,
    table::{self, Fault, Finder},
};

/// The mean of executions while shrinking, over all faults, is at most this.
const MEAN_EXECUTIONS: usize = 150;

/// Cases of each property on the right server: it is the conformance test that runs more.
const CASES_WITHOUT_FAULT: u64 = 200;

/// How many seeds each fault is tried with.
pub(crate) fn seeds() -> Result<u64, String> {
    match env::var("CRDIBLE_FAULT_SEEDS").ok().filter(|text| !text.is_empty()) {
        None => Ok(1),
        Some(text) => {
            let number = text.parse().ok().filter(|number| *number > 0);
            number.ok_or_else(|| format!("CRDIBLE_FAULT_SEEDS is `{text}`, and a number above 0 is wanted"))
        }
    }
}

/// Whether this is the name of a test for a capability.
pub(crate) fn is_capability(id: &str) -> bool {
    API_SERVER.iter().any(|test| test.id == id)
}

/// The properties that some fault demands.
pub(crate) fn demanded() -> impl Iterator<Item = &'static Property> {
    properties::all().filter(|property| table::all().any(|fault| fault.properties.contains(&property.id)))
}

/// The fault is found by each property that the table names, at each seed. All that is missed is told, not the first alone.
pub(crate) fn fault_is_found(fault: &'static Fault, seeds: u64, ledger: &Mutex<Ledger>) -> Result<(), Failed> {
    run(async {
        let mut missed = Vec::new();
        for id in fault.properties {
            if is_capability(id) {
                missed.extend(lack_is_found(fault, id).await.err());
                continue;
            }
            let property = properties::find(id).ok_or_else(|| format!("there is no property {id}"))?;
            missed.extend(first_is_within(fault, property, ledger).await.err());
            if fault.finder == Finder::Examples {
                continue;
            }
            for seed in 0..seeds {
                missed.extend(choices_find(fault, property, seed, ledger).await.err());
            }
        }
        if missed.is_empty() { Ok(()) } else { Err(missed.join("\n\n")) }
    })
}

/// A gross fault shows before anything is generated.
async fn lack_is_found(fault: &Fault, id: &str) -> Result<(), String> {
    let session = hunt::open(&(fault.target)()).await?;
    let finding = session.lacks().filter_map(|(_, finding)| finding).find(|finding| finding.signature().property == id);
    within(fault, finding.ok_or_else(|| format!("{id} finds nothing, though {}", fault.wrong))?)
}

/// A run as everybody runs it: what it finds first, by a hand-made case or by chance.
async fn first_is_within(
    fault: &'static Fault,
    property: &'static Property,
    ledger: &Mutex<Ledger>,
) -> Result<(), String> {
    let session = hunt::open(&(fault.target)()).await?;
    let first = find(fault, &session, property, Cases::All, 0).await?;
    within(fault, &first.finding)?;
    if fault.finder == Finder::Examples {
        ledger.lock().unwrap().enter(fault, 0, &first);
        small(fault, &first.finding)?;
    }
    Ok(())
}

/// Chance alone finds it, and shrinks it. The server is another one for each seed, with no history.
async fn choices_find(
    fault: &'static Fault,
    property: &'static Property,
    seed: u64,
    ledger: &Mutex<Ledger>,
) -> Result<(), String> {
    let session = hunt::open(&(fault.target)()).await?;
    let first = find(fault, &session, property, Cases::Random, seed).await?;
    ledger.lock().unwrap().enter(fault, seed, &first);
    within(fault, &first.finding)?;
    small(fault, &first.finding)
}

/// The properties that find faults find none where there is none.
pub(crate) fn right_server_passes(property: &'static Property) -> Result<(), Failed> {
    run(async {
        let session = hunt::open(&Target::embedded(std::sync::Arc::new(Upstream))).await?;
        match hunt::hunt(&session, property, Cases::All, 0, CASES_WITHOUT_FAULT).await? {
            Some(first) => Err(format!("a correct server fails:\n{}", describe(&first.finding))),
            None => Ok(()),
        }
    })
}

fn run(trial: impl Future<Output = Result<(), String>>) -> Result<(), Failed> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(trial).map_err(Failed::from)
}

async fn find(
    fault: &Fault,
    session: &Session,
    property: &'static Property,
    which: Cases,
    seed: u64,
) -> Result<First, String> {
    let first = hunt::hunt(session, property, which, seed, CASES).await?;
    first
        .ok_or_else(|| format!("{} finds nothing in {CASES} cases at seed {seed}, though {}", property.id, fault.wrong))
}

/// The finding names only what the fault breaks.
fn within(fault: &Fault, finding: &Finding) -> Result<(), String> {
    let item = |reference: &String| reference.split('/').next().unwrap_or_default().to_owned();
    let is_broken = |reference: &String| fault.requirements.contains(&item(reference).as_str());
    if finding.failure().requirements.iter().all(is_broken) && !finding.is_flaky() {
        return Ok(());
    }
    Err(format!("expected to break {} only:\n{}", fault.requirements.join(", "), describe(finding)))
}

fn small(fault: &Fault, finding: &Finding) -> Result<(), String> {
    let lines = lines(&finding.scenario);
    if lines <= fault.largest {
        return Ok(());
    }
    Err(format!("{lines} lines where at most {} are expected:\n{}", fault.largest, describe(finding)))
}

fn describe(finding: &Finding) -> String {
    let failure = finding.failure();
    let scenario = serde_json::to_string_pretty(&finding.scenario).unwrap_or_default();
    format!(
        "{}: {} ({}), reproduced {} of {} times, {:?}\nexpected: {}\nactual: {}\n{scenario}",
        failure.signature,
        failure.summary,
        failure.requirements.join(", "),
        finding.reproduced,
        finding.attempts,
        finding.shrinking,
        failure.expected,
        failure.actual,
    )
}

/// What it took to find and shrink each fault.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    fault: &'static str,
    property: String,
    seed: u64,
    cases: u64,
    lines: usize,
    executions: Option<usize>,
    stopped_by: &'static str,
}

impl Ledger {
    fn enter(&mut self, fault: &'static Fault, seed: u64, first: &First) {
        let First { finding, cases } = first;
        self.entries.push(Entry {
            fault: fault.name,
            property: finding.signature().property.clone(),
            seed,
            cases: *cases,
            lines: lines(&finding.scenario),
            executions: finding.tape.is_some().then_some(finding.shrinking.executions),
            stopped_by: finding.shrinking.stopped_by,
        });
    }

    /// The mean of executions while shrinking; `None` if nothing was shrunk.
    fn mean(&self) -> Option<usize> {
        let executions: Vec<usize> = self.entries.iter().filter_map(|entry| entry.executions).collect();
        (!executions.is_empty()).then(|| executions.iter().sum::<usize>().div_ceil(executions.len()))
    }

    /// Whether shrinking took few executions in the mean.
    pub(crate) fn is_cheap(&self) -> Result<(), Failed> {
        match self.mean() {
            None => Err(Failed::from("nothing was shrunk: run this together with the faults")),
            Some(mean) if mean <= MEAN_EXECUTIONS => Ok(()),
            Some(mean) => {
                Err(Failed::from(format!("{mean} executions in the mean, where at most {MEAN_EXECUTIONS} are wanted")))
            }
        }
    }
}

impl fmt::Display for Ledger {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut entries: Vec<&Entry> = self.entries.iter().collect();
        entries.sort_by_key(|entry| (entry.fault, &entry.property, entry.seed));
        for Entry { fault, property, seed, cases, lines, executions, stopped_by } in entries {
            let executions = executions.map_or("-".to_owned(), |executions| executions.to_string());
            writeln!(
                formatter,
                "{fault} {property} seed={seed} cases={cases} lines={lines} executions={executions} {stopped_by}"
            )?;
        }
        if let Some(mean) = self.mean() {
            writeln!(formatter, "{} counterexamples, {mean} executions in the mean", self.entries.len())?;
        }
        Ok(())
    }
}
