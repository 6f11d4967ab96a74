//! How one object is kept: as a tree, or as its JSON text.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Map, Value};

use crate::json;
use crate::metadata::fields;

/// A stored object: in its storage version, without `metadata.resourceVersion`. A clone is the same object.
///
/// The text of an object takes a quarter of the memory of its tree, and is what most answers want; but who needs the tree has to read the
/// text. So what the server itself looks at again and again is kept as a tree, and instances, of which there are many, as texts.
#[derive(Clone)]
pub struct Document(Kept);

#[derive(Clone)]
enum Kept {
    Tree(Arc<Value>),
    Text(Arc<Text>),
}

struct Text {
    json: Box<[u8]>,
    heading: Heading,
    /// Where a `resourceVersion` belongs, before another field of `metadata`; nothing if there is no such place.
    gap: Option<usize>,
    /// The last reading known to change nothing; 0 for none.
    unchanged_by: AtomicU64,
}

/// What a text need not be read for, since every watcher asks for it.
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

/// A way of reading stored objects, in a version and by a schema: two readers with the same one read the same of the same object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading(u64);

impl Reading {
    /// One that nothing else has.
    pub fn unique() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Self(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

impl Document {
    /// An object that is kept as a tree.
    pub fn tree(object: Value) -> Self {
        Self(Kept::Tree(Arc::new(object)))
    }

    /// An object that is kept as a text. Its numbers are in the form in which they are stored: what is read of a text is `1`, not `1.0`.
    pub fn text(object: &Value) -> Self {
        let (json, gap) = write(object);
        let text =
            Text { json: json.into_boxed_slice(), heading: Heading::of(object), gap, unchanged_by: AtomicU64::new(0) };
        Self(Kept::Text(Arc::new(text)))
    }

    /// Another object, kept as this one is.
    #[must_use]
    pub fn replaced(&self, object: Value) -> Self {
        match &self.0 {
            Kept::Tree(_) => Self::tree(object),
            Kept::Text(_) => Self::text(&object),
        }
    }

    /// The object. Of a text, this reads it.
    pub fn value(&self) -> Cow<'_, Value> {
        match &self.0 {
            Kept::Tree(object) => Cow::Borrowed(object),
            // What was written here can be read.
            Kept::Text(text) => Cow::Owned(json::read_own(&text.json)),
        }
    }

    /// Its name; empty if it has none.
    pub fn name(&self) -> &str {
        match &self.0 {
            Kept::Tree(object) => fields::text(object, "name"),
            Kept::Text(text) => &text.heading.name,
        }
    }

    /// Its namespace; empty if it is in none.
    pub fn namespace(&self) -> &str {
        match &self.0 {
            Kept::Tree(object) => fields::text(object, "namespace"),
            Kept::Text(text) => &text.heading.namespace,
        }
    }

    /// The value of one of its labels.
    pub fn label(&self, key: &str) -> Option<&str> {
        match &self.0 {
            Kept::Tree(object) => fields::metadata(object)?.get("labels")?.get(key)?.as_str(),
            Kept::Text(text) => {
                text.heading.labels.iter().find(|(known, _)| &**known == key).map(|(_, value)| &**value)
            }
        }
    }

    /// The length of its text in bytes.
    pub(crate) fn size(&self) -> usize {
        match &self.0 {
            Kept::Tree(object) => json::write(&**object).len(),
            Kept::Text(text) => text.json.len(),
        }
    }

    /// Whether a reading is known to change nothing.
    pub(crate) fn is_unchanged_by(&self, reading: Reading) -> bool {
        matches!(&self.0, Kept::Text(text) if text.unchanged_by.load(Ordering::Relaxed) == reading.0)
    }

    /// Takes note of what a reading makes of it; tells whether that is just what is kept, as a text with a place for its revision.
    pub(crate) fn note_read(&self, reading: Reading, object: &Value) -> bool {
        let Kept::Text(text) = &self.0 else { return false };
        let is_unchanged = text.gap.is_some() && write(object).0 == *text.json;
        if is_unchanged {
            text.unchanged_by.store(reading.0, Ordering::Relaxed);
        }
        is_unchanged
    }

    /// Appends the JSON text of the object, with this revision.
    pub(crate) fn write_with_revision(&self, revision: u64, out: &mut Vec<u8>) {
        let split = match &self.0 {
            Kept::Text(text) => text.gap.map(|gap| text.json.split_at(gap)),
            Kept::Tree(_) => None,
        };
        let Some((before, behind)) = split else {
            return json::append(out, &self.with_revision(revision));
        };
        out.reserve(before.len() + behind.len() + 48);
        out.extend_from_slice(before);
        out.extend_from_slice(format!("\"resourceVersion\":\"{revision}\",").as_bytes());
        out.extend_from_slice(behind);
    }

    /// The object with this revision.
    pub(crate) fn with_revision(&self, revision: u64) -> Value {
        let mut object = self.value().into_owned();
        fields::set(&mut object, "resourceVersion", revision.to_string());
        object
    }
}

impl PartialEq for Document {
    /// Whether both are the same object, told from their texts if both are kept so.
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Kept::Text(one), Kept::Text(other)) => one.json == other.json,
            _ => self.value() == other.value(),
        }
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.value(), f)
    }
}

