//! The sentinel: an optional root property of each installed schema that tells which revision of the schema answers.
//!
//! Objects without the property are untouched by it, so it stands in no answer that is judged. A probe is a dry-run create
//! whose only field is the sentinel. It can be asked in three ways; which of them a server can answer is found out once a
//! run, and a server that breaks the one is asked in the next (design: "a default tests defaulting with defaulting").

use serde_json::{Value, json};

/// The root property that holds the sentinel.
pub(crate) const PROPERTY: &str = "crdibleSentinel";

/// How a revision shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Probe {
    /// A wrong value of an enum that holds only the revision is refused; the refusal names the sentinel's field. It works
    /// also where the rest of the probe is invalid under the schema.
    Enum,
    /// A default that is the revision is filled in.
    Default,
    /// A field named like the revision is kept.
    Pruning,
}

impl Probe {
    /// All of them, the most telling first.
    pub(crate) const CHAIN: [Self; 3] = [Self::Enum, Self::Default, Self::Pruning];

    /// The root fields to send.
    pub(crate) fn fields(self, revision: &str) -> Value {
        match self {
            Self::Enum => json!({ PROPERTY: { "known": revision } }),
            Self::Default => json!({ PROPERTY: {} }),
            Self::Pruning => json!({ PROPERTY: { revision: "here" } }),
        }
    }

    /// Whether the answer comes from the schema of this revision; the causes are given as normalised field paths.
    pub(crate) fn is_from(self, revision: &str, status: u16, body: &Value, cause_fields: &[String]) -> bool {
        let accepted = (200..300).contains(&status);
        match self {
            // The same value under another revision's schema is refused at this field. Another 422 is the fault of the rest.
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

/// The schema with the sentinel in it. A schema whose root takes no properties stays as it is.
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
