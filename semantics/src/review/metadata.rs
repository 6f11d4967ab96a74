//! What is taken of the metadata of converted objects: labels and annotations, and nothing else (CONV-016, CONV-017).

use crdible_text::name::{label_value_faults, qualified_name_faults};
use serde_json::{Map, Value};

use super::{Unconverted, go_type};
use crate::{Semantics, go_text::quoted};

/// The maximum size of all annotations together, in bytes.
const MAX_ANNOTATIONS: usize = 256 * 1024;

pub(crate) fn restore(semantics: &Semantics, original: &Value, converted: &mut Value) -> Result<(), Unconverted> {
    let Some(object) = converted.as_object_mut() else { return Err(invalid("missing metadata in converted object")) };
    let given = match object.remove("metadata") {
        Some(Value::Object(given)) => given,
        Some(other) => {
            return Err(invalid(&format!("invalid metadata of type {} in converted object", go_type(&other))));
        }
        None => return Err(invalid("missing metadata in converted object")),
    };
    let mut metadata = original.get("metadata").and_then(Value::as_object).cloned().unwrap_or_default();
    for field in ["labels", "annotations"] {
        semantics.take_converted_map(field, &mut metadata, &given)?;
    }
    object.insert("metadata".into(), metadata.into());
    Ok(())
}

pub(crate) fn take_map(
    semantics: &Semantics,
    field: &str,
    metadata: &mut Map<String, Value>,
    given: &Map<String, Value>,
) -> Result<(), Unconverted> {
    let given = match given.get(field) {
        None | Some(Value::Null) => {
            metadata.remove(field);
            return Ok(());
        }
        Some(Value::Object(given)) => given,
        Some(other) => {
            return Err(invalid(&format!("invalid metadata.{field} of type {} in converted object", go_type(other))));
        }
    };
    if let Some((key, value)) = given.iter().find(|(_, value)| !value.is_string()) {
        let is = go_type(value);
        return Err(invalid(&format!("metadata.{field}[{key}] must be a string, but is {is} in converted object")));
    }
    let is_changed = metadata.get(field).and_then(Value::as_object).is_none_or(|before| before != given);
    if is_changed {
        semantics.check_converted_map(field, given)?;
    }
    metadata.insert(field.to_owned(), given.clone().into());
    Ok(())
}

pub(crate) fn check_map(field: &str, map: &Map<String, Value>) -> Result<(), Unconverted> {
    let is_labels = field == "labels";
    let place = if is_labels { "metadata.labels" } else { "metadata.annotation" };
    let (mut faults, mut size) = (Vec::new(), 0);
    for (key, value) in map {
        let value = value.as_str().unwrap_or_default();
        size += key.len() + value.len();
        let folded = if is_labels { key.clone() } else { key.to_lowercase() };
        let mut add = |what: &str, fault| faults.push(format!("{place}: Invalid value: {}: {fault}", quoted(what)));
        qualified_name_faults(&folded).into_iter().for_each(|fault| add(key, fault));
        if is_labels {
            label_value_faults(value).into_iter().for_each(|fault| add(value, fault));
        }
    }
    if !is_labels && size > MAX_ANNOTATIONS {
        faults.push(format!("{place}: Too long: may not be more than {MAX_ANNOTATIONS} bytes"));
    }
    match faults.as_slice() {
        [] => Ok(()),
        [fault] => Err(invalid(fault)),
        faults => Err(invalid(&format!("[{}]", faults.join(", ")))),
    }
}

fn invalid(cause: &str) -> Unconverted {
    Unconverted::Returned(format!("invalid metadata: {cause}"))
}