/// The text of an object, and where in it a `resourceVersion` belongs.
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

/// Appends an object, of which `write` writes the values. It is told where the member begins, too.
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
    #[case::fields_of_that_name_elsewhere(json!({
        "a": {"metadata": {"uid": ""}}, "metadata": {"annotations": {"uid": "", "resourceVersion": ""}, "uid": "u"}, "z": {"uid": ""},
    }))]
    #[case::behind_all_others(json!({"metadata": {"name": "a"}}))]
    #[case::a_key_with_escapes(json!({"metadata": {"name": "a", "\u{1}z\"\\": 1, "s\n\u{e4}": 1}}))]
    #[case::no_metadata(json!({"a": 1}))]
    fn a_revision_goes_into_metadata(#[case] mut object: Value) {
        let told = with_revision(&object);
        object["metadata"]["resourceVersion"] = "7".into();
        assert_eq!(told, object);
    }

    #[rstest]
    #[case::of_a_tree(Document::tree)]
    #[case::of_a_text(|object: Value| Document::text(&object))]
    fn what_it_is_selected_by(#[case] keep: fn(Value) -> Document) {
        let labelled = keep(json!({"metadata": {"name": "a", "namespace": "n", "labels": {"k": "v", "empty": ""}}}));
        assert_eq!((labelled.name(), labelled.namespace()), ("a", "n"));
        assert_eq!(["k", "empty", "v"].map(|key| labelled.label(key)), [Some("v"), Some(""), None]);
        let bare = keep(json!({}));
        assert_eq!((bare.name(), bare.namespace(), bare.label("k")), ("", "", None));
    }

    #[test]
    fn it_knows_by_which_reading_it_is_not_changed() {
        let object = json!({"metadata": {"name": "a", "uid": "u"}, "spec": {"b": 1}});
        let document = Document::text(&object);
        let (one, other) = (Reading::unique(), Reading::unique());
        assert!(!document.is_unchanged_by(one));
        assert!(!document.note_read(one, &json!({"metadata": {"name": "a", "uid": "u"}, "spec": {}})));
        assert!(!document.is_unchanged_by(one));
        assert!(document.note_read(one, &object));
        assert!(document.is_unchanged_by(one) && !document.is_unchanged_by(other));
        assert!(!Document::tree(object.clone()).note_read(one, &object));
    }

    proptest! {
        #[test]
        fn value_005_what_is_kept_is_read(keys in proptest::collection::vec("\\PC{0,4}", 0..4), integer: i64, float in -1e300..1e300_f64, text: String) {
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
