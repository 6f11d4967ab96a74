//! Splits a text into documents, and reads their manifests.

use bytes::Bytes;
use serde_json::Value;
use serde_json::value::RawValue;

use super::manifest::{Manifest, ManifestPlace, Problem};
use crate::metadata::fields;
use crate::wire::deep;
use crate::wire::json;
use crate::wire::yaml;

/// The format of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Yaml,
    Json,
}

impl Format {
    /// Guesses by the first characters. JSON has no lines with `---`: neither between documents nor in strings.
    pub(super) fn guess(text: &[u8]) -> Self {
        let inside = text.trim_ascii_start().strip_prefix(b"{").map(<[u8]>::trim_ascii_start);
        let is_json = inside.is_some_and(|inside| matches!(inside.first(), None | Some(b'"' | b'}')));
        if is_json && !text.windows(4).any(|part| part == b"\n---") { Self::Json } else { Self::Yaml }
    }

    fn media_type(self) -> &'static str {
        match self {
            Self::Yaml => "application/yaml",
            Self::Json => "application/json",
        }
    }

    fn parse(self, text: &[u8]) -> Result<Value, String> {
        let parsed = match self {
            Self::Yaml => yaml::parse(text).map_err(|error| error.to_string()),
            Self::Json => json::parse(text).map_err(|error| error.to_string()),
        };
        parsed.map(|parsed| parsed.value)
    }
}

/// Reads all documents of a text; skips empty ones.
pub(super) fn read(file: &str, text: &[u8], format: Format) -> Vec<Result<Manifest, Problem>> {
    let place = |document| ManifestPlace { file: file.to_owned(), document: Some(document), item: None };
    let texts = match format {
        Format::Yaml => yaml_documents(text).into_iter().map(Ok).collect(),
        Format::Json => json_documents(text),
    };
    let mut read = Vec::new();
    for (index, text) in texts.into_iter().enumerate() {
        let place = place(index + 1);
        match text {
            // A value may nest too deep for the normal stack, so only manifests with their text leave the deep one.
            Ok(text) => match deep::on_deep_stack(|| document(&place, text, format)) {
                Some(found) => read.extend(found),
                None => read.push(Err(place.problem("internal error while reading this document, or out of memory"))),
            },
            Err(reason) => read.push(Err(place.problem(reason))),
        }
    }
    read
}

/// Splits a text at lines that begin with `---`.
fn yaml_documents(text: &[u8]) -> Vec<&[u8]> {
    let mut documents = Vec::new();
    let (mut start, mut at, mut has_marker) = (0, 0, false);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        if line.starts_with(b"---") && line.get(3).is_none_or(u8::is_ascii_whitespace) {
            // Comments and directives before the first marker are not a document.
            if has_marker || has_content(&text[start..at]) {
                documents.push(&text[start..at]);
            }
            (start, has_marker) = (at + 3, true);
        }
        at += line.len();
    }
    documents.push(&text[start..]);
    documents
}

/// Whether a text contains more than comments and directives.
fn has_content(text: &[u8]) -> bool {
    text.split(|byte| *byte == b'\n').any(|line| !matches!(line.trim_ascii().first(), None | Some(b'#' | b'%')))
}

/// Splits a text into its JSON values.
fn json_documents(text: &[u8]) -> Vec<Result<&[u8], String>> {
    let values = serde_json::Deserializer::from_slice(text).into_iter::<&RawValue>();
    values.map(|value| value.map(|raw| raw.get().as_bytes()).map_err(|error| error.to_string())).collect()
}

fn document(place: &ManifestPlace, text: &[u8], format: Format) -> Vec<Result<Manifest, Problem>> {
    let value = match format.parse(text) {
        Ok(Value::Null) => return Vec::new(),
        Ok(value) => value,
        Err(reason) => return vec![Err(place.problem(reason))],
    };
    match list_items(&value) {
        None => {
            let body = Bytes::copy_from_slice(text);
            vec![manifest(place.clone(), &value, body, format)]
        }
        Some(items) => {
            let items = items.iter().enumerate().map(|(index, item)| {
                let place = ManifestPlace { item: Some(index + 1), ..place.clone() };
                let item = with_type_of_list(item, &value);
                manifest(place, &item, json::write(&item).into(), Format::Json)
            });
            items.collect()
        }
    }
}

/// The items of a list of objects. An object with a name is not a list, even if its kind ends in `List`.
fn list_items(value: &Value) -> Option<&Vec<Value>> {
    let is_list = text(value, "kind").ends_with("List") && fields::text(value, "name").is_empty();
    value.get("items").and_then(Value::as_array).filter(|_| is_list)
}

/// An item with `apiVersion` and `kind` filled in from its list: items of a `ThingList` are of kind `Thing`.
fn with_type_of_list(item: &Value, list: &Value) -> Value {
    let mut item = item.clone();
    let kind = text(list, "kind").strip_suffix("List").unwrap_or_default();
    if let Some(item) = item.as_object_mut().filter(|_| !kind.is_empty()) {
        item.entry("apiVersion").or_insert_with(|| text(list, "apiVersion").into());
        item.entry("kind").or_insert_with(|| kind.into());
    }
    item
}

