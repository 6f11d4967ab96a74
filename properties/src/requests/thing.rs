//! One object, what is written to it, and what must become of it.

use crdible_scenario::merged;

use crate::prelude::*;
use crate::shared::oracle::{self, change, stored};

/// The clause of a check that is named by the mistake in its request: `with stale revision`.
pub(super) fn mistake(name: &str) -> String {
    match name {
        "missing-object" => "of an object that does not exist".to_owned(),
        "type" | "type-of-patch" => "with a type that is not supported".to_owned(),
        "no-object" => "of a body that is no object".to_owned(),
        name => format!("with {}", name.replace('-', " ")),
    }
}

/// A schema with few fields of each type. `spec.o` is always there, so that a JSON patch can add to it.
pub(super) fn schema() -> Value {
    let number = json!({ "type": "integer" });
    let text = json!({ "type": "string", "maxLength": 5 });
    let spec = json!({
        "type": "object",
        "required": ["o"],
        "properties": {
            "a": number,
            "t": text,
            "l": { "type": "array", "items": number },
            "m": { "type": "object", "additionalProperties": text },
            "o": object_of(json!({ "x": number, "y": { "type": "boolean" } })),
        },
    });
    object_of(json!({ "spec": spec }))
}

/// The fields of a new thing. It has labels and annotations, so that a JSON patch can add to them.
pub(super) fn fields(choices: &mut Choices) -> Value {
    let mut fields = json!({
        "spec": { "o": {} },
        "metadata": { "labels": { "always": "there" }, "annotations": { "always": "there" } },
    });
    for change in Change::several(choices, 0, 4) {
        change.apply(&mut fields);
    }
    fields
}

/// Plans one thing that is there: its definition, and the step that created it.
pub(super) fn with_one(plan: &mut Plan) -> (usize, StepId) {
    let definition = plan.define_schema(schema());
    let created = plan.create(definition, json!({ "spec": { "o": {}, "a": 1 } }));
    plan.assume(created, Expectation::Accepted);
    (definition, created)
}

/// What a client may say of fields that only the server sets (REST-031).
const CLAIMS: [(&str, &str); 2] =
    [("/metadata/creationTimestamp", "2001-02-03T04:05:06Z"), ("/metadata/selfLink", "/x")];

/// A field that is not declared.
const UNKNOWN: &str = "/spec/unknown";

/// One change of an object, known by the place that it is about. Few values are possible, so that many writes
/// change nothing.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Change {
    pointer: &'static str,
    /// What is there afterwards.
    value: Option<Value>,
}

impl Change {
    pub(super) fn draw(choices: &mut Choices) -> Self {
        let (pointer, values) = choices
            .pick(&[
                ("/spec/a", [json!(1), json!(2)]),
                ("/spec/t", [json!("x"), json!("yz")]),
                ("/spec/l", [json!([1, 2]), json!([2, 1])]),
                ("/spec/m", [json!({ "k": "v" }), json!({})]),
                ("/spec/o/x", [json!(1), json!(0)]),
                ("/spec/o/y", [json!(true), json!(false)]),
                ("/metadata/labels/l", [json!("x"), json!("")]),
                ("/metadata/annotations/n", [json!("x"), json!("{ }")]),
                // Not declared.
                (UNKNOWN, [json!(1), json!({})]),
            ])
            .clone();
        let value = match choices.weighted(&[3, 2, 2]) {
            0 => Some(values[0].clone()),
            1 => Some(values[1].clone()),
            _ => None,
        };
        Self { pointer, value }
    }

    /// The largest number of them, of different places.
    fn several(choices: &mut Choices, min: usize, max: usize) -> Vec<Self> {
        let mut changes: Vec<Self> = choices.many_average("change", min, max, 2, |choices, _| Self::draw(choices));
        let mut seen = std::collections::BTreeSet::new();
        changes.retain(|change| seen.insert(change.pointer));
        changes
    }

    /// Makes the change.
    fn set(&self, fields: &mut Value) {
        match &self.value {
            Some(value) => drop(pointer::set(fields, self.pointer, value.clone())),
            None => drop(pointer::remove(fields, self.pointer)),
        }
    }

    /// Makes the change, as far as it is stored.
    fn apply(&self, fields: &mut Value) {
        if self.pointer != UNKNOWN {
            self.set(fields);
        }
    }

    fn edit(&self) -> Edit {
        match &self.value {
            Some(value) => Edit::Set(self.pointer.to_owned(), value.clone()),
            None => Edit::Remove(self.pointer.to_owned()),
        }
    }
}

