//! The contract of a converter: the definition, and the user's own objects, from files.

use std::path::{Path, PathBuf};

use crdible::{
    reviews,
    scenario::{Contract, Loss, Refusal},
};
use crdible_reference::Manifests;
use serde_json::{Map, Value};

use crate::{error::CliError, output};

/// Reads the definition of a converter from a YAML or JSON file, or a folder of them, which may hold other objects too.
pub(crate) fn read(path: &Path, lossy: &[Loss], refused: &[Refusal]) -> Result<Contract, CliError> {
    let manifests = Manifests::read([path])?;
    let is_definition = |(_, document): &(String, Value)| document["kind"] == "CustomResourceDefinition";
    let definitions: Vec<(String, Value)> = manifests.documents()?.into_iter().filter(is_definition).collect();
    let usage = |detail: String| CliError::usage(format!("--crd {}: {detail}", path.display()));
    let (place, document) = match &definitions[..] {
        [one] => one,
        [] => return Err(usage("no CustomResourceDefinition is there".to_owned())),
        several => {
            return Err(usage(format!(
                "{} CustomResourceDefinitions are there; name the file with the one that the webhook converts",
                several.len()
            )));
        }
    };
    if document.pointer("/spec/conversion/strategy").is_none_or(|strategy| strategy != "Webhook") {
        output::warn(&format!(
            "--crd {place}: spec.conversion.strategy is not Webhook, so that no server calls the webhook for it"
        ));
    }
    let contract =
        Contract::of_definition(document).map_err(|error| CliError::usage(format!("--crd {place}: {error}")))?;
    let contract = contract.losing(lossy.to_vec()).map_err(|error| CliError::usage(format!("--lossy {error}")))?;
    contract.refusing(refused.to_vec()).map_err(|error| CliError::usage(format!("--refuses {error}")))
}

/// Reads the objects of a contract's kind from files and folders. Objects of other kinds,
/// which a folder of samples may have, are left out.
pub(crate) fn samples(paths: &[PathBuf], contract: &Contract) -> Result<Vec<Value>, CliError> {
    let mut samples = Vec::new();
    let group = format!("{}/", contract.group);
    for (place, document) in Manifests::read(paths)?.documents()? {
        let api_version = document["apiVersion"].as_str().unwrap_or_default().to_owned();
        if document["kind"] != contract.kind.as_str() || !api_version.starts_with(&group) {
            continue;
        }
        if contract.schema_of(&document).is_none() {
            let known: Vec<&str> = contract.versions.iter().map(|version| version.name.as_str()).collect();
            return Err(CliError::usage(format!(
                "--samples {place}: its apiVersion is {api_version}, but the versions of the definition are {}",
                known.join(", ")
            )));
        }
        let sample = reviews::as_stored(contract, &document).map_err(|why| {
            CliError::usage(format!("--samples {place}: no server stores this object, because it is invalid: {why}"))
        })?;
        samples.push(with_metadata(sample, contract, samples.len()));
    }
    if samples.is_empty() && !paths.is_empty() {
        return Err(CliError::usage(format!("--samples: no {} of group {} is there", contract.kind, contract.group)));
    }
    Ok(samples)
}

/// A sample with what a server sets in the metadata of a stored object.
fn with_metadata(mut sample: Value, contract: &Contract, number: usize) -> Value {
    if !sample["metadata"].is_object() {
        sample["metadata"] = Value::Object(Map::new());
    }
    let metadata = &mut sample["metadata"];
    let mut set = |field: &str, value: String| {
        if metadata.get(field).is_none() {
            metadata[field] = Value::String(value);
        }
    };
    set("name", format!("sample-{number}"));
    set("uid", format!("00000000-0000-4000-b000-{number:012}"));
    set("resourceVersion", "1".to_owned());
    set("creationTimestamp", "2026-01-01T00:00:00Z".to_owned());
    if contract.namespaced {
        set("namespace", "default".to_owned());
    }
    sample
}
