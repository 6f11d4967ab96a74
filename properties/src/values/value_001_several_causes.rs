//! VALUE-001: the kind of the value decides which keywords apply, even if the type is wrong.

use super::shared::JUDGING;
use crate::prelude::*;

const ASSERTS: &[&str] = &["VALUE-001", "VALUE-001/e1"];

pub(super) const PROPERTY: Property = Property::new("value-001-several-causes", plan)
    .title("a value of the wrong type is also validated by enum, quantifiers and keywords for its kind")
    .asserts(ASSERTS)
    .needs(JUDGING)
    .edges(&[Edge { name: "examples", plan: edge }]);

const KINDS: [&str; 5] = ["string", "integer", "boolean", "array", "object"];

struct Node {
    kind: &'static str,
    keywords: Map<String, Value>,
}

impl Node {
    fn draw(choices: &mut Choices) -> Self {
        let kind = *choices.pick(&KINDS);
        let mut keywords = Map::new();
        let all = [
            ("maxLength", json!(1)),
            ("minimum", json!(10)),
            ("maxItems", json!(1)),
            ("minProperties", json!(1)),
            ("enum", json!([Self::listed(kind)])),
            ("not", json!({})),
        ];
        for (name, value) in all {
            // Each is likely, except `not`, which rejects everything.
            if choices.chance(if name == "not" { 1 } else { 2 }, 4) {
                keywords.insert(name.to_owned(), value);
            }
        }
        Self { kind, keywords }
    }

    fn listed(kind: &str) -> Value {
        match kind {
            "string" => json!("long enough"),
            "integer" => json!(1),
            "boolean" => json!(true),
            "array" => json!([]),
            _ => json!({ "k": "v" }),
        }
    }

    fn schema(&self) -> Value {
        let mut schema = self.keywords.clone();
        schema.insert("type".to_owned(), json!(self.kind));
        if self.kind == "array" {
            schema.insert("items".to_owned(), json!({ "type": "string" }));
        }
        Value::Object(schema)
    }

    /// A value of another kind. Undeclared keys of an object are pruned before they are counted.
    fn sample(&self, choices: &mut Choices) -> Example {
        let others: Vec<Other> = vec![
            ("string", json!("ab"), Some(("maxLength", Reason::TooLong))),
            ("string", json!("é"), None),
            ("integer", json!(5), Some(("minimum", Reason::Invalid))),
            ("integer", json!(12), None),
            ("boolean", json!(false), None),
            ("array", json!(["a", "b"]), Some(("maxItems", Reason::TooMany))),
            ("array", json!([true]), None),
            ("object", json!({ "a": 1, "b": 2 }), Some(("minProperties", Reason::Invalid))),
        ];
        let others: Vec<_> = others.into_iter().filter(|(kind, ..)| *kind != self.kind).collect();
        let (_, value, broken) = choices.pick(&others).clone();
        let has = |keyword: &str| self.keywords.contains_key(keyword);
        let mut causes = vec![Cause::of("", Reason::TypeInvalid)];
        causes.extend(broken.filter(|(keyword, _)| has(keyword)).map(|(_, reason)| Cause::of("", reason)));
        causes.extend(has("enum").then_some(Cause::of("", Reason::NotSupported)));
        causes.extend(has("not").then_some(NIL));
        Example::refused("several", ASSERTS, value, causes)
    }
}

/// A kind, a value of it, and the keyword that it violates, with the reason.
type Other = (&'static str, Value, Option<(&'static str, Reason)>);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let node = choices.span("node", Node::draw);
    plan.at_any_place(choices, &node.schema(), |choices| node.sample(choices))
}

fn edge(plan: &mut Plan) {
    let string = json!({ "type": "string", "minimum": 10, "enum": ["text"] });
    let refused = |value: Value, causes: &[(&'static str, &'static str)]| {
        Example::refused("several", ASSERTS, value, causes.to_vec())
    };
    plan.in_one_schema(vec![
        Row::new(string).with(vec![
            refused(json!(5), &[("", "TypeInvalid"), ("", "Invalid"), ("", "NotSupported")]),
            refused(json!(true), &[("", "TypeInvalid"), ("", "NotSupported")]),
        ]),
        Row::new(json!({ "type": "integer", "maxLength": 2, "pattern": "^[0-9]*$" })).with(vec![
            refused(json!("12"), &[("", "TypeInvalid")]),
            refused(json!("x"), &[("", "TypeInvalid"), ("", "Invalid")]),
        ]),
    ])
}
