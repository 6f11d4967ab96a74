//! The part of a definition or an object that a failure is about, as line numbers of its YAML.

use std::collections::BTreeSet;

use serde_json::Value;

use super::yaml::lines::{at, child, lines_of};
use crate::Failure;

/// A longer part is marked at its first line only.
const MOST_LINES: usize = 12;

/// The failure's places: paths of fields, as the failure names them.
pub(super) struct Places {
    /// Segments of JSON pointers.
    pointers: Vec<Vec<String>>,
    /// Paths as Kubernetes writes them: `spec.list[0].key`.
    paths: Vec<String>,
}

impl Places {
    /// Where the failure is, as far as it says so: the fields of causes, the pointers in its sentence, and where the
    /// expected content differs from the actual one.
    pub(super) fn of(failure: &Failure) -> Self {
        let mut places = Self { pointers: Vec::new(), paths: Vec::new() };
        for answer in [&failure.expected, &failure.actual] {
            fields(answer, &mut places.paths);
        }
        for word in failure.summary.split(|character: char| character.is_whitespace() || "`,;()".contains(character)) {
            if let Some(pointer) = word.strip_prefix('/').filter(|rest| !rest.is_empty()) {
                let segments = pointer.trim_end_matches(['.', ':']).split('/');
                places.pointers.push(segments.map(|segment| segment.replace("~1", "/").replace("~0", "~")).collect());
            }
        }
        // If only one of the answers has content, the difference is not in it.
        let contents = match (failure.expected.get("content"), failure.actual.get("content")) {
            (Some(expected), Some(actual)) => Some((expected, actual)),
            (None, None) if failure.expected.get("status").is_none() => Some((&failure.expected, &failure.actual)),
            _ => None,
        };
        if let Some((expected, actual)) =
            contents.filter(|(expected, actual)| expected.is_object() && actual.is_object())
        {
            differences(expected, actual, &mut Vec::new(), &mut places.pointers);
        }
        places
    }

    /// The lines of an object, or of a definition, counted from 0.
    pub(super) fn lines(&self, document: &Value) -> BTreeSet<usize> {
        let mut marked = BTreeSet::new();
        let schemas = schemas(document);
        // What is missing is shown by what it is missing in. All documents have a `spec`:
        // that of a definition is not that of an object.
        let fewest = |length: usize| if schemas.is_empty() { length.saturating_sub(1) } else { 2 };
        let of_pointers = self.pointers.iter().map(|pointer| (existing(document, pointer), pointer.len()));
        let of_paths = self.paths.iter().map(|path| (resolve(document, path), segments(path).len()));
        for (found, length) in of_pointers.chain(of_paths) {
            if found.len() >= fewest(length) {
                mark(document, &found, &mut marked);
            }
        }
        for schema in schemas {
            let Some(root) = at(document, &schema) else { continue };
            for path in &self.paths {
                let inside = path
                    .strip_prefix("openAPIV3Schema.")
                    .or(path.split_once(".openAPIV3Schema.").map(|(_, rest)| rest));
                let found = match inside {
                    Some(inside) => resolve(root, inside),
                    None => declaration(root, &segments(path)),
                };
                mark_below(document, &schema, &found, &mut marked);
            }
            for pointer in &self.pointers {
                mark_below(document, &schema, &declaration(root, pointer), &mut marked);
            }
        }
        marked
    }
}

fn mark_below(document: &Value, above: &[String], found: &[String], marked: &mut BTreeSet<usize>) {
    if !found.is_empty() {
        mark(document, &[above, found].concat(), marked);
    }
}

