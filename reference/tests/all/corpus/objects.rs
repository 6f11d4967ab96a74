//! Sample objects: valid ones are accepted, invalid ones are refused.

use std::collections::BTreeMap;

use serde_json::Value;

use super::data::{corpus, document, files, text, without_webhook};
use super::definitions::target;
use super::model::Model;
use crate::support::{Answer, Target};

/// The path of the objects of a definition.
pub(crate) fn place(definition: &Value, version: &str) -> String {
    let (group, plural) = (text(definition, "/spec/group"), text(definition, "/spec/names/plural"));
    let namespace = if text(definition, "/spec/scope") == "Namespaced" { "/namespaces/default" } else { "" };
    format!("/apis/{group}/{version}{namespace}/{plural}")
}

/// The definition and version of a file `<definition>__<version>__<n>.yaml`.
fn definition_of(corpus: &std::path::Path, file: &std::path::Path) -> (Value, String) {
    let name = file.file_name().unwrap().to_string_lossy().into_owned();
    let mut parts = name.split("__");
    let (definition, version) = (parts.next().unwrap(), parts.next().unwrap());
    (without_webhook(document(&corpus.join(format!("crds/{definition}.yaml")))), version.to_owned())
}

fn created(target: &Target, definition: &Value, version: &str, object: &Value) -> Answer {
    let mut object = object.clone();
    // Objects that were exported from a cluster have a `resourceVersion`, which a create must not have.
    object["metadata"].as_object_mut().unwrap().remove("resourceVersion");
    if text(definition, "/spec/scope") == "Namespaced" {
        object["metadata"]["namespace"] = "default".into();
    }
    target.post(&place(definition, version), &object)
}

/// A sample whose `caBundle` is not Base64. The corpus counts it as valid, because its validator ignores formats.
const BAD_BASE64: &str = "secretstores.external-secrets.io__v1beta1__1.yaml";

/// Samples in which only `status` is invalid; a create drops it (SUB-002).
const WRONG_STATUS: [&str; 2] =
    ["backendtlspolicies.gateway.networking.k8s.io__v1__1.yaml", "rollouts.argoproj.io__v1alpha1__2.yaml"];

#[test]
#[ignore = "needs the corpus: set CRDIBLE_CORPUS"]
fn valid_samples_are_accepted_and_invalid_ones_refused() {
    let corpus = corpus();
    let mut counts: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (folder, valid) in [("objects", true), ("objects-expected-invalid", false)] {
        for file in files(&corpus.join(folder), ".yaml") {
            let (definition, version) = definition_of(&corpus, &file);
            let object = document(&file);
            let by_functions = Model::new(&definition, &version).create(&object);
            let target = target();
            target.install(&definition);
            let answer = created(&target, &definition, &version, &object);
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            let expected = valid && name != BAD_BASE64 || !valid && WRONG_STATUS.contains(&name.as_str());
            if by_functions.is_ok() != expected || (answer.code == 201) != expected {
                wrong.push(format!("{}: {:?} {}", file.display(), by_functions.err(), answer.text));
            }
            *counts.entry((folder, valid)).or_default() += 1;
        }
    }
    println!("{counts:?}");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(counts.values().sum::<usize>() >= 140, "{counts:?}");
}
