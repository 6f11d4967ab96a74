//! Finds and reads the corpus.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// The folder of the corpus.
pub(crate) fn corpus() -> PathBuf {
    let path = PathBuf::from(std::env::var_os("CRDIBLE_CORPUS").expect("CRDIBLE_CORPUS is the folder of the corpus"));
    assert!(path.join("crds/index.csv").is_file(), "CRDIBLE_CORPUS: no corpus at {}", path.display());
    path
}

/// All files below a folder whose name has this ending, sorted.
pub(crate) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Parses as the projects' own tools do: of duplicate keys, the last one counts.
fn options() -> serde_saphyr::Options {
    serde_saphyr::options! {
        legacy_octal_numbers: true, with_snippet: false, duplicate_keys: serde_saphyr::DuplicateKeyPolicy::LastWins
    }
}

/// All documents of a file.
pub(crate) fn documents(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    let documents: Vec<Value> = serde_saphyr::from_multiple_with_options(&text, options())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    documents.into_iter().filter(|document| !document.is_null()).collect()
}

/// The only document of a file.
pub(crate) fn document(path: &Path) -> Value {
    documents(path).into_iter().next().unwrap_or_else(|| panic!("{} is empty", path.display()))
}

/// A document that is embedded as text in another.
pub(crate) fn inner(text: &Value) -> Value {
    serde_saphyr::from_str_with_options(text.as_str().unwrap(), options()).unwrap()
}

/// The cells of these columns, for each row of a CSV file without quotes.
pub(crate) fn table<const N: usize>(path: &Path, columns: [&str; N]) -> Vec<[String; N]> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut rows = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = rows.next().unwrap();
    let places = columns.map(|column| head.iter().position(|name| *name == column).unwrap());
    rows.map(|row| places.map(|place| row[place].to_owned())).collect()
}

/// A definition without its conversion webhook: the services in the corpus do not exist.
pub(crate) fn without_webhook(mut definition: Value) -> Value {
    if definition["spec"]["conversion"]["strategy"] == "Webhook" {
        definition["spec"]["conversion"] = serde_json::json!({"strategy": "None"});
    }
    definition
}

/// The string at a pointer in a JSON value; empty if it is missing.
pub(crate) fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}
