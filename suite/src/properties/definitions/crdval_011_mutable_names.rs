//! CRDVAL-011, CRDVAL-007: the other names can be changed, and follow from the kind again where they are left out.

use crdible_generators::choice::Choices;
use serde_json::{Map, Value, json};

use super::shared::{INSTALLING, merge, own, put, read};
use crate::{
    properties::Property,
    scenario::{Edit, Expectation, Plan, Resource, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "crdval-011-mutable-names",
    title: "singular, listKind, short names and categories can be changed at any time, and discovery follows",
    asserts: &["CRDVAL-011", "CRDVAL-007/e1"],
    needs: INSTALLING,
    edges: &[],
    plan,
};

/// How many updates follow each other.
const UPDATES: usize = 3;

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let (definition, _) = own(&mut plan, &[]);
    let mut is_changed = false;
    let mut expected = json!({ "singular": "thing", "listKind": "ThingList" });
    choices.many("update", 1, UPDATES, |choices, _| {
        if !is_changed && choices.chance(1, 3) {
            // A PUT that leaves the names out gets fresh defaults. Behind a change the server's own controllers may write, too.
            let before = read(&mut plan, definition);
            let removed = ["singular", "listKind"].map(|field| Edit::Remove(format!("/spec/names/{field}")));
            let updated = put(&mut plan, definition, before, true, removed.to_vec());
            for (field, value) in [("singular", "thing"), ("listKind", "ThingList")] {
                let expect = Expectation::At { pointer: format!("/spec/names/{field}"), value: Some(json!(value)) };
                plan.check("fresh", &["CRDVAL-007/e1"], updated, expect);
            }
        } else {
            is_changed = true;
            let names = names(choices);
            let updated = merge(&mut plan, definition, json!({ "spec": { "names": names } }));
            for (field, value) in names.as_object().into_iter().flatten() {
                expected[field] = value.clone();
                let expect = Expectation::At { pointer: format!("/spec/names/{field}"), value: Some(value.clone()) };
                plan.check("updated", &["CRDVAL-011"], updated, expect);
            }
        }
        plan.count_case();
    });
    // What was changed shows in the discovery of the definition's only version; what was left out may show in any way.
    let discovered = plan.read(Resource::GroupVersion { definition, version: "v1".into() });
    let mut resource = Map::new();
    for (name, field) in [("singular", "singularName"), ("shortNames", "shortNames"), ("categories", "categories")] {
        if let Some(value) = expected.get(name) {
            resource.insert(field.to_owned(), value.clone());
        }
    }
    let arguments = json!({ "content": { "resources": [resource] } });
    let expect = Expectation::Named { check: "contains@1".into(), of: None, arguments };
    plan.repeat_until(discovered, expect.clone());
    plan.check("discovered", &["CRDVAL-011"], discovered, expect);
    plan.finish()
}

fn names(choices: &mut Choices) -> Value {
    let mut names = Map::new();
    if choices.chance(1, 2) {
        names.insert("singular".into(), json!(*choices.pick(&["one", "thing", "a-b"])));
    }
    if choices.chance(1, 2) {
        names.insert("listKind".into(), json!(*choices.pick(&["Things", "ThingList", "Many"])));
    }
    if choices.chance(1, 2) {
        names.insert("shortNames".into(), json!([*choices.pick(&["th", "t"]), "t2"]));
    }
    if names.is_empty() || choices.chance(1, 2) {
        names.insert("categories".into(), json!([*choices.pick(&["all", "apps"])]));
    }
    Value::Object(names)
}
