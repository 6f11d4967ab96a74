//! RATCHET-012: a list that had duplicates before it became a set or a map list may keep them; a list without
//! duplicates may not get any.

use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("ratchet-012-list-topology", plan)
    .title("a list may keep duplicates from before it became a set or a map list")
    .asserts(&["RATCHET-012", "RATCHET-012/e2"])
    .needs(&[Capability::Storing, Capability::Validation]);

/// Lists of integers, or of objects with these as keys.
fn list(is_map: bool, numbers: &[i64]) -> Value {
    numbers.iter().map(|number| if is_map { json!({ "k": number }) } else { json!(number) }).collect()
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let is_map = choices.chance(1, 2);
    let items = if is_map {
        json!({ "type": "object", "required": ["k"], "properties": { "k": { "type": "integer" } } })
    } else {
        json!({ "type": "integer" })
    };
    let schema = |is_tight: bool| {
        let mut list = json!({ "type": "array", "items": items });
        if is_tight {
            list[LIST_TYPE] = json!(if is_map { "map" } else { "set" });
            if is_map {
                list[LIST_MAP_KEYS] = json!(["k"]);
            }
        }
        spec_of(json!({ "l": list, "q": { "type": "integer" } }))
    };
    let definition = plan.define_schema(schema(false));
    let has_duplicates = choices.chance(2, 3);
    let old: &[i64] = if has_duplicates { &[1, 2, 1] } else { &[1, 2, 3] };
    let created = plan.create(definition, json!({ "spec": { "l": list(is_map, old), "q": 0 } }));
    plan.install_schema(definition, schema(true));
    let updates = choices.cases("update", |choices, _| (choices.draw(2), choices.draw(2)));
    for (update, way) in updates {
        // The list is unchanged, gets one more element, or gets a duplicate.
        let (q, numbers, second) = match update {
            0 => (1, old.to_vec(), None),
            1 => (0, [old, &[4]].concat(), None),
            _ => (0, [old, &[2]].concat(), Some("spec.l[3]")),
        };
        // Another duplicate in a list that already has one is accepted by accident.
        if has_duplicates && second.is_some() {
            continue;
        }
        let content = json!({ "spec": { "l": list(is_map, &numbers), "q": q } });
        let written = match way {
            0 => plan.try_put_back(created, vec![Edit::Set("/spec".into(), content["spec"].clone())]),
            1 => plan.try_patch(created, Method::MergePatch, content.clone()),
            _ => {
                let replace = json!([{ "op": "replace", "path": "/spec", "value": content["spec"] }]);
                plan.try_patch(created, Method::JsonPatch, replace)
            }
        };
        let expected = match second {
            Some(field) => Expectation::Causes(vec![Cause::new(field, "Duplicate")]),
            None => Expectation::Content(content),
        };
        let asserts: &[&str] = if has_duplicates { &["RATCHET-012", "RATCHET-012/e2"] } else { &["RATCHET-012"] };
        plan.check(if has_duplicates { "kept" } else { "in-full" }, asserts, written, expected);
        plan.count_case();
    }
    // At least one update is checked, whatever was drawn.
    let put = plan.try_put_back(created, vec![Edit::Set("/spec/q".into(), json!(7))]);
    let content = json!({ "spec": { "l": list(is_map, old), "q": 7 } });
    plan.check("list-untouched", &["RATCHET-012"], put, Expectation::Content(content));
}
