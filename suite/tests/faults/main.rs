//! Planted faults: servers with one wrong function each, and what the suite must find.
//!
//! A trial for each fault checks that each property of the table finds it within [`search::CASES`] cases, that the
//! first finding names only requirements that the fault breaks, and that its counterexample is shrunk to the stated
//! size. Further trials: the same properties find nothing on the correct server, every property catches some fault,
//! for every MUST that a property asserts some fault is blamed on it and few others, these checks can fail, and
//! shrinking is cheap. If all faults are tried, their findings together name every such requirement.
//!
//! Which of the trials a run tries, the tree of the commit chooses: some of each area, see `shared/sample.rs`.
//! `CRDIBLE_SAMPLE=all` tries all of them, and so do a name on the command line and any of the variables below;
//! `CRDIBLE_SAMPLE=KEY` repeats the sample of another commit. `CRDIBLE_FAULT_SHARE=1/2` tries the first half of what is
//! chosen.
//!
//! A server that breaks what many properties rely on gets one entry: see `faults/entries.rs`. A server that lacks a whole
//! area, alone or in pairs, gets an entry for each lack and no other: see `faults/alone.rs`. Combinations of 2, 5 and 10
//! faults must be distinguished: see `faults/many.rs`.
//! `CRDIBLE_FAULT_COMBINATIONS=200` draws this number, and tries all pairs.
//!
//! `CRDIBLE_FAULT_SEEDS=20` tries each fault with 20 seeds instead of one; `--nocapture` lists what it took to find
//! each. `CRDIBLE_FAULT_NIGHTS=40` compares with this number of faults how soon a run finds them, and how soon a corpus
//! that learns: see `faults/nights.rs`. `CRDIBLE_FAULT_SOON=40` lists how soon a whole run sees this number
//! of faults: see `faults/soon.rs`. `CRDIBLE_FAULT_RELEASE=1.34` lets all servers emulate that release, and judges
//! them by it. A fault that breaks nothing that the release promises is ignored, and its trial says so. Without it,
//! some faults are tried at each other release, too.

#![allow(clippy::unwrap_used)]

use std::{
    fmt,
    process::ExitCode,
    sync::{Arc, Mutex},
};

use crdible_semantics::Release;
use libtest_mimic::{Arguments, Failed, Trial};

// Before those that use its macro.
#[macro_use]
mod layer;
mod across_versions;
mod alone;
mod answers;
mod areas;
mod capabilities;
#[path = "../shared/clock.rs"]
mod clock;
mod conversion;
mod defaulting;
mod definitions;
mod deprecation;
mod entries;
mod equality;
mod extensions;
mod form;
#[path = "../shared/json.rs"]
mod json;
mod lacks;
mod lifecycle;
mod many;
mod measure;
mod metadata;
mod names;
mod nights;
mod nulls;
mod objects;
mod openapi;
mod pruning;
mod races;
mod ran;
mod ratcheting;
mod releases;
mod requests;
#[path = "../shared/rewrite.rs"]
mod rewrite;
mod rules;
#[path = "../shared/sample.rs"]
mod sample;
mod search;
mod sent;
mod server;
mod settings;
mod soon;
mod storage;
mod stored_versions;
mod structural;
mod subresources;
mod table;
mod topology;
mod trials;
mod unknown_fields;
mod values;
mod version_order;
mod views;
mod violations;
mod watches;
mod webhook_requests;
mod webhook_results;
mod webhooks;

use sample::Sample;
use settings::{Settings, at, release};
use table::{Area, Fault};
use trials::Ledger;

