//! DEFAULT-016: the defaults of a status, which a create drops with the status, and which each read shows.

use crdible_scenario::merged;

use super::object::with_status;
use crate::prelude::*;

const ASSERTS: &[&str] = &["DEFAULT-016"];

/// What a definition says of absent fields.
struct Defaults {
    /// The status itself.
    status: Option<Value>,
    /// `status.count`.
    count: Option<i64>,
    /// `status.part.state`.
    state: Option<&'static str>,
}

impl Defaults {
    fn draw(choices: &mut Choices) -> Self {
        let status = choices
            .pick(&[
                None,
                Some(json!({ "phase": "d" })),
                Some(json!({})),
                Some(json!({ "part": {}, "count": 0 })),
                Some(json!({ "count": 8, "phase": "e" })),
            ])
            .clone();
        let count = choices.chance(1, 2).then(|| choices.between(3, 5));
        Self { status, count, state: choices.chance(1, 2).then(|| *choices.pick(&["new", "old"])) }
    }

    fn version(&self) -> Version {
        let given = |node: Value, default: Option<Value>| match default {
            Some(default) => with_default(&node, &default),
            None => node,
        };
        let count = given(json!({ "type": "integer" }), self.count.map(Value::from));
        let state = given(json!({ "type": "string" }), self.state.map(Value::from));
        let status = object_of(json!({
            "phase": { "type": "string" },
            "count": count,
            "part": object_of(json!({ "state": state })),
        }));
        let status = given(status, self.status.clone());
        let spec = object_of(json!({ "a": { "type": "integer" } }));
        with_status(Version::only(object_of(json!({ "spec": spec, "status": status }))))
    }

    /// The status that is shown of a stored one.
    fn shown(&self, stored: Option<&Value>) -> Option<Value> {
        let mut status = stored.or(self.status.as_ref())?.clone();
        if let (None, Some(count)) = (status.get("count"), self.count) {
            status["count"] = json!(count);
        }
        if let (Some(part), Some(state)) = (status.get_mut("part"), self.state)
            && part.get("state").is_none()
        {
            part["state"] = json!(state);
        }
        Some(status)
    }
}

/// Objects that are created with and without a status, under defaults that may change before anything else is written.
pub(super) fn scenario(plan: &mut Plan, choices: &mut Choices) {
    let mut defaults = Defaults::draw(choices);
    let definition = plan.define(Definition::with_versions(vec![defaults.version()]));
    let objects = choices.cases_up_to("object", 4, |choices, _| {
        let spec = json!({ "a": choices.between(1, 3) });
        let mut fields = json!({ "spec": spec });
        if choices.chance(1, 2) {
            let sent = status(choices);
            // Else the answer would not show whether it is kept.
            if defaults.shown(Some(&sent)) != defaults.shown(None) {
                fields["status"] = sent;
            }
        }
        // Both say that a status of the body is dropped; what comes from defaults alone is DEFAULT-016.
        let asserts: &[&str] = if fields.get("status").is_some() { &["SUB-003", "DEFAULT-016"] } else { ASSERTS };
        let created = plan.create(definition, fields);
        plan.assume(created, Expectation::Accepted);
        let object = Object { created, spec, stored: None };
        // What is read is no matter of defaults if the status of the body was kept. Whether the answer shows a default is
        // a quirk.
        let contents = vec![json!({ "spec": object.spec }), object.shown(&defaults)];
        plan.check("dropped", asserts, created, NamedCheck::OneOf { contents });
        object.read(plan, &defaults);
        plan.count_case();
        object
    });
    if choices.chance(1, 2) {
        defaults = Defaults::draw(choices);
        plan.install_versions(definition, vec![defaults.version()]);
    }
    for mut object in objects {
        object.read(plan, &defaults);
        choices.many_average("write", 0, 3, 1, |choices, _| object.write(choices, plan, &defaults));
    }
}

fn status(choices: &mut Choices) -> Value {
    choices
        .pick(&[
            json!({ "phase": "x" }),
            json!({ "count": 7 }),
            json!({ "part": {} }),
            json!({ "part": { "state": "s" }, "phase": "y" }),
            json!({}),
        ])
        .clone()
}

/// An object, and the status that is stored of it.
struct Object {
    created: StepId,
    spec: Value,
    stored: Option<Value>,
}

impl Object {
    fn content(&self, defaults: &Defaults) -> Expectation {
        Expectation::Content(self.shown(defaults))
    }

    fn shown(&self, defaults: &Defaults) -> Value {
        let mut content = json!({ "spec": self.spec });
        if let Some(status) = defaults.shown(self.stored.as_ref()) {
            content["status"] = status;
        }
        content
    }

    /// GET of both endpoints.
    fn read(&self, plan: &mut Plan, defaults: &Defaults) -> StepId {
        let main = plan.get(self.created);
        plan.check("read", ASSERTS, main, self.content(defaults));
        let target = plan.object_of(self.created).subresource("status");
        let status = plan.read(target);
        plan.check("read-status", ASSERTS, status, self.content(defaults));
        status
    }

    /// Writes the status, or the spec with a status that does not count.
    fn write(&mut self, choices: &mut Choices, plan: &mut Plan, defaults: &Defaults) {
        let fields = status(choices);
        let main = plan.object_of(self.created);
        if choices.chance(1, 3) {
            self.spec["a"] = json!(choices.between(4, 9));
            let patch = Body::json(json!({ "spec": self.spec, "status": fields }));
            let written = plan.send(Request::merge_patch(main, patch));
            plan.check("kept", ASSERTS, written, self.content(defaults));
        } else {
            let before = defaults.shown(self.stored.as_ref());
            let (method, body) = match choices.draw(2) {
                0 => {
                    let read = self.read(plan, defaults);
                    (Method::Put, Body::Answer { step: read, edits: vec![Edit::Set("/status".into(), fields.clone())] })
                }
                1 => (Method::MergePatch, Body::json(json!({ "status": fields }))),
                _ => (Method::JsonPatch, Body::json(json!([{ "op": "add", "path": "/status", "value": fields }]))),
            };
            let mut after = fields;
            if method == Method::MergePatch {
                let patch = after;
                after = before.unwrap_or_else(|| json!({}));
                merged(&mut after, &patch);
            }
            self.stored = defaults.shown(Some(&after));
            let written = plan.send(Request::new(method, main.subresource("status"), body));
            plan.check("written", ASSERTS, written, self.content(defaults));
        }
        self.read(plan, defaults);
    }
}
