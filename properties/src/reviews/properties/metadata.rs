//! Metadata, which is not the converter's.

use crdible_scenario::{Demand, Reviewed, reviews::ReviewProperty};

use super::plan::Plan;
use crate::reviews::objects::{with_huge_text, with_large_annotations};

/// What any client may write under the key of a converter.
const UNREADABLE: [&str; 5] = ["", "{", "null", "[1]", "no value of this kind"];

pub(super) const IDENTITY: ReviewProperty = ReviewProperty::of(
    "conv-033-identity",
    "name, namespace and uid come back unchanged",
    &["CONV-033"],
    |c, subject| {
        let mut plan = Plan::of(&subject.contract);
        let (from, to) = plan.pair(c);
        let mut object = plan.object(c, from, 0);
        // On its way to an admission webhook a new object has no uid yet, and perhaps no name.
        if c.chance(1, 4)
            && let Some(metadata) = object["metadata"].as_object_mut()
        {
            ["uid", "resourceVersion", "name"].iter().for_each(|field| drop(metadata.remove(*field)));
            metadata.insert("generateName".to_owned(), "object-".into());
        }
        let step = plan.ask_one(to, &object);
        plan.check("identity", &["CONV-033"], step, Demand::Identity);
        plan.finish()
    },
);

pub(super) const OTHERS: ReviewProperty = ReviewProperty::of(
    "conv-033-other-metadata",
    "metadata other than labels and annotations comes back unchanged",
    &["CONV-033/e2"],
    |c, subject| {
        let mut plan = Plan::of(&subject.contract);
        let (from, to) = plan.pair(c);
        let object = plan.object(c, from, 0);
        let step = plan.ask_one(to, &object);
        plan.check("metadata", &["CONV-033/e2"], step, Demand::Metadata);
        plan.finish()
    },
);

pub(super) const LABELS: ReviewProperty = ReviewProperty::of(
    "conv-034-labels-and-annotations",
    "labels and annotations of users survive conversion and a round trip",
    &["CONV-034"],
    |c, subject| {
        let mut plan = Plan::of(&subject.contract);
        let (from, to) = plan.pair(c);
        let mut object = plan.object(c, from, 0);
        match c.weighted(&[14, 1, 1]) {
            0 => {}
            1 => with_huge_text(c, &mut object, &from.schema),
            _ => with_large_annotations(c, &mut object),
        }
        let there = plan.ask_one(to, &object);
        plan.check("there", &["CONV-034"], there, Demand::Labels { of: there });
        let back = plan.ask_on(from, there, 1);
        plan.check("back", &["CONV-034"], back, Demand::Labels { of: there });
        plan.finish()
    },
);

pub(super) const OWN: ReviewProperty = ReviewProperty::of(
    "conv-034-own-annotations",
    "an object is converted whose annotations of the converter have values that it cannot read",
    &["CONV-034/e3"],
    |c, subject| {
        let mut plan = Plan::of(&subject.contract);
        let (from, to) = plan.pair(c);
        let object = plan.object(c, from, 0);
        let there = plan.ask_one(to, &object);
        let overwritten = Some((*c.pick(&UNREADABLE)).to_owned());
        let spoiled =
            Reviewed::Converted { step: there, at: 0, content: None, edits: Vec::new(), bare: false, overwritten };
        let back = plan.ask(from, vec![spoiled]);
        plan.check("converted", &["CONV-034/e3"], back, Demand::Converted);
        plan.finish()
    },
);
