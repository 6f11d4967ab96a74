//! Watches, and the events that they must report.

use serde_json::Value;

use crate::scenario::{Event, Expectation, NamedCheck, Plan, QueryFromAnswer, Request, Resource, StepId};

pub use crate::scenario::Happened;

/// How long a watch lasts, in seconds: what was written before it began comes at once.
const SECONDS: &str = "1";

/// The events that a watch of a collection at one version must report, in their order.
#[derive(Clone, Debug)]
pub struct Events {
    version: String,
    events: Vec<Event>,
}

impl Events {
    /// None yet.
    pub fn at(version: &str) -> Self {
        Self { version: version.to_owned(), events: Vec::new() }
    }

    /// One more, about the object that a step is about: its labels, and its content at the version of the watch. An
    /// object that is deleted is reported as it was last.
    pub fn push(&mut self, happened: Happened, plan: &Plan, step: StepId, labels: &Value, content: Value) {
        let object = match plan.object_of(step) {
            Resource::Object { object, .. } | Resource::Subresource { object, .. } => object,
            _ => 0,
        };
        self.push_of(happened, object, labels, content);
    }

    /// The same about the object with this number.
    pub fn push_of(&mut self, happened: Happened, object: usize, labels: &Value, content: Value) {
        let labels = labels.as_object().cloned().unwrap_or_default();
        self.events.push(Event { r#type: happened, object, labels, content, perhaps: false });
    }

    /// The last of them may be left out: whether it happened depends on which of two writes came first, or is not
    /// promised.
    pub fn last_is_left_open(&mut self) {
        if let Some(last) = self.events.last_mut() {
            last.perhaps = true;
        }
    }

    /// Exactly these.
    pub fn expectation(&self) -> Expectation {
        self.expected(false, false)
    }

    /// These; or the first of them, and then that the history is gone (REST-065): a client lists anew and
    /// misses nothing.
    pub fn or_gone(&self) -> Expectation {
        self.expected(true, false)
    }

    /// The first of them, at least none, and then perhaps that the history is gone: a watch may end before it has
    /// reported what is written meanwhile.
    pub fn or_fewer(&self) -> Expectation {
        self.expected(true, true)
    }

    /// Watches the collection of a list from its revision on, with these further parameters, until it has reported this
    /// number of events or something else: what is wrong once is not asked for again.
    pub fn watch_since(&self, plan: &mut Plan, list: StepId, query: &[(&str, &str)]) -> StepId {
        plan.assume(list, Expectation::Accepted);
        self.watch_since_any(plan, list, query)
    }

    /// The same, whatever the list says besides its revision: for the test whether there are watches at all.
    pub(crate) fn watch_since_any(&self, plan: &mut Plan, list: StepId, query: &[(&str, &str)]) -> StepId {
        let watched = watch(plan, list, query);
        self.until_complete(plan, watched)
    }

    /// The same by a plain GET, whatever else the target has.
    pub fn watch_plainly(&self, plan: &mut Plan, list: StepId) -> StepId {
        let watched = plan.send(Request { plain: true, ..watch_of(plan, list, SECONDS, &[]) });
        self.until_complete(plan, watched)
    }

    fn until_complete(&self, plan: &mut Plan, watched: StepId) -> StepId {
        let (version, events) = (self.version.clone(), self.events.clone());
        plan.repeat_until(watched, NamedCheck::EventsComplete { version, events });
        watched
    }

    /// As the arguments of a check have them.
    pub fn into_events(self) -> Vec<Event> {
        self.events
    }

    fn expected(&self, expires: bool, fewer: bool) -> Expectation {
        NamedCheck::Events { version: self.version.clone(), events: self.events.clone(), expires, fewer }.into()
    }
}

/// Watches the collection of a list from its revision on, with these further parameters.
pub fn watch_once(plan: &mut Plan, list: StepId, query: &[(&str, &str)]) -> StepId {
    plan.assume(list, Expectation::Accepted);
    watch(plan, list, query)
}

/// Watches a collection from no revision on, with these further parameters: it begins with what exists.
pub fn watch_anew(plan: &mut Plan, definition: usize, query: &[(&str, &str)]) -> StepId {
    begin(plan, from_no_revision(definition, query))
}

/// The same in another form.
pub fn watch_anew_as(plan: &mut Plan, definition: usize, query: &[(&str, &str)], accept: &str) -> StepId {
    begin(plan, Request { accept: Some(accept.to_owned()), ..from_no_revision(definition, query) })
}

/// Sends a watch that begins with the present state, again while a busy server has not reached that state.
pub fn begin(plan: &mut Plan, watch: Request) -> StepId {
    let watched = plan.send(watch);
    plan.repeat_until(watched, NamedCheck::WatchBegins);
    watched
}

fn from_no_revision(definition: usize, query: &[(&str, &str)]) -> Request {
    let fixed = [("watch", "true"), ("timeoutSeconds", SECONDS)];
    let query = fixed.iter().chain(query).map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    let collection = Resource::objects(definition, "v1");
    Request { query, ..Request::get(collection) }
}

/// The same in another form, until this holds of its events.
pub fn watch_for(
    plan: &mut Plan,
    list: StepId,
    query: &[(&str, &str)],
    accept: &str,
    complete: impl Into<Expectation>,
) -> StepId {
    plan.assume(list, Expectation::Accepted);
    let watched = plan.send(Request { accept: Some(accept.to_owned()), ..watch_of(plan, list, SECONDS, query) });
    plan.repeat_until(watched, complete);
    watched
}

/// The same for this number of seconds: what ends it comes later.
pub fn watch_for_seconds(plan: &mut Plan, list: StepId, seconds: &str, query: &[(&str, &str)]) -> StepId {
    plan.assume(list, Expectation::Accepted);
    let request = watch_of(plan, list, seconds, query);
    plan.send(request)
}

fn watch(plan: &mut Plan, list: StepId, query: &[(&str, &str)]) -> StepId {
    let request = watch_of(plan, list, SECONDS, query);
    plan.send(request)
}

fn watch_of(plan: &Plan, list: StepId, seconds: &str, query: &[(&str, &str)]) -> Request {
    let fixed = [("watch", "true"), ("timeoutSeconds", seconds)];
    let query = fixed.iter().chain(query).map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    let revision = QueryFromAnswer::revision_of(list);
    let collection = plan.object_of(list);
    Request { query, query_from_answers: vec![revision], ..Request::get(collection) }
}
