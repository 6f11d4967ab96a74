//! What is checked for each fault, and for a server without one.

use std::{
    collections::BTreeSet,
    fmt,
    sync::Mutex,
    time::{Duration, Instant},
};

use crdible::{
    connection::Target,
    properties::{self, API_SERVER, Property},
    run::{ConfirmedFinding, Session, ShrinkOptions},
};
use libtest_mimic::Failed;

use crdible_semantics::{Semantics, with};

use crate::{
    clock,
    json::list,
    measure::lines,
    search::{self, CASES, Cases, First},
    server::correct,
    table::{self, Fault, Finder, fault, item_of},
};

/// The mean of executions while shrinking one by one, over all faults, is at most this.
const MEAN_EXECUTIONS: usize = 150;

/// Cases of each property on the correct server; the example of the suite runs others, too.
const CASES_WITHOUT_FAULT: u64 = 200;

/// Whether this is the ID of a test for a capability.
pub(crate) fn is_capability(id: &str) -> bool {
    API_SERVER.iter().any(|test| test.id == id)
}

/// The properties that catch a fault of the table at the release of all servers.
pub(crate) fn catching() -> impl Iterator<Item = &'static Property> {
    let caught: BTreeSet<&str> = table::applying().flat_map(Fault::checked_by).collect();
    properties::all().filter(move |property| caught.contains(property.id))
}

/// Each property of the fault that checks something at the release finds it, at each seed. All failures are reported,
/// not only the first.
pub(crate) fn fault_is_found(fault: &'static Fault, seeds: u64, ledger: &Mutex<Ledger>) -> Result<(), Failed> {
    let mut missed = Vec::new();
    for id in fault.checked_by() {
        if is_capability(id) {
            missed.extend(clock::paused()?.block_on(lack_is_found(fault, id)).err());
            continue;
        }
        let property = properties::find(id).ok_or_else(|| format!("there is no property {id}"))?;
        let only_examples = fault.finder == Finder::Examples;
        // Without examples, this would repeat the random cases of seed 0.
        if only_examples || !property.edges.is_empty() {
            missed.extend(clock::of(property)?.block_on(first_is_within(fault, property, ledger)).err());
        }
        if only_examples {
            continue;
        }
        for seed in 0..seeds {
            missed.extend(clock::of(property)?.block_on(choices_find(fault, property, seed, ledger)).err());
        }
    }
    if missed.is_empty() { Ok(()) } else { Err(missed.join("\n\n").into()) }
}

/// A lacking capability is found before anything is generated.
async fn lack_is_found(fault: &Fault, id: &str) -> Result<(), String> {
    let session = search::open(&fault.start(), clock::PATIENCE).await?;
    let finding = session
        .missing_capabilities()
        .filter_map(|(_, finding)| finding)
        .find(|finding| finding.signature().property == id);
    within(fault, finding.ok_or_else(|| format!("{id} finds nothing, though {}", fault.wrong))?)
}

/// What an ordinary run finds first, by a hand-made case or a random one.
async fn first_is_within(
    fault: &'static Fault,
    property: &'static Property,
    ledger: &Mutex<Ledger>,
) -> Result<(), String> {
    let session = search::open(&fault.start(), clock::patience(property)).await?;
    let started = Instant::now();
    let is_shrunk = fault.finder == Finder::Examples;
    let shrink = if is_shrunk { search::shrinking(property) } else { search::unshrunk() };
    let first = find(fault, &session, property, Cases::All, 0, shrink).await?;
    ledger.lock().unwrap().enter(fault, None, &first, started.elapsed());
    within(fault, &first.finding)?;
    if is_shrunk { small(fault, &first.finding) } else { Ok(()) }
}

/// Random cases alone find it, and shrink it. Each seed has a new server.
async fn choices_find(
    fault: &'static Fault,
    property: &'static Property,
    seed: u64,
    ledger: &Mutex<Ledger>,
) -> Result<(), String> {
    let session = search::open(&fault.start(), clock::patience(property)).await?;
    let started = Instant::now();
    let first = find(fault, &session, property, Cases::Random, seed, search::shrinking(property)).await?;
    ledger.lock().unwrap().enter(fault, Some(seed), &first, started.elapsed());
    within(fault, &first.finding)?;
    small(fault, &first.finding)
}

