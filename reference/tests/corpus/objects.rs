//! Sample objects: those that are meant to be valid are accepted, those that are known to be wrong are not.

use std::collections::BTreeMap;

use serde_json::Value;

use super::data::{corpus, document, files, text, without_webhook};
use super::definitions::target;
use super::model::Model;
use super::support::Target;

/// Where objects of a definition are.
pub(crate) fn place(definition: &Value, version: &str) -> String {
    let (group, plural) = (text(definition, "/spec/group"), text(definition, "/spec/names/plural"));
    let namespace = if text(definition, "/spec/scope") == "Namespaced" { "/namespaces/default" } else { "" };
    format!("/apis/{group}/{version}{namespace}/{plural}")
}

/// The definition that goes with a file `<definition>__<version>__<n>.yaml`.
fn definition_of(corpus: &std::path::Path, file: &std::path::Path) -> (Value, String) {
    let name = file.file_name().unwrap().to_string_lossy().into_owned();
    let mut parts = name.split("__");
    let (definition, version) = (parts.next().unwrap(), parts.next().unwrap());
    (without_webhook(document(&corpus.join(format!("crds/{definition}.yaml")))), version.to_owned())
}

fn created(target: &Target, definition: &Value, version: &str, object: &Value) -> super::support::Answer {
    let mut object = object.clone();
    // What was dumped from a cluster is sent as its author had it.
    object["metadata"].as_object_mut().unwrap().remove("resourceVersion");
    if text(definition, "/spec/scope") == "Namespaced" {
        object["metadata"]["namespace"] = "default".into();
    }
    target.post(&place(definition, version), &object)
}

/// A sample whose `caBundle` is no base64, which the checker behind the corpus did not look at: it knows no formats.
const BAD_BASE64: &str = "secretstores.external-secrets.io__v1beta1__1.yaml";

/// Samples in which only `status` is wrong, and a creation drops that (SUB-002).
const WRONG_STATUS: [&str; 2] =
    ["backendtlspolicies.gateway.networking.k8s.io__v1__1.yaml", "rollouts.argoproj.io__v1alpha1__2.yaml"];

#[test]
fn samples_are_accepted_and_broken_ones_are_not() {
    let Some(corpus) = corpus() else { return };
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
