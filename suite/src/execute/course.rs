//! What a running scenario knows: it puts names into requests and takes them out of answers.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{
    ExecutionError, Tenant,
    body::{object_text, remove_at, set_at},
    names::{Names, listing, object_name, take_managed_fields, take_out_of_object, take_out_of_warning},
    wire::{Incoming, Outgoing},
};
use crate::{
    scenario::{Body, Edit, Method, Request, Resource, Taken, Version},
    target::{DEFINITIONS, alive_until},
    transcript::{Answer, Transcript},
};

/// What a running scenario knows.
pub(super) struct Course<'a> {
    pub(super) tenants: &'a mut Vec<Tenant>,
    run: &'a str,
    execution: u64,
    pub(super) transcript: Transcript,
    /// The answers with their names, for bodies that are built from them.
    raw: Vec<Option<Value>>,
    /// Paths of stored objects, each with its definition.
    pub(super) stored: BTreeMap<String, usize>,
    pub(super) requests: u64,
}

impl<'a> Course<'a> {
    /// The start of an execution on these definitions.
    pub(super) fn new(tenants: &'a mut Vec<Tenant>, run: &'a str, execution: u64) -> Self {
        Self {
            tenants,
            run,
            execution,
            transcript: Transcript::default(),
            raw: Vec::new(),
            stored: BTreeMap::new(),
            requests: 0,
        }
    }

    /// Books what a step brought: an answer without names, and as it came.
    pub(super) fn push(&mut self, taken: Option<(Answer, Value)>) {
        let (answer, raw) = taken.unzip();
        self.transcript.answers.push(answer);
        self.raw.push(raw);
    }

    fn tenant(&self, definition: usize) -> Result<&Tenant, ExecutionError> {
        self.tenants.get(definition).ok_or_else(|| broken("a request names a definition that is not there"))
    }

    /// The answer that a request sends back.
    pub(super) fn source_of(&self, request: &Request) -> Option<&Answer> {
        if let Body::Answer { step, .. } = &request.body { self.transcript.answer(*step) } else { None }
    }

    /// The request with real names; `last` is what the step was answered before, if it is repeated.
    pub(super) fn outgoing(&self, request: &Request, last: Option<&Value>) -> Result<Outgoing, ExecutionError> {
        let mut path = self.path(&request.resource)?;
        let dry_run = request.dry_run.then_some(("dryRun", "All"));
        let query = request.query.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let taken = request.taken.iter().filter_map(|taken| Some((taken.name.as_str(), self.taken(taken)?)));
        for (number, (name, value)) in dry_run.into_iter().chain(query).chain(taken).enumerate() {
            path.push(if number == 0 { '?' } else { '&' });
            path.push_str(&escaped(name));
            path.push('=');
            path.push_str(&escaped(value));
        }
        let body = self.body(&request.body, last)?;
        let (accept, content_type) = (request.accept.clone(), request.content_type.clone());
        Ok(Outgoing { method: request.method, path, accept, content_type, body })
    }

    /// The text that an earlier answer gives, as it came.
    fn taken(&self, taken: &Taken) -> Option<&str> {
        self.raw.get(taken.step)?.as_ref()?.pointer(&taken.pointer)?.as_str()
    }

    fn path(&self, resource: &Resource) -> Result<String, ExecutionError> {
        Ok(match resource {
            Resource::Objects { definition, version } => self.tenant(*definition)?.slot.names.collection(version),
            Resource::Object { definition, version, object } => {
                let collection = self.tenant(*definition)?.slot.names.collection(version);
                format!("{collection}/{}", object_name(self.execution, *object))
            }
            Resource::Part { definition, version, object, part } => {
                let collection = self.tenant(*definition)?.slot.names.collection(version);
                format!("{collection}/{}/{part}", object_name(self.execution, *object))
            }
            Resource::Path { definition, path } => self.tenant(*definition)?.slot.names.filled_in(path),
            Resource::Definitions => DEFINITIONS.to_owned(),
            Resource::Definition { definition } => {
                format!("{DEFINITIONS}/{}", self.tenant(*definition)?.slot.names.definition())
            }
            Resource::Groups { .. } => "/apis".to_owned(),
            Resource::Group { definition } => format!("/apis/{}", self.tenant(*definition)?.slot.names.group),
            Resource::GroupVersion { definition, version } => {
                format!("/apis/{}/{version}", self.tenant(*definition)?.slot.names.group)
            }
        })
    }

