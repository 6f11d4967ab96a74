//! Edits that variations share.

use serde_json::{Value, json};

/// The string at a pointer; empty if there is none.
fn text(document: &Value, pointer: &str) -> String {
    document.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Replaces the plural, and the name that depends on it.
pub(super) fn plural(document: &mut Value, plural: &str) {
    let group = text(document, "/spec/group");
    document["spec"]["names"]["plural"] = json!(plural);
    document["metadata"]["name"] = json!(format!("{plural}.{group}"));
}

/// Replaces the group, and the name that depends on it.
pub(super) fn group(document: &mut Value, group: &str) {
    let plural = text(document, "/spec/names/plural");
    document["spec"]["group"] = json!(group);
    document["metadata"]["name"] = json!(format!("{plural}.{group}"));
}

/// Sets the approval annotation of the group.
pub(super) fn approval(document: &mut Value, text: &str) {
    document["metadata"]["annotations"] = json!({ "api-approved.kubernetes.io": text });
}

/// Writes out all names, so that none is a default.
pub(super) fn explicit_names(document: &mut Value) {
    let names = &mut document["spec"]["names"];
    names["kind"] = json!("Thing");
    names["singular"] = json!("thing");
    names["listKind"] = json!("ThingList");
}

/// Replaces one of the names, and writes out all others.
pub(super) fn name(document: &mut Value, field: &str, name: &str) {
    explicit_names(document);
    document["spec"]["names"][field] = json!(name);
}

/// Removes a field.
pub(super) fn remove(parent: &mut Value, field: &str) {
    if let Some(parent) = parent.as_object_mut() {
        parent.remove(field);
    }
}

/// The version at an index.
pub(super) fn version(document: &mut Value, index: usize) -> &mut Value {
    &mut document["spec"]["versions"][index]
}

/// The index of a second version, which is added if necessary.
pub(super) fn second(document: &mut Value) -> usize {
    if let Some(versions) = document["spec"]["versions"].as_array_mut()
        && versions.len() < 2
    {
        let schema = json!({ "openAPIV3Schema": { "type": "object" } });
        versions.push(json!({ "name": "v9", "served": true, "storage": false, "schema": schema }));
    }
    1
}

/// Makes this version the only storage version.
pub(super) fn store(document: &mut Value, index: usize) {
    for (number, version) in document["spec"]["versions"].as_array_mut().into_iter().flatten().enumerate() {
        version["storage"] = json!(number == index);
    }
}

/// Replaces the schema of a version, and removes what depends on it.
pub(super) fn schema(document: &mut Value, index: usize, schema: Value) {
    let version = version(document, index);
    version["schema"] = json!({ "openAPIV3Schema": schema });
    remove(version, "selectableFields");
}

/// Gives all versions the same schema, without subresources.
pub(super) fn schemas(document: &mut Value, json: &Value) {
    let count = document["spec"]["versions"].as_array().map_or(0, Vec::len);
    for index in 0..count {
        schema(document, index, json.clone());
        remove(version(document, index), "subresources");
    }
}

/// Makes a version deprecated, with this warning.
pub(super) fn warning(document: &mut Value, index: usize, text: &str) {
    let version = version(document, index);
    version["deprecated"] = json!(true);
    version["deprecationWarning"] = json!(text);
}
