//! SUB-012, SUB-003/e1, SUB-005/e1, DEFAULT-016, RATCHET-019: what is validated, pruned and defaulted in a write of the
//! status, and in a create that drops it.

use super::{defaulted, object::with_status, ratcheted};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("sub-012-only-the-status", plan)
    .title("a write of /status is validated by the schema of the status alone")
    .asserts(&[
        "DEFAULT-016",
        "RATCHET-019",
        "RATCHET-019/e1",
        "SUB-003",
        "SUB-003/e1",
        "SUB-005",
        "SUB-005/e1",
        "SUB-012",
        "SUB-012/e1",
    ])
    .needs(&[Capability::Storing, Capability::Status, Capability::DefinitionUpdates]);

/// How the schema of the spec changes after objects were stored: the stored spec is not valid any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tightened {
    Not,
    Maximum,
    Required,
    RootRequired,
}

fn version(tightened: Tightened) -> Version {
    let mut spec = object_of(json!({ "a": { "type": "integer" }, "zz": { "type": "string" } }));
    match tightened {
        Tightened::Maximum => spec["properties"]["a"]["maximum"] = json!(0),
        Tightened::Required => spec["required"] = json!(["zz"]),
        Tightened::Not | Tightened::RootRequired => {}
    }
    let mut status = object_of(json!({
        "phase": { "type": "string", "enum": ["x", "y"] },
        "count": { "type": "integer", "maximum": 9 },
        "set": { "type": "array", LIST_TYPE: "set", "items": { "type": "string" } },
        "part": { "type": "object", "required": ["need"], "properties": { "need": { "type": "string" } } },
    }));
    status["minProperties"] = json!(1);
    let mut schema = object_of(json!({ "spec": spec, "status": status, "other": { "type": "string" } }));
    if tightened == Tightened::RootRequired {
        schema["required"] = json!(["other"]);
    }
    with_status(Version::only(schema))
}

/// A status, and the causes for which it is rejected.
fn status(choices: &mut Choices) -> (Value, Vec<Cause>) {
    let cause = |field: &str, reason: &str| vec![Cause::new(field, reason)];
    choices
        .pick(&[
            (json!({ "phase": "x" }), vec![]),
            (json!({ "count": 9, "set": ["p", "q"] }), vec![]),
            (json!({ "part": { "need": "n" } }), vec![]),
            (json!({ "phase": "z" }), cause("status.phase", "NotSupported")),
            (json!({ "count": 10 }), cause("status.count", "Invalid")),
            (
                json!({ "phase": 1 }),
                [cause("status.phase", "TypeInvalid"), cause("status.phase", "NotSupported")].concat(),
            ),
            (json!({ "set": ["p", "p"] }), cause("status.set[1]", "Duplicate")),
            (json!({ "part": {} }), cause("status.part.need", "Required")),
            (json!({}), cause("status", "Invalid")),
        ])
        .clone()
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    match choices.weighted(&[3, 1, 1]) {
        0 => validated(plan, choices),
        1 => defaulted::scenario(plan, choices),
        _ => ratcheted::scenario(plan, choices),
    }
}

fn validated(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define(Definition::with_versions(vec![version(Tightened::Not)]));
    let objects = choices.cases("object", |choices, _| {
        let (sent, _) = status(choices);
        let mut fields = json!({ "spec": { "a": choices.between(1, 3) } });
        let with_status = choices.chance(1, 2);
        let content = fields.clone();
        if with_status {
            fields["status"] = sent;
        }
        let created = plan.create(definition, fields.clone());
        // An ignored status of a wrong type leaves no managedFields (SUB-003), which nothing here looks at.
        plan.check("dropped", &["SUB-003/e1"], created, Expectation::Content(content.clone()));
        if choices.chance(1, 3) {
            fields["status"] = json!({ "phase": "x", "unknown": 1 });
            let warned = plan.try_create_validating(definition, "Warn", fields.clone());
            let unknown = vec!["status.unknown".to_owned()];
            plan.check("warned", &["SUB-003/e1"], warned, Expectation::UnknownFieldWarnings(unknown.clone()));
            let strict = plan.try_create_validating(definition, "Strict", fields);
            plan.check("strict", &["SUB-003/e1"], strict, Expectation::StrictRefusal(unknown));
        }
        (created, content)
    });
    let tightened = *choices.pick(&[Tightened::Not, Tightened::Maximum, Tightened::Required, Tightened::RootRequired]);
    if tightened != Tightened::Not {
        plan.install_versions(definition, vec![version(tightened)]);
    }
    for (created, content) in objects {
        let mut writes = Writes { plan, created, last: created, content, tightened };
        choices.many_average("write", 1, 5, 2, |choices, _| writes.write(choices));
        plan.count_case();
    }
}

struct Writes<'a> {
    plan: &'a mut Plan,
    created: StepId,
    last: StepId,
    content: Value,
    tightened: Tightened,
}

impl Writes<'_> {
    fn write(&mut self, choices: &mut Choices) {
        let (status, causes) = status(choices);
        let target = self.plan.object_of(self.created).subresource("status");
        let has_unknown = choices.chance(1, 4);
        let method = *choices.pick(&[Method::JsonPatch, Method::Put]);
        let body = if method == Method::Put {
            let mut edits = vec![Edit::Set("/status".into(), status.clone())];
            if has_unknown {
                edits.push(Edit::Set("/spec/unknown".into(), json!(1)));
            }
            Body::Answer { step: self.last, edits }
        } else {
            let mut patch = vec![json!({ "op": "add", "path": "/status", "value": status })];
            if has_unknown {
                patch.push(json!({ "op": "add", "path": "/spec/unknown", "value": 1 }));
            }
            Body::json(json!(patch))
        };
        let query = vec![("fieldValidation".to_owned(), "Warn".to_owned())];
        let written = self.plan.send(Request { query, ..Request::new(method, target, body) });
        if !causes.is_empty() {
            self.plan.check_causes("refused", &["SUB-012"], written, causes);
            return;
        }
        self.content["status"] = status;
        let asserts: &[&str] = match self.tightened {
            Tightened::RootRequired => &["SUB-005", "SUB-012", "SUB-012/e1"],
            _ => &["SUB-005", "SUB-012"],
        };
        self.plan.check("written", asserts, written, Expectation::Content(self.content.clone()));
        let unknown = if has_unknown { vec!["spec.unknown".to_owned()] } else { vec![] };
        self.plan.check("reported", &["SUB-005/e1"], written, Expectation::UnknownFieldWarnings(unknown));
        self.last = written;
        let read = self.plan.get(self.created);
        self.plan.check("kept", &["SUB-005"], read, Expectation::Content(self.content.clone()));
    }
}
