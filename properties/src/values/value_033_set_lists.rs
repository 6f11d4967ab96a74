//! VALUE-033: the elements of a set are distinct.

use super::shared::JUDGING;
use crate::prelude::*;
use crate::shared::oracle::repeated;

const SETS: &[&str] = &["VALUE-033", "INV-032"];
const COMPOUND: &[&str] = &["VALUE-033", "VALUE-033/e1", "INV-032"];

pub(super) const PROPERTY: Property = Property::new("value-033-set-lists", plan)
    .title("each repeated value in a set is reported once, at its second occurrence")
    .asserts(COMPOUND)
    .needs(JUDGING)
    .edges(&[Edge { name: "examples", plan: edge }]);

/// Items of a set, with values, some of which look similar.
fn items(choices: &mut Choices) -> (Value, Vec<Value>, bool) {
    match choices.weighted(&[3, 2, 1, 2, 2]) {
        0 => (
            json!({ "type": "string" }),
            vec![json!("a"), json!("A"), json!(""), json!("a "), json!("é"), json!("e\u{301}")],
            false,
        ),
        1 => (
            json!({ "type": "integer" }),
            vec![json!(1), json!(0), json!(-1), json!(9_007_199_254_740_992_i64), json!(9_007_199_254_740_993_i64)],
            false,
        ),
        2 => (json!({ "type": "boolean" }), vec![json!(true), json!(false)], false),
        3 => (
            json!({ "type": "object", MAP_TYPE: "atomic", "properties": {
                "a": { "type": "object", "properties": { "b": { "type": "integer" }, "c": { "type": "string" } } },
                "l": { "type": "array", "items": { "type": "string" } },
            } }),
            vec![
                json!({ "a": { "b": 1, "c": "x" } }),
                json!({ "a": { "b": 2, "c": "x" } }),
                json!({ "a": { "b": 1 } }),
                json!({ "l": ["x", "y"] }),
                json!({ "l": ["y", "x"] }),
                json!({}),
            ],
            true,
        ),
        _ => (
            json!({ "type": "array", LIST_TYPE: "atomic", "items": { "type": "integer" } }),
            vec![json!([1, 2]), json!([2, 1]), json!([]), json!([1]), json!([12])],
            true,
        ),
    }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &Places::ANY);
    let (items, values, is_compound) = choices.span("node", items);
    let node = json!({ "type": "array", LIST_TYPE: "set", "items": items });
    let definition = plan.define_schema(place.schema(node));
    plan.cases(choices, "list", |plan, choices| {
        let mut list = choices.many("element", 0, 6, |choices, _| choices.pick(&values).clone());
        let asserts = if is_compound { COMPOUND } else { SETS };
        let mut judge = |list: &[Value], content: Content| {
            let causes = place.causes(repeated(list).into_iter().map(|at| (format!("[{at}]"), "Duplicate")));
            let created = plan.try_create(definition, content);
            let stored = place.content(Value::Array(list.to_vec()));
            plan.check("distinct", asserts, created, content_or(stored, causes));
        };
        judge(&list, place.exact_content(Value::Array(list.clone()).into()));
        if list.len() > 1 {
            // The same elements in reverse order, and the keys of each in another order.
            list.reverse();
            judge(&list, place.exact_content(Json::Array(list.iter().map(reordered).collect()).into()));
        }
    });
}

fn reordered(value: &Value) -> Json {
    match Json::from(value) {
        Json::Object(mut entries) => {
            entries.reverse();
            Json::Object(entries)
        }
        json => json,
    }
}

fn edge(plan: &mut Plan) {
    let set = |items: Value| json!({ "type": "array", LIST_TYPE: "set", "items": items });
    let kept = |value: Value| Example::kept("distinct", COMPOUND, value);
    let refused = |value: Value, causes: &[(&'static str, &'static str)]| {
        Example::refused("repeated", COMPOUND, value, causes.to_vec())
    };
    let object = json!({ "type": "object", MAP_TYPE: "atomic", "required": ["a"], "properties": {
        "a": { "type": "integer", "default": 1 }, "b": { "type": "string" },
    } });
    let mut limited = set(json!({ "type": "string", "maxLength": 1 }));
    limited["maxItems"] = json!(2);
    plan.in_one_schema(vec![
        Row::new(set(json!({ INT_OR_STRING: true })))
            .with(vec![kept(json!([1, "1"])), refused(json!(["1", 1, "1"]), &[("[2]", "Duplicate")])]),
        Row::new(set(json!({ "type": "string" }))).with(vec![
            refused(json!(["a", "a", "a", "b", "b"]), &[("[1]", "Duplicate"), ("[4]", "Duplicate")]),
            refused(json!([null, null]), &[("[0]", "TypeInvalid"), ("[1]", "TypeInvalid"), ("[1]", "Duplicate")]),
        ]),
        Row::new(set(json!({ "type": "number" }))).with(vec![
            Example::refused("zeros", COMPOUND, exact("[0.0,-0.0]"), [("[1]", "Duplicate")]),
            refused(json!([0.5, 0.5]), &[("[1]", "Duplicate")]),
            kept(json!([0.5, 0.25])),
        ]),
        Row::new(set(object)).with(vec![
            Example::refused("after-defaulting", COMPOUND, json!([{}, { "a": 1 }]), [("[1]", "Duplicate")]),
            Example::refused(
                "after-pruning",
                COMPOUND,
                json!([{ "a": 2, "u": 1 }, { "a": 2 }]),
                [("[1]", "Duplicate")],
            ),
            Example::refused("numbers", COMPOUND, exact(r#"[{"a":1},{"a":1.0}]"#), [("[1]", "Duplicate")]),
        ]),
        Row::new(limited).with(vec![refused(
            json!(["ab", "ab", "c"]),
            &[("", "TooMany"), ("[0]", "TooLong"), ("[1]", "TooLong"), ("[1]", "Duplicate")],
        )]),
    ])
}