/// The properties find nothing on the correct server.
pub(crate) fn correct_server_passes(property: &'static Property) -> Result<(), Failed> {
    let passes = async {
        let session = search::open_correct(&Target::embedded(correct())).await?;
        let shrink = search::shrinking(property);
        match search::search(&session, property, Cases::All, 0, CASES_WITHOUT_FAULT, shrink, |_| true).await? {
            Some(first) => Err(format!("a correct server fails:\n{}", describe(&first.finding))),
            None => Ok(()),
        }
    };
    clock::of(property)?.block_on(passes).map_err(Failed::from)
}

/// Faults with wrong expectations, and the complaint about each.
const UNEXPECTED: &[(Fault, &str)] = &[
    (
        fault("no-fault", "nothing is wrong")
            .breaks(&["VER-002"], &["ver-002-comparison"])
            .semantics(Semantics::UPSTREAM),
        "finds nothing in",
    ),
    (
        fault("no-lack", "nothing is missing")
            .breaks(&["PRUNE-001"], &["capability-pruning"])
            .semantics(Semantics::UPSTREAM),
        "finds nothing, though",
    ),
    (
        fault("other-requirement", "versions are in ascending order, but another requirement is expected")
            .breaks(&["PRUNE-001"], &["ver-002-comparison"])
            .semantics(ASCENDING),
        "expected to break only",
    ),
    (
        fault("other-blame", "versions are in ascending order, but another requirement is expected to be blamed")
            .breaks(&["VER-002", "VER-004", "VER-005", "DISC-002", "DISC-003"], &["ver-002-comparison"])
            .blamed(&["DISC-003"])
            .semantics(ASCENDING),
        "expected to blame only",
    ),
    (
        fault("wrong-once", "a group lists its versions in reverse, but never again")
            .breaks(&["VER-002"], &["ver-002-comparison"])
            .around_everything(act!(|server, request| {
                let is_group = request.uri().path().split('/').count() == 3;
                server
                    .answer(request, |answer| {
                        let versions = list(&mut answer.body, "/versions");
                        if let Some(versions) = versions.filter(|versions| is_group && versions.len() > 5)
                            && server.note("it", true).is_none()
                        {
                            versions.reverse();
                        }
                    })
                    .await
            })),
        "finds nothing in",
    ),
    (
        fault("large-counterexample", "versions are in ascending order, but a smaller counterexample is expected")
            .breaks(&["VER-002", "VER-004", "VER-005", "DISC-002", "DISC-003"], &["ver-002-comparison"])
            .within_lines(0)
            .semantics(ASCENDING),
        "but at most 0 are allowed",
    ),
];

const ASCENDING: Semantics = with::compare_other_versions(|_, a, b| b.cmp(a));

/// A fault fails if it is not found, if the finding names another requirement, and if the counterexample is too large.
pub(crate) fn checks_can_fail() -> Result<(), Failed> {
    for (fault, complaint) in UNEXPECTED {
        let failed = fault_is_found(fault, 1, &Mutex::default()).err();
        let message = failed.as_ref().and_then(Failed::message).unwrap_or("it passes");
        if !message.contains(complaint) {
            return Err(Failed::from(format!("{}: expected `{complaint}`, but: {message}", fault.name)));
        }
    }
    Ok(())
}

async fn find(
    fault: &Fault,
    session: &Session,
    property: &'static Property,
    which: Cases,
    seed: u64,
    shrink: ShrinkOptions,
) -> Result<First, String> {
    // What did not occur again is no failure: on a busy machine an answer can be late.
    let first = search::search(session, property, which, seed, CASES, shrink, |finding| !finding.is_flaky()).await?;
    first
        .ok_or_else(|| format!("{} finds nothing in {CASES} cases at seed {seed}, though {}", property.id, fault.wrong))
}

