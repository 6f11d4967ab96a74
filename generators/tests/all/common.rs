//! Helpers for the tests of generators.

use std::collections::BTreeMap;

use crdible_generators::choice::{Choices, Recording};
use crdible_generators::schema::{SchemaShape, schema};
use crdible_generators::value;
use crdible_semantics::{Schema, Semantics};
use serde_json::{Value, json};

/// The complete object with this content.
pub(crate) fn object(content: &Value) -> Value {
    let mut object = content.clone();
    if let Value::Object(entries) = &mut object {
        entries.insert("apiVersion".to_owned(), json!("example.com/v1"));
        entries.insert("kind".to_owned(), json!("Thing"));
        entries.insert("metadata".to_owned(), json!({"name": "x"}));
    }
    object
}

/// The object as stored, the unknown fields, and the field and reason of each violation.
pub(crate) type Created = (Value, Vec<String>, Vec<(String, String)>);

/// Creates an object with this content: the object as stored, the unknown fields, and its violations; `Err` if the body
/// cannot be decoded.
pub(crate) fn created(content: &Value, schema: &Schema) -> Result<Created, String> {
    let mut object = object(content);
    let decoded = Semantics::UPSTREAM.decode(&mut object, schema).map_err(|error| format!("{error:?}"))?;
    let violations = Semantics::UPSTREAM.object_violations(&object, schema, None);
    let causes = violations.iter().map(|violation| (violation.field.clone(), violation.reason.to_string())).collect();
    if let Value::Object(entries) = &mut object {
        for meta in ["apiVersion", "kind", "metadata"] {
            entries.remove(meta);
        }
    }
    Ok((object, decoded.unknown_fields, causes))
}

/// A schema, and a value that is valid under it.
pub(crate) fn valid(c: &mut Choices) -> (Schema, Value) {
    let schema = schema(c, &SchemaShape::default());
    let content = value::valid(c, &schema);
    (schema, content)
}

/// How often each production was used.
pub(crate) type Productions = BTreeMap<&'static str, u32>;

/// Asserts that each of these productions, which are separated by commas, was used at least this number of times.
pub(crate) fn reached(productions: &Productions, least: u32, names: &str) {
    for name in names.split(", ") {
        let count = productions.get(name).copied().unwrap_or(0);
        assert!(count >= least, "{name}: {count}");
    }
}

/// Generates `count` cases and calls `check` for each that is not discarded. Returns the productions and the number of
/// discarded cases.
pub(crate) fn cases<T>(
    count: u64,
    generate: impl Fn(&mut Choices) -> T,
    mut check: impl FnMut(u64, T, &Recording),
) -> (Productions, u64) {
    let (mut productions, mut discarded) = (Productions::new(), 0);
    for seed in 0..count {
        let mut choices = Choices::random(seed);
        let case = generate(&mut choices);
        let recording = choices.finish();
        for (name, times) in &recording.productions {
            *productions.entry(*name).or_insert(0) += times;
        }
        if recording.discarded.is_some() {
            discarded += 1;
        } else {
            check(seed, case, &recording);
        }
    }
    (productions, discarded)
}
