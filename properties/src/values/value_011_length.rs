//! VALUE-011: lengths count code points.

use crdible_generators::text;

use super::shared::JUDGING;
use crate::prelude::*;

const COUNTED: &[&str] = &["VALUE-011", "INV-028"];
const CORNERS: &[&str] = &["VALUE-011", "VALUE-011/e1", "INV-028"];

pub(super) const PROPERTY: Property = Property::new("value-011-length", plan)
    .title("minLength and maxLength count code points, whatever the length in UTF-8 or UTF-16")
    .asserts(CORNERS)
    .needs(JUDGING)
    .edges(&[Edge { name: "examples", plan: edge }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (is_least, bound) = choices.span("node", |choices| (choices.chance(1, 2), choices.up_to(10)));
    let keyword = if is_least { "minLength" } else { "maxLength" };
    plan.at_any_place(choices, &json!({ "type": "string", keyword: bound }), |choices| {
        let length = match choices.draw(3) {
            0 => bound,
            1 => bound + 1,
            2 => bound.saturating_sub(1),
            _ => bound / 2,
        };
        let value = json!(text::of_code_points(choices, length));
        let causes = match (is_least, length) {
            (true, length) if length < bound => vec![("", "Invalid")],
            (false, length) if length > bound => vec![("", "TooLong")],
            _ => vec![],
        };
        Example::judged("beside-the-bound", COUNTED, value, causes)
    })
}

fn edge(plan: &mut Plan) {
    let exactly = |count: usize| json!({ "type": "string", "minLength": count, "maxLength": count });
    let kept = |text: &str| Example::kept("fits", CORNERS, json!(text));
    let short = |text: &str| Example::refused("too-short", CORNERS, json!(text), [("", "Invalid")]);
    let long = |text: &str| Example::refused("too-long", CORNERS, json!(text), [("", "TooLong")]);
    let long_text = |count: usize| Value::String("漢".repeat(count));
    plan.in_one_schema(vec![
        Row::new(exactly(1)).with(vec![
            kept("😀"),
            kept("é"),
            kept("漢"),
            long("e\u{301}"),
            short(""),
            long("👍🏽"),
            long("a\n"),
        ]),
        Row::new(exactly(2)).with(vec![kept("e\u{301}"), short("é"), short("😀"), kept("🇩🇪"), kept("\u{feff}a")]),
        Row::new(json!({ "type": "string", "maxLength": 1000 })).with(vec![
            Example::kept("fits", CORNERS, long_text(1000)),
            Example::refused("too-long", CORNERS, long_text(1001), [("", "TooLong")]),
        ]),
        Row::new(json!({ "type": "string", "maxLength": 0 })).with(vec![kept(""), long("a")]),
    ])
}
