//! Requests whose bodies are texts.

use crdible_generators::yaml;
use crdible_scenario::{Form, Head};

use crate::prelude::*;

/// `Content-Type` of YAML.
pub(super) const YAML: &str = "application/yaml";
/// `Content-Type` of JSON.
pub(super) const JSON: &str = "application/json";

/// A dry-run POST of a text after the beginning of a new object in this form.
pub(super) fn create_of_text(plan: &mut Plan, definition: usize, form: Form, text: impl Into<String>) -> Request {
    let version = "v1".to_owned();
    let head = Head { definition, version: version.clone(), object: plan.next_object(), form };
    let body = Body::Text { head: Some(head), padding: 0, text: text.into() };
    let request = Request::post(Resource::Objects { definition, version }, body).as_dry_run();
    let content_type = match form {
        Form::Json => None,
        Form::Yaml => Some(YAML.to_owned()),
    };
    Request { content_type, ..request }
}

/// What follows the beginning of an object in YAML: its annotations, and its other fields. Its last line has an end: a
/// text in a literal block that ends with the document would else lose its line break, as on kube-apiserver.
pub(super) fn rest_in_yaml(
    choices: &mut Choices,
    annotations: &Map<String, Value>,
    fields: &Map<String, Value>,
) -> String {
    let mut text = String::new();
    if !annotations.is_empty() {
        let metadata = Map::from_iter([("annotations".to_owned(), json!(annotations))]);
        text.push_str(&yaml::entries(choices, &metadata, 2));
    }
    text + &yaml::entries(choices, fields, 0) + "\n"
}

#[cfg(test)]
mod tests {
    use crdible_generators::{choice::Choices, text, value};
    use serde_json::{Map, json};

    use super::rest_in_yaml;

    #[test]
    fn a_reader_finds_what_was_written() {
        for seed in 0..2000 {
            let mut choices = Choices::random(seed);
            let annotations = Map::from_iter([("n".to_owned(), json!(text::text(&mut choices, 0, 30)))]);
            let words = json!({ "yes": "no", "on": ["y", "Off", "NULL", "1", "0x10", "2020-01-01", "~", "", "1.0"] });
            let fields = json!({ "a": value::json(&mut choices, 4), "words": words });
            let fields = fields.as_object().expect("an object");
            let text = format!("metadata:\n  name: x{}", rest_in_yaml(&mut choices, &annotations, fields));
            assert!(text.ends_with('\n'), "{text}");
            let read = crdible_reference::yaml::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(read["metadata"]["annotations"], json!(annotations), "{text}");
            assert_eq!((&read["a"], &read["words"]), (&fields["a"], &fields["words"]), "{text}");
        }
    }
}
