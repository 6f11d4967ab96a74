//! VALUE-034: the key tuples of a map list are distinct.

use super::shared::JUDGING;
use crate::prelude::*;
use crate::shared::oracle;

const TUPLES: &[&str] = &["VALUE-034", "INV-033"];
const CORNERS: &[&str] = &["VALUE-034", "VALUE-034/e1"];

pub(super) const PROPERTY: Property = Property::new("value-034-map-lists", plan)
    .title("each repeated key tuple in a map list is reported once")
    .asserts(&["VALUE-034", "VALUE-034/e1", "INV-033"])
    .needs(JUDGING)
    .edges(&[Edge { name: "examples", plan: edge }]);

const KEYS: [&str; 3] = ["k", "l", "m"];

/// A key is a string or a number; its values are `0`, `1`, `2`, and `0` may be its default.
#[derive(Clone, Copy)]
struct Key {
    is_text: bool,
    has_default: bool,
}

impl Key {
    fn value(self, index: u64) -> Value {
        if self.is_text { json!(["", "1", "2"][usize::try_from(index).unwrap_or(0) % 3]) } else { json!(index) }
    }

    fn schema(self) -> Value {
        let mut schema = json!({ "type": if self.is_text { "string" } else { "integer" } });
        if self.has_default {
            schema["default"] = self.value(0);
        }
        schema
    }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &Places::ANY);
    let keys: Vec<Key> = choices.span("node", |choices| {
        choices.many_average("key", 1, 3, 1, |choices, _| Key {
            is_text: choices.chance(1, 2),
            has_default: choices.chance(1, 3),
        })
    });
    let names = &KEYS[..keys.len()];
    let mut properties = Map::from_iter([("v".to_owned(), json!({ "type": "string" }))]);
    properties.extend(names.iter().zip(&keys).map(|(name, key)| ((*name).to_owned(), key.schema())));
    let required: Vec<&&str> =
        names.iter().zip(&keys).filter(|(_, key)| !key.has_default).map(|(name, _)| name).collect();
    let mut items = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        items["required"] = json!(required);
    }
    let node = json!({ "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: names, "items": items });
    let definition = plan.define_schema(place.schema(node));
    plan.cases(choices, "list", |plan, choices| {
        let mut elements: Vec<(Value, Value)> = choices.many("element", 0, 5, |choices, index| {
            let (mut sent, mut stored) = (Map::new(), Map::new());
            for (name, key) in names.iter().zip(&keys) {
                let value = choices.draw(2);
                stored.insert((*name).to_owned(), key.value(value));
                if value > 0 || !key.has_default || choices.chance(1, 2) {
                    sent.insert((*name).to_owned(), key.value(value));
                }
            }
            if choices.chance(1, 3) {
                let value = json!(format!("v{index}"));
                sent.insert("v".to_owned(), value.clone());
                stored.insert("v".to_owned(), value);
            }
            (Value::Object(sent), Value::Object(stored))
        });
        let mut judge = |elements: &[(Value, Value)]| {
            let created = plan.try_create(
                definition,
                place.content(elements.iter().map(|(sent, _)| sent.clone()).collect::<Value>()),
            );
            let stored: Vec<Value> = elements.iter().map(|(_, stored)| stored.clone()).collect();
            let repeated = repeated(&stored, names).into_iter().map(|at| (format!("[{at}]"), "Duplicate"));
            let causes = place.causes(repeated);
            plan.check("tuples", TUPLES, created, content_or(place.content(Value::Array(stored)), causes));
        };
        judge(&elements);
        if elements.len() > 1 {
            elements.reverse();
            judge(&elements);
        }
    });
}

/// The index of the second occurrence of each repeated tuple. Every element has all keys.
fn repeated(elements: &[Value], keys: &[&str]) -> Vec<usize> {
    let tuple = |element: &Value| -> Value { keys.iter().map(|key| element[key].clone()).collect() };
    oracle::repeated(&elements.iter().map(tuple).collect::<Vec<_>>())
}

fn edge(plan: &mut Plan) {
    let list = |keys: &[&str]| {
        json!({ "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: keys, "items": {
            "type": "object", "required": keys,
            "properties": { "k": { "type": "string" }, "l": { "type": "integer" }, "v": { "type": "string" } },
        } })
    };
    let refused = |value: Value, causes: &[(&'static str, &'static str)]| {
        Example::refused("corner", CORNERS, value, causes.to_vec())
    };
    plan.in_one_schema(vec![
        Row::new(list(&["k"])).with(vec![
            refused(json!([{ "k": "a" }, "x"]), &[("[1]", "TypeInvalid"), ("[1]", "Invalid")]),
            refused(
                json!([{ "k": "a" }, 1, { "k": "a" }, true]),
                &[("[1]", "TypeInvalid"), ("[3]", "TypeInvalid"), ("[1]", "Invalid")],
            ),
            refused(json!([{}, {}]), &[("[0].k", "Required"), ("[1].k", "Required"), ("[1]", "Duplicate")]),
            refused(
                json!([{ "k": 1 }, { "k": 1 }]),
                &[("[0].k", "TypeInvalid"), ("[1].k", "TypeInvalid"), ("[1]", "Duplicate")],
            ),
            refused(json!([null, { "k": "a" }]), &[("[0]", "TypeInvalid")]),
            refused(
                json!([null, null, {}]),
                &[("[0]", "TypeInvalid"), ("[1]", "TypeInvalid"), ("[2].k", "Required"), ("[1]", "Duplicate")],
            ),
            refused(json!([{ "k": "a" }, { "k": "a" }, { "k": "a" }]), &[("[1]", "Duplicate")]),
            Example::kept("other-keys-do-not-count", TUPLES, json!([{ "k": "a", "v": "x" }, { "k": "b", "v": "x" }])),
        ]),
        Row::new(list(&["k", "l"])).with(vec![
            Example::kept(
                "one-key-differs",
                TUPLES,
                json!([{ "k": "a", "l": 1 }, { "k": "a", "l": 2 }, { "k": "b", "l": 1 }]),
            ),
            refused(json!([{ "k": "a", "l": 1, "v": "x" }, { "k": "a", "l": 1, "v": "y" }]), &[("[1]", "Duplicate")]),
        ]),
    ])
}
