//! The sentinel: an optional root property of each installed schema that shows which revision of the schema answers.
//!
//! Objects without the property are not affected by it, so no judged answer contains it. A probe is a create
//! whose only field is the sentinel. There are four kinds of probe, since a server may have none of the functions
//! that one of them needs. Which of them works is found out once per run: a server without enums may apply
//! defaults, and a server without defaults may prune.

use crdible_scenario::transcript::Answer;
use serde_json::{Value, json};

/// The root property that holds the sentinel.
pub(crate) const PROPERTY: &str = "crdibleSentinel";

/// The prefix of the names of objects that probes create.
pub(crate) const PROBE_PREFIX: &str = "probe-";

/// How to recognise a revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Probe {
    /// An enum allows only the revision, and rejects another value at the sentinel's field. It also works if the
    /// rest of the probe is invalid under the schema.
    Enum,
    /// A default is the revision.
    Default,
    /// A field named like the revision is kept.
    Pruning,
    /// A field named after the revision is a boolean, and a text is rejected there. It also works if the rest of the
    /// probe is invalid, if the server reports all causes.
    Type,
}

/// What an answer shows about the schema that it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// It is the schema of this revision.
    This,
    /// It is another one, or none yet.
    Another,
    /// The probe was rejected for another reason.
    Unclear,
}

impl Probe {
    /// All kinds, the most reliable first.
    pub(crate) const CHAIN: [Self; 4] = [Self::Enum, Self::Default, Self::Pruning, Self::Type];

    /// The root fields to send.
    pub(crate) fn fields(self, revision: &str) -> Value {
        match self {
            Self::Enum => json!({ PROPERTY: { "known": revision } }),
            Self::Default => json!({ PROPERTY: {} }),
            Self::Pruning => json!({ PROPERTY: { revision: "here" } }),
            Self::Type => json!({ PROPERTY: { typed(revision): "text" } }),
        }
    }

    /// Whether the answer comes from the schema of this revision.
    pub(crate) fn is_from(self, revision: &str, answer: &Answer) -> Seen {
        let is = |is_this: bool| if is_this { Seen::This } else { Seen::Another };
        let at = |field: &str| answer.body.pointer(&format!("/{PROPERTY}/{field}"));
        if answer.is_accepted() {
            return match self {
                Self::Enum => is(at("known") == Some(&json!(revision))),
                Self::Default => is(at("revision") == Some(&json!(revision))),
                Self::Pruning => is(at(revision).is_some()),
                Self::Type => Seen::Another,
            };
        }
        if !matches!(answer.status, 400 | 422) {
            return Seen::Another;
        }
        match self {
            // The schema of another revision rejects the value at this field.
            Self::Enum if is_rejected_at(answer, "known") => Seen::Another,
            // Any other 422 with causes is about the rest of the probe.
            Self::Enum if !answer.causes().is_empty() => Seen::This,
            Self::Type if is_rejected_at(answer, &typed(revision)) => Seen::This,
            _ => Seen::Unclear,
        }
    }
}

/// The name of the boolean of a revision.
fn typed(revision: &str) -> String {
    format!("typed-{revision}")
}

/// Whether a rejection names this field of the sentinel, among its causes or in its message.
fn is_rejected_at(answer: &Answer, field: &str) -> bool {
    let path = format!("{PROPERTY}.{field}");
    let message = answer.body.get("message").and_then(Value::as_str).or(answer.body.as_str()).unwrap_or_default();
    answer.causes().iter().any(|cause| cause.field == path)
        || [path, format!("{PROPERTY}/{field}")].iter().any(|path| names(message, path))
}

/// Whether a message names this path, and not one that begins like it.
fn names(message: &str, path: &str) -> bool {
    message.match_indices(path).any(|(at, _)| {
        let next = message[at + path.len()..].chars().next();
        next.is_none_or(|next| !next.is_alphanumeric())
    })
}

/// The schema with the sentinel. A schema whose root is not an object, or has
/// no object of properties, is returned as it is.
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
                    typed(revision): { "type": "boolean" },
                },
            }),
        );
    }
    schema
}

#[cfg(test)]
mod tests {
    use crdible_scenario::transcript::Answer;
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{Probe, Seen};

    fn accepted(sentinel: Value) -> Answer {
        Answer { status: 201, body: json!({ "kind": "Thing", "crdibleSentinel": sentinel }), ..Answer::default() }
    }

    fn refused(fields: &[&str], message: &str) -> Answer {
        let cause = |field: &&str| json!({ "field": field, "reason": "FieldValueInvalid" });
        let causes: Vec<Value> = fields.iter().map(cause).collect();
        let body = json!({ "kind": "Status", "message": message, "details": { "causes": causes } });
        Answer { status: 422, body, ..Answer::default() }
    }

    #[rstest]
    #[case::right(Probe::Enum, accepted(json!({ "known": "r7" })), Seen::This)]
    #[case::pruned_away(Probe::Enum, accepted(json!({})), Seen::Another)]
    #[case::another(Probe::Enum, refused(&["crdibleSentinel.known"], ""), Seen::Another)]
    #[case::another_in_the_message(Probe::Enum, refused(&[], "crdibleSentinel.known: must be one of"), Seen::Another)]
    #[case::the_rest_is_invalid(Probe::Enum, refused(&["spec"], ""), Seen::This)]
    #[case::no_causes(Probe::Enum, refused(&[], "spec is required"), Seen::Unclear)]
    #[case::not_served(Probe::Enum, Answer { status: 404, ..Answer::default() }, Seen::Another)]
    #[case::default(Probe::Default, accepted(json!({ "revision": "r7" })), Seen::This)]
    #[case::old_default(Probe::Default, accepted(json!({ "revision": "r6" })), Seen::Another)]
    #[case::required_at_the_root(Probe::Default, refused(&["spec"], ""), Seen::Unclear)]
    #[case::kept(Probe::Pruning, accepted(json!({ "r7": "here" })), Seen::This)]
    #[case::pruned(Probe::Pruning, accepted(json!({})), Seen::Another)]
    #[case::typed(Probe::Type, refused(&[], "crdibleSentinel.typed-r7: must be a boolean"), Seen::This)]
    #[case::typed_later(Probe::Type, refused(&[], "crdibleSentinel.typed-r70: must be a boolean"), Seen::Unclear)]
    #[case::untyped(Probe::Type, accepted(json!({ "typed-r7": "text" })), Seen::Another)]
    fn answers_show_the_schema(#[case] probe: Probe, #[case] answer: Answer, #[case] expected: Seen) {
        assert_eq!(probe.is_from("r7", &answer), expected);
    }
}
