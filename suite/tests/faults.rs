//! Planted faults: servers with one wrong function each, and what the suite must say of them.
//!
//! A trial for each fault demands that the properties named in the table find it within [`hunt::CASES`] cases, that the first
//! finding names only requirements that the fault breaks, and that it is shrunk to the stated size. Further trials: the right
//! server is found guilty of nothing by the same properties, every property catches some fault, and shrinking is cheap.
//!
//! `CRDIBLE_FAULT_SEEDS=20` tries each fault with 20 seeds instead of one; `--nocapture` lists what it took to find each.

#![allow(clippy::unwrap_used)]

use std::{
    collections::BTreeSet,
    process::ExitCode,
    sync::{Arc, Mutex},
};

use crdible::properties;
use libtest_mimic::{Arguments, Failed, Trial};

/// A target whose functions are upstream's but for these, each in its area: `wrong!(Pruning { fn prune_array(…) {} })`.
macro_rules! wrong {
    ($($areas:tt)*) => {
        || {
            struct Wrong;
            crdible_semantics::implement_semantics!(Wrong; $($areas)*);
            crdible::connection::Target::embedded(std::sync::Arc::new(Wrong))
        }
    };
}

#[path = "faults/across_versions.rs"]
mod across_versions;
#[path = "faults/answers.rs"]
mod answers;
#[path = "faults/coercion.rs"]
mod coercion;
#[path = "faults/conversion.rs"]
mod conversion;
#[path = "faults/defaulting.rs"]
mod defaulting;
#[path = "faults/definitions/mod.rs"]
mod definitions;
#[path = "faults/equality.rs"]
mod equality;
#[path = "faults/extensions.rs"]
mod extensions;
#[path = "faults/fields.rs"]
mod fields;
#[path = "faults/gross.rs"]
mod gross;
#[path = "faults/hunt.rs"]
mod hunt;
#[path = "faults/measure.rs"]
mod measure;
#[path = "faults/names.rs"]
mod names;
#[path = "faults/nulls.rs"]
mod nulls;
#[path = "faults/pruning.rs"]
mod pruning;
#[path = "faults/ratcheting.rs"]
mod ratcheting;
#[path = "faults/servers.rs"]
mod servers;
#[path = "faults/storage.rs"]
mod storage;
#[path = "faults/stored_versions.rs"]
mod stored_versions;
#[path = "faults/structural.rs"]
mod structural;
#[path = "faults/table.rs"]
mod table;
#[path = "faults/topology.rs"]
mod topology;
#[path = "faults/trials.rs"]
mod trials;
#[path = "faults/values/mod.rs"]
mod values;
#[path = "faults/versions.rs"]
mod versions;

use table::Fault;
use trials::Ledger;

/// How many trials go on at once.
const TRIALS_FOR_EACH_CORE: usize = 8;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // Trials wait more than they work: for what a wrong server never does.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    arguments.test_threads.get_or_insert(TRIALS_FOR_EACH_CORE * cores);
    let seeds = match trials::seeds() {
        Ok(seeds) => seeds,
        Err(error) => {
            anstream::eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    let ledger = Arc::new(Mutex::new(Ledger::default()));
    let mut all: Vec<Trial> = table::all()
        .map(|fault| {
            let ledger = Arc::clone(&ledger);
            Trial::test(fault.name, move || trials::fault_is_found(fault, seeds, &ledger)).with_kind("fault")
        })
        .collect();
    for property in trials::demanded() {
        all.push(Trial::test(property.id, move || trials::right_server_passes(property)).with_kind("no fault"));
    }
    all.push(Trial::test("table-is-in-form", table_is_in_form));
    all.push(Trial::test("every-property-catches-a-fault", every_property_catches_a_fault));
    let judged = libtest_mimic::run(&arguments, all);
    let ledger = Arc::into_inner(ledger).map(|ledger| ledger.into_inner().unwrap()).unwrap_or_default();
    if arguments.nocapture {
        anstream::eprintln!("{ledger}");
    }
    // After the others, since it is about what they found.
    let closing = Trial::test("shrinking-is-cheap", move || ledger.is_cheap());
    let closed = libtest_mimic::run(&arguments, vec![closing]);
    if judged.has_failed() || closed.has_failed() { ExitCode::from(101) } else { ExitCode::SUCCESS }
}

/// At least 50 faults, a third of them subtle, no name twice, and every property and requirement known.
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
        for property in fault.properties {
            if properties::find(property).is_none() && !trials::is_capability(property) {
                wrong.push(format!("{} demands the property {property}, which does not exist", fault.name));
            }
        }
        for requirement in fault.requirements {
            let known = requirement.parse().is_ok_and(|id| crdible_spec::Catalogue::embedded().get(id).is_some());
            if !known {
                wrong.push(format!("{} may break {requirement}, which does not exist", fault.name));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Failed::from(wrong.join("\n"))) }
}

/// A property that finds no fault says nothing about a server that passes it.
fn every_property_catches_a_fault() -> Result<(), Failed> {
    let demanded: BTreeSet<&str> = table::all().flat_map(|fault| fault.properties).copied().collect();
    let idle: Vec<&str> = properties::all().map(|property| property.id).filter(|id| !demanded.contains(id)).collect();
    if idle.is_empty() {
        Ok(())
    } else {
        Err(Failed::from(format!("these catch no fault of the table: {}", idle.join(", "))))
    }
}
