//! An answer in the form in which two servers are compared: without what may differ between two correct ones.
//!
//! Removed are:
//!
//! - generated names (group, object, run): each execution generates its own
//! - the suffix that is appended to `generateName`: random
//! - `uid`, `creationTimestamp`, `deletionTimestamp`, `lastTransitionTime`: no two servers agree
//! - values of `resourceVersion`; which answers of an object share one is kept: opaque (OBJ and `settle`)
//! - of a pooled definition, the first `generation` (its increases are kept) and `managedFields`: it has a history
//! - the `time` of an entry of `managedFields`; the order of the entries: upstream sorts by time, in whole seconds
//! - a condition's `lastTransitionTime` in a `managedFields` entry of a
//!   definition: it is written only if the second has changed
//! - `continue` of a list: opaque
//! - ages in seconds in the cells of a table: time passes
//! - creation times in the cells of a table, if an answer has shown them as such: no two servers agree
//! - the order of the events of a watch about different objects; bookmarks other than the one that ends the initial
//!   events: REST-063 promises only the order of each object's events; upstream sends bookmarks on a timer
//! - messages of a `Status`: free (VALUE-043), unless [`Messages`] are compared
//! - the sentinel in a schema that is read back: the executor added it
//! - `storageVersionHash`: an opaque hash of names
//! - the order of the resources of a version in plain discovery: it is free (DISC-004)
//! - a definition's `status` except `storedVersions`, its `resourceVersion`, and the `managedFields` entries
//!   of the controllers that set it: set some time later (LIFE-002); if a step waits for it, only times,
//!   messages and the name of the controllers are removed
//! - the order of neighbouring warnings about unknown formats, and about forgiven rules: upstream takes it from a
//!   hash map (CRDVAL-036, RATCHET-014)
//! - bodies nested deeper than 128 levels: they are not decoded (CRDVAL-039 sends some)
//! - answers to steps that are sent together, and to those that depend on
//!   which of them came first: either order is correct
//! - the order of tied versions in discovery, and which of those tied with the
//!   first is preferred: either is correct (VER-003)
//! - what documents of groups say of a pooled definition, except for its versions:
//!   they follow the definition later than objects do

mod documents;
mod events;
mod message;
mod names;
mod object;

use std::cmp::Ordering;

use crdible_scenario::{
    Scenario, Tenancy, Until,
    expect::is_of_rule,
    transcript::{Answer, GroupListing, Transcript},
};
use crdible_semantics::{Cause, Semantics};
use serde_json::{Map, Value, json};

use events::Events;
use names::GeneratedNames;
use object::{Objects, REVISION, replace};

/// Whether the messages of refusals are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Messages {
    /// They are free (VALUE-043).
    #[default]
    Free,
    /// Each cause's message counts, or the message of the `Status` if it has no causes.
    Compared,
}

/// Makes the answers of one transcript comparable. It remembers the `resourceVersion`s, so pass the answers in the
/// order of the steps.
#[derive(Debug, Default)]
pub struct Normaliser {
    messages: Messages,
    generated: GeneratedNames,
    objects: Objects,
}

impl Normaliser {
    /// A normaliser for the answers to a scenario in the run with this ID.
    pub fn new(run: &str, scenario: &Scenario, messages: Messages) -> Self {
        let are_pooled = scenario.definitions.iter().any(|definition| definition.tenancy == Tenancy::Pooled);
        Self { messages, generated: GeneratedNames::of(run), objects: Objects::new(are_pooled) }
    }

    /// Normalises all answers of a transcript; steps that send nothing have none.
    /// What varies ([`Scenario::varies`]) is left out.
    pub fn transcript(
        run: &str,
        scenario: &Scenario,
        transcript: &Transcript,
        messages: Messages,
    ) -> Vec<Option<Value>> {
        let mut normaliser = Self::new(run, scenario, messages);
        let waits = |step: usize| scenario.steps.get(step).is_some_and(|step| step.until == Some(Until::Quiet));
        let normal = |(step, answer): (usize, &Option<Answer>)| {
            let normal =
                |answer| if scenario.varies(step) { json!({}) } else { normaliser.answer(answer, waits(step)) };
            answer.as_ref().map(normal)
        };
        transcript.answers.iter().enumerate().map(normal).collect()
    }

    /// Normalises one answer: `status`, `warnings`, and `body` if it was accepted, `reason` and `causes` if it was
    /// rejected; `group` for discovery. `waited` says whether the step was repeated until the controllers were done.
    pub fn answer(&mut self, answer: &Answer, waited: bool) -> Value {
        let mut normal = Map::new();
        normal.insert("status".to_owned(), json!(answer.status));
        if !answer.warnings.is_empty() {
            let mut warnings: Vec<String> = answer.warnings.iter().map(|text| self.generated.without(text)).collect();
            for unordered in [is_of_format, is_of_rule] {
                warnings.chunk_by_mut(|a, b| unordered(a) && unordered(b)).for_each(<[String]>::sort);
            }
            normal.insert("warnings".to_owned(), json!(warnings));
        }
        if let Some(group) = &answer.group {
            let mut group = json!(without_order_of_ties(group.clone()));
            self.generated.remove(&mut group);
            normal.insert("group".to_owned(), group);
        }
        if answer.is_accepted() {
            normal.insert("body".to_owned(), self.body(answer, waited));
        } else {
            normal.insert("reason".to_owned(), json!(answer.reason()));
            let mut causes: Vec<Value> = answer.causes_with_messages().iter().map(|cause| self.cause(cause)).collect();
            // Their order was that of messages with generated names.
            causes.sort_by_cached_key(Value::to_string);
            if self.messages == Messages::Compared && causes.is_empty() {
                let message = answer.body["message"].as_str().unwrap_or_default();
                normal.insert("message".to_owned(), json!(message::comparable(message, &self.generated)));
            }
            normal.insert("causes".to_owned(), json!(causes));
        }
        Value::Object(normal)
    }

