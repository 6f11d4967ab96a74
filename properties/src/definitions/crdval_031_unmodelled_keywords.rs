//! CRDVAL-031: keywords that the schema type lacks are unknown fields.

use super::shared::{DEFINITIONS, JUDGING, try_text};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("crdval-031-unmodelled-keywords", plan)
    .title("a schema keyword that Kubernetes does not know is handled like any unknown field")
    .asserts(&["CRDVAL-031", "CRDVAL-031/e1"])
    .needs(JUDGING);

const BOTH: &[&str] = &["CRDVAL-031", "CRDVAL-031/e1"];

/// Keywords, starting with those that the requirement lists.
fn unmodelled() -> Vec<(&'static str, Value)> {
    vec![
        ("readOnly", json!(true)),
        ("const", json!("x")),
        ("if", json!({ "type": "string" })),
        ("x-foo", json!([1])),
        ("deprecated", json!(true)),
        ("discriminator", json!({ "propertyName": "a" })),
        ("xml", json!({})),
        ("writeOnly", json!(false)),
        ("examples", json!([])),
        ("contains", json!({})),
        ("propertyNames", json!({ "pattern": "a" })),
        ("x-kubernetes-group-version-kind", json!([])),
        ("x-Kubernetes-list-type", json!("set")),
    ]
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    choices.many("schema", 1, DEFINITIONS, |choices, _| {
        let (keyword, value) = choices.pick(&unmodelled()).clone();
        let modelled = json!({ "type": "string", "title": "t", "description": "d", "example": 1, "externalDocs": { "url": "https://a" } });
        let mut node = modelled.clone();
        node[keyword] = value;
        let (mut schema, mut schema_path) = (node, "openAPIV3Schema".to_owned());
        let mut names = vec!["spec"];
        names.extend(choices.many_average("cover", 0, 3, 1, |choices, _| *choices.pick(&["a", "b"])));
        for name in names.iter().rev() {
            schema = json!({ "type": "object", "properties": { *name: schema } });
        }
        for name in &names {
            schema_path.push_str(&format!(".properties.{name}"));
        }
        let path = vec![format!("spec.versions[0].schema.{schema_path}.{keyword}")];
        let document = |schema: &Value| {
            let mut document = crdible_generators::definition::plain();
            document["spec"]["versions"][0]["schema"]["openAPIV3Schema"] = schema.clone();
            document
        };
        let sent = document(&schema);
        let mode: Option<&str> = *choices.pick(&[None, Some("Strict"), Some("Ignore"), Some("Warn")]);
        let query: Vec<_> = mode.map(|mode| ("fieldValidation", mode)).into_iter().collect();
        let defined = try_text(plan, &query, sent.into());
        match mode {
            Some("Strict") => plan.check("strict", &["CRDVAL-031"], defined, Expectation::StrictRefusal(path)),
            Some("Ignore") => {
                plan.check("ignored", &["CRDVAL-031"], defined, Expectation::UnknownFieldWarnings(vec![]));
            }
            _ => plan.check("warned", BOTH, defined, Expectation::UnknownFieldWarnings(path)),
        }
        if mode != Some("Strict") {
            let pointer = format!("/spec/versions/0/schema/{}", schema_path.replace('.', "/"));
            plan.check("dropped", BOTH, defined, at(pointer, modelled));
        }
        plan.count_case();
    });
}