/// Bodies are trees of small strings: with the system's allocator, trials take a quarter longer.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// One of this number of faults of an area is tried unless all are, …
const FAULTS: usize = 24;
/// … and of the trials at another release than the baseline, …
const AT_RELEASES: usize = 24;
/// … of the properties on the correct server, …
const PROPERTIES: usize = 24;
/// … of the servers that lack an area, alone or in pairs, …
const LACKS: usize = 24;
/// … and of the combinations of several faults.
const COMBINATIONS: usize = 6;
/// Of this number of faults one is tried at another release than the baseline, if all trials are:
/// `CRDIBLE_FAULT_RELEASE` tries all.
const ONE_IN: usize = 24;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    let settings = match settings::settings() {
        Ok(settings) => settings,
        Err(error) => {
            anstream::eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    // One more, since some wait for conversion webhooks.
    arguments.test_threads.get_or_insert(cores + 1);
    let sample = settings.sample.clone().unwrap_or_else(|| {
        let is_chosen = settings.is_stated() || arguments.filter.is_some() || arguments.list;
        if is_chosen { Sample::All } else { Sample::of_commit() }
    });
    let ledger = Arc::new(Mutex::new(Ledger::default()));
    let Planned { mut trials, counts } = Planned::of(&settings, &sample, &ledger);
    if !arguments.list {
        anstream::eprintln!("sample {sample}: {}", counts.join(", "));
        if sample != Sample::All {
            anstream::eprintln!("CRDIBLE_SAMPLE={sample} repeats it, CRDIBLE_SAMPLE=all tries all");
        }
    }
    if let Some(share) = settings.share {
        trials = share.part(trials);
    }
    if let Some(faults) = settings.nights {
        trials.push(Trial::test("nights", move || nights::are_compared(faults, settings.seeds)));
    }
    if let Some(faults) = settings.soon {
        trials.push(Trial::test("soon", move || soon::is_measured(faults)));
    }
    trials.push(Trial::test("every-capability-is-lacked", alone::every_capability_is_lacked));
    trials.push(Trial::test("sample-is-sound", || sample::is_sound().map_err(Failed::from)));
    trials.push(Trial::test("table-is-in-form", form::table_is_in_form));
    trials.push(Trial::test("checks-can-fail", trials::checks_can_fail));
    trials.push(Trial::test("every-property-catches-a-fault", form::every_property_catches_a_fault));
    trials.push(Trial::test("every-requirement-is-blamed", form::every_requirement_is_blamed));
    let tried = libtest_mimic::run(&arguments, trials);
    let ledger = Arc::into_inner(ledger).map(|ledger| ledger.into_inner().unwrap()).unwrap_or_default();
    let ledger = Arc::new(ledger);
    if arguments.nocapture {
        anstream::eprintln!("{ledger}");
    }
    // After the others, because it needs their findings.
    let is_whole = sample == Sample::All
        && arguments.filter.is_none()
        && arguments.skip.is_empty()
        && settings.share.is_none()
        && settings.release.is_none();
    let of_all = Arc::clone(&ledger);
    let closing = vec![
        Trial::test("shrinking-is-cheap", move || ledger.is_cheap()),
        Trial::test("every-requirement-is-named", move || form::every_requirement_is_named(&of_all.named()))
            .with_ignored_flag(!is_whole),
    ];
    let closed = libtest_mimic::run(&arguments, closing);
    if tried.has_failed() || closed.has_failed() { ExitCode::from(101) } else { ExitCode::SUCCESS }
}

/// The trials of a run, and how many of how many they are.
#[derive(Default)]
struct Planned {
    trials: Vec<Trial>,
    counts: Vec<String>,
}

impl Planned {
    fn of(settings: &Settings, sample: &Sample, ledger: &Arc<Mutex<Ledger>>) -> Self {
        let mut planned = Self::default();
        let seeds = settings.seeds;
        // First those among which some wait for minutes, so that they do not wait alone at the end.
        let wants_all = settings.combinations.is_some();
        let combinations = 0..settings.combinations.unwrap_or(many::FEW);
        planned.add(
            "combinations",
            combinations.end,
            sample.part("combinations", COMBINATIONS, combinations),
            |seed| {
                Trial::test(format!("combination-{seed}"), move || many::are_told_apart(seed)).with_kind("many faults")
            },
        );
        let lacks: Vec<&'static Fault> = alone::lacks().chain(lacks::UNTOLD).collect();
        planned.add("lacks", lacks.len(), sample.part("lacks", LACKS, lacks), |fault| {
            Trial::test(format!("only-{}", fault.name), move || alone::lack_is_alone(fault)).with_kind("one lack")
        });
        let pairs = alone::pairs(wants_all);
        planned.add("pairs", pairs.len(), sample.part("pairs", LACKS, pairs), |(one, other)| {
            let name = format!("pair-{}-and-{}", one.name, other.name);
            Trial::test(name, move || alone::pair_is_told(one, other)).with_kind("two lacks")
        });
        let rows: Vec<_> = entries::ROWS.iter().collect();
        planned.add("entries", rows.len(), sample.part("entries", LACKS, rows), |row| {
            Trial::test(format!("entries-{}", row.fault.name), move || entries::is_one_entry(row)).with_kind("entries")
        });
        let tried = |area: &Area| sample.part(area.name, FAULTS, area.faults);
        let faults = table::AREAS.iter().flat_map(tried).collect();
        planned.add("faults", table::all().count(), faults, |fault| trial(fault, seeds, ledger));
        if settings.release.is_none() {
            let others = Release::all().filter(|other| *other != Release::BASELINE);
            let all: Vec<_> = others.enumerate().map(|(number, other)| (other, tried_at(number, other))).collect();
            let count: usize = all.iter().map(|(_, faults)| faults.len()).sum();
            let tried = all.into_iter().flat_map(|(other, faults)| {
                let faults = sample.part(&format!("release {other}"), AT_RELEASES, faults);
                faults.into_iter().map(move |fault| (other, fault))
            });
            planned.add("faults at other releases", count, tried.collect(), |(other, fault)| {
                let ledger = Arc::clone(ledger);
                let name = format!("{}-at-{other}", fault.name);
                Trial::test(name, move || at(other, || trials::fault_is_found(fault, seeds, &ledger)))
                    .with_kind("fault")
            });
        }
        let properties: Vec<_> = trials::catching().collect();
        planned.add("properties", properties.len(), sample.part("properties", PROPERTIES, properties), |property| {
            Trial::test(property.id, move || trials::correct_server_passes(property)).with_kind("no fault")
        });
        planned
    }

    fn add<T>(&mut self, name: &str, all: impl fmt::Display, tried: Vec<T>, trial: impl Fn(T) -> Trial) {
        self.counts.push(format!("{} of {all} {name}", tried.len()));
        self.trials.extend(tried.into_iter().map(trial));
    }
}

/// The trial of a fault. It is ignored if the release promises nothing that the fault breaks.
fn trial(fault: &'static Fault, seeds: u64, ledger: &Arc<Mutex<Ledger>>) -> Trial {
    let ledger = Arc::clone(ledger);
    let trial = Trial::test(fault.name, move || trials::fault_is_found(fault, seeds, &ledger));
    let checked: Vec<&str> = fault.checked_by().collect();
    let unchecked: Vec<&str> = fault.properties.iter().copied().filter(|id| !checked.contains(id)).collect();
    if !fault.applies() {
        trial.with_kind(format!("breaks nothing that {} promises", release())).with_ignored_flag(true)
    } else if unchecked.is_empty() {
        trial.with_kind("fault")
    } else {
        trial.with_kind(format!("fault, without {}: not of {}", unchecked.join(", "), release()))
    }
}

/// The faults that are tried at a release that is not the baseline: all in what differs, and a few others.
fn tried_at(number: usize, other: Release) -> Vec<&'static Fault> {
    let few = table::all().skip(number).step_by(ONE_IN);
    let faults = releases::FAULTS.iter().chain(few.filter(|fault| !is_of_releases(fault)));
    at(other, || faults.filter(|fault| fault.applies()).collect())
}

fn is_of_releases(fault: &Fault) -> bool {
    releases::FAULTS.iter().any(|other| other.name == fault.name)
}
