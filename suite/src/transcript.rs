//! What came back: the answers of one execution, without the names that the executor made up.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::scenario::Cause;

/// One answer per step, in order; steps that send nothing have none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Transcript {
    /// The answers. Shorter than the list of steps if an assumption ended the execution.
    pub answers: Vec<Option<Answer>>,
}

impl Transcript {
    /// The answer of a step, if it has one.
    pub fn answer(&self, step: usize) -> Option<&Answer> {
        self.answers.get(step).and_then(Option::as_ref)
    }
}

/// One answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The HTTP code.
    pub status: u16,
    /// The texts of `Warning` headers, unquoted, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The body with names and `managedFields` taken out; `{"events": […]}` of a watch; a JSON string if it was no JSON.
    pub body: Value,
    /// `metadata.managedFields` of the object; of a list of objects those of each item, in order. Null where there are none.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub managed_fields: Value,
    /// For discovery documents: what it says of the group that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<GroupListing>,
}

/// What a discovery document says of one group.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupListing {
    /// The names of its versions, as listed.
    pub versions: Vec<String>,
    /// `preferredVersion`; the aggregated form has none.
    pub preferred: Option<String>,
    /// Whether the document is aggregated discovery (DISC-011).
    #[serde(default)]
    pub is_aggregated: bool,
}

impl Answer {
    /// Whether the code is 2xx.
    pub fn is_accepted(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The object without `apiVersion`, `kind` and `metadata`.
    pub fn content(&self) -> Value {
        let mut content = self.body.clone();
        if let Some(fields) = content.as_object_mut() {
            for meta in ["apiVersion", "kind", "metadata"] {
                fields.remove(meta);
            }
        }
        content
    }

    /// The body with `managedFields` where they stood.
    pub fn with_managed_fields(&self) -> Value {
        let mut body = self.body.clone();
        match (body.get_mut("items").and_then(Value::as_array_mut), self.managed_fields.as_array()) {
            (Some(items), Some(taken)) => {
                items.iter_mut().zip(taken).for_each(|(item, taken)| put_managed_fields(item, taken));
            }
            _ => put_managed_fields(&mut body, &self.managed_fields),
        }
        body
    }

    /// `metadata.resourceVersion`.
    pub fn revision(&self) -> Option<&str> {
        self.body.pointer("/metadata/resourceVersion").and_then(Value::as_str)
    }

    /// `metadata.generation`.
    pub fn generation(&self) -> Option<i64> {
        self.body.pointer("/metadata/generation").and_then(Value::as_i64)
    }

    /// `Status.reason`; empty if there is none.
    pub fn reason(&self) -> &str {
        if self.is_accepted() { "" } else { self.body.get("reason").and_then(Value::as_str).unwrap_or("") }
    }

    /// `Status.details.causes[]`, sorted, with paths normalised as CRDVAL-023 and VALUE-043 say.
    pub fn causes(&self) -> Vec<Cause> {
        let mut causes = self.told_causes();
        for cause in &mut causes {
            cause.field = normal_field(&cause.field);
        }
        causes.sort();
        causes
    }

    /// `Status.details.causes[]` as they are told.
    pub(crate) fn told_causes(&self) -> Vec<Cause> {
        let causes = self.body.pointer("/details/causes").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let told = |cause: &Value| {
            let text = |key| cause.get(key).and_then(Value::as_str).unwrap_or("");
            let reason = text("reason");
            Cause::new(text("field"), reason.strip_prefix("FieldValue").unwrap_or(reason))
        };
        causes.iter().map(told).collect()
    }
}

fn put_managed_fields(object: &mut Value, taken: &Value) {
    if let (Some(metadata), false) = (object.get_mut("metadata").and_then(Value::as_object_mut), taken.is_null()) {
        metadata.insert("managedFields".to_owned(), taken.clone());
    }
}

/// One way of writing for paths that upstream writes in several: schema paths begin at `openAPIV3Schema` (CRDVAL-023), map
/// keys in paths into objects stand behind a dot (VALUE-043).
pub(crate) fn normal_field(field: &str) -> String {
    if let Some(start) = field.find("openAPIV3Schema") {
        return field[start..].to_owned();
    }
    let mut normal = String::with_capacity(field.len());
    let mut rest = field;
    while let Some(open) = rest.find('[') {
        let (before, bracket) = rest.split_at(open);
        normal.push_str(before);
        let Some(close) = bracket.find(']') else {
            rest = bracket;
            break;
        };
        let key = &bracket[1..close];
        if !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit()) {
            normal.push_str(&bracket[..=close]);
        } else {
            normal.push('.');
            normal.push_str(key);
        }
        rest = &bracket[close + 1..];
    }
    normal.push_str(rest);
    normal
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::normal_field;

    #[rstest]
    #[case::hoisted("spec.validation.openAPIV3Schema.type", "openAPIV3Schema.type")]
    #[case::of_a_version(
        "spec.versions[1].schema.openAPIV3Schema.properties[a].type",
        "openAPIV3Schema.properties[a].type"
    )]
    #[case::index("spec.list[3].x", "spec.list[3].x")]
    #[case::key("spec.m[k].metadata.foo", "spec.m.k.metadata.foo")]
    #[case::unclosed("spec.m[k", "spec.m[k")]
    #[case::nil("<nil>", "<nil>")]
    fn fields_have_one_form(#[case] field: &str, #[case] normal: &str) {
        assert_eq!(normal_field(field), normal);
    }
}
