//! Planted faults: servers with one wrong function each, and what the suite must find.
//!
//! A trial for each fault checks that each property of the table finds it within [`search::CASES`] cases, that the first finding
//! names only requirements that the fault breaks, and that its counterexample is shrunk to the stated size. Further trials: the
//! same properties find nothing on the correct server, every property catches some fault, these checks can fail, and shrinking is
//! cheap.
//!
//! A server that lacks a whole area, alone or in pairs, gets an entry for each lack and no other: see `faults/alone.rs`. Combinations of
//! 2, 5 and 10 faults must be told apart: see `faults/many.rs`. `CRDIBLE_FAULT_COMBINATIONS=200` draws so many, and tries all pairs.
//!
//! `CRDIBLE_FAULT_SEEDS=20` tries each fault with 20 seeds instead of one; `--nocapture` lists what it took to find each.
//! `CRDIBLE_FAULT_NIGHTS=40` compares with so many faults how soon a run finds them, and how soon a corpus that learns: see
//! `faults/nights.rs`.
//! `CRDIBLE_FAULT_RELEASE=1.34` lets all servers emulate that release, and judges them by it. A fault that breaks nothing that
//! the release promises is ignored, and its trial says so. Without it, some faults are tried at each other release, too.

#![allow(clippy::unwrap_used)]

use std::{
    collections::BTreeSet,
    process::ExitCode,
    sync::{Arc, Mutex},
};

use crdible::properties;
use crdible_semantics::Release;
use libtest_mimic::{Arguments, Failed, Trial};

// First, for its macro `wrong!`.
#[macro_use]
#[path = "faults/server.rs"]
mod server;

#[path = "faults/across_versions.rs"]
mod across_versions;
#[path = "faults/alone.rs"]
mod alone;
#[path = "faults/answers.rs"]
mod answers;
#[path = "faults/areas.rs"]
mod areas;
#[path = "faults/capabilities.rs"]
mod capabilities;
#[path = "faults/conversion.rs"]
mod conversion;
#[path = "faults/defaulting.rs"]
mod defaulting;
#[path = "faults/definitions/mod.rs"]
mod definitions;
#[path = "faults/deprecation.rs"]
mod deprecation;
#[path = "faults/equality.rs"]
mod equality;
#[path = "faults/extensions.rs"]
mod extensions;
// Before those that use its macro `act!`.
#[macro_use]
#[path = "faults/hooked.rs"]
mod hooked;
#[path = "faults/lacks.rs"]
mod lacks;
#[path = "faults/lifecycle/mod.rs"]
mod lifecycle;
#[path = "faults/many.rs"]
mod many;
#[path = "faults/measure.rs"]
mod measure;
#[path = "faults/metadata.rs"]
mod metadata;
#[path = "faults/names.rs"]
mod names;
#[path = "faults/nights.rs"]
mod nights;
#[path = "faults/nulls.rs"]
mod nulls;
#[path = "faults/objects/mod.rs"]
mod objects;
#[path = "faults/openapi/mod.rs"]
mod openapi;
#[path = "faults/pruning.rs"]
mod pruning;
#[path = "faults/races.rs"]
mod races;
#[path = "faults/ran.rs"]
mod ran;
#[path = "faults/ratcheting.rs"]
mod ratcheting;
#[path = "faults/releases.rs"]
mod releases;
#[path = "faults/requests.rs"]
mod requests;
#[path = "faults/search.rs"]
mod search;
#[path = "faults/settings.rs"]
mod settings;
#[path = "faults/storage.rs"]
mod storage;
#[path = "faults/stored_versions.rs"]
mod stored_versions;
#[path = "faults/structural.rs"]
mod structural;
#[path = "faults/subresources/mod.rs"]
mod subresources;
#[path = "faults/table.rs"]
mod table;
#[path = "faults/topology.rs"]
mod topology;
#[path = "faults/trials.rs"]
mod trials;
#[path = "faults/unknown_fields.rs"]
mod unknown_fields;
#[path = "faults/values/mod.rs"]
mod values;
#[path = "faults/version_order.rs"]
mod version_order;
#[path = "faults/views/mod.rs"]
mod views;
#[path = "faults/violations.rs"]
mod violations;
#[path = "faults/watches/mod.rs"]
mod watches;
#[path = "faults/webhook_requests.rs"]
mod webhook_requests;
#[path = "faults/webhook_results.rs"]
mod webhook_results;
#[path = "faults/webhooks.rs"]
mod webhooks;

use settings::{Settings, at, release};
use table::Fault;
use trials::Ledger;

/// How many trials run at once.
const TRIALS_FOR_EACH_CORE: usize = 8;

