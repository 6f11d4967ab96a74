//! What a target must reject for a check to show anything, and the defaults that it must fill in.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::scenario::{Body, Check, Edit, Expectation, Method, Request, Resource, Scenario};

/// What is rejected, or found wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rejected {
    /// The content of a new object.
    Object,
    /// The content of an updated object.
    Update,
    /// A new definition.
    Definition,
    /// An update of a definition.
    DefinitionUpdate,
    /// Unknown or duplicate fields.
    UnknownFields,
    /// The names of a definition, in its conditions.
    Names,
}

/// What must be rejected for the check to show anything: what it expects to be rejected, what other checks expect of
/// the writes before it, since they would change what it finds, and what is rejected in both requests of a comparison
/// of outcomes, if one creates and the other updates: a target that validates only one of them answers them differently.
pub(super) fn of(scenario: &Scenario, check: &Check, steps: &BTreeSet<usize>) -> BTreeSet<Rejected> {
    let own = scenario.request(check.step).and_then(|request| expected(request, &check.expect));
    let earlier = scenario.checks.iter().filter_map(|other| {
        let is_earlier = other.step != check.step && steps.contains(&other.step);
        let request = scenario.request(other.step).filter(|request| is_earlier && request.writes())?;
        expected(request, &other.expect)
    });
    own.into_iter().chain(earlier).chain(of_comparison(scenario, check)).collect()
}

fn of_comparison(scenario: &Scenario, check: &Check) -> impl Iterator<Item = Rejected> + use<> {
    let both = match check.expect {
        Expectation::SameOutcome { r#as } | Expectation::SameAcceptance { r#as } => {
            [check.step, r#as].map(|step| scenario.request(step).and_then(of_content))
        }
        _ => [None, None],
    };
    let differ = both[0] != both[1];
    both.into_iter().flatten().filter(move |_| differ)
}

/// What a check of the answer to a request expects to be rejected.
fn expected(request: &Request, expect: &Expectation) -> Option<Rejected> {
    if expect.is_about_unknown_fields() {
        return Some(Rejected::UnknownFields);
    }
    if expect.is_about_conditions() {
        return Some(Rejected::Names);
    }
    if !expect.is_rejection_of_content() {
        return None;
    }
    of_content(request)
}

/// What is rejected if the content of a request is.
fn of_content(request: &Request) -> Option<Rejected> {
    let is_new = request.method == Method::Post;
    match request.resource {
        Resource::Definitions | Resource::Definition { .. } if is_new => Some(Rejected::Definition),
        Resource::Definitions | Resource::Definition { .. } => Some(Rejected::DefinitionUpdate),
        Resource::Objects { .. } | Resource::Object { .. } | Resource::Subresource { .. } if is_new => {
            Some(Rejected::Object)
        }
        Resource::Objects { .. } | Resource::Object { .. } | Resource::Subresource { .. } => Some(Rejected::Update),
        _ => None,
    }
}

/// Whether the answer to a definition must hold more than was sent: its defaults (CRDVAL-007, CRDVAL-008).
pub(crate) fn expects_defaults(request: &Request, expect: &Expectation) -> bool {
    let Expectation::At { pointer, value: Some(expected) } = expect else { return false };
    match (&request.resource, &request.body) {
        (Resource::Definitions, Body::Json(sent)) => {
            let sent: Option<Value> = serde_json::from_str(&sent.to_text()).ok();
            pointer == "/spec" && sent.is_none_or(|sent| sent.pointer(pointer) != Some(expected))
        }
        (
            Resource::Definitions | Resource::Definition { .. },
            Body::Definition { edits, .. } | Body::Answer { edits, .. },
        ) => edits.iter().any(|edit| matches!(edit, Edit::Remove(removed) if pointer.starts_with(removed.as_str()))),
        // No definition that a scenario installs without a conversion has one but by default.
        (Resource::Definition { .. }, Body::Json(patch)) => {
            pointer == "/spec/conversion"
                && *expected == json!({ "strategy": "None" })
                && !patch.to_text().contains("conversion")
        }
        _ => false,
    }
}