fn manifest(place: ManifestPlace, value: &Value, body: Bytes, format: Format) -> Result<Manifest, Problem> {
    if !value.is_object() {
        return Err(place.problem("not a manifest: expected an object with `apiVersion` and `kind`"));
    }
    for key in ["apiVersion", "kind"] {
        if text(value, key).is_empty() {
            return Err(place.problem(format!("not a manifest: `{key}` must be a non-empty string")));
        }
    }
    Ok(Manifest {
        api_version: text(value, "apiVersion").to_owned(),
        kind: text(value, "kind").to_owned(),
        namespace: fields::text(value, "namespace").to_owned(),
        body,
        media_type: format.media_type(),
        place,
    })
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    /// The place and type of each manifest, or its problem.
    fn outcomes(text: &str, format: Format) -> Vec<String> {
        let read = read("f", text.as_bytes(), format);
        read.into_iter()
            .map(|found| match found {
                Ok(manifest) => format!("{}: {}/{}", manifest.place, manifest.api_version, manifest.kind),
                Err(problem) => problem.to_string(),
            })
            .collect()
    }

    #[rstest]
    #[case::one("apiVersion: v1\nkind: A\n", &["f, document 1: v1/A"])]
    #[case::after_a_marker("# a comment\n---\napiVersion: v1\nkind: A\n", &["f, document 1: v1/A"])]
    #[case::several("apiVersion: v1\nkind: A\n---\napiVersion: v1\nkind: B\n", &["f, document 1: v1/A", "f, document 2: v1/B"])]
    #[case::empty_documents("---\n---\n# nothing\n---  \napiVersion: v1\nkind: A\n---\n", &["f, document 3: v1/A"])]
    #[case::on_the_line_of_the_marker("--- {apiVersion: v1, kind: A}\n", &["f, document 1: v1/A"])]
    #[case::dashes_that_are_not_markers("apiVersion: v1\nkind: A\na: |\n  ---\n  text\n----: 1\n", &["f, document 1: v1/A"])]
    #[case::windows_line_endings(
        "apiVersion: v1\r\nkind: A\r\n---\r\napiVersion: v1\r\nkind: B\r\n",
        &["f, document 1: v1/A", "f, document 2: v1/B"],
    )]
    #[case::empty("", &[])]
    #[case::list("apiVersion: v1\nkind: List\nitems:\n- {apiVersion: a/v1, kind: B}\n- 1\n", &[
        "f, document 1, item 1: a/v1/B",
        "f, document 1, item 2: not a manifest: expected an object with `apiVersion` and `kind`",
    ])]
    #[case::list_of_a_kind("apiVersion: a/v1\nkind: BList\nitems: [{metadata: {name: x}}]\n", &["f, document 1, item 1: a/v1/B"])]
    #[case::named_object_of_a_list_kind(
        "apiVersion: a/v1\nkind: WishList\nmetadata: {name: mine}\nitems: [1]\n",
        &["f, document 1: a/v1/WishList"],
    )]
    #[case::missing_kind("apiVersion: v1\n", &["f, document 1: not a manifest: `kind` must be a non-empty string"])]
    #[case::not_an_object("- 1\n", &["f, document 1: not a manifest: expected an object with `apiVersion` and `kind`"])]
    fn yaml_documents_are_read(#[case] text: &str, #[case] expected: &[&str]) {
        assert_eq!(outcomes(text, Format::Yaml), expected);
    }

    #[rstest]
    #[case::several(r#"{"apiVersion":"v1","kind":"A"} {"apiVersion":"v1","kind":"B"}"#, &["f, document 1: v1/A", "f, document 2: v1/B"])]
    #[case::list(r#"{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"a/v1","kind":"B"}]}"#, &["f, document 1, item 1: a/v1/B"])]
    fn json_documents_are_read(#[case] text: &str, #[case] expected: &[&str]) {
        assert_eq!(outcomes(text, Format::Json), expected);
    }

    #[rstest]
    #[case::an_object(" { \"a\": 1}", Format::Json)]
    #[case::empty(" {}", Format::Json)]
    #[case::unquoted_keys("{a: 1}", Format::Yaml)]
    #[case::objects_between_markers("{}\n---\n{}\n", Format::Yaml)]
    #[case::anything_else("a: 1", Format::Yaml)]
    fn formats_are_guessed(#[case] text: &str, #[case] expected: Format) {
        assert_eq!(Format::guess(text.as_bytes()), expected);
    }

    #[rstest]
    #[case::yaml("apiVersion: v1\nkind: A\n---\na: [\n", Format::Yaml, "f, document 2: yaml: line ")]
    #[case::json(r#"{"apiVersion":"v1","kind":"A"} {"#, Format::Json, "f, document 2: EOF while parsing")]
    #[case::control_character("\u{0}", Format::Yaml, "f, document 1: ")]
    fn broken_documents_are_reported_with_their_place(
        #[case] text: &str,
        #[case] format: Format,
        #[case] expected: &str,
    ) {
        let outcomes = outcomes(text, format);
        assert!(outcomes.last().is_some_and(|last| last.starts_with(expected)), "{outcomes:?}");
    }

    #[test]
    fn deeply_nested_documents_are_read() {
        let text = format!("{{\"apiVersion\":\"v1\",\"kind\":\"A\",\"a\":{}{}}}", "[".repeat(9000), "]".repeat(9000));
        assert_eq!(outcomes(&text, Format::Json), ["f, document 1: v1/A"]);
    }
}
