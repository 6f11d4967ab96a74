//! CRDVAL-058: unknown and repeated fields, and values of the wrong JSON type, in a definition.

use crdible_generators::{
    choice::Choices,
    definition::{definition, plain, with_defaults},
    json::Json,
};
use serde_json::{Value, json};

use super::shared::{DEFINITIONS, JUDGING, try_text};
use crate::{
    properties::{Edge, Property},
    scenario::{Content, Expectation, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "crdval-058-field-validation",
    title: "unknown fields are dropped, warned about or refused as asked, the last of repeated ones counts, and wrong types are 400",
    asserts: &["CRDVAL-058", "CRDVAL-058/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "wrong-types", plan: wrong_types }],
    plan,
};

const RULE: &[&str] = &["CRDVAL-058"];
const EDGE: &[&str] = &["CRDVAL-058/e1"];
const BOTH: &[&str] = &["CRDVAL-058", "CRDVAL-058/e1"];

/// The parent's pointer, the field, a value, and its path in warnings.
fn unknown() -> Vec<(&'static str, &'static str, Value, &'static str)> {
    vec![
        ("/spec", "unknown", json!(1), "spec.unknown"),
        ("/spec", "version", json!("v1"), "spec.version"),
        ("/spec", "validation", json!({ "openAPIV3Schema": {} }), "spec.validation"),
        ("/spec", "subresources", json!({ "status": {} }), "spec.subresources"),
        ("/spec", "additionalPrinterColumns", json!([]), "spec.additionalPrinterColumns"),
        ("/spec", "Group", json!("x"), "spec.Group"),
        ("/spec/names", "plurals", json!("x"), "spec.names.plurals"),
        ("/spec/names", "shortnames", json!(["x"]), "spec.names.shortnames"),
        ("/spec/versions/0", "Served", json!(true), "spec.versions[0].Served"),
        ("/spec/versions/0", "validation", json!(null), "spec.versions[0].validation"),
        ("/spec/versions/0/schema", "openapiv3schema", json!({}), "spec.versions[0].schema.openapiv3schema"),
        (
            "/spec/versions/0/additionalPrinterColumns/0",
            "JSONPath",
            json!(".x"),
            "spec.versions[0].additionalPrinterColumns[0].JSONPath",
        ),
        (
            "/spec/conversion",
            "webhookClientConfig",
            json!({ "url": "https://a" }),
            "spec.conversion.webhookClientConfig",
        ),
        ("/spec/conversion", "conversionReviewVersions", json!(["v1"]), "spec.conversion.conversionReviewVersions"),
        ("", "extra", json!({ "a": 1 }), "extra"),
    ]
}

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    choices.many("definition", 1, DEFINITIONS, |choices, _| {
        let legal = with_parents(definition(choices));
        let spec = Some(with_defaults(&legal)["spec"].take());
        plan.count_case();
        if choices.chance(1, 4) {
            return try_repeated(choices, &mut plan, &legal);
        }
        if choices.chance(1, 5) {
            let mut bare = legal;
            for field in ["apiVersion", "kind"] {
                if let Some(fields) = bare.as_object_mut().filter(|_| choices.chance(2, 3)) {
                    fields.remove(field);
                }
            }
            let defined = try_text(&mut plan, &[], bare.into());
            return plan.check("without-type", EDGE, defined, Expectation::At { pointer: "/spec".into(), value: spec });
        }
        let (parent, field, value, path) = choices.pick(&unknown()).clone();
        let mut document = legal;
        if let Some(parent) = document.pointer_mut(parent) {
            parent[field] = value;
        }
        let path = vec![path.to_owned()];
        match choices.draw(2) {
            0 => {
                let defined = try_text(&mut plan, &[], document.into());
                plan.check("warned", RULE, defined, Expectation::UnknownFieldWarnings(path));
                plan.check("dropped", RULE, defined, Expectation::At { pointer: "/spec".into(), value: spec });
            }
            1 => {
                let defined = try_text(&mut plan, &[("fieldValidation", "Strict")], document.into());
                plan.check("strict", RULE, defined, Expectation::StrictRefusal(path));
            }
            _ => {
                let defined = try_text(&mut plan, &[("fieldValidation", "Ignore")], document.into());
                plan.check("ignored", RULE, defined, Expectation::UnknownFieldWarnings(vec![]));
                plan.check("dropped", RULE, defined, Expectation::At { pointer: "/spec".into(), value: spec });
            }
        }
    });
    plan.finish()
}

/// The definition with a column and a conversion, which hold some of the unknown fields.
fn with_parents(mut document: Value) -> Value {
    let spec = &mut document["spec"];
    if spec.get("conversion").is_none() {
        spec["conversion"] = json!({ "strategy": "None" });
    }
    let version = &mut spec["versions"][0];
    if version.get("additionalPrinterColumns").is_none() {
        version["additionalPrinterColumns"] = json!([{ "name": "A", "type": "string", "jsonPath": ".spec.a" }]);
    }
    document
}

/// Tries the document with a field twice, first with another value: the last one counts, unless it is refused under `Strict`.
fn try_repeated(choices: &mut Choices, plan: &mut Plan, document: &Value) {
    let (field, pointer, path) = *choices.pick(&[
        ("scope", "/spec/scope", "spec.scope"),
        ("plural", "/spec/names/plural", "spec.names.plural"),
        ("kind", "/spec/names/kind", "spec.names.kind"),
    ]);
    let text = repeated(document, pointer, field);
    let mode: Option<&str> = *choices.pick(&[None, Some("Strict"), Some("Ignore"), Some("Warn")]);
    let query: Vec<_> = mode.map(|mode| ("fieldValidation", mode)).into_iter().collect();
    let defined = try_text(plan, &query, text);
    let told = |paths: &[&str], refused: bool| {
        let arguments = json!({ "paths": paths, "refused": refused });
        Expectation::Named { check: "duplicate-fields@1".into(), of: None, arguments }
    };
    match mode {
        Some("Strict") => return plan.check("repeated-strictly", BOTH, defined, told(&[path], true)),
        Some("Ignore") => plan.check("repeated-in-silence", BOTH, defined, told(&[], false)),
        _ => plan.check("repeated", BOTH, defined, told(&[path], false)),
    }
    let expect = Expectation::At { pointer: pointer.into(), value: document.pointer(pointer).cloned() };
    plan.check("last-counts", EDGE, defined, expect);
}

/// The document with this field twice in one object, first with another value.
fn repeated(document: &Value, pointer: &str, field: &str) -> Content {
    const MARK: &str = "repeated-here";
    let mut marked = document.clone();
    let (parent, _) = pointer.rsplit_once('/').unwrap_or_default();
    if let Some(parent) = marked.pointer_mut(parent) {
        // Sorts before all other fields, so that it comes first.
        parent["!"] = json!(MARK);
    }
    let text = marked.to_string().replacen(&format!("\"!\":\"{MARK}\""), &format!("\"{field}\":\"Neither\""), 1);
    Json::parse(&text).map_or_else(|_| document.clone().into(), Content::Exact)
}

fn wrong_types() -> Scenario {
    let mut plan = Plan::new();
    for (pointer, value) in [
        ("/spec", json!([])),
        ("/spec", json!("x")),
        ("/spec/group", json!(1)),
        ("/spec/scope", json!(true)),
        ("/spec/names", json!("things")),
        ("/spec/names/shortNames", json!("th")),
        ("/spec/names/categories", json!([1])),
        ("/spec/versions", json!({})),
        ("/spec/versions/0", json!("v1")),
        ("/spec/versions/0/served", json!("true")),
        ("/spec/versions/0/storage", json!(1)),
        ("/spec/versions/0/schema", json!([])),
        ("/spec/versions/0/schema/openAPIV3Schema", json!("x")),
        ("/spec/versions/0/schema/openAPIV3Schema/type", json!(["object"])),
        ("/spec/versions/0/schema/openAPIV3Schema/properties", json!([])),
        ("/spec/versions/0/schema/openAPIV3Schema/required", json!("x")),
        ("/spec/versions/0/schema/openAPIV3Schema/maxLength", json!("1")),
        ("/spec/versions/0/schema/openAPIV3Schema/nullable", json!(0)),
        ("/spec/versions/0/additionalPrinterColumns", json!([{ "priority": "1" }])),
        ("/spec/versions/0/deprecated", json!("yes")),
        ("/spec/conversion", json!("None")),
        ("/spec/preserveUnknownFields", json!("false")),
        ("/apiVersion", json!("apiextensions.k8s.io/v2")),
        ("/kind", json!("Definition")),
        ("/metadata", json!([])),
    ] {
        let mut document = plain();
        let (parent, field) = pointer.rsplit_once('/').unwrap_or_default();
        match document.pointer_mut(parent) {
            Some(Value::Array(elements)) => elements[0] = value,
            Some(parent) => parent[field] = value,
            None => {}
        }
        let defined = try_text(&mut plan, &[], document.into());
        plan.check("wrong-type", EDGE, defined, Expectation::BadRequest);
        plan.count_case();
    }
    plan.finish()
}
