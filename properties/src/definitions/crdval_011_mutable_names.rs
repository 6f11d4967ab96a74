//! CRDVAL-011, CRDVAL-007: the other names can be changed, and are derived from the kind again if they are omitted.

use super::shared::INSTALLING;
use crate::prelude::*;
use crate::shared::definitions::{established, merge, put, read};

pub(super) const PROPERTY: Property = Property::new("crdval-011-mutable-names", plan)
    .title("singular, listKind, short names and categories can be changed at any time")
    .asserts(&["CRDVAL-011", "CRDVAL-007/e1"])
    .needs(INSTALLING);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (definition, _) = established(plan, &[]);
    let mut expected = json!({ "singular": "thing", "listKind": "ThingList" });
    plan.cases(choices, "update", |plan, choices| {
        if choices.chance(1, 3) {
            // A PUT without these names gets new defaults, whatever the names were. The server's own controllers also
            // write after a change; they are done once the names are accepted.
            let before = read(plan, definition);
            plan.repeat_until(before, accepted(&expected));
            let removed = ["singular", "listKind"].map(|field| Edit::Remove(format!("/spec/names/{field}")));
            let updated = put(plan, definition, before, true, removed.to_vec());
            for (field, value) in [("singular", "thing"), ("listKind", "ThingList")] {
                let expect = at(format!("/spec/names/{field}"), json!(value));
                plan.check("fresh", &["CRDVAL-007/e1"], updated, expect);
            }
        } else {
            let names = names(choices);
            let updated = merge(plan, definition, json!({ "spec": { "names": names } }));
            for (field, value) in names.as_object().into_iter().flatten() {
                expected[field] = value.clone();
                let expect = at(format!("/spec/names/{field}"), value.clone());
                plan.check("updated", &["CRDVAL-011"], updated, expect);
            }
        }
    });
    // Discovery of the only version shows the changed names; it may show anything for omitted ones.
    let discovered = plan.read(Resource::GroupVersion { definition, version: "v1".into() });
    let mut resource = Map::new();
    for (name, field) in [("singular", "singularName"), ("shortNames", "shortNames"), ("categories", "categories")] {
        if let Some(value) = expected.get(name) {
            resource.insert(field.to_owned(), value.clone());
        }
    }
    let expect = NamedCheck::Contains { content: json!({ "resources": [resource] }) };
    plan.repeat_until(discovered, expect.clone());
    plan.check("discovered", &["CRDVAL-011"], discovered, expect);
}

/// The definition's status shows these names as accepted.
fn accepted(names: &Value) -> NamedCheck {
    NamedCheck::Contains { content: json!({ "status": { "acceptedNames": names } }) }
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
