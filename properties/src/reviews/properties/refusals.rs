//! What a converter cannot or need not convert.

use crdible_scenario::{Demand, Review, Reviewed, reviews::ReviewProperty};
use serde_json::json;

use super::plan::Plan;

pub(super) const UNKNOWN: ReviewProperty = ReviewProperty::of(
    "conv-049-refusals",
    "an object that cannot be converted is refused in a valid response",
    &["CONV-049"],
    |c, subject| {
        let contract = &subject.contract;
        let mut plan = Plan::of(contract);
        let (from, to) = plan.pair(c);
        let object = plan.object(c, from, 0);
        let desired = contract.api_version(&to.name);
        let mut changed = object.clone();
        let (name, review, demand) = match c.draw(4) {
            0 => (
                "desired-version",
                Review::of(contract.api_version("v999"), vec![Reviewed::Object(changed)]),
                Demand::Refusal,
            ),
            1 => {
                changed["apiVersion"] = json!(contract.api_version("v999"));
                ("source-version", Review::of(desired, vec![Reviewed::Object(changed)]), Demand::Refusal)
            }
            2 => {
                changed["kind"] = json!("NoSuchKind");
                ("kind", Review::of(desired, vec![Reviewed::Object(changed)]), Demand::Refusal)
            }
            3 => {
                let other = format!("other.example.com/{}", to.name);
                ("group", Review::of(other, vec![Reviewed::Object(changed)]), Demand::Refusal)
            }
            _ => {
                let raw = *c.pick(&["{}", "", "no JSON", "[]"]);
                let review = Review { raw: Some(raw.to_owned()), ..Review::of(desired, Vec::new()) };
                ("body", review, Demand::ClientError)
            }
        };
        let step = plan.send(review);
        plan.check(name, &["CONV-049"], step, demand);
        let after = plan.ask_one(to, &object);
        plan.check("works-on", &["CONV-049"], after, Demand::Converted);
        plan.finish()
    },
);

pub(super) const SAME_VERSION: ReviewProperty = ReviewProperty::of(
    "conv-050-same-version",
    "objects that already have the desired version come back unchanged",
    &["CONV-050"],
    |c, subject| {
        let mut plan = Plan::of(&subject.contract);
        let (version, _) = plan.pair(c);
        let object = plan.object(c, version, 0);
        let step = plan.ask_one(version, &object);
        plan.check("converted", &["CONV-050"], step, Demand::Converted);
        plan.check("unchanged", &["CONV-050"], step, Demand::Unchanged);
        plan.finish()
    },
);
