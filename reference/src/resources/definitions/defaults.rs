//! Defaulting of a definition (CRDVAL-007, CRDVAL-008).

use serde_json::{Map, Value, json};

/// Fills in the defaults of a decoded definition.
pub(super) fn fill(definition: &mut Value) {
    let Some(spec) = definition.get_mut("spec").and_then(Value::as_object_mut) else {
        return;
    };
    if let Some(names) = spec.get_mut("names").and_then(Value::as_object_mut) {
        let kind = names.get("kind").and_then(Value::as_str).unwrap_or_default().to_owned();
        if !kind.is_empty() {
            fill_name(names, "singular", kind.to_lowercase());
            fill_name(names, "listKind", format!("{kind}List"));
        }
    }
    let versions = spec.get("versions").and_then(Value::as_array);
    let storage = versions.and_then(|versions| versions.iter().find(|version| version["storage"] == true));
    let storage = storage.and_then(|version| version.get("name").cloned());
    let conversion = spec.entry("conversion").or_insert_with(|| json!({"strategy": "None"}));
    drop_empty_webhook(conversion);
    if let Some(service) = conversion.pointer_mut("/webhook/clientConfig/service").and_then(Value::as_object_mut) {
        service.entry("port").or_insert_with(|| 443.into());
    }
    fill_stored_versions(definition, storage);
}

/// A status without stored versions has the storage version (CRDVAL-019 `[Q]`). It is filled in before field management
/// looks at the status, so a patch that empties the list changes nothing.
fn fill_stored_versions(definition: &mut Value, storage: Option<Value>) {
    let (Some(status), Some(storage)) = (definition.get_mut("status").and_then(Value::as_object_mut), storage) else {
        return;
    };
    let is_empty = status.get("storedVersions").and_then(Value::as_array).is_none_or(Vec::is_empty);
    if is_empty {
        status.insert("storedVersions".into(), Value::Array(vec![storage]));
    }
}

/// Drops an empty `webhook` block if the strategy is not `Webhook` (CRDVAL-044).
fn drop_empty_webhook(conversion: &mut Value) {
    let Some(conversion) = conversion.as_object_mut() else {
        return;
    };
    let is_webhook = conversion.get("strategy").is_some_and(|strategy| strategy == "Webhook");
    let is_empty = conversion.get("webhook").is_some_and(|webhook| {
        let versions = webhook.get("conversionReviewVersions").and_then(Value::as_array);
        webhook.get("clientConfig").is_none() && versions.is_none_or(Vec::is_empty)
    });
    if !is_webhook && is_empty {
        conversion.remove("webhook");
    }
}

fn fill_name(names: &mut Map<String, Value>, name: &str, value: String) {
    if names.get(name).and_then(Value::as_str).unwrap_or_default().is_empty() {
        names.insert(name.to_owned(), value.into());
    }
}
