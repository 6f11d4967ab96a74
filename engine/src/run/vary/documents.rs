//! What a reader sees of a scenario: the schemas of its definitions, and what its steps send.

use crdible_scenario::{Action, Body, Content, Edit, Request, Scenario, Version};
use serde_json::{Map, Value, json};

/// A part of a scenario as one document.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Document {
    /// What it is.
    pub(crate) title: String,
    /// Its content.
    pub(crate) content: Value,
}

/// The definitions and the steps with content, in their order.
pub(super) fn documents(scenario: &Scenario) -> Vec<Document> {
    let several = scenario.definitions.len() > 1;
    let named = |definition: usize| {
        if several { format!("definition {}", definition + 1) } else { "the definition".to_owned() }
    };
    let definitions = scenario.definitions.iter().enumerate().map(|(number, definition)| {
        let mut content = versions(&definition.versions);
        if let Some(fields) = content.as_object_mut() {
            fields.extend(definition.conversion.iter().map(|conversion| ("conversion".to_owned(), conversion.clone())));
            if let Some(webhook) = &definition.webhook {
                fields.insert("converter".to_owned(), json!(webhook.converter));
            }
        }
        Document { title: named(number), content }
    });
    let steps = scenario.steps.iter().enumerate().filter_map(|(number, step)| {
        let (title, content) = match &step.action {
            Action::Install { definition, versions: new, .. } => {
                (format!("change of {}", named(*definition)), versions(new))
            }
            Action::Convert { definition, converter } => {
                (format!("converter of {}", named(*definition)), json!(converter))
            }
            Action::Send(request) => (request.summary(), sent(request)?),
        };
        Some(Document { title: format!("step {}: {title}", number + 1), content })
    });
    definitions.chain(steps).collect()
}

/// The schema alone, if there is nothing else.
fn versions(versions: &[Version]) -> Value {
    match versions {
        [only] if only.further.is_empty() => json!({ "openAPIV3Schema": only.schema }),
        _ => json!({ "versions": versions.iter().map(Version::document).collect::<Vec<_>>() }),
    }
}

/// The body, or else the query.
fn sent(request: &Request) -> Option<Value> {
    match &request.body {
        Body::None if request.query.is_empty() => None,
        Body::None => {
            let fields: Map<String, Value> =
                request.query.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect();
            Some(fields.into())
        }
        Body::Object { fields: content, .. } | Body::Json(content) => Some(value(content)),
        Body::Definition { versions: new, edits, .. } if edits.is_empty() => Some(versions(new)),
        Body::Definition { versions: new, edits, .. } => {
            Some(json!({ "definition": versions(new), "edits": self::edits(edits) }))
        }
        Body::Text { text, .. } => Some(json!(text)),
        Body::Answer { edits, .. } => Some(json!({ "edits": self::edits(edits) })),
    }
}

/// The content as JSON; content that is not valid JSON is shown as text.
fn value(content: &Content) -> Value {
    content.to_value().unwrap_or_else(|| Value::String(content.to_text()))
}

fn edits(edits: &[Edit]) -> Vec<Value> {
    let edit = |edit: &Edit| match edit {
        Edit::Set(pointer, value) => json!({ "set": pointer, "to": value }),
        Edit::Remove(pointer) => json!({ "remove": pointer }),
        Edit::Before { pointer, seconds } => json!({ "set": pointer, "before": seconds }),
        Edit::AsNew { .. } => json!("as a new object"),
    };
    edits.iter().map(edit).collect()
}
