//! The state of a running scenario: puts names into requests and removes them from answers.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

use crdible_scenario::{
    Body, Document, Edit, Method, QueryFromAnswer, Request, Resource,
    transcript::{Answer, Publication, Transcript},
};
use crdible_semantics::pointer;
use serde_json::{Value, json};

use super::{
    body::{head_text, object_text},
    clock::Clock,
    error::ExecutionError,
    lease::Lease,
    names::{
        Names, listing, object_name, of_group, remove_group, remove_group_of_discovery, remove_names,
        take_managed_fields,
    },
    published,
    stored::Stored,
    wire::{Exchange, Incoming, Outgoing},
};
use crate::marks::{DEFINITIONS, alive_until, escaped};

/// The state of a running scenario. Sending a request only reads it, so that several can be
/// sent at once; their results are added afterwards.
pub(super) struct Context<'a> {
    pub(super) leases: &'a mut Vec<Lease>,
    run: &'a str,
    execution: u64,
    pub(super) transcript: Transcript,
    /// The answers with their names, for bodies that are built from them.
    raw: Vec<Option<Value>>,
    /// The objects that may be stored. Shared between requests in flight: what
    /// one stores must be known even if another fails.
    stored: Mutex<Stored>,
    /// What never came, although it was waited for.
    missed: Mutex<BTreeSet<String>>,
    /// Requests sent.
    pub(super) requests: u64,
    /// Measures when requests are sent and answered.
    pub(super) clock: Clock,
}

/// The result of a request.
#[derive(Debug)]
pub(super) struct Sent {
    /// The last answer without generated names.
    pub(super) answer: Answer,
    /// The last answer as received.
    pub(super) raw: Value,
    /// All exchanges, if they are recorded.
    pub(super) exchanges: Vec<Exchange>,
    /// Requests sent: more than one for a repeated step.
    pub(super) requests: u64,
}

impl<'a> Context<'a> {
    /// The start of an execution on these definitions.
    pub(super) fn new(leases: &'a mut Vec<Lease>, run: &'a str, execution: u64) -> Self {
        Self {
            leases,
            run,
            execution,
            transcript: Transcript::default(),
            raw: Vec::new(),
            stored: Mutex::default(),
            missed: Mutex::default(),
            requests: 0,
            clock: Clock::new(),
        }
    }

    /// Adds a step that has no answer.
    pub(super) fn add_silent(&mut self) {
        self.transcript.answers.push(None);
        self.raw.push(None);
    }

    /// Adds that the connection of a step ended without an answer.
    pub(super) fn add_end(&mut self) {
        self.transcript.answers.push(Some(Answer::of_an_end()));
        self.raw.push(None);
    }

    /// Adds the result of a step, and returns its exchanges.
    pub(super) fn add(&mut self, sent: Sent) -> Vec<Exchange> {
        self.transcript.answers.push(Some(sent.answer));
        self.raw.push(Some(sent.raw));
        self.requests += sent.requests;
        sent.exchanges
    }

    /// Records that something never came.
    pub(super) fn note_missed(&self, what: String) {
        self.missed.lock().unwrap_or_else(PoisonError::into_inner).insert(what);
    }

    /// Whether it never came when it was waited for.
    pub(super) fn has_missed(&self, what: &str) -> bool {
        self.missed.lock().unwrap_or_else(PoisonError::into_inner).contains(what)
    }

    /// Remembers what a request may have stored, if it is about objects of
    /// a definition of the scenario and nothing else.
    pub(super) fn note_stored(&self, request: &Request, outgoing: &Outgoing, incoming: &Incoming) {
        let (Resource::Objects { definition, .. }
        | Resource::Object { definition, .. }
        | Resource::Subresource { definition, .. }
        | Resource::Path { definition, .. }) = request.resource
        else {
            return;
        };
        let is_own = self.names(definition).is_ok_and(|names| names.has(&outgoing.path));
        if is_own {
            let mut stored = self.stored.lock().unwrap_or_else(PoisonError::into_inner);
            stored.note(definition, request, outgoing, incoming, self.execution);
        }
    }

    /// Takes what may be stored.
    pub(super) fn take_stored(&mut self) -> Stored {
        std::mem::take(self.stored.get_mut().unwrap_or_else(PoisonError::into_inner))
    }

    fn lease(&self, definition: usize) -> Result<&Lease, ExecutionError> {
        self.leases.get(definition).ok_or_else(|| invalid("a request refers to a missing definition"))
    }

    fn names(&self, definition: usize) -> Result<&Names, ExecutionError> {
        Ok(&self.lease(definition)?.slot.names)
    }

    /// The answer that a request sends back.
    pub(super) fn source_of(&self, request: &Request) -> Option<&Answer> {
        if let Body::Answer { step, .. } = &request.body { self.transcript.answer(*step) } else { None }
    }

