//! The objects of upstream's ratcheting benchmark, each as an update of each other.

use std::collections::BTreeMap;

use crdible_semantics::Semantics;
use serde_json::Value;

use super::data::{corpus, documents, files, text};
use super::model::Model;

#[test]
#[ignore = "needs the corpus: set CRDIBLE_CORPUS"]
fn every_object_is_an_update_of_every_other() {
    let corpus = corpus();
    let folder = corpus.join("suites/upstream-ratcheting");
    let definitions = documents(&folder.join("crds/standard-install.yaml"));
    let model = |object: &Value| {
        let (group, version) = text(object, "/apiVersion").split_once('/')?;
        let definition = definitions.iter().find(|definition| {
            text(definition, "/spec/group") == group && text(definition, "/spec/names/kind") == text(object, "/kind")
        })?;
        Some(Model::new(definition, version))
    };
    let objects = |valid: &str| -> Vec<Value> {
        files(&folder.join(valid), ".yaml")
            .iter()
            .flat_map(|path| documents(path))
            .filter(|object| model(object).is_some())
            .collect()
    };
    let (valid, invalid) = (objects("valid"), objects("invalid"));
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let decoded = |object: &Value| {
        let mut object = object.clone();
        let schema = model(&object).unwrap().schema;
        Semantics::UPSTREAM.decode(&mut object, &schema).unwrap();
        object
    };
    for object in &valid {
        assert!(model(object).unwrap().create(object).is_ok(), "{object}");
    }
    for old in valid.iter().chain(&invalid) {
        let schema = model(old).unwrap().schema;
        let before = decoded(old);
        for (new, is_valid) in valid.iter().map(|new| (new, true)).chain(invalid.iter().map(|new| (new, false))) {
            if (&new["kind"], &new["apiVersion"]) != (&old["kind"], &old["apiVersion"]) {
                continue;
            }
            let after = decoded(new);
            let created = Semantics::UPSTREAM.object_violations(&after, &schema, None);
            let updated = Semantics::UPSTREAM.object_violations(&after, &schema, Some(&before));
            // Every violation of an update is also one of a create.
            assert!(updated.iter().all(|violation| created.contains(violation)), "{updated:?}");
            if is_valid {
                assert!(created.is_empty(), "{created:?}");
                *counts.entry("to valid").or_default() += 1;
            } else if before == after {
                // All of these are invalid below the root, and not in embedded objects, so repeating them is accepted.
                assert!(updated.is_empty(), "{updated:?}");
                *counts.entry("invalid, repeated").or_default() += 1;
            } else if created.is_empty() {
                *counts.entry("to what only rules refuse").or_default() += 1;
            } else if !updated.is_empty() {
                *counts.entry("to invalid, refused").or_default() += 1;
            } else {
                assert!(!Semantics::UPSTREAM.object_violations(&before, &schema, None).is_empty(), "{before}");
                *counts.entry("to what was as invalid before").or_default() += 1;
            }
        }
    }
    println!("{} valid and {} invalid objects: {counts:?}", valid.len(), invalid.len());
    assert!(counts.values().sum::<usize>() >= 1000, "{counts:?}");
}