/// Of so many faults one is tried at another release than the baseline, unless all are: `CRDIBLE_FAULT_RELEASE`.
const ONE_IN: usize = 24;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // Trials mostly wait, for what a wrong server never does.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    arguments.test_threads.get_or_insert(TRIALS_FOR_EACH_CORE * cores);
    let Settings { release, seeds, share, combinations, nights } = match settings::settings() {
        Ok(settings) => settings,
        Err(error) => {
            anstream::eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    let wants_all = combinations.is_some();
    let combinations = combinations.unwrap_or(many::FEW);
    let ledger = Arc::new(Mutex::new(Ledger::default()));
    // First those among which some wait for minutes, so that they do not wait alone at the end.
    let mut all: Vec<Trial> = (0..combinations)
        .map(|seed| {
            Trial::test(format!("combination-{seed}"), move || many::are_told_apart(seed)).with_kind("many faults")
        })
        .collect();
    if release.is_none() {
        all.extend(trials_at_other_releases(seeds, &ledger));
    }
    all.extend(table::all().map(|fault| trial(fault, seeds, &ledger)));
    for property in trials::catching() {
        all.push(Trial::test(property.id, move || trials::correct_server_passes(property)).with_kind("no fault"));
    }
    all.extend(alone::lacks().chain(lacks::UNTOLD).map(|fault| {
        Trial::test(format!("only-{}", fault.name), move || alone::lack_is_alone(fault)).with_kind("one lack")
    }));
    all.extend(alone::pairs(wants_all).into_iter().map(|(one, other)| {
        let name = format!("pair-{}-and-{}", one.name, other.name);
        Trial::test(name, move || alone::pair_is_told(one, other)).with_kind("two lacks")
    }));
    all.push(Trial::test("every-capability-is-lacked", alone::every_capability_is_lacked));
    if let Some(share) = share {
        all = share.part(all);
    }
    if let Some(faults) = nights {
        all.push(Trial::test("nights", move || nights::are_compared(faults, seeds)));
    }
    all.push(Trial::test("table-is-in-form", table_is_in_form));
    all.push(Trial::test("checks-can-fail", trials::checks_can_fail));
    all.push(Trial::test("every-property-catches-a-fault", every_property_catches_a_fault));
    let tried = libtest_mimic::run(&arguments, all);
    let ledger = Arc::into_inner(ledger).map(|ledger| ledger.into_inner().unwrap()).unwrap_or_default();
    if arguments.nocapture {
        anstream::eprintln!("{ledger}");
    }
    // After the others, because it needs their findings.
    let closing = Trial::test("shrinking-is-cheap", move || ledger.is_cheap());
    let closed = libtest_mimic::run(&arguments, vec![closing]);
    if tried.has_failed() || closed.has_failed() { ExitCode::from(101) } else { ExitCode::SUCCESS }
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

/// Trials at the releases that are not the baseline: of all faults in what differs, and of a few others.
fn trials_at_other_releases(seeds: u64, ledger: &Arc<Mutex<Ledger>>) -> Vec<Trial> {
    let others = Release::all().filter(|other| *other != Release::BASELINE);
    let sample = |(number, other): (usize, Release)| {
        let few = table::all().skip(number).step_by(ONE_IN);
        let faults = releases::FAULTS.iter().chain(few.filter(|fault| !is_of_releases(fault)));
        let applying = at(other, || faults.filter(|fault| fault.applies()).collect::<Vec<_>>());
        applying.into_iter().map(move |fault| {
            let ledger = Arc::clone(ledger);
            let name = format!("{}-at-{other}", fault.name);
            Trial::test(name, move || at(other, || trials::fault_is_found(fault, seeds, &ledger))).with_kind("fault")
        })
    };
    others.enumerate().flat_map(sample).collect()
}

fn is_of_releases(fault: &Fault) -> bool {
    releases::FAULTS.iter().any(|other| other.name == fault.name)
}

/// At least 50 faults, a third of them subtle, no name twice, and each with known properties and requirements. Each is a fault at some
/// release.
fn table_is_in_form() -> Result<(), Failed> {
    let faults: Vec<&Fault> = table::all().collect();
    let names: BTreeSet<&str> = faults.iter().map(|fault| fault.name).collect();
    let subtle = faults.iter().filter(|fault| fault.subtle).count();
    let mut wrong = Vec::new();
    if names.len() < faults.len() {
        wrong.push("two faults have one name".to_owned());
    }
    if faults.len() < 50 || subtle * 3 < faults.len() {
        wrong.push(format!("{} faults, of which {subtle} are subtle", faults.len()));
    }
    for fault in faults {
        if fault.properties.is_empty() || fault.requirements.is_empty() {
            wrong.push(format!("{} lacks requirements or properties", fault.name));
        }
        if !Release::all().any(|release| at(release, || fault.applies())) {
            wrong.push(format!("{} breaks nothing that any release promises", fault.name));
        }
        for property in fault.properties {
            if properties::find(property).is_none() && !trials::is_capability(property) {
                wrong.push(format!("{} names the property {property}, which does not exist", fault.name));
            }
        }
        for requirement in fault.requirements {
            let known = requirement.parse().is_ok_and(|id| crdible_spec::Catalogue::embedded().resolve(&id).is_some());
            if !known {
                wrong.push(format!("{} names the requirement {requirement}, which does not exist", fault.name));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Failed::from(wrong.join("\n"))) }
}

/// Passing a property that finds no fault means nothing.
fn every_property_catches_a_fault() -> Result<(), Failed> {
    let catching: BTreeSet<&str> = trials::catching().map(|property| property.id).collect();
    let applying = properties::all().filter(|property| table::applies(property)).map(|property| property.id);
    let idle: Vec<&str> = applying.filter(|id| !catching.contains(id)).collect();
    if idle.is_empty() {
        Ok(())
    } else {
        Err(Failed::from(format!("these catch no fault of the table: {}", idle.join(", "))))
    }
}
