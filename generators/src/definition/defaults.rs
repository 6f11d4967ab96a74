//! A definition as a server returns it: as sent, plus the defaults of CRDVAL-007 and CRDVAL-008.

use serde_json::{Map, Value, json};

/// Returns the document with the defaults of the specification. `served` and `storage` are always present (CRDVAL-015);
/// fields with an empty meaning (a null, an empty list of names, `preserveUnknownFields: false`) are removed.
pub fn with_defaults(document: &Value) -> Value {
    let mut document = document.clone();
    if let Some(spec) = document.get_mut("spec").and_then(Value::as_object_mut) {
        names(spec);
        conversion(spec);
        remove_empty(spec, &["preserveUnknownFields"]);
        for version in spec.get_mut("versions").and_then(Value::as_array_mut).into_iter().flatten() {
            let Some(version) = version.as_object_mut() else { continue };
            for flag in ["served", "storage"] {
                if version.get(flag).is_none_or(Value::is_null) {
                    version.insert(flag.to_owned(), json!(false));
                }
            }
            remove_empty(version, &["deprecated", "additionalPrinterColumns", "selectableFields"]);
            if version.get("deprecationWarning").is_some_and(Value::is_null) {
                version.remove("deprecationWarning");
            }
        }
    }
    document
}

fn names(spec: &mut Map<String, Value>) {
    let Some(names) = spec.get_mut("names").and_then(Value::as_object_mut) else { return };
    let kind = names.get("kind").and_then(Value::as_str).unwrap_or_default().to_owned();
    if !kind.is_empty() {
        for (field, default) in [("singular", kind.to_lowercase()), ("listKind", format!("{kind}List"))] {
            if names.get(field).and_then(Value::as_str).unwrap_or_default().is_empty() {
                names.insert(field.to_owned(), json!(default));
            }
        }
    }
    remove_empty(names, &["shortNames", "categories"]);
}

fn conversion(spec: &mut Map<String, Value>) {
    if spec.get("conversion").is_none_or(Value::is_null) {
        spec.insert("conversion".to_owned(), json!({ "strategy": "None" }));
    }
    let service = spec.get_mut("conversion").and_then(|value| value.pointer_mut("/webhook/clientConfig/service"));
    if let Some(service) = service.and_then(Value::as_object_mut)
        && service.get("port").is_none_or(Value::is_null)
    {
        service.insert("port".to_owned(), json!(443));
    }
}

/// Removes fields that are null, false or an empty list.
fn remove_empty(object: &mut Map<String, Value>, fields: &[&str]) {
    for field in fields {
        let is_empty = object.get(*field).is_some_and(|value| match value {
            Value::Null | Value::Bool(false) => true,
            Value::Array(elements) => elements.is_empty(),
            _ => false,
        });
        if is_empty {
            object.remove(*field);
        }
    }
}
