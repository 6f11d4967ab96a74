//! The text of request bodies, and edits of them.

use crdible_generators::json::Json;
use crdible_scenario::{Content, Form};
use serde_json::{Value, json};

/// The text of an object: type and name before the fields, unless the fields already contain them.
pub(super) fn object_text(api_version: &str, kind: &str, name: &str, fields: &Content) -> String {
    if let Content::Plain(Value::Object(given)) = fields {
        let mut object = given.clone();
        object.entry("apiVersion").or_insert_with(|| json!(api_version));
        object.entry("kind").or_insert_with(|| json!(kind));
        let metadata = object.entry("metadata").or_insert_with(|| json!({}));
        if let Some(metadata) = metadata.as_object_mut() {
            metadata.entry("name").or_insert_with(|| json!(name));
        }
        return Value::Object(object).to_string();
    }
    let text = fields.to_text();
    let Content::Exact(Json::Object(given)) = fields else { return text };
    let Some(inner) = text.strip_prefix('{') else { return text };
    let mut front = Vec::new();
    for (key, value) in
        [("apiVersion", json!(api_version)), ("kind", json!(kind)), ("metadata", json!({ "name": name }))]
    {
        if !given.iter().any(|(name, _)| name == key) {
            front.push(format!("{}:{value}", json!(key)));
        }
    }
    let comma = if front.is_empty() || inner.trim_start().starts_with('}') { "" } else { "," };
    format!("{{{}{comma}{inner}", front.join(","))
}

/// The beginning of the text of an object, which is left open within
/// `metadata`. Quoted names mean the same in both forms.
pub(super) fn head_text(form: Form, api_version: &str, kind: &str, name: &str) -> String {
    let (api_version, kind, name) = (json!(api_version), json!(kind), json!(name));
    match form {
        Form::Json => format!("{{\"apiVersion\":{api_version},\"kind\":{kind},\"metadata\":{{\"name\":{name}"),
        Form::Yaml => format!("apiVersion: {api_version}\nkind: {kind}\nmetadata:\n  name: {name}"),
    }
}

#[cfg(test)]
mod tests {
    use crdible_generators::json::Json;
    use crdible_scenario::{Content, Form};
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{head_text, object_text};

    #[rstest]
    #[case::plain(
        Content::Plain(json!({"spec": 1})),
        json!({"apiVersion": "g/v1", "kind": "K", "metadata": {"name": "n"}, "spec": 1})
    )]
    #[case::given_kind(
        Content::Plain(json!({"kind": "X"})),
        json!({"apiVersion": "g/v1", "kind": "X", "metadata": {"name": "n"}})
    )]
    #[case::given_metadata(
        Content::Plain(json!({"metadata": {"labels": {}}})),
        json!({"apiVersion": "g/v1", "kind": "K", "metadata": {"name": "n", "labels": {}}})
    )]
    #[case::no_object(Content::Plain(json!([1])), json!([1]))]
    fn objects_get_type_and_name(#[case] fields: Content, #[case] expected: Value) {
        let text = object_text("g/v1", "K", "n", &fields);
        assert_eq!(serde_json::from_str::<Value>(&text).expect("valid JSON"), expected);
    }

    #[test]
    fn exact_texts_stay_exact() {
        let json = Json::parse(r#"{"spec":{"b":1.0,"a":1,"a":2}}"#).expect("valid JSON");
        let text = object_text("g/v1", "K", "n", &Content::Exact(json));
        assert_eq!(text, r#"{"apiVersion":"g/v1","kind":"K","metadata":{"name":"n"},"spec":{"b":1.0,"a":1,"a":2}}"#);
    }
    #[rstest]
    #[case::json(Form::Json, r#"{"apiVersion":"g/v1","kind":"K","metadata":{"name":"n""#)]
    #[case::yaml(Form::Yaml, "apiVersion: \"g/v1\"\nkind: \"K\"\nmetadata:\n  name: \"n\"")]
    fn heads_are_open_within_metadata(#[case] form: Form, #[case] expected: &str) {
        assert_eq!(head_text(form, "g/v1", "K", "n"), expected);
    }
}
