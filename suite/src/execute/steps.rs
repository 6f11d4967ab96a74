//! The steps of a scenario: each becomes a request with real names, and an answer without them.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use crdible_generators::json::Json;
use serde_json::{Value, json};

use super::{
    Exchange, Execution, ExecutionError, Executor, Keep, Record, Tenant,
    names::{listing, object_name, take_out_of_object, take_out_of_warning, version_document},
    serving::Care,
    wire::{Incoming, Outgoing, record},
};
use crate::{
    judge::holds,
    scenario::{Action, Body, Content, Definition, Edit, Method, Request, Resource, Scenario, Until, Version},
    transcript::{Answer, Transcript},
};

/// Between two tries of a repeated step: from this, growing by half each time, …
const FIRST_PAUSE: Duration = Duration::from_millis(10);
/// … up to this. Many workers that ask without pause keep a server from what they wait for.
const LONGEST_PAUSE: Duration = Duration::from_millis(300);
/// A step that settles is tried this often at the most: once more than the specification's *settle* needs.
const SETTLING_TRIES: usize = 3;

/// What a running scenario knows.
struct Course<'a> {
    tenants: &'a mut Vec<Tenant>,
    execution: u64,
    transcript: Transcript,
    /// The answers with their names, for bodies that are built from them.
    raw: Vec<Option<Value>>,
    /// Paths of stored objects, each with its definition.
    stored: BTreeMap<String, usize>,
    requests: u64,
}

impl Executor {
    /// Runs all steps, and removes the objects that they stored.
    pub(super) async fn run_steps(
        &self,
        scenario: &Scenario,
        tenants: &mut Vec<Tenant>,
        execution: u64,
        recording: bool,
    ) -> Result<Execution, ExecutionError> {
        let mut course = Course {
            tenants,
            execution,
            transcript: Transcript::default(),
            raw: Vec::new(),
            stored: BTreeMap::new(),
            requests: 0,
        };
        let mut record = if recording { self.record_definitions(scenario, course.tenants) } else { Record::default() };
        let mut outcome = Ok(());
        for (number, step) in scenario.steps.iter().enumerate() {
            let taken = match &step.action {
                Action::Install { definition, versions } => {
                    if recording && let Some(tenant) = course.tenants.get(*definition) {
                        record.exchanges.push(installation(tenant, versions));
                    }
                    self.install(&mut course, *definition, versions).await.map(|()| None)
                }
                Action::Send(request) => self
                    .repeat(
                        &mut course,
                        number,
                        request,
                        step.until.as_ref(),
                        recording.then_some(&mut record.exchanges),
                    )
                    .await
                    .map(Some),
            };
            match taken {
                Ok(answer) => course.push(answer),
                Err(error) => {
                    outcome = Err(error);
                    break;
                }
            }
            if let Some(answer) = course.transcript.answer(number)
                && step.assume.iter().any(|assumption| holds(assumption, answer, &course.transcript).is_err())
            {
                break;
            }
        }
        for (path, definition) in std::mem::take(&mut course.stored) {
            self.remove_object(path, scenario.definitions.get(definition), course.tenants.get_mut(definition)).await;
        }
        let Course { transcript, requests, .. } = course;
        outcome.map(|()| Execution { transcript, requests, record })
    }

    /// Removes a stored object. A server may be unable to remove what it cannot read under the present schema (PRUNE-019); then
    /// neither could the definition be removed, so the object goes under the schema with which the scenario began. Failing is
    /// borne: the clean-up of the run looks again.
    async fn remove_object(&self, path: String, definition: Option<&Definition>, tenant: Option<&mut Tenant>) {
        let removal = Outgoing::new(Method::Delete, path);
        let is_stuck = self.send(&removal).await.is_ok_and(|answer| answer.status >= 500);
        if let (true, Some(definition), Some(tenant)) = (is_stuck, definition, tenant)
            && tenant.slot.versions != definition.versions
            && self.change(&mut tenant.slot, &definition.versions, Care::Usual).await.is_ok()
        {
            let _ = self.send(&removal).await;
        }
    }

    fn record_definitions(&self, scenario: &Scenario, tenants: &[Tenant]) -> Record {
        let installed = scenario.definitions.iter().zip(tenants).filter(|(_, tenant)| tenant.keep != Keep::Unborn);
        let document = |(definition, tenant): (&Definition, &Tenant)| {
            let versions: Vec<Value> = definition.versions.iter().map(version_document).collect();
            tenant.slot.names.document(self.run(), None, &versions)
        };
        Record { definitions: installed.map(document).collect(), exchanges: Vec::new() }
    }

    async fn install(
        &self,
        course: &mut Course<'_>,
        definition: usize,
        versions: &[Version],
    ) -> Result<(), ExecutionError> {
        let tenant = course
            .tenants
            .get_mut(definition)
            .ok_or_else(|| broken("a step installs a definition that is not there"))?;
        self.change(&mut tenant.slot, versions, tenant.care).await
    }

