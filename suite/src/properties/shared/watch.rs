//! Watches, and the events that they must report.

use serde_json::{Value, json};

use crate::scenario::{Expectation, Plan, QueryFromAnswer, Request, Resource, StepId};

/// How long a watch lasts, in seconds: what was written before it began comes at once.
const SECONDS: &str = "1";

/// An event that a watch must report.
#[derive(Clone, Debug)]
pub(in super::super) struct Event(Value);

impl Event {
    /// `ADDED`, of the object that a step is about, with this content.
    pub(in super::super) fn added(plan: &Plan, step: StepId, content: Value) -> Self {
        Self::of("ADDED", plan, step, content)
    }

    /// `MODIFIED`.
    pub(in super::super) fn modified(plan: &Plan, step: StepId, content: Value) -> Self {
        Self::of("MODIFIED", plan, step, content)
    }

    /// `DELETED`, with the last content.
    pub(in super::super) fn deleted(plan: &Plan, step: StepId, content: Value) -> Self {
        Self::of("DELETED", plan, step, content)
    }

    fn of(kind: &str, plan: &Plan, step: StepId, content: Value) -> Self {
        let object = match plan.object_of(step) {
            Resource::Object { object, .. } | Resource::Subresource { object, .. } => object,
            _ => 0,
        };
        Self(json!({ "type": kind, "object": object, "content": content }))
    }

    /// These events, in this order; or the first of them, and then that the history is gone (REST-065): a client lists anew and misses
    /// nothing.
    pub(in super::super) fn of_recovery(events: &[Self]) -> Expectation {
        Self::expected(events, json!({ "expires": true }))
    }

    /// Exactly these events, in this order.
    pub(in super::super) fn expectation(events: &[Self]) -> Expectation {
        Self::expected(events, json!({}))
    }

    fn expected(events: &[Self], mut arguments: Value) -> Expectation {
        arguments["events"] = Self::values(events);
        Expectation::named_with("events@1", arguments)
    }

    fn values(events: &[Self]) -> Value {
        events.iter().map(|event| event.0.clone()).collect()
    }
}

/// Watches the collection of a list from its revision on, with these further parameters, until it has reported so many events or something
/// else: what is wrong once is not asked for again.
pub(in super::super) fn watch_since(plan: &mut Plan, list: StepId, query: &[(&str, &str)], events: &[Event]) -> StepId {
    let fixed = [("watch", "1"), ("timeoutSeconds", SECONDS)];
    let query = fixed.iter().chain(query).map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    let revision = QueryFromAnswer {
        name: "resourceVersion".to_owned(),
        step: list,
        pointer: "/metadata/resourceVersion".to_owned(),
    };
    plan.assume(list, Expectation::Accepted);
    let collection = plan.object_of(list);
    let watched = plan.send(Request { query, query_from_answers: vec![revision], ..Request::get(collection) });
    plan.repeat_until(
        watched,
        Expectation::named_with("events-complete@1", json!({ "events": Event::values(events) })),
    );
    watched
}