/// Adds a value to a merge patch, with the objects around it.
fn merge_into(patch: &mut Value, pointer: &str, value: Value) {
    let mut around = patch;
    for segment in pointer.split('/').skip(1) {
        around = &mut around[segment];
    }
    *around = value;
}

/// How an object is written.
#[derive(Clone, Debug)]
pub(super) struct Write {
    pub(super) method: Method,
    pub(super) changes: Vec<Change>,
    /// It says something else of what only the server sets.
    pub(super) claims: bool,
    /// Another field manager sends it.
    pub(super) by_another: bool,
}

impl Write {
    pub(super) fn draw(choices: &mut Choices) -> Self {
        let method = *choices.pick(&[Method::MergePatch, Method::JsonPatch, Method::Put]);
        let changes = Change::several(choices, 0, 3);
        Self { method, changes, claims: choices.chance(1, 6), by_another: choices.chance(1, 6) }
    }

    fn edits(&self) -> Vec<Edit> {
        let claims = CLAIMS.iter().filter(|_| self.claims);
        let claims = claims.map(|(pointer, value)| Edit::Set((*pointer).to_owned(), json!(value)));
        self.changes.iter().map(Change::edit).chain(claims).collect()
    }

    fn merge_patch(&self) -> Value {
        let mut patch = json!({});
        for change in &self.changes {
            merge_into(&mut patch, change.pointer, change.value.clone().unwrap_or_default());
        }
        for (pointer, value) in CLAIMS.iter().filter(|_| self.claims) {
            merge_into(&mut patch, pointer, json!(value));
        }
        patch
    }

    fn json_patch(&self, mut fields: Value) -> Value {
        let mut patch = Vec::new();
        for change in &self.changes {
            match &change.value {
                Some(value) => patch.push(json!({ "op": "add", "path": change.pointer, "value": value })),
                None if fields.pointer(change.pointer).is_some() => {
                    patch.push(json!({ "op": "remove", "path": change.pointer }));
                }
                None => {}
            }
            change.set(&mut fields);
        }
        let claims = CLAIMS.iter().filter(|_| self.claims);
        patch.extend(claims.map(|(pointer, value)| json!({ "op": "add", "path": pointer, "value": value })));
        json!(patch)
    }

    /// What is stored afterwards.
    fn applied(&self, fields: &Value) -> Value {
        let mut after = fields.clone();
        if self.method == Method::MergePatch {
            merged(&mut after, &self.merge_patch());
            for ignored in CLAIMS.iter().map(|(pointer, _)| *pointer).chain([UNKNOWN]) {
                pointer::remove(&mut after, ignored);
            }
        } else {
            self.changes.iter().for_each(|change| change.apply(&mut after));
        }
        after
    }

    /// What the answer to it asserts: the requirement of its method, and that a write without changes is none.
    fn asserts(&self, changes_nothing: bool) -> Vec<&'static str> {
        let of_method = match self.method {
            Method::Put => "REST-028",
            Method::JsonPatch => "REST-033",
            _ => "REST-034",
        };
        let of_no_change = match (self.changes.is_empty(), self.method) {
            (false, _) => changes_nothing.then_some("REST-040"),
            (true, Method::Put) => Some("INV-061"),
            (true, _) => Some("INV-062"),
        };
        let of_another = (self.by_another && changes_nothing).then_some("REST-040/e1");
        [of_method].into_iter().chain(of_no_change).chain(of_another).collect()
    }
}

/// The object with this number.
pub(super) fn object(definition: usize, object: usize) -> Resource {
    Resource::Object { definition, version: "v1".to_owned(), object }
}

/// The body of an object with this number.
pub(super) fn body_of(definition: usize, object: usize, fields: Value) -> Body {
    Body::Object { definition, version: "v1".to_owned(), object, fields: fields.into() }
}

/// POST of an object with this number.
pub(super) fn create_of(definition: usize, object: usize, fields: Value) -> Request {
    let collection = Resource::objects(definition, "v1");
    Request::post(collection, body_of(definition, object, fields))
}

/// Checks the form of a rejection.
pub(super) fn check_rejection(plan: &mut Plan, step: StepId) {
    plan.check("status-document", &["REST-005"], step, NamedCheck::IsStatus);
    plan.check("reason-of-code", &["REST-073"], step, NamedCheck::ReasonOfCode);
}

/// An object that exists, and what is known of it.
pub(super) struct Thing<'a> {
    pub(super) plan: &'a mut Plan,
    pub(super) definition: usize,
    /// Its number.
    pub(super) object: usize,
    /// The step that created it.
    pub(super) created: StepId,
    /// The last step that wrote or returned it.
    pub(super) last: StepId,
    /// Its content, labels and annotations.
    pub(super) fields: Value,
}

