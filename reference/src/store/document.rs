//! Stored objects, as a tree or as JSON text.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Map, Value};

use crate::metadata::fields;
use crate::wire::json;

/// A stored object: in its storage version, without `metadata.resourceVersion`. Cloning is cheap and shares the object.
///
/// JSON text takes a quarter of the memory of a tree, and most responses need only the text; but to inspect the object,
/// it has to be parsed. So the server stores what it inspects often as trees, and custom resources, of which there are
/// many, as text.
#[derive(Clone)]
pub struct Document(Repr);

#[derive(Clone)]
enum Repr {
    Tree(Arc<Value>),
    Text(Arc<Text>),
}

struct Text {
    json: Box<[u8]>,
    heading: Heading,
    /// The position at which a `resourceVersion` is inserted, before another field of `metadata`; `None` without such a
    /// position.
    gap: Option<usize>,
    /// The last `Reading` that is known to leave the object unchanged; 0 for none.
    unchanged_by: AtomicU64,
}

/// The fields that every watcher needs, so that the text need not be parsed for them.
struct Heading {
    name: Box<str>,
    namespace: Box<str>,
    labels: Box<[(Box<str>, Box<str>)]>,
}

impl Heading {
    fn of(object: &Value) -> Self {
        let labels = fields::metadata(object).and_then(|metadata| metadata.get("labels")?.as_object());
        let labels =
            labels.into_iter().flatten().filter_map(|(key, value)| Some((key.as_str().into(), value.as_str()?.into())));
        Self {
            name: fields::text(object, "name").into(),
            namespace: fields::text(object, "namespace").into(),
            labels: labels.collect(),
        }
    }
}

/// Identifies a way of reading stored objects, at a version and with a schema: for the same object, two readers with
/// the same `Reading` return the same result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading(u64);

impl Reading {
    /// A new reading, different from all others.
    pub fn unique() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Self(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

impl Document {
    /// An object that is stored as a tree.
    pub fn tree(object: Value) -> Self {
        Self(Repr::Tree(Arc::new(object)))
    }

    /// An object that is stored as text. Numbers are normalised to their stored form: `1.0` becomes `1`.
    pub fn text(object: &Value) -> Self {
        let (json, gap) = write(object);
        let text =
            Text { json: json.into_boxed_slice(), heading: Heading::of(object), gap, unchanged_by: AtomicU64::new(0) };
        Self(Repr::Text(Arc::new(text)))
    }

    /// Another object, stored in the same form.
    #[must_use]
    pub fn replaced(&self, object: Value) -> Self {
        match &self.0 {
            Repr::Tree(_) => Self::tree(object),
            Repr::Text(_) => Self::text(&object),
        }
    }

    /// The object; text is parsed.
    pub fn value(&self) -> Cow<'_, Value> {
        match &self.0 {
            Repr::Tree(object) => Cow::Borrowed(object),
            // Text that this module wrote can be parsed.
            Repr::Text(text) => Cow::Owned(json::read_own(&text.json)),
        }
    }

    /// The name; empty if the object has none.
    pub fn name(&self) -> &str {
        match &self.0 {
            Repr::Tree(object) => fields::text(object, "name"),
            Repr::Text(text) => &text.heading.name,
        }
    }

    /// The namespace; empty if the object has none.
    pub fn namespace(&self) -> &str {
        match &self.0 {
            Repr::Tree(object) => fields::text(object, "namespace"),
            Repr::Text(text) => &text.heading.namespace,
        }
    }

    /// The value of a label.
    pub fn label(&self, key: &str) -> Option<&str> {
        match &self.0 {
            Repr::Tree(object) => fields::metadata(object)?.get("labels")?.get(key)?.as_str(),
            Repr::Text(text) => {
                text.heading.labels.iter().find(|(known, _)| &**known == key).map(|(_, value)| &**value)
            }
        }
    }

    /// The length of the JSON text, in bytes.
    pub(crate) fn size(&self) -> usize {
        match &self.0 {
            Repr::Tree(object) => json::write(&**object).len(),
            Repr::Text(text) => text.json.len(),
        }
    }

    /// Whether a reading is known to leave the object unchanged.
    pub(crate) fn is_unchanged_by(&self, reading: Reading) -> bool {
        matches!(&self.0, Repr::Text(text) if text.unchanged_by.load(Ordering::Relaxed) == reading.0)
    }

    /// Records that a reading leaves the object unchanged.
    pub(crate) fn mark_unchanged_by(&self, reading: Reading) {
        if let Repr::Text(text) = &self.0
            && text.gap.is_some()
        {
            text.unchanged_by.store(reading.0, Ordering::Relaxed);
        }
    }

    /// Records the result of a reading. Returns whether it equals the stored text, so that the text can be returned
    /// directly.
    pub(crate) fn record_read(&self, reading: Reading, object: &Value) -> bool {
        let Repr::Text(text) = &self.0 else { return false };
        let is_unchanged = text.gap.is_some() && write(object).0 == *text.json;
        if is_unchanged {
            text.unchanged_by.store(reading.0, Ordering::Relaxed);
        }
        is_unchanged
    }

    /// Appends the object as JSON, with this revision as its `resourceVersion`.
    pub(crate) fn write_with_revision(&self, revision: u64, out: &mut Vec<u8>) {
        let split = match &self.0 {
            Repr::Text(text) => text.gap.map(|gap| text.json.split_at(gap)),
            Repr::Tree(_) => None,
        };
        let Some((before, after)) = split else {
            return json::append(out, &self.with_revision(revision));
        };
        out.reserve(before.len() + after.len() + 48);
        out.extend_from_slice(before);
        out.extend_from_slice(format!("\"resourceVersion\":\"{revision}\",").as_bytes());
        out.extend_from_slice(after);
    }

    /// The object with this revision as its `resourceVersion`.
    pub(crate) fn with_revision(&self, revision: u64) -> Value {
        let mut object = self.value().into_owned();
        fields::set(&mut object, "resourceVersion", revision.to_string());
        object
    }
}

impl PartialEq for Document {
    /// Compares the texts if both objects are stored as text; otherwise the values.
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Repr::Text(one), Repr::Text(other)) => one.json == other.json,
            _ => self.value() == other.value(),
        }
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.value(), f)
    }
}