/// The finding names requirements, and only those that the fault breaks; if the fault states what is blamed,
/// only these.
fn within(fault: &Fault, finding: &ConfirmedFinding) -> Result<(), String> {
    let named = &finding.failure().requirements;
    if named.is_empty() || !named.iter().all(|reference| fault.breaks(item_of(reference))) {
        return Err(format!("expected to break only {}:\n{}", fault.requirements.join(", "), describe(finding)));
    }
    let blamed = fault.blamed();
    let is_blamed = |reference: &String| blamed.iter().any(|blamed| item_of(blamed) == item_of(reference));
    if named.iter().all(is_blamed) {
        return Ok(());
    }
    Err(format!("expected to blame only {}:\n{}", blamed.join(", "), describe(finding)))
}

fn small(fault: &Fault, finding: &ConfirmedFinding) -> Result<(), String> {
    let lines = lines(&finding.scenario);
    let most = fault.largest();
    if lines <= most {
        return Ok(());
    }
    Err(format!("{lines} lines, but at most {most} are allowed:\n{}", describe(finding)))
}

fn describe(finding: &ConfirmedFinding) -> String {
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
    /// None if hand-made cases ran first.
    seed: Option<u64>,
    /// What the finding blames.
    named: String,
    cases: u64,
    lines: usize,
    executions: Option<usize>,
    stopped_by: &'static str,
    /// Until it was found and, if it is, shrunk, beside other trials.
    took: Duration,
}

impl Ledger {
    fn enter(&mut self, fault: &'static Fault, seed: Option<u64>, first: &First, took: Duration) {
        let First { finding, cases } = first;
        let property = finding.signature().property.clone();
        let is_shrunk = seed.is_some() || fault.finder == Finder::Examples;
        // On the clock of the machine several candidates are tried at once.
        let is_real = properties::find(&property).is_some_and(|property| clock::is_real(property.needs));
        let is_counted = finding.tape.is_some() && !is_real;
        self.entries.push(Entry {
            fault: fault.name,
            property,
            seed,
            named: finding.failure().requirements.join(","),
            cases: *cases,
            lines: lines(&finding.scenario),
            executions: (is_shrunk && is_counted).then_some(finding.shrinking.executions),
            stopped_by: if is_shrunk { finding.shrinking.stopped_by } else { "not shrunk" },
            took,
        });
    }

    /// The requirements that the findings name.
    pub(crate) fn named(&self) -> BTreeSet<&str> {
        self.entries.iter().flat_map(|entry| entry.named.split(',')).map(item_of).collect()
    }

    /// The mean of executions while shrinking; `None` if nothing was shrunk.
    fn mean(&self) -> Option<usize> {
        let executions: Vec<usize> = self.entries.iter().filter_map(|entry| entry.executions).collect();
        (!executions.is_empty()).then(|| executions.iter().sum::<usize>().div_ceil(executions.len()))
    }

    /// Fails if shrinking took many executions in the mean.
    pub(crate) fn is_cheap(&self) -> Result<(), Failed> {
        match self.mean() {
            None => Err(Failed::from("nothing was shrunk: run this together with the faults")),
            Some(mean) if mean <= MEAN_EXECUTIONS => Ok(()),
            Some(mean) => {
                Err(Failed::from(format!("{mean} executions in the mean, but at most {MEAN_EXECUTIONS} are allowed")))
            }
        }
    }
}

impl fmt::Display for Ledger {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut entries: Vec<&Entry> = self.entries.iter().collect();
        entries.sort_by_key(|entry| (entry.fault, &entry.property, entry.seed));
        for Entry { fault, property, seed, named, cases, lines, executions, stopped_by, took } in entries {
            let seed = seed.map_or("-".to_owned(), |seed| seed.to_string());
            let executions = executions.map_or("-".to_owned(), |executions| executions.to_string());
            writeln!(
                formatter,
                "{fault} {property} seed={seed} blames={named} cases={cases} lines={lines} executions={executions} {stopped_by} {:.1} s",
                took.as_secs_f64()
            )?;
        }
        if let Some(mean) = self.mean() {
            let count = self.entries.iter().filter(|entry| entry.executions.is_some()).count();
            writeln!(formatter, "{count} counterexamples were shrunk, {mean} executions in the mean")?;
        }
        Ok(())
    }
}
