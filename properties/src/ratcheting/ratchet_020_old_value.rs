//! RATCHET-020: an update is compared with the object as it would be read now.

use crate::prelude::*;

const ASSERTS: &[&str] = &["RATCHET-020", "RATCHET-020/e1"];

pub(super) const PROPERTY: Property = Property::new("ratchet-020-old-value", plan)
    .title("defaulting and pruning by a new schema do not count as changes in an update")
    .asserts(ASSERTS)
    .needs(&[Capability::Storing, Capability::Validation, Capability::Defaulting, Capability::Pruning]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (adds_default, drops) = (choices.chance(1, 2), choices.chance(1, 2));
    let string = || json!({ "type": "string" });
    let object = |is_tight: bool| {
        let mut object = json!({ "type": "object", "properties": { "a": string() } });
        if is_tight {
            object["minProperties"] = json!(9);
        }
        if is_tight && adds_default {
            object["properties"]["learned"] = json!({ "type": "string", "default": "here" });
        }
        if !(is_tight && drops) {
            object["properties"]["dropped"] = string();
        }
        object
    };
    let schema = |is_tight| spec_of(json!({ "o": object(is_tight), "q": { "type": "integer" } }));
    let mut shown = json!({ "a": "x", "dropped": "y" });
    let stored = shown.clone();
    if adds_default {
        shown["learned"] = json!("here");
    }
    if drops {
        shown.as_object_mut().into_iter().for_each(|shown| _ = shown.remove("dropped"));
    }
    let definition = plan.define_schema(schema(false));
    let created = plan.create(definition, json!({ "spec": { "o": stored, "q": 0 } }));
    plan.install_schema(definition, schema(true));
    let read = plan.get(created);
    plan.check("read", &["RATCHET-020"], read, Expectation::Content(json!({ "spec": { "o": shown, "q": 0 } })));
    choices.cases("update", |choices, number| {
        let q = number + 1;
        let refused = vec![Cause::new("spec.o", "Invalid")];
        let (name, o, causes): (&str, Value, Vec<Cause>) = match choices.draw(2) {
            0 => ("as-read", shown.clone(), vec![]),
            // A default fills in the omitted key, and an undeclared key is pruned again.
            1 => ("as-stored", stored.clone(), vec![]),
            _ => ("changed", json!({ "a": "z" }), refused),
        };
        let put = plan.try_put_back(read, vec![Edit::Set("/spec".into(), json!({ "o": o, "q": q }))]);
        plan.check(name, ASSERTS, put, content_or(json!({ "spec": { "o": shown, "q": q } }), causes));
        plan.count_case();
    });
}