/// The JSON text of an object, and the position at which a `resourceVersion` is inserted.
fn write(object: &Value) -> (Vec<u8>, Option<usize>) {
    let mut out = Vec::with_capacity(1024);
    let mut gap = None;
    match object {
        Value::Object(members) => write_members(&mut out, members, |out, (key, value), _| match value {
            Value::Object(metadata) if key == "metadata" => write_members(out, metadata, |out, (key, value), begin| {
                if gap.is_none() && key > "resourceVersion" {
                    gap = Some(begin);
                }
                json::append(out, value);
            }),
            _ => json::append(out, value),
        }),
        _ => json::append(&mut out, object),
    }
    (out, gap)
}

/// Appends an object; `write` appends each value, and gets the position of its member.
fn write_members(
    out: &mut Vec<u8>,
    members: &Map<String, Value>,
    mut write: impl FnMut(&mut Vec<u8>, (&str, &Value), usize),
) {
    out.push(b'{');
    for (at, (key, value)) in members.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        let begin = out.len();
        json::append(out, key);
        out.push(b':');
        write(out, (key, value), begin);
    }
    out.push(b'}');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn with_revision(object: &Value) -> Value {
        let mut text = Vec::new();
        Document::text(object).write_with_revision(7, &mut text);
        serde_json::from_slice(&text).expect("JSON")
    }

    #[rstest]
    #[case::before_the_uid(json!({"metadata": {"name": "a", "uid": "u"}}))]
    #[case::same_field_names_elsewhere(json!({
        "a": {"metadata": {"uid": ""}}, "metadata": {"annotations": {"uid": "", "resourceVersion": ""}, "uid": "u"}, "z": {"uid": ""},
    }))]
    #[case::after_all_other_fields(json!({"metadata": {"name": "a"}}))]
    #[case::keys_with_escapes(json!({"metadata": {"name": "a", "\u{1}z\"\\": 1, "s\n\u{e4}": 1}}))]
    #[case::no_metadata(json!({"a": 1}))]
    fn the_revision_is_inserted_into_metadata(#[case] mut object: Value) {
        let written = with_revision(&object);
        object["metadata"]["resourceVersion"] = "7".into();
        assert_eq!(written, object);
    }

    #[rstest]
    #[case::tree(Document::tree)]
    #[case::text(|object: Value| Document::text(&object))]
    fn name_namespace_and_labels_are_readable(#[case] keep: fn(Value) -> Document) {
        let labelled = keep(json!({"metadata": {"name": "a", "namespace": "n", "labels": {"k": "v", "empty": ""}}}));
        assert_eq!((labelled.name(), labelled.namespace()), ("a", "n"));
        assert_eq!(["k", "empty", "v"].map(|key| labelled.label(key)), [Some("v"), Some(""), None]);
        let bare = keep(json!({}));
        assert_eq!((bare.name(), bare.namespace(), bare.label("k")), ("", "", None));
    }

    #[test]
    fn a_reading_that_changes_nothing_is_remembered() {
        let object = json!({"metadata": {"name": "a", "uid": "u"}, "spec": {"b": 1}});
        let document = Document::text(&object);
        let (one, other) = (Reading::unique(), Reading::unique());
        assert!(!document.is_unchanged_by(one));
        assert!(!document.record_read(one, &json!({"metadata": {"name": "a", "uid": "u"}, "spec": {}})));
        assert!(!document.is_unchanged_by(one));
        assert!(document.record_read(one, &object));
        assert!(document.is_unchanged_by(one) && !document.is_unchanged_by(other));
        assert!(!Document::tree(object.clone()).record_read(one, &object));
    }

    proptest! {
        #[test]
        fn value_005_a_stored_object_is_read_unchanged(keys in proptest::collection::vec("\\PC{0,4}", 0..4), integer: i64, float in -1e300..1e300_f64, text: String) {
            let mut object = json!({"metadata": {"name": text, "uid": "u"}, "i": integer, "list": [null, true, text]});
            for key in keys {
                object["metadata"]["annotations"][&key] = text.as_str().into();
                object["spec"][&key] = float.into();
            }
            crdible_semantics::json::store_form(&mut object);
            let document = Document::text(&object);
            prop_assert_eq!(&*document.value(), &object);
            prop_assert_eq!(&document, &Document::tree(object.clone()));
            object["metadata"]["resourceVersion"] = "7".into();
            prop_assert_eq!(document.with_revision(7), object);
        }
    }
}
