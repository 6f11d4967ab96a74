//! The answers of one execution, without the names that the executor generated.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::scenario::Cause;

/// The result of one execution of a scenario.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Transcript {
    /// One answer for each step, in order; steps that send nothing have none. Shorter than the list of steps if a
    /// rejected definition or an assumption ended the execution.
    pub answers: Vec<Option<Answer>>,
    /// The definition that the server rejected, if any. Nothing was sent after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
    /// What the webhooks of the definitions were sent, in the order of arrival at each. How often a server calls is its
    /// own affair (CONV-004), so nothing follows from the number of calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Call>,
    /// For a scenario that counts ended connections: how often they ended for other requests.
    #[serde(default, skip_serializing_if = "EndedElsewhere::is_unknown")]
    pub elsewhere: EndedElsewhere,
}

/// How often connections ended for requests of the run that are not for a subresource. If they do so about as often as
/// for those of a scenario, the way to the server loses them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndedElsewhere {
    /// How often the connection ended without an answer to such a request.
    pub ended: u64,
    /// The number of requests of the run so far.
    pub requests: u64,
}

impl EndedElsewhere {
    fn is_unknown(&self) -> bool {
        *self == Self::default()
    }
}

/// One call of a definition's webhook.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// The definition.
    pub definition: usize,
    /// How many steps had been answered when it arrived. It need not belong to the step after them: caches of the
    /// server call, too.
    pub moment: usize,
    /// The HTTP method.
    pub method: String,
    /// What follows the webhook's own path in the URL: further segments, and the query.
    pub path: String,
    /// `Content-Type`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    /// The review without generated names; a JSON string if it is not JSON.
    pub body: Value,
}

/// A definition that the server rejected. Scenarios install only legal definitions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// The step that installs it; none for a definition that is installed before the first step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// The definition as a user would send it, with the names of this execution.
    pub document: Value,
    /// The server's answer.
    pub answer: Answer,
}

/// A request that got no answer, although the target answered the next one at once. Nothing was sent after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Silence {
    /// The step that sent it.
    pub step: usize,
    /// How it ended.
    pub end: SilentEnd,
}

/// How a request without an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SilentEnd {
    /// Nothing came within this time.
    Waited(Duration),
    /// The server said after this time that the request took too long (504 with the reason `Timeout`).
    GaveUp(Duration),
    /// The server had the whole request, and the connection ended.
    Closed,
}

impl Transcript {
    /// The answer of a step, if it has one.
    pub fn answer(&self, step: usize) -> Option<&Answer> {
        self.answers.get(step).and_then(Option::as_ref)
    }
}

impl Refusal {
    /// The rejection in a few words: status and message.
    pub fn summary(&self) -> String {
        summary(self.answer.status, &self.answer.body)
    }
}

/// A rejection in a few words: status and message.
pub fn summary(status: u16, body: &Value) -> String {
    let message = body.get("message").and_then(Value::as_str).or(body.as_str()).unwrap_or_default();
    let cut: String = message.chars().take(300).collect();
    format!("{status} {cut}").trim_end().to_owned()
}

/// One answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The HTTP status code.
    pub status: u16,
    /// The texts of `Warning` headers, unquoted, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// For a discovery document, and an answer to a request with `Accept`: in which form it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<FormOfBody>,
    /// The body without generated names and `managedFields`; `{"events": […]}` for a watch; a JSON string if it was
    /// not JSON.
    pub body: Value,
    /// `metadata.managedFields` of the object; for a list or a table of objects those of each, in order. Null if there
    /// are none.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub managed_fields: Value,
    /// For a discovery document: what it lists for the requested group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<GroupListing>,
    /// For a document of `OpenAPI`: what is known of it besides its own part of the definition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub publication: Option<Publication>,
    /// For a watch that had not ended although it should have: for how many seconds it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unended: Option<u64>,
    /// How often the connection ended without an answer, although the server had the request. If it did each time, the
    /// status is 0, and only [`AnsweredAtOnce`](crate::scenario::Expectation::AnsweredAtOnce) judges it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ended: u32,
    /// When the request was sent and the answer received.
    #[serde(default, skip_serializing_if = "Timing::is_unknown")]
    pub timing: Timing,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// What the headers of an answer say of the form of its body.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormOfBody {
    /// `Content-Type`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    /// `Vary`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vary: Option<String>,
}

