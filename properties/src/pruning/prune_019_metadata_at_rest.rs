//! PRUNE-019: invalid parts of stored metadata are dropped one by one, and never fail a read.

use crdible_generators::choice::MOST_CASES;

use super::shared::{PLACES, check_only_item, embedded, object_meta, preserving};
use crate::prelude::*;
use crate::shared::accepted_or;

const ASSERTS: &[&str] = &["PRUNE-019"];

pub(super) const PROPERTY: Property = Property::new("prune-019-metadata-at-rest", plan)
    .title("a stored object whose field became embedded is read without its invalid meta fields")
    .asserts(&["PRUNE-019", "PRUNE-019/e1"])
    .needs(&[Capability::Storing, Capability::Pruning]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &PLACES);
    let definition = plan.define_schema(place.schema(preserving()));
    // A list shows a single object, because the order of its items is not specified (REST-021).
    let is_listed = choices.chance(1, 4);
    let objects = choices.cases_up_to("object", if is_listed { 1 } else { MOST_CASES }, |choices, _| object(choices));
    let created: Vec<usize> =
        objects.iter().map(|(stored, _)| plan.create(definition, place.content(stored))).collect();
    plan.install_schema(definition, place.schema(embedded(true)));
    for ((stored, left), created) in objects.into_iter().zip(created) {
        let read = plan.get(created);
        plan.check("content", ASSERTS, read, Expectation::Content(place.content(&left)));
        plan.check("revision", &["PRUNE-019/e1"], read, Expectation::same_revision(created));
        if is_listed {
            let list = plan.list(definition, "v1");
            check_only_item(plan, ASSERTS, list, &place.content(&stored), &place.content(&left));
        }
        let missing = ["apiVersion", "kind"].into_iter().filter(|key| left.get(key).is_none());
        let causes = place.causes(missing.map(|key| (format!(".{key}"), "Required")));
        let put = plan.put_back(read, vec![]);
        plan.check("put-back", &["PRUNE-019/e1"], put, accepted_or(causes));
        plan.count_case();
    }
}

/// An object with valid and invalid fields, and what remains of it. `metadata` itself is always an object:
/// kube-apiserver has a defect for anything else.
fn object(choices: &mut Choices) -> (Value, Value) {
    let mut metadata = object_meta::kept(choices);
    let left = metadata.clone();
    let mut is_wrong = Map::new();
    choices.many_average("wrong field", 0, 2, 1, |choices, _| {
        let (key, wrong) = choices.pick(object_meta::WRONG);
        is_wrong.insert((*key).to_owned(), wrong());
    });
    if choices.chance(1, 2) {
        is_wrong.extend(object_meta::unknown(choices));
    }
    let left: Map<String, Value> = left.into_iter().filter(|(key, _)| !is_wrong.contains_key(key)).collect();
    metadata.extend(is_wrong);
    let mut stored = json!({ "apiVersion": "v1", "kind": "X", "metadata": metadata, "b": { "metadata": 5 } });
    let mut kept = json!({ "apiVersion": "v1", "kind": "X", "metadata": left, "b": { "metadata": 5 } });
    for key in ["apiVersion", "kind"] {
        if choices.chance(1, 4) {
            stored[key] = choices.pick(&[json!(5), json!({}), json!([])]).clone();
            kept.as_object_mut().into_iter().for_each(|kept| _ = kept.remove(key));
        }
    }
    (stored, kept)
}