impl<'a> Thing<'a> {
    /// Creates one.
    pub(super) fn new(plan: &'a mut Plan, definition: usize, choices: &mut Choices) -> Self {
        let (fields, object) = (fields(choices), plan.next_object());
        let created = plan.send(create_of(definition, object, fields.clone()));
        Self { plan, definition, object, created, last: created, fields }
    }

    pub(super) fn resource(&self) -> Resource {
        object(self.definition, self.object)
    }

    /// Its content is this, and so are its labels and annotations.
    pub(super) fn check_fields(&mut self, name: &str, asserts: &[&str], step: StepId, fields: &Value) {
        self.plan.check(name, asserts, step, Expectation::Content(json!({ "spec": fields["spec"] })));
        for part in ["labels", "annotations"] {
            let expected = at(format!("/metadata/{part}"), fields["metadata"][part].clone());
            self.plan.check(&format!("{name}-{part}"), asserts, step, expected);
        }
    }

    /// GET: the object as it was last, and not written since.
    pub(super) fn read(&mut self, asserts: &[&str]) -> StepId {
        let read = self.plan.get(self.created);
        let fields = self.fields.clone();
        self.check_fields("read", asserts, read, &fields);
        self.plan.check("read-revision", asserts, read, Expectation::same_revision(self.last));
        self.plan.check("read-generation", asserts, read, Expectation::same_generation(self.last));
        read
    }

    /// Sends a write. A PUT sends back what `read` returned.
    fn send(&mut self, write: &Write, read: StepId, dry_run: bool) -> StepId {
        let body = match write.method {
            Method::Put => Body::Answer { step: read, edits: write.edits() },
            Method::JsonPatch => Body::json(write.json_patch(self.fields.clone())),
            _ => Body::json(write.merge_patch()),
        };
        let mut request = Request { dry_run, ..Request::new(write.method, self.resource(), body) };
        if write.by_another {
            request.query.push(("fieldManager".to_owned(), "another".to_owned()));
        }
        self.plan.send(request)
    }

    /// Sends a write, and checks what it answers.
    pub(super) fn write(&mut self, write: &Write, read: StepId) -> StepId {
        let after = write.applied(&self.fields);
        let written = self.send(write, read, false);
        let changed = change(&self.fields, &after);
        let changes_nothing = changed == oracle::Change::Nothing;
        let asserts = write.asserts(changes_nothing);
        self.check_fields("written", &asserts[..1], written, &after);
        let asserts_of_code = if write.method == Method::Put { "REST-028" } else { "REST-035" };
        self.plan.check("code", &[asserts_of_code], written, accepted_as(200));
        let of_content = change(&self.fields["spec"], &after["spec"]);
        let is_of_metadata = of_content == oracle::Change::Nothing && !changes_nothing;
        let asserts_of_generation: &[&str] = if is_of_metadata { &["INV-066", "INV-068"] } else { &["INV-066"] };
        self.check_generation(asserts_of_generation, written, &after);
        let asserts = if changes_nothing { &asserts[1..] } else { &["INV-067"] };
        if let Some(revision) = changed.revision(self.last) {
            self.plan.check("revision", asserts, written, revision);
        }
        for part in ["uid", "creationTimestamp"] {
            let asserts: &[&str] = if write.claims { &["REST-031", "INV-079"] } else { &["REST-031"] };
            self.plan.check(part, asserts, written, same_at(format!("/metadata/{part}"), self.created));
        }
        self.fields = stored(&after);
        self.last = written;
        written
    }

    /// Sends a write as a dry run, then looks whether it had an effect, and sends it.
    pub(super) fn rehearse(&mut self, write: &Write, read: StepId) {
        let after = write.applied(&self.fields);
        let tried = self.send(write, read, true);
        self.check_fields("tried", &["REST-058"], tried, &after);
        self.check_generation(&["REST-059/e1"], tried, &after);
        self.plan.check("tried-revision", &["REST-059"], tried, Expectation::same_revision(self.last));
        self.read(&["REST-058", "INV-069"]);
        let written = self.send(write, read, false);
        self.plan.check("as-tried", &["INV-069"], written, Expectation::same_outcome(tried));
        self.fields = stored(&after);
        self.last = written;
    }

    fn check_generation(&mut self, asserts: &[&str], written: StepId, after: &Value) {
        let changed = change(&self.fields["spec"], &after["spec"]);
        if let Some(generation) = changed.generation(self.last) {
            self.plan.check("generation", asserts, written, generation);
        }
    }
}