    /// Sends a request until its condition holds; the last answer counts, whether it holds or not.
    async fn repeat(
        &self,
        course: &mut Course<'_>,
        number: usize,
        request: &Request,
        until: Option<&Until>,
        mut exchanges: Option<&mut Vec<Exchange>>,
    ) -> Result<(Answer, Value), ExecutionError> {
        let started = Instant::now();
        let mut pause = FIRST_PAUSE;
        let mut last: Option<(Answer, Value)> = None;
        for tries in 1.. {
            let outgoing = course.outgoing(request, last.as_ref().map(|(_, raw)| raw))?;
            let incoming = self.send(&outgoing).await?;
            if incoming.is_unauthorized() {
                return Err(ExecutionError::Forbidden(incoming.told()));
            }
            course.requests += 1;
            course.note_stored(request, &outgoing, &incoming);
            self.note_definition(request, &incoming);
            if let Some(exchanges) = &mut exchanges {
                exchanges.push(record(&outgoing, &incoming));
            }
            let (answer, raw) = course.answer(request, incoming);
            let done = match until {
                None => true,
                Some(Until::Settled) => {
                    let before = last.as_ref().map(|(answer, _)| answer).or_else(|| course.source_of(request));
                    let same = before.is_some_and(|before| before.revision() == answer.revision());
                    same || !answer.is_accepted() || tries >= SETTLING_TRIES
                }
                Some(Until::Holds(condition)) => {
                    holds(condition, &answer, &course.transcript).is_ok() || started.elapsed() > self.options.patience
                }
            };
            last = Some((answer, raw));
            if done {
                break;
            }
            if matches!(until, Some(Until::Holds(_))) {
                tokio::time::sleep(pause).await;
                pause = (pause * 3 / 2).min(LONGEST_PAUSE);
            }
        }
        last.ok_or_else(|| broken(&format!("step {number} was never tried")))
    }
}

