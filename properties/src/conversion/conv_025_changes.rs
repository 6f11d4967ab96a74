//! CONV-025, CONV-028: a changed conversion is in force for new requests, and objects stay readable without a webhook.

use crdible_scenario::{Conversion, Webhook};
use crdible_webhooks::{Chain, Converter, Place, Reshape, Step};

use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("conv-025-changes", plan)
    .title("a changed conversion strategy or webhook applies to existing objects")
    .asserts(&["CONV-025", "CONV-028", "CONV-001"])
    .needs(&[Capability::Storing, Capability::Webhooks, Capability::Pruning]);

const VERSIONS: [&str; 2] = ["v1", "v2"];

/// How `spec.a` of `v1` is called in `v2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Called {
    /// As in `v1`: the strategy is None.
    Same,
    B,
    C,
}

impl Called {
    fn name(self) -> &'static str {
        match self {
            Self::Same => "a",
            Self::B => "b",
            Self::C => "c",
        }
    }

    fn webhook(self) -> Webhook {
        let to = self.name().to_owned();
        let rename = Step::of(Reshape::Rename { at: Place::of(&["spec"]), from: "a".to_owned(), to });
        let versions = VERSIONS.map(str::to_owned).to_vec();
        Webhook::of(Converter::right(Chain { versions, steps: vec![vec![rename]] }))
    }

    fn conversion(self) -> Conversion {
        if self == Self::Same { Conversion::None } else { Conversion::Webhook(Box::new(self.webhook())) }
    }

    /// An object of `v1` with this value, as `v2` shows it: only `b` and `c` are declared there.
    fn seen(self, value: i64, declares_a: bool) -> Value {
        if self == Self::Same && !declares_a {
            return json!({ "spec": {} });
        }
        json!({ "spec": { self.name(): value } })
    }
}

fn versions(declares_a: bool) -> Vec<Version> {
    let number = json!({ "type": "integer" });
    let schema = |properties: Value| json!({ "type": "object", "properties": { "spec": { "type": "object", "properties": properties } } });
    let mut later = json!({ "b": number, "c": number });
    if declares_a {
        later["a"] = number.clone();
    }
    vec![Version::only(schema(json!({ "a": number }))), Version::named("v2", schema(later))]
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let declares_a = choices.chance(1, 2);
    let first = *choices.pick(&[Called::B, Called::Same]);
    let mut definition = Definition::with_versions(versions(declares_a)).owned();
    if first != Called::Same {
        definition = definition.converted_by(first.webhook());
    }
    let definition = plan.define(definition);
    let value = choices.between(0, 9);
    let created = plan.create(definition, json!({ "spec": { "a": value } }));
    let mut now = first;
    choices.many_average("change", 1, 3, 1, |choices, _| {
        let others: Vec<Called> =
            [Called::Same, Called::B, Called::C].into_iter().filter(|other| *other != now).collect();
        now = *choices.pick(&others);
        plan.install_conversion(definition, versions(declares_a), now.conversion());
        let asserts: &[&str] = if now == Called::Same { &["CONV-025", "CONV-028", "CONV-001"] } else { &["CONV-025"] };
        let read = plan.get_at(created, "v2");
        plan.check("read", asserts, read, Expectation::Content(now.seen(value, declares_a)));
        let list = plan.list(definition, "v2");
        plan.check("listed", asserts, list, NamedCheck::Listed.against(read));
        let stored = plan.get(created);
        plan.check("stored", asserts, stored, Expectation::Content(json!({ "spec": { "a": value } })));
        plan.check("revision", asserts, stored, Expectation::same_revision(created));
        plan.count_case();
    });
}
