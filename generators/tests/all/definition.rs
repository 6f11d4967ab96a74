//! Definitions: legal by construction, with every feature, and variations with the stated effects.

use std::collections::BTreeSet;

use crdible_generators::definition::{
    BrokenDefinition, Outcome, broken, definition, plain, twice_broken, variations, with_defaults,
};
use crdible_semantics::Semantics;
use serde_json::{Value, json};

use crate::common::{cases, reached};

/// The violations that the semantics report for a new definition, as a server would request them.
fn violations_of(document: &Value) -> Vec<String> {
    let mut document = with_defaults(document);
    let versions = document["spec"]["versions"].as_array().cloned().unwrap_or_default();
    let stored: Vec<Value> =
        versions.iter().filter(|version| version["storage"] == json!(true)).take(1).cloned().collect();
    let names: Vec<&Value> = stored.iter().map(|version| &version["name"]).collect();
    document["status"] = json!({ "storedVersions": names });
    let violations = Semantics::UPSTREAM.definition_violations(&document);
    violations.iter().map(|violation| format!("{} {}", violation.field, violation.reason)).collect()
}

#[test]
fn ten_thousand_definitions_are_legal() {
    let (productions, discarded) = cases(10_000, definition, |seed, document, _| {
        assert_eq!(violations_of(&document), Vec::<String>::new(), "{seed}: {document:#}");
    });
    assert_eq!(discarded, 0);
    let names = "singular, listKind, shortNames, categories, schema, deprecated, scale, additionalPrinterColumns, \
        selectableFields, conversion by webhook";
    reached(&productions, 201, names);
}

#[test]
fn defaults_of_a_legal_definition_only_add_to_it() {
    cases(1_000, definition, |seed, document, _| {
        let once = with_defaults(&document);
        assert_eq!(with_defaults(&once), once, "{seed}");
        for field in ["group", "scope", "versions"] {
            assert_eq!(once["spec"][field], document["spec"][field], "{seed}");
        }
    });
}

#[test]
fn variations_have_unique_names_and_causes_if_rejected() {
    let names: BTreeSet<&str> = variations().map(|variation| variation.name).collect();
    assert_eq!(names.len(), variations().count(), "two variations have the same name");
    for variation in variations() {
        let mut alone = plain();
        let causes = variation.apply(&mut alone, 0);
        assert!(variation.is_refused() != causes.is_empty(), "{}", variation.name);
        assert!(causes.iter().all(|cause| !cause.field.contains('{')), "{}: {causes:?}", variation.name);
    }
}

/// The semantics agree with the stated outcome of every variation. The semantics implement the embedded server, so a
/// difference means that the table or the semantics is wrong; the specification decides which.
#[test]
fn the_semantics_agree_with_every_variation_on_many_definitions() {
    cases(60, definition, |seed, whole, _| {
        for variation in variations() {
            let count = whole["spec"]["versions"].as_array().unwrap().len();
            let version = usize::try_from(seed).unwrap() % count;
            let mut document = whole.clone();
            let causes = variation.apply(&mut document, version);
            // Nulls mean absent fields, and are dropped before validation by the semantics.
            let found = violations_of(&without_nulls(&document));
            let is_about_meta = variation.name.contains("generate-name") || variation.name == "no-name";
            let has_invalid_name = causes.iter().any(|cause| cause.field == "metadata.name");
            if matches!(variation.outcome, Outcome::Undecodable) || is_about_meta || has_invalid_name {
                continue;
            }
            let stated: BTreeSet<String> = causes.iter().map(|cause| cause.reason.clone()).collect();
            let reported: BTreeSet<String> =
                found.iter().map(|violation| violation.rsplit(' ').next().unwrap().to_owned()).collect();
            assert_eq!(stated, reported, "{seed} {} {found:?}", variation.name);
            let quirks = found.iter().filter(|violation| violation.starts_with("spec.version ")).count();
            assert_eq!(found.len() - quirks, causes.len(), "{seed} {} {found:?}", variation.name);
        }
    });
}

fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(object) => Value::Object(
            object
                .iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(key, value)| (key.clone(), without_nulls(value)))
                .collect(),
        ),
        Value::Array(elements) => Value::Array(elements.iter().map(without_nulls).collect()),
        other => other.clone(),
    }
}

#[test]
fn broken_definitions_reach_every_rule_and_never_the_same_part_twice() {
    let (productions, discarded) = cases(5_000, broken, |seed, BrokenDefinition { causes, variations, .. }, _| {
        assert!(!causes.is_empty() && variations.len() == 1, "{seed}");
    });
    assert_eq!(discarded, 0);
    let requirements: BTreeSet<&str> = productions.keys().copied().filter(|name| name.starts_with("CRDVAL")).collect();
    assert!(requirements.len() >= 18, "{requirements:?}");
    for requirement in requirements {
        assert!(productions[requirement] > 100, "{requirement}: {}", productions[requirement]);
    }
    cases(2_000, twice_broken, |seed, BrokenDefinition { variations, .. }, _| {
        assert_ne!(variations[0].part, variations[1].part, "{seed}");
    });
}
