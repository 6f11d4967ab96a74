//! Definitions: all are accepted, and so is each release as an update of the previous one.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crdible_reference::Options;
use serde_json::Value;

use super::data::{corpus, document, documents, files, text, without_webhook};
use super::model::Model;
use crate::support::{DEFINITIONS, PROTOBUF, Target};

/// A server that accepts definitions with rules and does not evaluate them.
pub(crate) fn target() -> Target {
    Target::with_options(Options { ignore_rules: true, ..Options::default() })
}

/// A definition with the approval annotation that a protected group requires.
fn approved(mut definition: Value) -> Value {
    // Some copies in the corpus lack the approval (CRDVAL-055).
    let group = text(&definition, "/spec/group").to_owned();
    if group.ends_with(".k8s.io") && definition.pointer("/metadata/annotations/api-approved.kubernetes.io").is_none() {
        definition["metadata"]["annotations"]["api-approved.kubernetes.io"] = "unapproved, experimental".into();
    }
    definition
}

/// What is written in protobuf is read as the same definition: an update with it changes nothing.
#[test]
#[ignore = "needs the corpus: set CRDIBLE_CORPUS"]
fn rest_080_definitions_are_the_same_in_protobuf() {
    let paths = files(&corpus().join("crds"), ".yaml");
    let target = target();
    for path in &paths {
        let definition = without_webhook(document(path));
        target.install(&definition);
        let url = format!("{DEFINITIONS}/{}", text(&definition, "/metadata/name"));
        let updated = target.send_as(PROTOBUF, "PUT", &url, target.get_as(&url, PROTOBUF).bytes);
        assert_eq!((updated.code, updated.body), (200, target.get(&url).body), "{}", path.display());
    }
    assert!(paths.len() >= 150, "{}", paths.len());
}

#[test]
#[ignore = "needs the corpus: set CRDIBLE_CORPUS"]
fn all_definitions_are_accepted() {
    let corpus = corpus();
    let mut paths: Vec<PathBuf> = files(&corpus.join("crds"), ".yaml");
    paths.extend(files(&corpus.join("suites/openshift"), ".crd.yaml"));
    let mut definitions: Vec<(PathBuf, Value)> =
        paths.into_iter().map(|path| (path.clone(), document(&path))).collect();
    let gateways = corpus.join("suites/upstream-ratcheting/crds/standard-install.yaml");
    definitions.extend(documents(&gateways).into_iter().map(|definition| (gateways.clone(), definition)));
    let (mut count, mut versions, mut refused) = (0, 0, Vec::new());
    for (path, definition) in definitions {
        if text(&definition, "/kind") != "CustomResourceDefinition" {
            continue;
        }
        let definition = without_webhook(definition);
        count += 1;
        for version in definition["spec"]["versions"].as_array().unwrap() {
            versions += 1;
            let violations = Model::new(&definition, text(version, "/name")).schema_violations();
            if !violations.is_empty() {
                refused.push(format!("{} {}: {violations:?}", path.display(), text(version, "/name")));
            }
        }
        // Variants of one definition would conflict on one server.
        let answer = target().post(DEFINITIONS, &definition);
        if answer.code != 201 {
            refused.push(format!("{}: {}", path.display(), answer.text));
        }
    }
    println!("{count} definitions with {versions} versions");
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    assert!(count >= 250, "{count}");
}

#[test]
#[ignore = "needs the corpus: set CRDIBLE_CORPUS"]
fn each_release_follows_the_one_before() {
    let corpus = corpus();
    let mut histories: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for path in files(&corpus.join("upgrades"), ".yaml") {
        histories.entry(path.parent().unwrap().to_owned()).or_default().push(path);
    }
    let (mut steps, mut refused) = (0, Vec::new());
    for paths in histories.values() {
        let target = target();
        let mut before: Option<Value> = None;
        for path in paths {
            let mut definition = approved(without_webhook(document(path)));
            steps += 1;
            let Some(old) = &before else {
                let answer = target.post(DEFINITIONS, &definition);
                assert_eq!(answer.code, 201, "{}: {}", path.display(), answer.text);
                before = Some(answer.body);
                continue;
            };
            let place = format!("{DEFINITIONS}/{}", text(old, "/metadata/name"));
            // The conditions of the definition were set after the response to the write.
            definition["metadata"]["resourceVersion"] = target.get(&place).version().into();
            let answer = target.put(&place, &definition);
            // A release that drops a version which was a storage version is refused until `storedVersions` is updated
            // (CRDVAL-017). A release that changes the scope or the kind is always refused.
            let names = |definition: &Value| -> Vec<String> {
                let versions = definition["spec"]["versions"].as_array().unwrap().iter();
                versions.map(|version| text(version, "/name").to_owned()).collect()
            };
            let kept = names(&definition);
            let stored = old["status"]["storedVersions"].as_array().unwrap().iter();
            let dropped = stored.enumerate().filter(|(_, name)| !kept.contains(&name.as_str().unwrap().to_owned()));
            let mut expected: Vec<String> =
                dropped.map(|(index, _)| format!("status.storedVersions[{index}] Invalid")).collect();
            if old["spec"]["scope"] != definition["spec"]["scope"] {
                expected.push("spec.scope Invalid".to_owned());
            }
            expected.sort();
            if expected.is_empty() {
                assert_eq!(answer.code, 200, "{}: {}", path.display(), answer.text);
                before = Some(answer.body);
            } else {
                assert_eq!((answer.code, answer.causes()), (422, expected), "{}: {}", path.display(), answer.text);
                refused.push(format!("{}: {:?}", path.display(), answer.causes()));
                // Users in this situation delete the old definition first.
                assert_eq!(target.delete(&place).code, 200);
                definition["metadata"].as_object_mut().unwrap().remove("resourceVersion");
                let answer = target.post(DEFINITIONS, &definition);
                assert_eq!(answer.code, 201, "{}: {}", path.display(), answer.text);
                before = Some(answer.body);
            }
        }
    }
    println!(
        "{} definitions at {steps} releases; correctly refused: {}\n{}",
        histories.len(),
        refused.len(),
        refused.join("\n")
    );
    assert!(steps >= 69, "{steps}");
}
