//! The sentinel: an optional root property of each installed schema that shows which revision of the schema answers.
//!
//! Objects without the property are not affected by it, so no judged answer contains it. A probe is a dry-run create
//! whose only field is the sentinel. There are three kinds of probe. Which of them works is determined once per run: a
//! server without enums may apply defaults, and a server without defaults may prune.

use serde_json::{Value, json};

/// The root property that holds the sentinel.
pub(crate) const PROPERTY: &str = "crdibleSentinel";

/// How to recognise a revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Probe {
    /// An enum allows only the revision, and rejects another value with a cause at the sentinel's field. It also works
    /// if the rest of the probe is invalid under the schema.
    Enum,
    /// A default is the revision.
    Default,
    /// A field named like the revision is kept.
    Pruning,
}

impl Probe {
    /// All kinds, the most reliable first.
    pub(crate) const CHAIN: [Self; 3] = [Self::Enum, Self::Default, Self::Pruning];

    /// The root fields to send.
    pub(crate) fn fields(self, revision: &str) -> Value {
        match self {
            Self::Enum => json!({ PROPERTY: { "known": revision } }),
            Self::Default => json!({ PROPERTY: {} }),
            Self::Pruning => json!({ PROPERTY: { revision: "here" } }),
        }
    }

    /// Whether the answer comes from the schema of this revision; `cause_fields` are normalised field paths.
    pub(crate) fn is_from(self, revision: &str, status: u16, body: &Value, cause_fields: &[String]) -> bool {
        let accepted = (200..300).contains(&status);
        match self {
            // The schema of another revision rejects the value at this field. Any other 422 is about the rest of the
            // probe.
            Self::Enum => {
                let refused_here = cause_fields.iter().any(|field| field == &format!("{PROPERTY}.known"));
                (accepted && body.pointer(&format!("/{PROPERTY}/known")) == Some(&json!(revision)))
                    || (status == 422 && !refused_here)
            }
            Self::Default => accepted && body.pointer(&format!("/{PROPERTY}/revision")) == Some(&json!(revision)),
            Self::Pruning => accepted && body.pointer(&format!("/{PROPERTY}/{revision}")).is_some(),
        }
    }
}

/// The schema with the sentinel. A schema whose root is not an object, or has no object of properties, is returned as it is.
pub(crate) fn with_sentinel(schema: &Value, revision: &str) -> Value {
    let mut schema = schema.clone();
    let Some(root) = schema.as_object_mut() else { return schema };
    let properties = root.entry("properties").or_insert_with(|| json!({}));
    if let Some(properties) = properties.as_object_mut() {
        properties.insert(
            PROPERTY.to_owned(),
            json!({
                "type": "object",
                "properties": {
                    "known": { "type": "string", "enum": [revision] },
                    "revision": { "type": "string", "default": revision },
                    revision: { "type": "string" },
                },
            }),
        );
    }
    schema
}
