//! Objects with something for every column.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use crate::properties::shared::{PRESERVE, object_of};

/// The schema of the objects.
pub(super) fn schema() -> Value {
    let text = || json!({ "type": "string" });
    let integer = || json!({ "type": "integer" });
    let list = |items: Value| json!({ "type": "array", "items": items });
    let entry =
        object_of(json!({ "name": text(), "rank": integer(), "value": { "x-kubernetes-int-or-string": true } }));
    object_of(json!({
        "spec": object_of(json!({
            "text": text(), "number": integer(), "large": integer(), "flag": { "type": "boolean" }, "fraction": { "type": "number" },
            "moment": text(), "nothing": { "type": "string", "nullable": true }, "words": list(text()), "pair": list(text()),
            "entries": list(entry), "map": { "type": "object", "additionalProperties": text() },
            "free": { "type": "object", PRESERVE: true },
        })),
        "status": object_of(json!({ "phase": text() })),
    }))
}

/// An object to create: each field may be missing. What a table shows otherwise by accident is not in it: empty texts as dates, and
/// characters that JSON texts escape (TABLE-010, TABLE-012).
pub(super) fn draw(choices: &mut Choices) -> Value {
    let texts = ["a", "b c", "ä", "3", "true", "x"];
    let mut spec = json!({});
    let mut set = |choices: &mut Choices, name: &str, value: &dyn Fn(&mut Choices) -> Value| {
        if choices.chance(3, 4) {
            spec[name] = value(choices);
        }
    };
    set(choices, "text", &|choices| json!(*choices.pick(&texts)));
    set(choices, "number", &|choices| json!(*choices.pick(&[0, 1, -7, 1_234_567, 20_000_000_000_i64])));
    set(choices, "large", &|choices| json!(*choices.pick(&[9_007_199_254_740_993_i64, i64::MAX, i64::MIN])));
    set(choices, "flag", &|choices| json!(choices.chance(1, 2)));
    set(choices, "fraction", &|choices| json!(*choices.pick(&[0.5, 2.75, -2.75, 1_234_567.5])));
    set(choices, "moment", &|choices| json!(*choices.pick(MOMENTS)));
    set(choices, "nothing", &|choices| if choices.chance(1, 2) { Value::Null } else { json!("some") });
    set(choices, "words", &|choices| words(choices, 0, 3));
    set(choices, "pair", &|choices| words(choices, 2, 2));
    set(choices, "entries", &|choices| json!(choices.many("entry", 0, 3, |choices, _| entry(choices))));
    set(choices, "map", &|choices| {
        choices
            .pick(&[json!({}), json!({ "k": "v" }), json!({ "k": "v", "a.b": "w" }), json!({ "z": "1", "b": "2" })])
            .clone()
    });
    set(choices, "free", &|choices| {
        choices
            .pick(&[json!({}), json!({ "x": [{ "y": 5 }, 1] }), json!({ "x": [true], "z": { "y": "deep" } })])
            .clone()
    });
    let mut object = json!({ "spec": spec });
    if choices.chance(1, 2) {
        object["status"] = json!({ "phase": *choices.pick(&texts) });
    }
    if choices.chance(1, 2) {
        object["metadata"] = json!({ "labels": { "l": *choices.pick(&["x", "y"]) } });
    }
    object
}

/// Times in all notations. How old they are is told in years.
const MOMENTS: &[&str] = &[
    "2001-02-03T04:05:06Z",
    "1970-01-01T00:00:00+01:00",
    "2011-12-31T23:59:59.999999Z",
    "1999-01-01T00:00:00.5-11:30",
];

/// The object as columns find it after its creation.
pub(super) fn seen(sent: &Value) -> Value {
    let mut seen = sent.clone();
    seen["metadata"]["generation"] = json!(1);
    seen
}

fn words(choices: &mut Choices, least: usize, most: usize) -> Value {
    json!(choices.many("word", least, most, |choices, _| *choices.pick(&["a", "b", "3", "ä"])))
}

fn entry(choices: &mut Choices) -> Value {
    let mut entry = json!({ "name": *choices.pick(&["a", "b", "c"]), "rank": choices.between(0, 3) });
    if choices.chance(2, 3) {
        entry["value"] = choices.pick(&[json!(1), json!(-5), json!("t")]).clone();
    }
    entry
}
