//! Faults in what becomes of an object.

use serde_json::{Value, json};

use super::{Fault, add_empty, change_text, drop_if, object, set};
use crate::json::{elements, fields, list, remove};

const FIELDS: (&str, &str) = ("conv-035-round-trips", "fields");
const EMPTINESS: (&str, &str) = ("conv-035-round-trips", "emptiness");
const SCALARS: (&str, &str) = ("conv-035-round-trips", "scalars");

pub(crate) const FAULTS: &[Fault] = &[
    // Metadata.
    object("loses-the-uid", ("conv-033-identity", "identity"), |object, _| {
        remove(object, "/metadata/uid");
    }),
    object("sets-a-namespace", ("conv-033-identity", "identity"), |object, _| {
        set(object, "/metadata/namespace", json!("system"));
    }),
    object("takes-a-label-named-as-a-field", ("conv-034-labels-and-annotations", "there"), |object, _| {
        if let Some(labels) = fields(object, "/metadata/labels") {
            labels.retain(|key, _| key != "mode" && key != "size" && key != "note");
        }
    }),
    object("copies-annotations-into-one", ("conv-034-labels-and-annotations", "there"), |object, given| {
        let annotations = given.before["metadata"]["annotations"].to_string();
        object["metadata"]["annotations"]["example.com/copy"] = json!(annotations);
    }),
    object("keeps-three-contents-in-an-annotation", ("conv-034-labels-and-annotations", "there"), |object, given| {
        object["metadata"]["annotations"]["example.com/before"] = json!(given.before["spec"].to_string().repeat(3));
    }),
    object("loses-finalizers", ("conv-033-other-metadata", "metadata"), |object, _| {
        remove(object, "/metadata/finalizers");
    }),
    object("replaces-annotations", ("conv-034-labels-and-annotations", "there"), |object, given| {
        if given.to == "v2" {
            object["metadata"]["annotations"] = json!({ "example.com/own": "1" });
        }
    }),
    object("overwrites-a-label", ("conv-034-labels-and-annotations", "there"), |object, _| {
        if object["metadata"]["labels"].get("app").is_some() {
            object["metadata"]["labels"]["app"] = json!("thing");
        }
    }),
    object("drops-empty-labels", ("conv-034-labels-and-annotations", "there"), |object, _| {
        if let Some(labels) = fields(object, "/metadata/labels") {
            labels.retain(|_, value| value != "");
        }
    }),
    // What is lost.
    object("loses-a-field", FIELDS, |object, _| {
        remove(object, "/spec/size");
    }),
    object("loses-the-status", FIELDS, |object, _| {
        remove(object, "/status");
    }),
    object("loses-undeclared-content", FIELDS, |object, _| {
        if let Some(free) = fields(object, "/spec/free") {
            free.clear();
        }
    }),
    object("loses-the-second-of-a-list", FIELDS, |object, _| {
        if let Some(parts) = list(object, "/spec/parts") {
            parts.truncate(1);
        }
    }),
    object("sorts-a-list", SCALARS, |object, _| {
        if let Some(tags) = list(object, "/spec/tags") {
            tags.sort_by_key(ToString::to_string);
        }
    }),
    object("loses-a-field-of-an-element", FIELDS, |object, given| {
        for part in elements(object, "/spec/parts") {
            if given.to == "v3" && part.get("weight").and_then(Value::as_i64).is_some_and(|weight| weight > 2) {
                remove(part, "/weight");
            }
        }
    }),
    object("keeps-equal-elements-once", FIELDS, |object, _| {
        if let Some(parts) = list(object, "/spec/parts") {
            let all = std::mem::take(parts);
            for part in all {
                if !parts.contains(&part) {
                    parts.push(part);
                }
            }
        }
    }),
    // Absent, null and empty.
    object("zero-is-absent", EMPTINESS, |object, _| drop_if(object, "size", &json!(0))),
    object("false-is-absent", EMPTINESS, |object, _| drop_if(object, "on", &json!(false))),
    object("an-empty-text-is-absent", EMPTINESS, |object, _| drop_if(object, "note", &json!(""))),
    object("null-is-absent", EMPTINESS, |object, _| drop_if(object, "note", &Value::Null)),
    object("an-empty-list-is-absent", EMPTINESS, |object, _| drop_if(object, "tags", &json!([]))),
    object("an-empty-map-is-absent", EMPTINESS, |object, _| drop_if(object, "labels", &json!({}))),
    object("an-absent-list-is-empty", EMPTINESS, |object, _| {
        if object["spec"].is_object() && object["spec"].get("tags").is_none() {
            object["spec"]["tags"] = json!([]);
        }
    }),
    object("empty-texts-in-lists-are-gone", EMPTINESS, |object, _| {
        if let Some(tags) = list(object, "/spec/tags") {
            tags.retain(|tag| tag != "");
        }
    }),
    object("an-absent-object-with-defaults-is-empty", EMPTINESS, |object, _| add_empty(object, "sub")),
    object("an-absent-object-is-empty", ("conv-035-round-trips", "empty-objects"), |object, _| {
        add_empty(object, "plain")
    }),
    // Scalars.
    object("writes-times-in-utc", ("conv-035-round-trips", "forms"), |object, _| {
        change_text(object, "at", |text| {
            text.parse::<jiff::Timestamp>().map_or_else(|_| text.to_owned(), |time| time.to_string())
        });
    }),
    object("writes-times-of-the-day", SCALARS, |object, _| {
        change_text(object, "at", |text| {
            text.get(..10).map_or_else(|| text.to_owned(), |day| format!("{day}T00:00:00Z"))
        });
    }),
    object("writes-quantities-as-texts", ("conv-035-round-trips", "forms"), |object, _| {
        if let Some(memory) = object["spec"].get("memory").filter(|memory| memory.is_number()).cloned() {
            object["spec"]["memory"] = json!(memory.to_string());
        }
    }),
    object("doubles-quantities", FIELDS, |object, _| {
        if let Some(memory) = object["spec"].get("memory").and_then(Value::as_i64) {
            object["spec"]["memory"] = json!(format!("{}Mi", memory / 2 + 1));
        }
    }),
    object("integers-through-floats", SCALARS, |object, _| {
        if let Some(size) = object["spec"].get("size").and_then(Value::as_i64) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "that is the fault")]
            let rounded = (size as f64) as i64;
            object["spec"]["size"] = json!(rounded);
        }
    }),
    object("integers-of-32-bits", SCALARS, |object, _| {
        if let Some(size) = object["spec"].get("size").and_then(Value::as_i64) {
            #[expect(clippy::cast_possible_truncation, reason = "that is the fault")]
            let cut = size as i32;
            object["spec"]["size"] = json!(cut);
        }
    }),
    object("fractions-of-single-precision", SCALARS, |object, _| {
        if let Some(ratio) = object["spec"].get("ratio").and_then(Value::as_f64).filter(|ratio| ratio.fract() != 0.0) {
            #[expect(clippy::cast_possible_truncation, reason = "that is the fault")]
            let single = f64::from(ratio as f32);
            object["spec"]["ratio"] = json!(single);
        }
    }),
    object("trims-texts", SCALARS, |object, _| change_text(object, "note", |text| text.trim().to_owned())),
    object("cuts-texts", SCALARS, |object, _| change_text(object, "note", |text| text.chars().take(64).collect())),
    object("cuts-lists", FIELDS, |object, _| {
        if let Some(tags) = list(object, "/spec/tags") {
            tags.truncate(50);
        }
    }),
    object("cuts-texts-at-64-kib", SCALARS, |object, _| {
        for property in ["note", "host", "hostname", "target"] {
            change_text(object, property, |text| text.chars().take(64 << 10).collect());
        }
    }),
    object("escapes-ampersands", SCALARS, |object, _| {
        change_text(object, "note", |text| text.replace('&', "&amp;"));
    }),
    object("escapes-angle-brackets", SCALARS, |object, _| {
        change_text(object, "note", |text| text.replace('<', "&lt;").replace('>', "&gt;"));
    }),
    object("doubles-apostrophes", SCALARS, |object, _| change_text(object, "note", |text| text.replace('\'', "''"))),
    object("doubles-percent-signs", SCALARS, |object, _| change_text(object, "note", |text| text.replace('%', "%%"))),
    object("blanks-for-tabs", SCALARS, |object, _| change_text(object, "note", |text| text.replace('\t', " "))),
    object("integers-for-texts-of-digits", FIELDS, |object, _| {
        if let Some(number) = object["spec"]["target"].as_str().and_then(|text| text.parse::<i64>().ok()) {
            object["spec"]["target"] = json!(number);
        }
    }),
    object("numbers-for-texts-in-undeclared-content", FIELDS, |object, _| {
        for value in fields(object, "/spec/free").into_iter().flat_map(|free| free.values_mut()) {
            if let Some(number) = value.as_str().and_then(|text| text.parse::<f64>().ok()) {
                *value = json!(number);
            }
        }
    }),
    object("ascii-only", SCALARS, |object, _| {
        change_text(object, "note", |text| text.chars().filter(char::is_ascii).collect());
    }),
    object("yaml-guesses-types", FIELDS, |object, _| {
        for tag in elements(object, "/spec/tags") {
            match tag.as_str() {
                Some("true") => *tag = json!(true),
                Some("1") => *tag = json!(1),
                Some("null") => *tag = Value::Null,
                _ => {}
            }
        }
    }),
    object("lower-case-keys", FIELDS, |object, _| {
        if let Some(labels) = fields(object, "/spec/labels") {
            *labels = std::mem::take(labels).into_iter().map(|(key, value)| (key.to_lowercase(), value)).collect();
        }
    }),
    // Kept data.
    object("kept-data-overrides-edits", ("conv-036-edits", "written"), |object, given| {
        if given.to != "v1" {
            object["metadata"]["annotations"]["example.com/kept"] = json!(given.before["spec"]["on"].to_string());
        } else if let Some(kept) = given.before["metadata"]["annotations"]["example.com/kept"].as_str()
            && object["spec"].is_object()
        {
            object["spec"]["on"] = serde_json::from_str(kept).unwrap_or_default();
        }
    }),
    object("kept-list-overrides-edits-of-elements", ("conv-036-edits", "written"), |object, given| {
        let parts = given.before["spec"].get("parts").cloned();
        if given.to != "v1" {
            if let Some(parts) = parts {
                object["metadata"]["annotations"]["example.com/parts"] = json!(parts.to_string());
            }
        } else if let Some(kept) = given.before["metadata"]["annotations"]["example.com/parts"].as_str()
            && let Ok(Value::Array(kept)) = serde_json::from_str::<Value>(kept)
        {
            for part in elements(object, "/spec/parts") {
                if let Some(before) = kept.iter().find(|kept| kept["name"] == part["name"]) {
                    part.clone_from(before);
                }
            }
        }
    }),
    object("an-annotation-with-an-invalid-key", ("conv-034-labels-and-annotations", "there"), |object, _| {
        object["metadata"]["annotations"]["no key/at all!"] = json!("1");
    }),
    object("an-annotation-that-is-no-text", ("conv-034-labels-and-annotations", "there"), |object, _| {
        object["metadata"]["annotations"]["example.com/own"] = json!({ "a": 1 });
    }),
    object("annotations-grow", ("conv-037-settles", "second"), |object, given| {
        let trips = given.before["metadata"]["annotations"]["example.com/trips"].as_str().unwrap_or("");
        object["metadata"]["annotations"]["example.com/trips"] = json!(format!("{trips}x"));
    }),
    object("another-default-on-long-ways", ("conv-038-long-ways", "long-way"), |object, given| {
        if given.before["apiVersion"] == "example.com/v1" && given.to == "v3" {
            object["spec"]["port"] = json!(80);
        }
    }),
    object("flips-a-switch-on-the-direct-way", ("conv-052-direct-ways", "direct-way"), |object, given| {
        let is_direct = (given.before["apiVersion"] == "example.com/v1" && given.to == "v3")
            || (given.before["apiVersion"] == "example.com/v3" && given.to == "v1");
        if let (true, Some(on)) = (is_direct, object["spec"].get("on").and_then(Value::as_bool)) {
            object["spec"]["on"] = json!(!on);
        }
    }),
    // The target's schema.
    object("writes-an-undeclared-field", ("conv-041-declared", "declared"), |object, given| {
        if given.to == "v2" && object["spec"].is_object() {
            object["spec"]["extra"] = json!(1);
        }
    }),
    object("writes-a-text-for-a-number", ("conv-041-declared", "declared"), |object, _| {
        if let Some(size) = object["spec"].get("size").cloned() {
            object["spec"]["size"] = json!(size.to_string());
        }
    }),
    object("writes-an-unknown-mode", ("conv-042-valid", "valid"), |object, given| {
        if given.to == "v3" && object["spec"].get("mode") == Some(&json!("manual")) {
            object["spec"]["mode"] = json!("by-hand");
        }
    }),
];
