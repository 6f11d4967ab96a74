//! PRUNE-017: the metadata of an embedded object is decoded as `ObjectMeta` and encoded again.

use super::shared::{PLACES, embedded, object_meta};
use crate::prelude::*;

const ASSERTS: &[&str] = &["PRUNE-017"];

pub(super) const PROPERTY: Property = Property::new("prune-017-embedded-metadata", plan)
    .title("unknown keys of embedded metadata are dropped and reported")
    .asserts(&["PRUNE-017", "PRUNE-017/e1", "PRUNE-017/e3"])
    .needs(&[Capability::Storing, Capability::Pruning]);

const OBJECTS: usize = 3;

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &PLACES);
    let preserves = choices.chance(1, 2);
    let definition = plan.define_schema(place.schema(embedded(preserves)));
    let fine = place.content(json!({ "apiVersion": "v1", "kind": "X" }));
    let created = plan.create(definition, fine);
    choices.many("object", 1, OBJECTS, |choices, _| {
        unknown_keys(plan, definition, &place, choices);
        wrong_types(plan, definition, &place, created, choices);
        rewritten(plan, definition, &place, choices);
    });
}

fn object(metadata: &Map<String, Value>) -> Value {
    json!({ "apiVersion": "v1", "kind": "X", "metadata": metadata })
}

fn unknown_keys(plan: &mut Plan, definition: usize, place: &Place, choices: &mut Choices) {
    let unknown = object_meta::unknown(choices);
    let paths: Vec<String> = unknown.keys().map(|key| format!(".metadata.{key}")).collect();
    let kept = object_meta::kept(choices);
    let mut sent = unknown;
    sent.extend(kept.clone());
    let warned = plan.try_create_validating(definition, "Warn", place.content(object(&sent)));
    plan.check("dropped", ASSERTS, warned, Expectation::Content(place.content(object(&kept))));
    // How the report writes the key of a map and an empty name is a quirk.
    if !place.is_below_map() && !place.is_below_empty_name() {
        let reported = Expectation::UnknownFieldWarnings(place.all_fields(&paths));
        plan.check("reported", &["PRUNE-017", "PRUNE-017/e3"], warned, reported);
    }
    plan.count_case();
}

fn wrong_types(plan: &mut Plan, definition: usize, place: &Place, created: usize, choices: &mut Choices) {
    let mut wrong = object(&Map::new());
    match choices.draw(6) {
        0 => wrong["apiVersion"] = json!(5),
        1 => wrong["apiVersion"] = Value::Null,
        2 => wrong["kind"] = json!({}),
        3 => wrong["kind"] = Value::Null,
        4 => wrong["metadata"] = choices.pick(&[json!("x"), json!([]), json!(true)]).clone(),
        _ => {
            let (key, value) = choices.pick(object_meta::WRONG);
            wrong["metadata"][*key] = value();
        }
    }
    let content = place.content(&wrong);
    let posted = plan.try_create(definition, content.clone());
    plan.check("post", ASSERTS, posted, Expectation::BadRequest);
    let put = plan.put_back(created, vec![Edit::Set("/spec".into(), content["spec"].clone())]);
    plan.check("put", ASSERTS, put, Expectation::BadRequest);
    let patch = json!([{ "op": "replace", "path": "/spec", "value": content["spec"] }]);
    let patched = plan.patch(created, Method::JsonPatch, patch);
    plan.check_causes("patch", ASSERTS, patched, vec![Cause::new("patch", "Invalid")]);
    plan.count_case();
}

fn rewritten(plan: &mut Plan, definition: usize, place: &Place, choices: &mut Choices) {
    let (key, sent, left) = choices.pick(object_meta::REWRITTEN);
    let (mut before, mut after) = (object_meta::kept(choices), Map::new());
    before.insert((*key).to_owned(), sent());
    after.extend(before.iter().filter(|(other, _)| other != key).map(|(key, value)| (key.clone(), value.clone())));
    after.extend(left().map(|left| ((*key).to_owned(), left)));
    let strict = plan.try_create_validating(definition, "Strict", place.content(object(&before)));
    plan.check("rewritten", &["PRUNE-017/e1"], strict, Expectation::Content(place.content(object(&after))));
    plan.count_case();
}
