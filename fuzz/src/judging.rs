//! The verdict on scenarios that properties generate, against right and wrong servers: a right one is never guilty, and
//! a wrong one only of what its fault breaks.
//!
//! [`properties`](crate::properties) tries each property against the right server alone, so it gets further there.
//! Here, half of the inputs are of properties of the chapter in which the fault is found.

use std::{cell::RefCell, time::Duration};

use crdible::{
    execute::Freshness,
    judge::FailedCheck,
    properties::{self, Property},
    run::{AttemptOutcome, Case},
};
use crdible_generators::choice::Choices;
use crdible_semantics::Semantics;

use crate::{
    bench::{self, Bench},
    wrong,
};

/// How long is waited for the right server, which does all that is waited for.
const LONG: Duration = Duration::from_secs(5);
/// How long is waited for a wrong server. It may never do what is waited for, and then nothing is judged.
const SHORT: Duration = Duration::from_millis(300);

/// A verdict is wrong if it is so each of this many times.
const ATTEMPTS: usize = 3;

thread_local! {
    static BENCHES: RefCell<Benches> = RefCell::new(Benches::new());
}

/// The right server, and the wrong ones in the order of [`wrong::ALL`].
struct Benches {
    right: Bench,
    wrong: Vec<Bench>,
}

impl Benches {
    fn new() -> Self {
        let runtime = bench::runtime();
        let wrong = wrong::ALL.iter().map(|wrong| Bench::new(&runtime, wrong.semantics.clone(), SHORT)).collect();
        Self { right: Bench::new(&runtime, Semantics::UPSTREAM, LONG), wrong }
    }
}

/// Runs one input.
///
/// # Panics
/// If the right server is found guilty, or the wrong one of something that its fault does not break.
pub fn run(data: &[u8]) {
    let _ = guilty(data);
}

/// The name of the wrong server that an input is about; `None` for one that is too short to say.
pub fn accused(data: &[u8]) -> Option<&'static str> {
    data.first().map(|&server| wrong::ALL[number(server)].name)
}

/// Runs one input, and returns the name of its wrong server if that is found guilty. The first byte selects the server,
/// the next two the property, the rest are its choices. Definitions are new ones, so that an input does the same alone
/// and after others.
///
/// # Panics
/// As [`run`].
pub fn guilty(data: &[u8]) -> Option<&'static str> {
    let (&[server, high, low], choices) = data.split_first_chunk()?;
    let faults = wrong::ALL.len();
    let number = number(server);
    let wrong = &wrong::ALL[number];
    let is_about_fault = |property: &&Property| {
        let relevant = (usize::from(server) / faults).is_multiple_of(2);
        !relevant || property.asserts.iter().any(|asserted| wrong.is_of_chapter(asserted))
    };
    let candidates: Vec<&Property> = properties::all().filter(is_about_fault).collect();
    let property = *candidates.get(usize::from(u16::from_be_bytes([high, low])) % candidates.len().max(1))?;
    let case = Case::from_choices(property.into(), 0, Choices::bytes(choices)).ok()?;
    let scenario = case.scenario.into_server()?;

    let attempt = |of: fn(&mut Benches, usize) -> &mut Bench| {
        BENCHES.with_borrow_mut(|benches| of(benches, number).attempt(property, &scenario, Freshness::Fresh))
    };
    let is_innocent =
        |outcome: &AttemptOutcome<_>| matches!(outcome, AttemptOutcome::Pass | AttemptOutcome::Discard(_));
    let outcome = confirmed(|| attempt(|benches, _| &mut benches.right), |outcome| !is_innocent(outcome));
    assert!(is_innocent(&outcome), "{} fails against a right server: {outcome:?}\n{scenario:#?}", property.id);

    let is_blamed_wrongly = |check: &FailedCheck| {
        let named = &check.failure.requirements;
        named.is_empty() || !named.iter().all(|requirement| wrong.breaks(requirement))
    };
    let outcome = confirmed(
        || attempt(|benches, number| &mut benches.wrong[number]),
        |outcome| matches!(outcome, AttemptOutcome::Fail(failed) if failed.iter().any(is_blamed_wrongly)),
    );
    let AttemptOutcome::Fail(failed) = outcome else { return None };
    if let Some(check) = failed.iter().find(|check| is_blamed_wrongly(check)) {
        panic!("{} blames {}: {check:#?}\n{scenario:#?}", property.id, wrong.name);
    }
    Some(wrong.name)
}

/// The position in [`wrong::ALL`] of the server that a first byte selects.
fn number(server: u8) -> usize {
    usize::from(server) % wrong::ALL.len()
}

/// The first outcome of several attempts that is not wrong, or the last one. On a busy machine an answer may come too
/// late; a run confirms what it finds for the same reason.
fn confirmed<O>(attempt: impl Fn() -> O, is_wrong: impl Fn(&O) -> bool) -> O {
    let mut outcome = attempt();
    for _ in 1..ATTEMPTS {
        if !is_wrong(&outcome) {
            break;
        }
        outcome = attempt();
    }
    outcome
}