    /// The request with real names; `last` is the previous answer of a repeated step.
    pub(super) fn outgoing(&self, request: &Request, last: Option<&Value>) -> Result<Outgoing, ExecutionError> {
        let mut path = self.path(&request.resource)?;
        let dry_run = request.dry_run.then_some(("dryRun", "All"));
        let dry_run = dry_run.map(|(name, value)| (name, "", value));
        let query = request.query.iter().map(|(name, value)| (name.as_str(), "", value.as_str()));
        let from_answers = request.query_from_answers.iter().filter_map(|parameter| {
            let (name, beginning) = parameter.name.split_once('=').unwrap_or((&parameter.name, ""));
            Some((name, beginning, self.value_of(parameter)?))
        });
        for (number, (name, beginning, value)) in dry_run.into_iter().chain(query).chain(from_answers).enumerate() {
            path.push(if number == 0 { '?' } else { '&' });
            path.push_str(&escaped(name));
            path.push('=');
            path.push_str(&escaped(beginning));
            path.push_str(&escaped(value));
        }
        let body = self.body(&request.body, last)?;
        let (accept, content_type) = (request.accept.clone(), request.content_type.clone());
        let if_none_match = request.if_none_match.and_then(|step| self.transcript.answer(step)?.etag().map(quoted));
        Ok(Outgoing { method: request.method, path, accept, content_type, if_none_match, body, upgrade: false })
    }

    /// The text in an earlier answer.
    fn value_of(&self, parameter: &QueryFromAnswer) -> Option<&str> {
        self.raw.get(parameter.step)?.as_ref()?.pointer(&parameter.pointer)?.as_str()
    }

    fn path(&self, resource: &Resource) -> Result<String, ExecutionError> {
        let object = |definition: usize, version: &str, object: usize| {
            Ok::<_, ExecutionError>(format!(
                "{}/{}",
                self.names(definition)?.collection(version),
                object_name(self.execution, object)
            ))
        };
        Ok(match resource {
            Resource::Objects { definition, version } => self.names(*definition)?.collection(version),
            Resource::Object { definition, version, object: number } => object(*definition, version, *number)?,
            Resource::Subresource { definition, version, object: number, subresource } => {
                format!("{}/{subresource}", object(*definition, version, *number)?)
            }
            Resource::Path { definition, path } => self.names(*definition)?.filled_in(path, self.execution),
            Resource::Definitions => DEFINITIONS.to_owned(),
            Resource::Definition { definition } => self.names(*definition)?.definition().path(),
            Resource::Groups { .. } => "/apis".to_owned(),
            Resource::Group { definition } => format!("/apis/{}", self.names(*definition)?.group),
            Resource::GroupVersion { definition, version } => {
                format!("/apis/{}/{version}", self.names(*definition)?.group)
            }
            Resource::Published { document: Document::Index, .. } => "/openapi/v3".to_owned(),
            Resource::Published { document: Document::V2, .. } => "/openapi/v2".to_owned(),
            Resource::Published { definition, document: Document::V3(version) } => {
                format!("/openapi/v3/apis/{}/{version}", self.names(*definition)?.group)
            }
        })
    }

    fn body(&self, body: &Body, last: Option<&Value>) -> Result<Option<String>, ExecutionError> {
        Ok(match body {
            Body::None => None,
            Body::Json(content) => Some(content.to_text()),
            Body::Text { head, padding, text } => {
                let head = head.as_ref().map(|head| {
                    let names = self.names(head.definition)?;
                    let name = object_name(self.execution, head.object);
                    Ok::<_, ExecutionError>(head_text(head.form, &names.api_version(&head.version), &names.kind, &name))
                });
                Some(head.transpose()?.unwrap_or_default() + &" ".repeat(*padding) + text)
            }
            Body::Object { definition, version, object, fields } => {
                let names = self.names(*definition)?;
                let name = object_name(self.execution, *object);
                Some(object_text(&names.api_version(version), &names.kind, &name, fields))
            }
            Body::Definition { definition, versions, edits } => {
                // `doctor --clean` uses these marks to find what a killed run created.
                let alive_until = alive_until(jiff::Timestamp::now());
                let document = self.names(*definition)?.document(self.run, Some(&alive_until), None, versions);
                Some(self.edited(document, edits).to_string())
            }
            Body::Answer { step, edits } => {
                let source = last.or(self.raw.get(*step).and_then(Option::as_ref));
                let mut source =
                    source.cloned().ok_or_else(|| invalid("a body is built from an answer that is missing"))?;
                pointer::remove(&mut source, "/metadata/managedFields");
                Some(self.edited(source, edits).to_string())
            }
        })
    }