    fn cause(&self, cause: &Cause) -> Value {
        let mut normal = json!({ "field": self.generated.without(&cause.field), "reason": cause.reason });
        if self.messages == Messages::Compared {
            normal["message"] =
                json!(cause.message.as_deref().map(|message| message::comparable(message, &self.generated)));
        }
        normal
    }

    fn body(&mut self, answer: &Answer, waited: bool) -> Value {
        let body = &answer.body;
        // Nested too deep to be decoded as JSON; its code has been compared.
        if body.as_str().is_some_and(|text| text.starts_with('{')) {
            return json!("deep JSON");
        }
        let mut body = answer.with_managed_fields();
        self.generated.remove(&mut body);
        if let Some(Value::Array(events)) = body.get_mut("events").map(Value::take) {
            return self.events(events, waited);
        }
        self.document(&mut body, waited, None);
        body
    }

    /// The events of a watch, grouped by object: the order between objects is not promised.
    fn events(&mut self, events: Vec<Value>, waited: bool) -> Value {
        let dates = events.iter().find_map(|event| documents::dates(event.get("object")?));
        let mut grouped = Events::default();
        for mut event in events {
            if event["type"] == "BOOKMARK" {
                for metadata in ["/object/metadata", "/object/rows/0/object/metadata"] {
                    let metadata = event.pointer_mut(metadata).and_then(Value::as_object_mut);
                    metadata.into_iter().for_each(|metadata| replace(metadata, "resourceVersion", REVISION));
                }
            }
            if let Some(object) = event.get_mut("object") {
                self.document(object, waited, dates.as_deref());
            }
            grouped.add(event);
        }
        grouped.into_value()
    }

    /// Normalises a whole document. `dates` says which columns of a table hold
    /// dates if the table does not define its columns.
    fn document(&mut self, body: &mut Value, waited: bool, dates: Option<&[bool]>) {
        match body.get("kind").and_then(Value::as_str) {
            Some("Status") => {
                if let Some(fields) = body.as_object_mut() {
                    fields.remove("message");
                }
                if let Some(details) = body.get_mut("details").and_then(Value::as_object_mut) {
                    details.remove("uid");
                }
            }
            Some("APIResourceList") => {
                if let Some(resources) = body.get_mut("resources").and_then(Value::as_array_mut) {
                    for resource in resources.iter_mut().filter_map(Value::as_object_mut) {
                        resource.remove("storageVersionHash");
                    }
                    resources.sort_by_cached_key(|resource| resource["name"].to_string());
                }
            }
            Some("APIGroup" | "APIGroupList" | "APIGroupDiscoveryList") if self.objects.are_pooled() => {
                *body = Value::Null;
                return;
            }
            Some("APIGroup" | "APIGroupList" | "APIGroupDiscoveryList") => documents::sort_versions(body),
            _ => {}
        }
        if body.get("openapi").is_some() || body.get("swagger").is_some() {
            documents::normalise_openapi(body, self.generated.run());
            return;
        }
        if let Some(dates) = documents::dates(body).as_deref().or(dates) {
            documents::remove_ages(body, dates);
        }
        documents::remove_descriptions(body);
        for row in body.get_mut("rows").and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(object) = row.get_mut("object") {
                self.objects.normalise(object, waited);
            }
            if let Some(cells) = row.get_mut("cells").and_then(Value::as_array_mut) {
                self.objects.remove_times(cells);
            }
        }
        self.objects.normalise(body, waited);
        for item in body.get_mut("items").and_then(Value::as_array_mut).into_iter().flatten() {
            self.objects.normalise(item, waited);
        }
        let lists = body.get("items").is_some() || body.get("rows").is_some();
        if lists && let Some(metadata) = body.get_mut("metadata").and_then(Value::as_object_mut) {
            // Any other write changes it.
            replace(metadata, "resourceVersion", REVISION);
            if metadata.get("continue").is_some_and(|token| token != "") {
                replace(metadata, "continue", "$continue");
            }
        }
    }
}

fn is_of_format(warning: &str) -> bool {
    warning.starts_with("unrecognized format ")
}

/// A group with its tied versions in a fixed order.
fn without_order_of_ties(group: GroupListing) -> GroupListing {
    let GroupListing { mut versions, preferred, is_aggregated } = group;
    let are_tied = |a: &str, b: &str| Semantics::UPSTREAM.compare_versions(a, b) == Ordering::Equal;
    for tied in versions.chunk_by_mut(|a, b| are_tied(a, b)) {
        tied.sort();
    }
    let preferred = preferred.map(|preferred| match versions.first() {
        Some(first) if are_tied(first, &preferred) => first.clone(),
        _ => preferred,
    });
    GroupListing { versions, preferred, is_aggregated }
}

#[cfg(test)]
mod tests;