/// The values of all fields named `field` whose neighbour is a reason: the causes of an answer.
fn fields(answer: &Value, paths: &mut Vec<String>) {
    match answer {
        Value::Object(entries) => {
            if let (Some(Value::String(field)), true) = (entries.get("field"), entries.contains_key("reason")) {
                paths.push(field.clone());
            } else if let Some(causes) = entries.get("causes") {
                fields(causes, paths);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| fields(item, paths)),
        _ => {}
    }
}

fn differences(expected: &Value, actual: &Value, at: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    let children = |value: &Value| -> Vec<String> {
        match value {
            Value::Object(entries) => entries.keys().cloned().collect(),
            Value::Array(items) => (0..items.len()).map(|index| index.to_string()).collect(),
            _ => Vec::new(),
        }
    };
    if expected == actual {
        return;
    }
    if expected.is_object() != actual.is_object()
        || expected.is_array() != actual.is_array()
        || children(actual).is_empty()
    {
        found.push(at.clone());
        return;
    }
    let keys: BTreeSet<String> = children(expected).into_iter().chain(children(actual)).collect();
    for key in keys {
        at.push(key.clone());
        match (child(expected, &key), child(actual, &key)) {
            (Some(one), Some(other)) => differences(one, other, at, found),
            _ => found.push(at.clone()),
        }
        at.pop();
    }
}

/// The part of the pointer that exists.
fn existing(document: &Value, pointer: &[String]) -> Vec<String> {
    let mut value = document;
    let mut found = Vec::new();
    for key in pointer {
        let Some(next) = child(value, key) else { break };
        value = next;
        found.push(key.clone());
    }
    found
}

/// The existing part of a path such as `spec.list[0].a.b`, in which a key may contain dots.
fn resolve(document: &Value, path: &str) -> Vec<String> {
    let (mut value, mut rest) = (document, path);
    let mut found = Vec::new();
    loop {
        rest = rest.trim_start_matches('.');
        let step = if let Some(inside) = rest.strip_prefix('[') {
            inside.split_once(']').map(|(key, after)| (key.trim_matches('"').to_owned(), after))
        } else if let Value::Object(entries) = value {
            let begins = |key: &&String| {
                rest.strip_prefix(key.as_str()).is_some_and(|after| after.is_empty() || after.starts_with(['.', '[']))
            };
            let key = entries.keys().filter(begins).max_by_key(|key| key.len());
            key.map(|key| (key.clone(), &rest[key.len()..]))
        } else {
            None
        };
        let Some((key, after)) = step else { return found };
        let Some(next) = child(value, &key) else { return found };
        (value, rest) = (next, after);
        found.push(key);
        if rest.is_empty() {
            return found;
        }
    }
}

/// `spec.list[0].a` in parts.
fn segments(path: &str) -> Vec<String> {
    let parts = path.split(['.', '[']).map(|part| part.trim_end_matches(']').trim_matches('"').to_owned());
    parts.filter(|part| !part.is_empty()).collect()
}

/// The schemas of a definition.
fn schemas(definition: &Value) -> Vec<Vec<String>> {
    let count = definition.pointer("/spec/versions").and_then(Value::as_array).map_or(0, Vec::len);
    let of =
        |version: usize| ["spec", "versions", &version.to_string(), "schema", "openAPIV3Schema"].map(str::to_owned);
    (0..count).map(|version| of(version).to_vec()).collect()
}

/// The part of a schema that declares the value at this place, as deep as it is declared.
fn declaration(schema: &Value, pointer: &[String]) -> Vec<String> {
    let mut value = schema;
    let mut found: Vec<String> = Vec::new();
    for key in pointer {
        let step: Vec<String> =
            if value.pointer(&format!("/properties/{}", key.replace('~', "~0").replace('/', "~1"))).is_some() {
                vec!["properties".to_owned(), key.clone()]
            } else if value.get("items").is_some_and(Value::is_object) && key.parse::<usize>().is_ok() {
                vec!["items".to_owned()]
            } else if value.get("additionalProperties").is_some_and(Value::is_object) {
                vec!["additionalProperties".to_owned()]
            } else {
                break;
            };
        let Some(next) = at(value, &step) else { break };
        value = next;
        found.extend(step);
    }
    found
}

/// Marks the lines of the value at this pointer, or only the first if they are
/// many; the whole document is never marked.
fn mark(document: &Value, pointer: &[String], marked: &mut BTreeSet<usize>) {
    if pointer.is_empty() {
        return;
    }
    let Some(lines) = lines_of(document, pointer) else { return };
    marked.extend(if lines.len() > MOST_LINES { lines.start..lines.start + 1 } else { lines });
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use rstest::rstest;
    use serde_json::{Value, json};

    use super::Places;
    use crate::render::yaml::yaml;
    use crate::{Failure, Signature};

    fn failure(summary: &str, expected: Value, actual: Value) -> Failure {
        let signature = Signature::new("p", "c", "content", "r");
        Failure { signature, requirements: Vec::new(), summary: summary.to_owned(), expected, actual, between: None }
    }

    fn marked(document: &Value, failure: &Failure) -> Vec<String> {
        let lines = Places::of(failure).lines(document);
        let text = yaml(document);
        text.lines().enumerate().filter(|(number, _)| lines.contains(number)).map(|(_, line)| line.to_owned()).collect()
    }

    fn cause(field: &str) -> Value {
        json!({"status": 422, "causes": [{"field": field, "reason": "Duplicate"}]})
    }

    #[rstest]
    #[case::element("spec.l[1]", &["  - k: 1", "    m: 2"])]
    #[case::key_with_a_dot("spec.a.b.c", &["    c: 3"])]
    #[case::what_is_missing("spec.o.x", &["  o:", "    p: 4"])]
    #[case::of_another_object("spec.x.y.z", &[])]
    #[case::nothing("status", &[])]
    fn causes(#[case] field: &str, #[case] expected: &[&str]) {
        let object =
            json!({"kind": "Thing", "spec": {"l": [{"k": 0}, {"k": 1, "m": 2}], "a.b": {"c": 3}, "o": {"p": 4}}});
        assert_eq!(marked(&object, &failure("", cause(field), json!({"status": 201}))), expected);
    }

    #[test]
    fn a_pointer_in_the_sentence_and_what_differs() {
        let object = json!({"spec": {"a": {"x": "yes"}, "b": 1, "c": [1, 2]}});
        let said = failure("the field /spec/a/x was returned", Value::Null, Value::Null);
        assert_eq!(marked(&object, &said), ["    x: \"yes\""]);
        let answer = |last: u32| json!({"status": 200, "content": {"spec": {"b": 1, "c": [1, last]}}});
        assert_eq!(marked(&object, &failure("", answer(2), answer(3))), ["  - 2"]);
    }

    #[test]
    fn the_schema_that_declares_it_is_marked() {
        let schema = json!({"type": "object", "properties": {"spec": {"type": "object", "properties": {
            "l": {"type": "array", "items": {"type": "object", "additionalProperties": {"type": "string"}}}}}}});
        let version = json!({"name": "v1", "schema": {"openAPIV3Schema": schema}});
        let definition = json!({"spec": {"versions": [version], "scope": "Cluster"}});
        let lines = marked(&definition, &failure("", cause("spec.l[0].key"), json!({})));
        assert_eq!(lines.iter().map(|line| line.trim()).collect::<Vec<_>>(), ["additionalProperties:", "type: string"]);
        let inside = cause("spec.versions[0].schema.openAPIV3Schema.properties[spec].type");
        assert_eq!(marked(&definition, &failure("", inside, json!({}))).last().unwrap().trim(), "type: object");
    }
}