    fn edited(&self, mut object: Value, edits: &[Edit]) -> Value {
        for edit in edits {
            match edit {
                Edit::Set(pointer, value) => {
                    pointer::set(&mut object, pointer, value.clone());
                }
                Edit::Remove(pointer) => {
                    pointer::remove(&mut object, pointer);
                }
                Edit::Before { pointer, seconds } => {
                    let created = object.pointer("/metadata/creationTimestamp").and_then(Value::as_str);
                    let created = created.and_then(|text| text.parse::<jiff::Timestamp>().ok()).unwrap_or_default();
                    let before = created.checked_sub(jiff::SignedDuration::from_secs(*seconds)).unwrap_or(created);
                    pointer::set(&mut object, pointer, json!(before.to_string()));
                }
                Edit::AsNew { object: number } => {
                    for key in ["uid", "resourceVersion", "generation", "creationTimestamp"] {
                        pointer::remove(&mut object, &format!("/metadata/{key}"));
                    }
                    pointer::set(&mut object, "/metadata/name", json!(object_name(self.execution, *number)));
                }
            }
        }
        object
    }

    /// The names of the definition that a request creates.
    pub(super) fn created_by(&self, request: &Request) -> Option<&Names> {
        match request.body {
            Body::Definition { definition, .. } if request.method == Method::Post && !request.dry_run => {
                self.names(definition).ok()
            }
            _ => None,
        }
    }

    /// The part of an answer that counts. Documents of `OpenAPI` describe all definitions of the server and are huge:
    /// only the part about the definition's group is kept.
    pub(super) fn own_part(&self, request: &Request, incoming: Incoming) -> (Incoming, Option<Publication>) {
        let (Resource::Published { definition, .. }, 200) = (&request.resource, incoming.status) else {
            return (incoming, None);
        };
        let Some(lease) = self.leases.get(*definition) else { return (incoming, None) };
        let (body, publication) = published::own_part(incoming.body, &lease.slot.names, &lease.slot.revision_name());
        let etag = incoming.etag.as_deref().map(|etag| etag.trim_start_matches("W/").trim_matches('"').to_owned());
        let publication = Publication { etag, is_immutable: incoming.is_immutable, ..publication };
        (Incoming { body, ..incoming }, Some(publication))
    }

    /// The answer without generated names, and as received.
    pub(super) fn answer(
        &self,
        request: &Request,
        incoming: Incoming,
        publication: Option<Publication>,
    ) -> (Answer, Value) {
        let Incoming { status, mut warnings, form, body: raw, ended, unended, .. } = incoming;
        let mut body = raw.clone();
        let (mut group, mut managed_fields) = (None, Value::Null);
        match &request.resource {
            Resource::Objects { definition, .. }
            | Resource::Object { definition, .. }
            | Resource::Subresource { definition, .. }
            | Resource::Path { definition, .. } => {
                managed_fields = take_managed_fields(&mut body);
                if let Some(lease) = self.leases.get(*definition) {
                    remove_names(&mut body, &lease.slot.names, self.execution);
                    warnings.iter_mut().for_each(|text| *text = remove_group(text, &lease.slot.names));
                }
            }
            Resource::Groups { definition } | Resource::Group { definition } => {
                if let Some(lease) = self.leases.get(*definition) {
                    let name = &lease.slot.names.group;
                    group = listing(&body, name);
                    // The document may list other groups, too; only this one counts.
                    if (200..300).contains(&status) {
                        body = of_group(body, name);
                    }
                }
            }
            Resource::GroupVersion { definition, .. } => {
                if let Some(lease) = self.leases.get(*definition) {
                    remove_group_of_discovery(&mut body, &lease.slot.names.group);
                }
            }
            Resource::Published { definition, .. } => {
                if let Some(lease) = self.leases.get(*definition) {
                    published::remove_names(&mut body, &lease.slot.names);
                }
            }
            Resource::Definitions | Resource::Definition { .. } => {}
        }
        // So a watch is accepted over WebSocket.
        let status = if status == 101 { 200 } else { status };
        // What later requests may be built from.
        let raw = publication.as_ref().map_or(raw, |publication| json!({ "etag": publication.etag }));
        // No other check looks at it.
        let form = form.filter(|_| request.accept.is_some() || request.resource.is_of_discovery());
        let answer = Answer {
            status,
            warnings,
            form,
            body,
            managed_fields,
            group,
            publication,
            ended,
            unended,
            ..Answer::default()
        };
        (answer, raw)
    }
}

fn quoted(etag: &str) -> String {
    format!("\"{etag}\"")
}

/// The error for a scenario that refers to something missing.
pub(super) fn invalid(what: &str) -> ExecutionError {
    ExecutionError::InvalidScenario(what.to_owned())
}
