//! Objects with something for every column.

use std::collections::BTreeSet;

use super::column::Column;
use crate::prelude::*;

/// The field of the status.
const PHASE: &str = "phase";

/// The fields that the objects of a scenario may have, apart from their metadata.
#[derive(Clone, Debug)]
pub(super) struct Fields {
    /// None: all of them.
    only: Option<BTreeSet<&'static str>>,
}

impl Fields {
    /// What the columns show, and what else the scenario writes; sometimes all, which should change nothing. A schema
    /// of what is used makes a counterexample that can be read.
    pub(super) fn of<'a>(
        choices: &mut Choices,
        columns: impl IntoIterator<Item = &'a Column>,
        further: &[&'static str],
    ) -> Self {
        let shown = columns.into_iter().filter_map(Column::field);
        let only = (!choices.chance(1, 3)).then(|| shown.chain(further.iter().copied()).collect());
        Self { only }
    }

    fn has(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only.contains(name))
    }

    /// The schema of the objects.
    pub(super) fn schema(&self) -> Value {
        let text = || json!({ "type": "string" });
        let integer = || json!({ "type": "integer" });
        let list = |items: Value| json!({ "type": "array", "items": items });
        let entry =
            object_of(json!({ "name": text(), "rank": integer(), "value": { "x-kubernetes-int-or-string": true } }));
        let spec = [
            ("text", text()),
            ("number", integer()),
            ("large", integer()),
            ("flag", json!({ "type": "boolean" })),
            ("fraction", json!({ "type": "number" })),
            ("moment", text()),
            ("nothing", json!({ "type": "string", "nullable": true })),
            ("words", list(text())),
            ("pair", list(text())),
            ("entries", list(entry)),
            ("map", json!({ "type": "object", "additionalProperties": text() })),
            ("free", json!({ "type": "object", PRESERVE: true })),
        ];
        let spec = spec.into_iter().filter(|(name, _)| self.has(name));
        let spec: Map<String, Value> = spec.map(|(name, schema)| (name.to_owned(), schema)).collect();
        let mut properties = json!({ "spec": object_of(spec.into()) });
        if self.has(PHASE) {
            properties["status"] = object_of(json!({ "phase": text() }));
        }
        object_of(properties)
    }

    /// An object to create: each field may be missing. What a table shows otherwise by accident is not in it: empty
    /// texts as dates, and characters that JSON texts escape (TABLE-010, TABLE-012).
    pub(super) fn draw(&self, choices: &mut Choices) -> Value {
        let texts = ["a", "b c", "ä", "3", "true", "x"];
        let mut spec = json!({});
        // Each in its own stream: without a field, the others stay as they are.
        let mut set = |choices: &mut Choices, name: &str, value: &dyn Fn(&mut Choices) -> Value| {
            if !self.has(name) {
                return;
            }
            if let Some(value) = choices.keyed(name, |choices| choices.chance(3, 4).then(|| value(choices))) {
                spec[name] = value;
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
                .pick(&[
                    json!({}),
                    json!({ "x": [{ "y": 5 }, 1] }),
                    json!({ "x": [{ "y": false }] }),
                    json!({ "x": [true], "z": { "y": "deep" } }),
                ])
                .clone()
        });
        let mut object = json!({ "spec": spec });
        if self.has(PHASE) && choices.chance(1, 2) {
            object["status"] = json!({ "phase": *choices.pick(&texts) });
        }
        if choices.chance(1, 2) {
            object["metadata"] = json!({ "labels": { "l": *choices.pick(&["x", "y"]) } });
        }
        object
    }
}

/// Times in all notations. Their ages are shown in years.
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
