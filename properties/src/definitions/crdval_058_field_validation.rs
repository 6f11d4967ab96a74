//! CRDVAL-058: unknown and duplicate fields, and values of the wrong JSON type, in a definition.

use crdible_generators::{
    definition::{definition, plain, with_defaults},
    json::Json,
};

use super::shared::{DEFINITIONS, JUDGING, try_text};
use crate::prelude::*;
use crate::shared::texts;

pub(super) const PROPERTY: Property = Property::new("crdval-058-field-validation", plan)
    .title("unknown fields of a definition are dropped, reported or rejected as fieldValidation says")
    .asserts(&["CRDVAL-058", "CRDVAL-058/e1"])
    .needs(JUDGING)
    .edges(&[Edge { name: "wrong-types", plan: wrong_types }]);

const RULE: &[&str] = &["CRDVAL-058"];
const EDGE: &[&str] = &["CRDVAL-058/e1"];
const BOTH: &[&str] = &["CRDVAL-058", "CRDVAL-058/e1"];

/// The parent's pointer, the field, a value, and the field's path in warnings.
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

fn plan(plan: &mut Plan, choices: &mut Choices) {
    choices.many("definition", 1, DEFINITIONS, |choices, _| {
        let legal = with_parents(definition(choices));
        let spec = with_defaults(&legal)["spec"].take();
        plan.count_case();
        if choices.chance(1, 4) {
            return try_repeated(choices, plan, &legal);
        }
        if choices.chance(1, 5) {
            let mut bare = legal;
            for field in ["apiVersion", "kind"] {
                if let Some(fields) = bare.as_object_mut().filter(|_| choices.chance(2, 3)) {
                    fields.remove(field);
                }
            }
            let defined = try_text(plan, &[], bare.into());
            return plan.check("without-type", EDGE, defined, at("/spec", spec));
        }
        let (parent, field, value, path) = choices.pick(&unknown()).clone();
        let mut document = legal;
        if let Some(parent) = document.pointer_mut(parent) {
            parent[field] = value;
        }
        let path = vec![path.to_owned()];
        match choices.draw(2) {
            0 => {
                let defined = try_text(plan, &[], document.into());
                plan.check("warned", RULE, defined, Expectation::UnknownFieldWarnings(path));
                plan.check("dropped", RULE, defined, at("/spec", spec));
            }
            1 => {
                let defined = try_text(plan, &[("fieldValidation", "Strict")], document.into());
                plan.check("strict", RULE, defined, Expectation::StrictRefusal(path));
            }
            _ => {
                let defined = try_text(plan, &[("fieldValidation", "Ignore")], document.into());
                plan.check("ignored", RULE, defined, Expectation::UnknownFieldWarnings(vec![]));
                plan.check("dropped", RULE, defined, at("/spec", spec));
            }
        }
    });
}

/// The definition with a printer column and a conversion, as parents for some of the unknown fields.
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

/// Tries the document with a duplicate field whose first value is different: the last one counts, unless `Strict`
/// rejects the document.
fn try_repeated(choices: &mut Choices, plan: &mut Plan, document: &Value) {
    let (pointer, path) = *choices.pick(&[
        ("/spec/scope", "spec.scope"),
        ("/spec/names/plural", "spec.names.plural"),
        ("/spec/names/kind", "spec.names.kind"),
    ]);
    let mut text = Json::from(document);
    repeat(&mut text, &path.split('.').collect::<Vec<_>>());
    let text = Content::Exact(text);
    let mode: Option<&str> = *choices.pick(&[None, Some("Strict"), Some("Ignore"), Some("Warn")]);
    let query: Vec<_> = mode.map(|mode| ("fieldValidation", mode)).into_iter().collect();
    let defined = try_text(plan, &query, text);
    let reported = |paths: &[&str], refused: bool| NamedCheck::DuplicateFields { paths: texts(paths), refused };
    match mode {
        Some("Strict") => return plan.check("repeated-strictly", BOTH, defined, reported(&[path], true)),
        Some("Ignore") => plan.check("repeated-in-silence", BOTH, defined, reported(&[], false)),
        _ => plan.check("repeated", BOTH, defined, reported(&[path], false)),
    }
    let last = document.pointer(pointer).cloned().unwrap_or_default();
    plan.check("last-counts", EDGE, defined, at(pointer, last));
}

/// Adds a second copy of the field at the end of this path to its object, before all others and with another value.
fn repeat(json: &mut Json, path: &[&str]) {
    let Json::Object(fields) = json else { return };
    match path {
        [] => {}
        [field] => fields.insert(0, ((*field).to_owned(), Json::String("Neither".to_owned()))),
        [name, rest @ ..] => {
            fields.iter_mut().filter(|(field, _)| field == name).for_each(|(_, inner)| repeat(inner, rest));
        }
    }
}

fn wrong_types(plan: &mut Plan) {
    for (at, value) in [
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
        pointer::set(&mut document, at, value);
        let defined = try_text(plan, &[], document.into());
        plan.check("wrong-type", EDGE, defined, Expectation::BadRequest);
        plan.count_case();
    }
}
