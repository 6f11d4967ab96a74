//! VALUE-022: the number of keys, after pruning and defaulting.

use super::shared::JUDGING;
use crate::prelude::*;

const COUNTS: &[&str] = &["VALUE-022"];
const NULLS: &[&str] = &["VALUE-022", "VALUE-022/e1"];

pub(super) const PROPERTY: Property = Property::new("value-022-property-counts", plan)
    .title("minProperties and maxProperties count keys after dropping nulls and filling in defaults")
    .asserts(NULLS)
    .needs(JUDGING)
    .edges(&[Edge { name: "examples", plan: edge }, Edge { name: "root", plan: root }]);

struct Node {
    least: usize,
    most: usize,
    is_nullable: bool,
    /// The number of keys that are filled in.
    defaults: usize,
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let node = choices.span("node", |choices| {
        let least = choices.up_to(3);
        let most = least + choices.up_to(3);
        let defaults = choices.up_to(2);
        Node { least, most, is_nullable: choices.chance(1, 2), defaults }
    });
    let mut property = json!({ "type": "string" });
    if node.is_nullable {
        property["nullable"] = json!(true);
    }
    let mut properties: Map<String, Value> = (0..8).map(|index| (format!("k{index}"), property.clone())).collect();
    properties
        .extend((0..node.defaults).map(|index| (format!("d{index}"), json!({ "type": "string", "default": "x" }))));
    let schema = json!({
        "type": "object", "properties": properties, "minProperties": node.least, "maxProperties": node.most,
    });
    plan.at_any_place(choices, &schema, |choices| {
        let mut sent = Map::new();
        let mut stored: Map<String, Value> =
            (0..node.defaults).map(|index| (format!("d{index}"), json!("x"))).collect();
        for index in 0..8 {
            let key = format!("k{index}");
            match choices.weighted(&[5, 3, 2]) {
                0 => {}
                1 => {
                    sent.insert(key.clone(), json!(""));
                    stored.insert(key, json!(""));
                }
                _ => {
                    sent.insert(key.clone(), Value::Null);
                    if node.is_nullable {
                        stored.insert(key, Value::Null);
                    }
                }
            }
        }
        // Undeclared keys do not count either.
        if choices.chance(1, 4) {
            sent.insert("unknown".to_owned(), json!(1));
        }
        let reason = match stored.len() {
            count if count < node.least => "Invalid",
            count if count > node.most => "TooMany",
            _ => return Example::becomes("within", NULLS, Value::Object(sent), Value::Object(stored)),
        };
        Example::refused("beyond", NULLS, Value::Object(sent), [("", reason)])
    })
}

fn edge(plan: &mut Plan) {
    let map = |keyword: &str, bound: u64| json!({ "type": "object", "additionalProperties": { "type": "string" }, keyword: bound });
    plan.in_one_schema(vec![
        Row::new(map("maxProperties", 1)).with(vec![
            Example::kept("one", COUNTS, json!({ "a": "x" })),
            Example::refused("two", COUNTS, json!({ "a": "x", "b": "x" }), [("", "TooMany")]),
            Example::kept("none", COUNTS, json!({})),
        ]),
        Row::new(map("maxProperties", 0)).with(vec![Example::refused(
            "one",
            COUNTS,
            json!({ "a": "x" }),
            [("", "TooMany")],
        )]),
        Row::new(map("minProperties", 1)).with(vec![
            Example::refused("none", COUNTS, json!({}), [("", "Invalid")]),
            Example::refused("null", NULLS, json!({ "a": null }), [("", "Invalid")]),
            Example::kept("one", COUNTS, json!({ "": "" })),
        ]),
    ])
}

/// At the root, `apiVersion`, `kind` and `metadata` count, and the field is `<nil>`.
fn root(plan: &mut Plan) {
    let root = |keyword: &str, bound: u64| {
        json!({
            "type": "object", "properties": { "spec": { "type": "object" }, "data": { "type": "object" } }, keyword: bound,
        })
    };
    let most = plan.define_schema(root("maxProperties", 4));
    let four = plan.try_create(most, json!({ "spec": {} }));
    plan.check("four", NULLS, four, Expectation::Accepted);
    let five = plan.try_create(most, json!({ "spec": {}, "data": {} }));
    plan.check_causes("five", NULLS, five, vec![Cause::new("<nil>", "TooMany")]);
    let least = plan.define_schema(root("minProperties", 5));
    let five = plan.try_create(least, json!({ "spec": {}, "data": {} }));
    plan.check("five", NULLS, five, Expectation::Accepted);
    let four = plan.try_create(least, json!({ "spec": {} }));
    plan.check_causes("four", NULLS, four, vec![Cause::new("<nil>", "Invalid")]);
    plan.count_case();
}
