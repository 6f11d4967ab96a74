//! RATCHET-019: what may stay invalid in writes of the status, and of the object around it.

use super::object::with_status;
use crate::prelude::*;
use crate::shared::oracle::equal;

/// The fields of a status, and values that are invalid once the schema is tightened, and valid ones.
const FIELDS: [(&str, &str, [i64; 2], [i64; 2]); 2] =
    [("count", "status.count", [8, 9], [1, 2]), ("part", "status.part.n", [7, 6], [0, 3])];

fn version(is_tightened: bool) -> Version {
    let number = |maximum: i64| {
        if is_tightened { json!({ "type": "integer", "maximum": maximum }) } else { json!({ "type": "integer" }) }
    };
    let status = object_of(json!({
        "count": number(5),
        "part": object_of(json!({ "n": number(4) })),
        "note": { "type": "string" },
    }));
    let spec = object_of(json!({ "a": number(0), "b": { "type": "integer" } }));
    with_status(Version::only(object_of(json!({ "spec": spec, "status": status }))))
}

/// The value of a field of a status.
fn value_of(field: &str, number: i64) -> Value {
    if field == "part" { json!({ "n": number }) } else { json!(number) }
}

/// Objects whose status is valid until the schema changes, and then may be not.
pub(super) fn scenario(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define(Definition::with_versions(vec![version(false)]));
    let objects = choices.cases_up_to("object", 4, |choices, _| {
        let mut content = json!({ "spec": { "a": choices.between(0, 1), "b": 1 } });
        let created = plan.create(definition, content.clone());
        let mut status = json!({ "note": "x" });
        for (field, _, invalid, valid) in FIELDS {
            let number = if choices.chance(2, 3) { invalid[0] } else { valid[0] };
            status[field] = value_of(field, number);
        }
        let target = plan.object_of(created).subresource("status");
        let patch = Body::json(json!({ "status": status }));
        let written = plan.send(Request::merge_patch(target, patch));
        content["status"] = status;
        plan.assume(written, Expectation::Content(content.clone()));
        plan.count_case();
        Object { created, last: written, content }
    });
    plan.install_versions(definition, vec![version(true)]);
    for mut object in objects {
        choices.many_average("write", 1, 5, 2, |choices, _| {
            if choices.draw(2) == 0 {
                object.write(choices, plan);
            } else {
                object.write_status(choices, plan);
            }
        });
    }
}

/// An object, and what is stored of it.
struct Object {
    created: StepId,
    /// The last step that wrote it.
    last: StepId,
    content: Value,
}

impl Object {
    /// Writes the status: each of its fields as it was, or with another value.
    fn write_status(&mut self, choices: &mut Choices, plan: &mut Plan) {
        let mut status = self.content["status"].clone();
        status["note"] = json!(*choices.pick(&["x", "y"]));
        let mut causes = Vec::new();
        for (field, path, invalid, valid) in FIELDS {
            let number = match choices.weighted(&[3, 1, 1]) {
                0 => continue,
                1 => *choices.pick(&invalid),
                _ => *choices.pick(&valid),
            };
            let value = value_of(field, number);
            if invalid.contains(&number) && !equal(&value, &status[field]) {
                causes.push(Cause::new(path, "Invalid"));
            }
            status[field] = value;
        }
        let (method, body) = match choices.draw(2) {
            0 => {
                let edits = vec![Edit::Set("/status".into(), status.clone())];
                (Method::Put, Body::Answer { step: self.last, edits })
            }
            1 => (Method::MergePatch, Body::json(json!({ "status": status }))),
            _ => (Method::JsonPatch, Body::json(json!([{ "op": "add", "path": "/status", "value": status }]))),
        };
        let target = plan.object_of(self.created).subresource("status");
        let written = plan.send(Request::new(method, target, body));
        if causes.is_empty() {
            self.content["status"] = status;
            self.last = written;
            let asserts = &["RATCHET-019", "RATCHET-019/e1"];
            plan.check("status-ratchets", asserts, written, Expectation::Content(self.content.clone()));
        } else {
            plan.check_causes("changed-status", &["RATCHET-019"], written, causes);
        }
    }

    /// Writes the spec: its status stays, whatever it is.
    fn write(&mut self, choices: &mut Choices, plan: &mut Plan) {
        let value = json!(choices.between(2, 9));
        self.content["spec"]["b"] = value.clone();
        let written = if choices.draw(1) == 0 {
            let edits = vec![Edit::Set("/spec/b".into(), value)];
            // The last answer may be one of the other endpoint.
            let target = plan.object_of(self.created);
            plan.send(Request::put(target, Body::Answer { step: self.last, edits }))
        } else {
            plan.patch(self.created, Method::MergePatch, json!({ "spec": { "b": value } }))
        };
        self.last = written;
        plan.check("object-ratchets", &["RATCHET-019/e1"], written, Expectation::Content(self.content.clone()));
    }
}