impl Course<'_> {
    fn push(&mut self, taken: Option<(Answer, Value)>) {
        let (answer, raw) = taken.unzip();
        self.transcript.answers.push(answer);
        self.raw.push(raw);
    }

    fn tenant(&self, definition: usize) -> Result<&Tenant, ExecutionError> {
        self.tenants.get(definition).ok_or_else(|| broken("a request names a definition that is not there"))
    }

    /// The answer that a request sends back.
    fn source_of(&self, request: &Request) -> Option<&Answer> {
        if let Body::Answer { step, .. } = &request.body { self.transcript.answer(*step) } else { None }
    }

    fn outgoing(&self, request: &Request, last: Option<&Value>) -> Result<Outgoing, ExecutionError> {
        let mut path = self.path(&request.resource)?;
        let dry_run = request.dry_run.then_some(("dryRun", "All"));
        let query = request.query.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        for (number, (name, value)) in dry_run.into_iter().chain(query).enumerate() {
            path.push(if number == 0 { '?' } else { '&' });
            path.push_str(&escaped(name));
            path.push('=');
            path.push_str(&escaped(value));
        }
        let body = self.body(&request.body, last)?;
        Ok(Outgoing { method: request.method, path, accept: request.accept.clone(), body })
    }

    fn path(&self, resource: &Resource) -> Result<String, ExecutionError> {
        let definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        Ok(match resource {
            Resource::Objects { definition, version } => self.tenant(*definition)?.slot.names.collection(version),
            Resource::Object { definition, version, object } => {
                let collection = self.tenant(*definition)?.slot.names.collection(version);
                format!("{collection}/{}", object_name(self.execution, *object))
            }
            Resource::Definitions => definitions.to_owned(),
            Resource::Definition { definition } => {
                format!("{definitions}/{}", self.tenant(*definition)?.slot.names.definition())
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
            Body::Definition { definition, versions } => {
                let versions: Vec<Value> = versions.iter().map(version_document).collect();
                let names = &self.tenant(*definition)?.slot.names;
                Some(names.document("none", None, &versions).to_string())
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

    /// Remembers what a request stored, so that it is removed in the end.
    fn note_stored(&mut self, request: &Request, outgoing: &Outgoing, incoming: &Incoming) {
        let Resource::Objects { definition, .. } = request.resource else { return };
        if request.method != Method::Post || request.dry_run || !incoming.is_accepted() {
            return;
        }
        if let Some(name) = incoming.body.pointer("/metadata/name").and_then(Value::as_str) {
            let collection = outgoing.path.split('?').next().unwrap_or_default();
            self.stored.insert(format!("{collection}/{name}"), definition);
        }
    }

    fn answer(&self, request: &Request, incoming: Incoming) -> (Answer, Value) {
        let Incoming { status, mut warnings, body: raw } = incoming;
        let mut body = raw.clone();
        let mut group = None;
        match &request.resource {
            Resource::Objects { definition, .. } | Resource::Object { definition, .. } => {
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
        (Answer { status, warnings, body, group }, raw)
    }
}

/// Another schema, as a person would install it.
fn installation(tenant: &Tenant, versions: &[Version]) -> Exchange {
    let versions: Vec<Value> = versions.iter().map(version_document).collect();
    let path = format!("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{}", tenant.slot.names.definition());
    let patch = Outgoing::new(Method::MergePatch, path).with_body(&json!({ "spec": { "versions": versions } }));
    record(&patch, &Incoming { status: 200, warnings: Vec::new(), body: Value::Null })
}

/// The text of an object: type and name in front of the fields, unless the fields name them.
fn object_text(api_version: &str, kind: &str, name: &str, fields: &Content) -> String {
    if let Content::Plain(Value::Object(given)) = fields {
        let mut object = given.clone();
        object.entry("apiVersion").or_insert_with(|| json!(api_version));
        object.entry("kind").or_insert_with(|| json!(kind));
        let metadata = object.entry("metadata").or_insert_with(|| json!({}));
        if let Some(metadata) = metadata.as_object_mut() {
            metadata.entry("name").or_insert_with(|| json!(name));
        }
        return Value::Object(object).to_string();
    }
    let text = fields.to_text();
    let Content::Exact(Json::Object(given)) = fields else { return text };
    let Some(inner) = text.strip_prefix('{') else { return text };
    let mut front = Vec::new();
    for (key, value) in
        [("apiVersion", json!(api_version)), ("kind", json!(kind)), ("metadata", json!({ "name": name }))]
    {
        if !given.iter().any(|(name, _)| name == key) {
            front.push(format!("{}:{value}", json!(key)));
        }
    }
    let comma = if front.is_empty() || inner.trim_start().starts_with('}') { "" } else { "," };
    format!("{{{}{comma}{inner}", front.join(","))
}

fn set_at(object: &mut Value, pointer: &str, value: Value) {
    let Some((parent, key)) = split(pointer) else {
        *object = value;
        return;
    };
    match object.pointer_mut(parent) {
        Some(Value::Object(fields)) => {
            fields.insert(key, value);
        }
        Some(Value::Array(elements)) => {
            if let Some(element) = key.parse::<usize>().ok().and_then(|index| elements.get_mut(index)) {
                *element = value;
            }
        }
        _ => {}
    }
}

fn remove_at(object: &mut Value, pointer: &str) {
    let Some((parent, key)) = split(pointer) else { return };
    match object.pointer_mut(parent) {
        Some(Value::Object(fields)) => {
            fields.remove(&key);
        }
        Some(Value::Array(elements)) => {
            if let Some(index) = key.parse::<usize>().ok().filter(|index| *index < elements.len()) {
                elements.remove(index);
            }
        }
        _ => {}
    }
}

/// The pointer to the parent, and the unescaped last segment.
fn split(pointer: &str) -> Option<(&str, String)> {
    let (parent, key) = pointer.rsplit_once('/')?;
    Some((parent, key.replace("~1", "/").replace("~0", "~")))
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

fn broken(what: &str) -> ExecutionError {
    ExecutionError::BrokenScenario(what.to_owned())
}

#[cfg(test)]
mod tests {
    use crdible_generators::json::Json;
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{object_text, remove_at, set_at};
    use crate::scenario::Content;

    #[rstest]
    #[case::plain(Content::Plain(json!({"spec": 1})), json!({"apiVersion": "g/v1", "kind": "K", "metadata": {"name": "n"}, "spec": 1}))]
    #[case::given_kind(Content::Plain(json!({"kind": "X"})), json!({"apiVersion": "g/v1", "kind": "X", "metadata": {"name": "n"}}))]
    #[case::given_metadata(Content::Plain(json!({"metadata": {"labels": {}}})), json!({"apiVersion": "g/v1", "kind": "K", "metadata": {"name": "n", "labels": {}}}))]
    #[case::no_object(Content::Plain(json!([1])), json!([1]))]
    fn objects_get_type_and_name(#[case] fields: Content, #[case] expected: Value) {
        let text = object_text("g/v1", "K", "n", &fields);
        assert_eq!(serde_json::from_str::<Value>(&text).expect("valid JSON"), expected);
    }

    #[test]
    fn exact_texts_stay_exact() {
        let json = Json::parse(r#"{"spec":{"b":1.0,"a":1,"a":2}}"#).expect("valid JSON");
        let text = object_text("g/v1", "K", "n", &Content::Exact(json));
        assert_eq!(text, r#"{"apiVersion":"g/v1","kind":"K","metadata":{"name":"n"},"spec":{"b":1.0,"a":1,"a":2}}"#);
    }

    #[test]
    fn edits_reach_escaped_keys() {
        let mut object = json!({"a/b": {"c": [1, 2]}});
        set_at(&mut object, "/a~1b/c/1", json!(3));
        set_at(&mut object, "/a~1b/d", json!(null));
        remove_at(&mut object, "/a~1b/c/0");
        assert_eq!(object, json!({"a/b": {"c": [3], "d": null}}));
    }
}
