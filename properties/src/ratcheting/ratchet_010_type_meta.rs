//! RATCHET-010 and RATCHET-011: which meta fields are ratcheted.

use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("ratchet-010-type-meta", plan)
    .title("validation of root apiVersion and kind and of embedded objects is never ratcheted")
    .asserts(&["RATCHET-010", "RATCHET-011"])
    .needs(&[Capability::Storing, Capability::Validation]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let short = || json!({ "type": "string", "maxLength": 1 });
    let (mut tight, mut causes): (Vec<(&str, Value)>, Vec<Cause>) = (Vec::new(), Vec::new());
    for key in ["kind", "apiVersion"] {
        if choices.chance(1, 3) {
            tight.push((key, short()));
            causes.push(Cause::new(key, "TooLong"));
        }
    }
    let names = choices.chance(1, 3);
    if names {
        tight.push(("metadata", json!({ "type": "object", "properties": { "name": short() } })));
    }
    let embeds = choices.chance(1, 4);
    if embeds {
        causes.extend(["spec.e.apiVersion", "spec.e.kind"].map(|field| Cause::new(field, "Required")));
    }
    // A deeper field named `apiVersion` or `kind` is an ordinary field.
    let spec = |is_tight: bool| {
        let string = || if is_tight { short() } else { json!({ "type": "string" }) };
        let mut embedded = json!({ "type": "object", PRESERVE: true });
        if is_tight && embeds {
            embedded[EMBEDDED] = json!(true);
        }
        object_of(json!({ "apiVersion": string(), "kind": string(), "q": { "type": "integer" }, "e": embedded }))
    };
    let root = |is_tight: bool| {
        let mut root = root_of(spec(is_tight));
        for (key, schema) in tight.iter().filter(|_| is_tight) {
            root["properties"][*key] = schema.clone();
        }
        root
    };
    let mut content = json!({ "spec": { "apiVersion": "long", "kind": "long", "q": 0 } });
    if embeds {
        content["spec"]["e"] = json!({ "a": 1 });
    }
    let definition = plan.define_schema(root(false));
    let created = plan.create(definition, content.clone());
    plan.install_schema(definition, root(true));
    let updates = choices.cases("update", |choices, _| choices.draw(2));
    for update in updates {
        let mut new = content.clone();
        let edit = match update {
            0 => Edit::Set("/metadata/annotations".into(), json!({ "a": "x" })),
            // Another invalid value deeper down is enforced, as anywhere.
            1 => {
                new["spec"]["kind"] = json!("other");
                Edit::Set("/spec/kind".into(), json!("other"))
            }
            _ => {
                new["spec"]["q"] = json!(1);
                Edit::Set("/spec/q".into(), json!(1))
            }
        };
        let put = plan.try_put_back(created, vec![edit]);
        let mut expected = causes.clone();
        if update == 1 {
            expected.push(Cause::new("spec.kind", "TooLong"));
        }
        let asserts: &[&str] = if names || embeds { &["RATCHET-010", "RATCHET-011"] } else { &["RATCHET-010"] };
        if expected.is_empty() {
            plan.check("forgiven", asserts, put, Expectation::Content(new));
        } else {
            plan.check_causes("enforced", asserts, put, expected);
        }
        plan.count_case();
    }
}
