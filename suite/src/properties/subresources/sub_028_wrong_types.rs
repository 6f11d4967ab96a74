//! SUB-028, SUB-022: what is stored at the paths of a scale and is no number.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::scaled::{Paths, scale_of, subresources};
use crate::{
    properties::{
        Capability, Property,
        shared::{PRESERVE, definitions::two_versions, object_of},
    },
    scenario::{Body, Cause, Definition, Expectation, Method, Plan, Request, Scenario, Version},
};

pub(super) const PROPERTY: Property = Property {
    id: "sub-028-wrong-types",
    title: "a scale whose numbers have a wrong type can be neither read nor written, and the object stays as it is until it is corrected",
    asserts: &["SUB-022", "SUB-027", "SUB-028"],
    needs: &[Capability::Storing, Capability::Scale, Capability::Versions],
    edges: &[],
    plan,
};

const PATHS: Paths = Paths { wanted: ".spec.a.n", present: ".status.n", selector: Some(".spec.selector") };

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let any = || json!({ "type": "object", PRESERVE: true });
    let schema = || object_of(json!({ "spec": any(), "status": any() }));
    let mut versions = two_versions(schema(), schema());
    // At v1 anything can be stored, and at v2 it is a scale.
    if let Some(scaled) = versions.last_mut() {
        *scaled = Version { further: subresources(PATHS, false), ..scaled.clone() };
    }
    let definition = plan.define(Definition::with_versions(versions));
    choices.cases("object", |choices, _| {
        let right = json!({ "spec": { "a": { "n": 3 }, "selector": "x=y" }, "status": { "n": 2 } });
        let mut wrong = right.clone();
        let text = || json!("1");
        let (pointer, field, value) = choices
            .pick(&[
                ("/spec/a/n", ".spec.a.n", text()),
                ("/spec/a/n", ".spec.a.n", json!(true)),
                ("/spec/a/n", ".spec.a.n", json!([1])),
                ("/spec/a", ".spec.a.n", text()),
                ("/status/n", ".status.n", text()),
                ("/spec/selector", ".spec.selector", json!(1)),
            ])
            .clone();
        if let Some(at) = wrong.pointer_mut(pointer) {
            *at = value;
        }
        let created = plan.create_at(definition, "v1", wrong.clone());
        plan.assume(created, Expectation::Content(wrong));
        let target = scale_of(&plan, created, "v2");
        let read = plan.read(target.clone());
        plan.check("read", &["SUB-028"], read, fails());
        let patch = Body::json(json!({ "spec": { "replicas": 5 } }));
        let patched = plan.send(Request::new(Method::MergePatch, target.clone(), patch));
        plan.check("patch", &["SUB-028"], patched, fails());
        let fields = json!({ "apiVersion": "autoscaling/v1", "kind": "Scale", "spec": { "replicas": 5 } });
        let object = match plan.object_of(created) {
            crate::scenario::Resource::Object { object, .. } => object,
            _ => 0,
        };
        let body = Body::Object { definition, version: "v2".to_owned(), object, fields: fields.into() };
        let put = plan.send(Request::new(Method::Put, target.clone(), body));
        plan.check("put", &["SUB-028"], put, fails());
        let labelled = plan.merge_at(created, "v2", json!({ "metadata": { "labels": { "l": "x" } } }));
        plan.check_causes("main", &["SUB-028"], labelled, vec![Cause::new(field, "Invalid")]);
        let kept = plan.get(created);
        plan.check("kept", &["SUB-028"], kept, Expectation::SameRevision { r#as: created });
        if choices.draw(1) == 0 {
            let corrected = plan.merge_at(created, "v2", right.clone());
            plan.check("corrected", &["SUB-027"], corrected, Expectation::Content(right));
            let read = plan.read(target);
            plan.check("readable", &["SUB-027"], read, crate::properties::shared::at("/spec/replicas", 3));
        } else {
            let emptied = plan.merge_at(created, "v1", json!({ "spec": null, "status": null }));
            plan.check("emptied", &["SUB-027"], emptied, Expectation::Content(json!({})));
            let read = plan.read(target);
            plan.check("no-replicas", &["SUB-022"], read, fails());
        }
        plan.count_case();
    });
    plan.finish()
}

/// Not accepted: upstream with 500.
fn fails() -> Expectation {
    Expectation::named_with("not-accepted@1", Value::Null)
}
