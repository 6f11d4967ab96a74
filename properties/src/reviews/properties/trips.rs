//! Round trips: nothing is lost on the way to another version and back.

use crdible_scenario::{
    Change, ContractVersion, Demand, PointEdit, ReviewScenario, Reviewed,
    reviews::{ReviewProperty, Subject, content},
};

use super::{edits::point_edit, plan::Plan};
use crate::{prelude::*, reviews::objects::with_huge_text};

/// The kinds of differences, each with what it breaks.
const CHANGES: [(&str, &str, Change); 5] = [
    ("fields", "CONV-035", Change::Fields),
    ("emptiness", "CONV-039", Change::Emptiness),
    ("scalars", "CONV-040", Change::Scalars),
    ("empty-objects", "CONV-039/e3", Change::Hollow),
    ("forms", "CONV-040/e3", Change::Form),
];

pub(super) const ROUND_TRIPS: ReviewProperty = ReviewProperty {
    sample: |subject, position| {
        let (sample, from, to) = subject.sample_trip(position)?;
        Some(round_trip(subject, sample, from, to))
    },
    ..ReviewProperty::of(
        "conv-035-round-trips",
        "an object that is converted to another version and back is the same object",
        &["CONV-035", "CONV-039", "CONV-040", "CONV-039/e3", "CONV-040/e3"],
        |c, subject| {
            let plan = Plan::of(&subject.contract);
            let (from, to) = plan.pair(c);
            let mut object = plan.object(c, from, 0);
            // It is large, so it is rare.
            if c.chance(1, 16) {
                with_huge_text(c, &mut object, &from.schema);
            }
            round_trip(subject, &object, from, to)
        },
    )
};

fn round_trip(subject: &Subject, object: &Value, from: &ContractVersion, to: &ContractVersion) -> ReviewScenario {
    let mut plan = Plan::of(&subject.contract);
    let there = plan.ask_one(to, object);
    let back = plan.ask_on(from, there, 1);
    for (name, requirement, change) in CHANGES {
        plan.check(name, &[requirement], back, Demand::Back { of: there, change });
    }
    plan.finish()
}

pub(super) const EDITS: ReviewProperty = ReviewProperty::of(
    "conv-036-edits",
    "data that a converter kept from before does not override a change at another version",
    &["CONV-036"],
    |c, subject| {
        let mut plan = Plan::of(&subject.contract);
        let (from, to) = plan.pair(c);
        let before = plan.object(c, from, 0);
        let there = plan.ask_one(to, &before);
        let edited = |bare: bool, edits: &[PointEdit], content: Option<&Value>| {
            let (content, edits) = (content.cloned(), edits.to_vec());
            vec![Reviewed::Converted { step: there, at: 0, content, edits, bare, overwritten: None }]
        };
        // Mostly a client changes a field or two, sometimes everything.
        let (content, edits) = if c.chance(1, 4) {
            (Some(content(&plan.object(c, to, 1))), Vec::new())
        } else {
            (None, c.many("edit", 1, 2, |c, _| point_edit(c, &to.schema)))
        };
        let stored = plan.ask(from, edited(false, &edits, content.as_ref()));
        plan.assume(stored, Demand::SentValid);
        let read = plan.ask_on(to, stored, 1);
        // An object that does not even come back without a history is a matter of round trips.
        let fresh = plan.ask(from, edited(true, &edits, content.as_ref()));
        let fresh_back = plan.ask_on(to, fresh, 1);
        plan.assume_back(fresh_back, fresh);
        plan.check("written", &["CONV-036"], read, Demand::Written { of: stored });
        plan.finish()
    },
);

pub(super) const SETTLES: ReviewProperty =
    ReviewProperty::of("conv-037-settles", "a second round trip changes nothing", &["CONV-037"], |c, subject| {
        let mut plan = Plan::of(&subject.contract);
        let (from, to) = plan.pair(c);
        let object = plan.object(c, from, 0);
        let mut step = plan.ask_one(to, &object);
        step = plan.ask_on(from, step, 1);
        let first = step;
        step = plan.ask_on(to, step, 1);
        step = plan.ask_on(from, step, 1);
        plan.check("second", &["CONV-037"], step, Demand::Same { r#as: first, reversed: false, content: false });
        plan.finish()
    });

/// An object that is converted by way of a third version, as far as there and back loses nothing.
struct LongWay<'s> {
    plan: Plan<'s>,
    object: Value,
    from: &'s ContractVersion,
    by: &'s ContractVersion,
    to: &'s ContractVersion,
    /// The review that ends the way.
    long: usize,
}

impl<'s> LongWay<'s> {
    fn of(c: &mut Choices, subject: &'s Subject) -> Self {
        let versions = &subject.contract.versions;
        let mut plan = Plan::of(&subject.contract);
        let (from, by) = plan.pair(c);
        let others: Vec<&ContractVersion> =
            versions.iter().filter(|version| version.name != from.name && version.name != by.name).collect();
        let to = *c.keyed("@to", |c| c.pick(&others));
        let object = plan.object(c, from, 0);
        let there = plan.ask_one(by, &object);
        let back = plan.ask_on(from, there, 1);
        plan.assume_back(back, there);
        let long = plan.ask_on(to, there, 1);
        Self { plan, object, from, by, to, long }
    }
}

pub(super) const LONG_WAYS: ReviewProperty = ReviewProperty {
    // What is lost on purpose on one way need not be lost on the other.
    applies: |contract| contract.versions.len() > 2 && contract.lossy.is_empty(),
    ..ReviewProperty::of(
        "conv-038-long-ways",
        "conversion by way of a third version gives the same result as direct conversion",
        &["CONV-038"],
        |c, subject| {
            let LongWay { mut plan, object, to, long, .. } = LongWay::of(c, subject);
            let short = plan.ask_one(to, &object);
            let same = Demand::Same { r#as: long, reversed: false, content: true };
            plan.check("long-way", &["CONV-038"], short, same);
            plan.finish()
        },
    )
};

pub(super) const DIRECT_WAYS: ReviewProperty = ReviewProperty {
    applies: |contract| contract.versions.len() > 2 && contract.lossy.is_empty(),
    ..ReviewProperty::of(
        "conv-052-direct-ways",
        "where both ways lose nothing, a value is the same on the direct way and by a third version",
        &["CONV-052"],
        |c, subject| {
            let LongWay { mut plan, object, from, by, to, long } = LongWay::of(c, subject);
            let long_back = plan.ask_on(by, long, 1);
            plan.assume_back(long_back, long);
            let direct = plan.ask_one(to, &object);
            let direct_back = plan.ask_on(from, direct, 1);
            plan.assume_back(direct_back, direct);
            plan.check("direct-way", &["CONV-052"], direct, Demand::Agrees { with: long });
            plan.finish()
        },
    )
};
