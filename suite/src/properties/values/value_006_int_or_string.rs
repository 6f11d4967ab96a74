//! VALUE-006: int-or-string takes integers and strings, each judged by its own keywords.

use crdible_generators::{choice::Choices, number, text};
use serde_json::{Value, json};

use super::shared::{Example, INT_OR_STRING, JUDGING, NIL, Sample, exact, examples, samples};
use crate::{
    properties::{Edge, Property},
    scenario::Scenario,
};

const KINDS: &[&str] = &["VALUE-006"];
const CORNERS: &[&str] = &["VALUE-006", "VALUE-006/e1"];

pub(super) const PROPERTY: Property = Property {
    id: "value-006-int-or-string",
    title: "int-or-string takes integers and strings and nothing else; keywords judge the kind that they are for",
    asserts: CORNERS,
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: edge }],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let (most, least) = choices.span("node", |choices| {
        (choices.chance(1, 2).then(|| choices.between(0, 4)), choices.chance(1, 2).then(|| choices.between(0, 4)))
    });
    let has_any_of = choices.chance(1, 4);
    let mut node = json!({ INT_OR_STRING: true });
    if has_any_of {
        node["anyOf"] = json!([{ "type": "integer" }, { "type": "string" }]);
    }
    if let Some(most) = most {
        node["maxLength"] = json!(most);
    }
    if let Some(least) = least {
        node["minimum"] = json!(least);
    }
    samples(choices, &node, |choices| match choices.weighted(&[3, 3, 2, 3]) {
        0 => {
            let text = text::text(choices, 0, 8);
            let length = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
            let causes = most.filter(|most| length > *most).map(|_| ("", "TooLong"));
            Sample::judged("string", KINDS, json!(text), causes.into_iter().collect())
        }
        1 => {
            let ends = [i64::MAX, i64::MIN, number::EXACT + 2];
            let is_end = choices.chance(1, 4);
            let integer = if is_end { *choices.pick(&ends) } else { number::integer(choices, i64::MIN, i64::MAX) };
            let causes = least.filter(|least| integer < *least).map(|_| ("", "Invalid"));
            Sample::judged("integer", KINDS, json!(integer), causes.into_iter().collect())
        }
        2 => {
            let is_zero = choices.chance(1, 3);
            let integer = if is_zero { 0 } else { number::integer(choices, -number::EXACT, number::EXACT) };
            let text = number::written(choices, integer);
            match least.filter(|least| integer < *least) {
                Some(_) => Sample::refused("integral-float", KINDS, exact(&text), [("", "Invalid")]),
                None => Sample::becomes("integral-float", KINDS, exact(&text), json!(integer)),
            }
        }
        _ => {
            if !has_any_of && choices.chance(1, 3) {
                let text = *choices.pick(&["1000.5", "9223372036854775808", "1e19"]);
                return Sample::refused("other-number", CORNERS, exact(text), [("", "TypeInvalid")]);
            }
            let value = choices.pick(&[json!(true), json!([]), json!({}), json!(["a"]), json!(false)]).clone();
            if has_any_of {
                return Sample::refused("other-kind", CORNERS, value, [("", "TypeInvalid"), ("", "TypeInvalid"), NIL]);
            }
            Sample::refused("other-kind", CORNERS, value, [("", "TypeInvalid")])
        }
    })
}

fn edge() -> Scenario {
    let refused = |value: Value, field: &'static str| {
        Sample::refused("no-int-or-string", CORNERS, value, [(field, "TypeInvalid")])
    };
    let object = |node: Value| json!({ "type": "object", "properties": { "a": node } });
    let list = |node: Value| json!({ "type": "array", "items": node });
    let plain = || json!({ INT_OR_STRING: true });
    let nullable = || json!({ INT_OR_STRING: true, "nullable": true });
    examples(vec![
        Example(plain(), vec![refused(json!(1.5), ""), refused(json!([1]), ""), refused(json!({ "a": 1 }), "")]),
        Example(object(plain()), vec![Sample::becomes("null-is-dropped", CORNERS, json!({ "a": null }), json!({}))]),
        Example(list(plain()), vec![refused(json!(["a", null]), "[1]")]),
        Example(object(nullable()), vec![Sample::kept("nullable", CORNERS, json!({ "a": null }))]),
        Example(list(nullable()), vec![Sample::kept("nullable", CORNERS, json!(["a", null]))]),
        Example(
            json!({ INT_OR_STRING: true, "format": "int32" }),
            vec![Sample::kept("no-range", CORNERS, json!(2_147_483_648_i64))],
        ),
    ])
}
