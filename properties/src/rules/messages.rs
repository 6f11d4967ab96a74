//! What causes of rules say (CEL-036, CEL-037).

use crdible_semantics::release::Change;

use crate::prelude::*;

/// The text of a cause for this value of this node, whose rule has this message.
pub(super) fn text(choices: &Choices, node: &Value, value: &Value, reason: Reason, message: &str) -> String {
    let shown = match shown(choices, node, value) {
        Some(shown) => format!(": {shown}"),
        None => String::new(),
    };
    match reason {
        Reason::Forbidden => format!("Forbidden: {message}"),
        Reason::Required => format!("Required value: {message}"),
        Reason::Duplicate => format!("Duplicate value{shown}"),
        _ => format!("Invalid value{shown}: {message}"),
    }
}

/// The value as it is written, if it is no object or array; until 1.34 the type.
fn shown(choices: &Choices, node: &Value, value: &Value) -> Option<String> {
    let type_name = node["type"].as_str().unwrap_or_default();
    if !choices.release().has(Change::PrintedValues) {
        return Some(json!(type_name).to_string());
    }
    (!["object", "array"].contains(&type_name)).then(|| value.to_string())
}
