//! Every scenario that a property generates passes against a correct server.

use std::{cell::RefCell, time::Duration};

use crdible::{
    execute::Freshness,
    properties::{self, Property},
    run::AttemptOutcome,
    scenario::Plan,
};
use crdible_generators::choice::Choices;
use crdible_semantics::Semantics;

use crate::bench::{self, Bench};

thread_local! {
    static BENCH: RefCell<Bench> = RefCell::new(Bench::new(&bench::runtime(), Semantics::UPSTREAM, Duration::from_secs(5)));
}

/// Runs one input: the first two bytes select the property, the rest are its choices.
///
/// # Panics
/// If a check fails, or a scenario cannot be run.
pub fn run(data: &[u8]) {
    let Some((number, rest)) = data.split_first_chunk() else { return };
    let all: Vec<&Property> = properties::all().collect();
    let property = all[usize::from(u16::from_be_bytes(*number)) % all.len()];
    let mut choices = Choices::bytes(rest);
    let scenario = Plan::scenario(|plan| (property.plan)(plan, &mut choices));
    if choices.finish().discarded.is_some() {
        return;
    }
    BENCH.with_borrow_mut(|bench| match bench.attempt(property, &scenario, Freshness::Pooled) {
        AttemptOutcome::Pass | AttemptOutcome::Discard(_) => {}
        other => panic!("{} fails against a correct server: {other:?}\n{scenario:#?}", property.id),
    });
}