    fn body(&self, body: &Body, last: Option<&Value>) -> Result<Option<String>, ExecutionError> {
        Ok(match body {
            Body::None => None,
            Body::Json(content) => Some(content.to_text()),
            Body::Object { definition, version, object, fields } => {
                let names = &self.tenant(*definition)?.slot.names;
                Some(object_text(
                    &names.api_version(version),
                    &names.kind,
                    &object_name(self.execution, *object),
                    fields,
                ))
            }
            Body::Definition { definition, versions, edits } => {
                let versions: Vec<Value> = versions.iter().map(Version::document).collect();
                let names = &self.tenant(*definition)?.slot.names;
                // Should the run break off, whoever cleans up finds by these what it made.
                let document = names.document(self.run, Some(&alive_until(jiff::Timestamp::now())), &versions);
                Some(self.edited(document, edits).to_string())
            }
            Body::Answer { step, edits } => {
                let source = last.or(self.raw.get(*step).and_then(Option::as_ref));
                let source = source.ok_or_else(|| broken("a body is built from an answer that is not there"))?;
                Some(self.edited(source.clone(), edits).to_string())
            }
        })
    }

    fn edited(&self, mut object: Value, edits: &[Edit]) -> Value {
        remove_at(&mut object, "/metadata/managedFields");
        for edit in edits {
            match edit {
                Edit::Set(pointer, value) => set_at(&mut object, pointer, value.clone()),
                Edit::Remove(pointer) => remove_at(&mut object, pointer),
                Edit::Renew { object: number } => {
                    for key in ["uid", "resourceVersion", "generation", "creationTimestamp"] {
                        remove_at(&mut object, &format!("/metadata/{key}"));
                    }
                    set_at(&mut object, "/metadata/name", json!(object_name(self.execution, *number)));
                }
            }
        }
        object
    }

    /// The names of the definition that a request makes.
    pub(super) fn made_by(&self, request: &Request) -> Option<&Names> {
        match request.body {
            Body::Definition { definition, .. } if request.method == Method::Post && !request.dry_run => {
                Some(&self.tenant(definition).ok()?.slot.names)
            }
            _ => None,
        }
    }

    /// Remembers what a request stored, so that it is removed in the end.
    pub(super) fn note_stored(&mut self, request: &Request, outgoing: &Outgoing, incoming: &Incoming) {
        let (Resource::Objects { definition, .. } | Resource::Path { definition, .. }) = request.resource else {
            return;
        };
        if request.method != Method::Post || request.dry_run || !incoming.is_accepted() {
            return;
        }
        if let Some(name) = incoming.body.pointer("/metadata/name").and_then(Value::as_str) {
            let collection = outgoing.path.split('?').next().unwrap_or_default();
            self.stored.insert(format!("{collection}/{name}"), definition);
        }
    }

    /// The answer without the names that the executor made up, and as it came.
    pub(super) fn answer(&self, request: &Request, incoming: Incoming) -> (Answer, Value) {
        let Incoming { status, mut warnings, body: raw } = incoming;
        let mut body = raw.clone();
        let (mut group, mut managed_fields) = (None, Value::Null);
        match &request.resource {
            Resource::Objects { definition, .. }
            | Resource::Object { definition, .. }
            | Resource::Part { definition, .. }
            | Resource::Path { definition, .. } => {
                managed_fields = take_managed_fields(&mut body);
                if let Some(tenant) = self.tenants.get(*definition) {
                    take_out_of_object(&mut body, &tenant.slot.names, self.execution);
                    warnings.iter_mut().for_each(|text| *text = take_out_of_warning(text, &tenant.slot.names));
                }
            }
            Resource::Groups { definition } | Resource::Group { definition } => {
                if let Some(tenant) = self.tenants.get(*definition) {
                    group = listing(&body, &tenant.slot.names.group);
                }
                // The document may list what others do, too; only the group counts.
                if (200..300).contains(&status) {
                    body = Value::Null;
                }
            }
            Resource::Definitions | Resource::Definition { .. } | Resource::GroupVersion { .. } => {}
        }
        (Answer { status, warnings, body, managed_fields, group }, raw)
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}

/// A scenario that refers to what it does not hold.
pub(super) fn broken(what: &str) -> ExecutionError {
    ExecutionError::BrokenScenario(what.to_owned())
}
