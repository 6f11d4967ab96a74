//! CEL-028: rules see the object that is to be stored: with defaults, without unknown fields, with its name.

use super::shared::{PLACES, SINGLE, ruled};
use crate::prelude::*;

const ASSERTS: &[&str] = &["CEL-028"];
const WHOLE: &[&str] = &["CEL-028/e1"];

pub(super) const PROPERTY: Property = Property::new("cel-028-final-object", plan)
    .title("rules see the object with its defaults and name, without unknown fields, in its version's schema")
    .asserts(&["CEL-028", "CEL-028/e1"])
    .needs(&[Capability::Storing, Capability::Defaulting, Capability::Pruning, Capability::Rules])
    .edges(&[Edge { name: "metadata", plan: metadata }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    match choices.draw(3) {
        0 => defaults(plan, choices),
        1 => unknown_fields(plan, choices),
        2 => names(plan, choices),
        _ => versions(plan, choices),
    }
}

fn causes_unless(holds: bool) -> Vec<(&'static str, &'static str)> {
    if holds { vec![] } else { vec![("", "Invalid")] }
}

/// A default is there before rules run, and replaces a null.
fn defaults(plan: &mut Plan, choices: &mut Choices) {
    let (default, least) = choices.span("node", |choices| (choices.between(0, 3), choices.between(0, 3)));
    let number = json!({ "type": "integer", "default": default });
    // The rule is on the parent, so it does not judge the default (CRDVAL-053).
    let node = ruled(object_of(json!({ "p": number })), &format!("self.p >= {least}"));
    let place = Place::draw(choices, &PLACES);
    plan.at_place(choices, &place, &node, |choices| {
        let (sent, value) = match choices.draw(2) {
            0 => (json!({}), default),
            1 => (json!({ "p": null }), default),
            _ => {
                let value = choices.between(0, 3);
                (json!({ "p": value }), value)
            }
        };
        if value >= least {
            Example::becomes("default", ASSERTS, sent, json!({ "p": value }))
        } else {
            Example::refused("default", ASSERTS, sent, causes_unless(false))
        }
    });
}

/// Of two objects that differ only in unknown fields, rules see no difference; in one that preserves them, they do.
fn unknown_fields(plan: &mut Plan, choices: &mut Choices) {
    let is_preserved = choices.span("node", |choices| choices.chance(1, 3));
    let mut object = object_of(json!({ "q": { "type": "string", "maxLength": 5 } }));
    if is_preserved {
        object[PRESERVE] = json!(true);
    }
    let node = ruled(object_of(json!({ "a": object, "b": object })), "self.a == dyn(self.b)");
    let place = Place::draw(choices, &SINGLE);
    plan.at_place(choices, &place, &node, |choices| {
        let known = if choices.chance(1, 2) { json!({}) } else { json!({ "q": "x" }) };
        let mut unknown = known.clone();
        let has_unknown = choices.chance(2, 3);
        if has_unknown {
            unknown["u"] = json!(1);
        }
        let (a, b) = if choices.chance(1, 2) { (known.clone(), unknown) } else { (unknown, known.clone()) };
        let sent = json!({ "a": a, "b": b });
        match (has_unknown, is_preserved) {
            (true, true) => Example::refused("preserved", ASSERTS, sent, causes_unless(false)),
            (true, false) => Example::becomes("pruned", ASSERTS, sent, json!({ "a": known, "b": known })),
            _ => Example::kept("equal", ASSERTS, sent),
        }
    });
}

/// A generated name is there before rules run.
fn names(plan: &mut Plan, choices: &mut Choices) {
    const RULES_OF_NAMES: [(&str, bool); 4] = [
        ("self.metadata.name != ''", true),
        ("has(self.metadata.name) && has(self.metadata.generateName)", true),
        ("self.metadata.name.startsWith(self.metadata.generateName)", true),
        ("self.metadata.name == self.metadata.generateName", false),
    ];
    let (rule, holds) = choices.span("node", |choices| *choices.pick(&RULES_OF_NAMES));
    let definition = plan.define_schema(ruled(object_of(json!({})), rule));
    plan.cases(choices, "object", |plan, choices| {
        let prefix = *choices.pick(&["a-", "ab", "x.y-"]);
        let metadata = json!({ "metadata": { "name": "", "generateName": prefix } });
        let created = plan.try_create(definition, metadata);
        let causes: Vec<Cause> = if holds { vec![] } else { vec![NIL.into()] };
        plan.check("generated-name", ASSERTS, created, crate::shared::accepted_or(causes));
        if holds {
            return;
        }
        // Without a prefix the rule cannot be evaluated.
        let created = plan.try_create(definition, json!({}));
        plan.check_causes("stated-name", ASSERTS, created, vec![NIL.into()]);
    });
}

/// Rules and defaults are those of the request's version.
fn versions(plan: &mut Plan, choices: &mut Choices) {
    let drawn = choices.span("node", |choices| [0; 2].map(|_| (choices.between(0, 3), choices.between(0, 3))));
    let is_first_stored = choices.span("storage", |choices| choices.chance(1, 2));
    let schema = |(default, least): (i64, i64)| {
        let number = json!({ "type": "integer", "default": default });
        root_of(ruled(object_of(json!({ "p": number })), &format!("self.p >= {least}")))
    };
    let [first, second] = drawn.map(schema);
    let definition = plan.define_versions(vec![
        Version::named("v1", first).stored_if(is_first_stored),
        Version::named("v2", second).stored_if(!is_first_stored),
    ]);
    plan.cases(choices, "object", |plan, choices| {
        let at = choices.index(2);
        let (default, least) = drawn[at];
        let stated = choices.chance(1, 2).then(|| choices.between(0, 3));
        let spec = stated.map_or(json!({}), |value| json!({ "p": value }));
        let value = stated.unwrap_or(default);
        let created = plan.try_create_at(definition, ["v1", "v2"][at], json!({ "spec": spec }));
        let causes = if value >= least { vec![] } else { vec![Cause::new("spec", "Invalid")] };
        plan.check("version", ASSERTS, created, content_or(json!({ "spec": { "p": value } }), causes));
    });
}

/// Rules that compare whole resources see their metadata, of which they can access nothing but names.
fn metadata(plan: &mut Plan) {
    let spec = object_of(json!({ "n": { "type": "integer" } }));
    let root = plan.define_schema(ruled(object_of(json!({ "spec": spec })), "self == oldSelf"));
    let content = json!({ "spec": { "n": 1 } });
    let created = plan.create(root, content.clone());
    let edits: [(&str, Value, bool); 4] = [
        ("/spec/n", json!(1), true),
        ("/spec/n", json!(2), false),
        ("/metadata/labels", json!({ "l": "x" }), false),
        ("/metadata/annotations", json!({ "a": "x" }), false),
    ];
    for (pointer, value, is_same) in edits {
        let put = plan.try_put_back(created, vec![Edit::Set(pointer.to_owned(), value)]);
        let causes: Vec<Cause> = if is_same { vec![] } else { vec![NIL.into()] };
        plan.check("metadata", WHOLE, put, content_or(content.clone(), causes));
        plan.count_case();
    }
    let place = Place::spec().property("r");
    let resource = json!({ "type": "object", EMBEDDED: true, "properties": { "x": { "type": "string" } } });
    let embedding = plan.define_schema(place.schema(ruled(resource, "self == oldSelf")));
    let value = |metadata: Value| json!({ "apiVersion": "v1", "kind": "Pod", "metadata": metadata });
    let created = plan.create(embedding, place.content(value(json!({ "name": "a" }))));
    for (metadata, is_same) in [(json!({ "name": "a" }), true), (json!({ "name": "a", "labels": { "l": "x" } }), false)]
    {
        let put = plan.try_put_back(created, vec![Edit::Set(place.pointer(), value(metadata.clone()))]);
        let causes = if is_same { vec![] } else { place.causes([("", "Invalid")]) };
        plan.check("metadata", WHOLE, put, content_or(place.content(value(metadata)), causes));
        plan.count_case();
    }
}
