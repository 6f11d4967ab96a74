//! VALUE-031: quantifiers apply to the value after pruning and defaulting.

use crate::prelude::*;

const ASSERTS: &[&str] = &["VALUE-031"];

pub(super) const PROPERTY: Property = Property::new("value-031-final-value", plan)
    .title("quantifiers see the defaults that were filled in, and neither unknown keys nor dropped nulls")
    .asserts(ASSERTS)
    .needs(&[Capability::Serving, Capability::Validation, Capability::Pruning, Capability::Defaulting]);

/// Keys: with a default, declared, nullable, unknown.
const KEYS: [&str; 4] = ["d", "a", "n", "u"];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (key, keyword) =
        choices.span("node", |choices| (*choices.pick(&KEYS), *choices.pick(&["not", "allOf", "anyOf", "oneOf"])));
    let branch = json!({ "required": [key] });
    let node = json!({
        "type": "object",
        "properties": {
            "a": { "type": "string" },
            "d": { "type": "string", "default": "x" },
            "n": { "type": "string", "nullable": true },
        },
        keyword: if keyword == "not" { branch } else { json!([branch]) },
    });
    plan.at_any_place(choices, &node, |choices| {
        let (mut sent, mut stored) = (Map::new(), Map::from_iter([("d".to_owned(), json!("x"))]));
        for name in KEYS {
            let value = match choices.weighted(&[2, 1, 1]) {
                0 => continue,
                1 => json!("y"),
                _ => Value::Null,
            };
            sent.insert(name.to_owned(), value.clone());
            if name != "u" && (name == "n" || !value.is_null()) {
                stored.insert(name.to_owned(), value);
            }
        }
        let is_there = stored.contains_key(key);
        let sent = Value::Object(sent);
        match (keyword, is_there) {
            ("not", true) => Example::refused("not", ASSERTS, sent, [NIL]),
            ("not", false) | (_, true) => Example::becomes("holds", ASSERTS, sent, Value::Object(stored)),
            _ => {
                Example::refused("fails", ASSERTS, sent, [Cause::new(format!(".{key}"), Reason::Required), NIL.into()])
            }
        }
    })
}