impl FormOfBody {
    /// `Content-Type` in lower case, without parameters; empty if there is none.
    pub fn media_type(&self) -> String {
        let value = self.content_type.as_deref().unwrap_or_default();
        value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }
}

/// When a request was sent and its answer received, in microseconds since the first step of the execution. For a
/// repeated step it is the last try.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    /// When the request was handed to the transport.
    pub sent: u64,
    /// When the whole answer had been read.
    pub received: u64,
}

impl Timing {
    fn is_unknown(&self) -> bool {
        *self == Self::default()
    }
}

/// What is known of a document of `OpenAPI` of which the body shows only a part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Publication {
    /// Its `ETag`, without quotes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// Whether it may be cached for ever.
    #[serde(default)]
    pub is_immutable: bool,
    /// The models that are referred to, but are not in the document.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unresolved: Vec<String>,
    /// The versions whose models are of an earlier schema than the one that was installed last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<String>,
}

/// What a discovery document lists for one group.
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
    /// None came: the connection ended each time.
    pub fn of_an_end() -> Self {
        Self { ended: 1, ..Self::default() }
    }

    /// Whether it is [that](Self::of_an_end).
    pub fn never_came(&self) -> bool {
        self.status == 0 && self.ended > 0
    }

    /// Whether the status code is 2xx.
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

    /// The body with `managedFields` put back.
    pub fn with_managed_fields(&self) -> Value {
        let mut body = self.body.clone();
        let is_table = body.get("kind").is_some_and(|kind| kind == "Table");
        let list = body.get_mut(if is_table { "rows" } else { "items" }).and_then(Value::as_array_mut);
        match (list, self.managed_fields.as_array()) {
            (Some(rows), Some(taken)) if is_table => {
                let objects =
                    rows.iter_mut().zip(taken).filter_map(|(row, taken)| Some((row.get_mut("object")?, taken)));
                objects.for_each(|(object, taken)| put_managed_fields(object, taken));
            }
            (Some(items), Some(taken)) => {
                items.iter_mut().zip(taken).for_each(|(item, taken)| put_managed_fields(item, taken));
            }
            _ => put_managed_fields(&mut body, &self.managed_fields),
        }
        body
    }

    /// The `ETag` of a document of `OpenAPI`.
    pub fn etag(&self) -> Option<&str> {
        self.publication.as_ref()?.etag.as_deref()
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

    /// `Status.details.causes[]` without messages, sorted, with paths normalised according to CRDVAL-023 and VALUE-043.
    pub fn causes(&self) -> Vec<Cause> {
        let without_message = |cause: Cause| Cause { message: None, ..cause };
        let mut causes: Vec<Cause> = self.causes_with_messages().into_iter().map(without_message).collect();
        causes.sort();
        causes
    }

    /// The same with their messages.
    pub fn causes_with_messages(&self) -> Vec<Cause> {
        let normal = |cause: Cause| Cause { field: normal_field(&cause.field), ..cause };
        let mut causes: Vec<Cause> = self.raw_causes().into_iter().map(normal).collect();
        causes.sort();
        causes
    }

    /// `Status.details.causes[]` with the fields as the server writes them.
    pub(crate) fn raw_causes(&self) -> Vec<Cause> {
        let causes = self.body.pointer("/details/causes").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let read = |cause: &Value| {
            let text = |key| cause.get(key).and_then(Value::as_str);
            let reason = text("reason").unwrap_or_default();
            Cause {
                message: text("message").map(str::to_owned),
                ..Cause::new(text("field").unwrap_or_default(), reason.strip_prefix("FieldValue").unwrap_or(reason))
            }
        };
        causes.iter().map(read).collect()
    }
}

fn put_managed_fields(object: &mut Value, taken: &Value) {
    if let (Some(metadata), false) = (object.get_mut("metadata").and_then(Value::as_object_mut), taken.is_null()) {
        metadata.insert("managedFields".to_owned(), taken.clone());
    }
}

/// Normalises paths that upstream writes in several forms: schema paths start at `openAPIV3Schema` (CRDVAL-023), and
/// map keys in paths into objects follow a dot (VALUE-043).
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
