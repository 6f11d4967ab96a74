//! VALUE-006: int-or-string accepts integers and strings, and keywords apply to their own kind.

use crdible_generators::{number, text};

use super::shared::{JUDGING, Refused, Verdict, fields};
use crate::prelude::*;

const KINDS: &[&str] = &["VALUE-006"];
const CORNERS: &[&str] = &["VALUE-006", "VALUE-006/e1"];

pub(super) const PROPERTY: Property = Property::new("value-006-int-or-string", plan)
    .title("int-or-string accepts exactly integers and strings")
    .asserts(CORNERS)
    .needs(JUDGING)
    .edges(&[Edge { name: "examples", plan: edge }]);

/// A node, and the requirements of its keywords on each kind.
struct Either {
    most: Option<i64>,
    least: Option<i64>,
    has_any_of: bool,
}

impl Either {
    fn draw(choices: &mut Choices) -> Self {
        Self {
            most: choices.chance(1, 2).then(|| choices.between(0, 4)),
            least: choices.chance(1, 2).then(|| choices.between(0, 4)),
            has_any_of: choices.chance(1, 4),
        }
    }

    fn node(&self) -> Value {
        let mut node = json!({ INT_OR_STRING: true });
        if self.has_any_of {
            node["anyOf"] = json!([{ "type": "integer" }, { "type": "string" }]);
        }
        if let Some(most) = self.most {
            node["maxLength"] = json!(most);
        }
        if let Some(least) = self.least {
            node["minimum"] = json!(least);
        }
        node
    }

    /// A value, the name of its check, and whether its kind is wrong.
    fn judge(&self, choices: &mut Choices) -> (Verdict, &'static str, bool) {
        let of_number = |integer: i64| match self.least {
            Some(least) if integer < least => vec![Cause::of("", Reason::Invalid)],
            _ => vec![],
        };
        match choices.weighted(&[3, 3, 2, 3]) {
            0 => {
                let text = text::text(choices, 0, 8);
                let length = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
                let causes = self.most.filter(|most| length > *most).map(|_| ("", Reason::TooLong));
                (Verdict::judged(json!(text), causes.into_iter().collect()), "string", false)
            }
            1 => {
                let ends = [i64::MAX, i64::MIN, number::EXACT + 2, number::EXACT, 1 << 31];
                let is_end = choices.chance(1, 3);
                let integer = if is_end { *choices.pick(&ends) } else { number::integer(choices, i64::MIN, i64::MAX) };
                (Verdict::judged(json!(integer), of_number(integer)), "integer", false)
            }
            2 => {
                let is_zero = choices.chance(1, 3);
                let integer = if is_zero { 0 } else { number::integer(choices, -number::EXACT, number::EXACT) };
                let text = number::written(choices, integer);
                (Verdict::written(&text, json!(integer), of_number(integer)), "integral-float", false)
            }
            _ => (self.other_kind(choices), "other-kind", true),
        }
    }

    fn other_kind(&self, choices: &mut Choices) -> Verdict {
        if !self.has_any_of && choices.chance(1, 3) {
            let text = *choices.pick(&["1000.5", "9223372036854775808", "1e19"]);
            return Verdict::written(text, Value::Null, vec![Cause::of("", Reason::TypeInvalid)]);
        }
        let value = choices.pick(&[json!(true), json!([]), json!({}), json!(["a"]), json!(false)]).clone();
        let mut causes = vec![Cause::of("", Reason::TypeInvalid)];
        if self.has_any_of {
            causes.extend([Cause::of("", Reason::TypeInvalid), NIL]);
        }
        Verdict::judged(value, causes)
    }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    if choices.chance(1, 2) {
        return fields(plan, choices, Refused::One, CORNERS, Either::draw, Either::node, |choices, either, _| {
            either.judge(choices).0
        });
    }
    let either = choices.span("node", Either::draw);
    plan.at_any_place(choices, &either.node(), |choices| {
        let (verdict, name, is_other) = either.judge(choices);
        verdict.example(name, if is_other { CORNERS } else { KINDS })
    })
}

fn edge(plan: &mut Plan) {
    let refused = |value: Value, field: &'static str| {
        Example::refused("no-int-or-string", CORNERS, value, [(field, "TypeInvalid")])
    };
    let object = |node: Value| json!({ "type": "object", "properties": { "a": node } });
    let list = |node: Value| json!({ "type": "array", "items": node });
    let plain = || json!({ INT_OR_STRING: true });
    let nullable = || json!({ INT_OR_STRING: true, "nullable": true });
    plan.in_one_schema(vec![
        Row::new(plain()).with(vec![refused(json!(1.5), ""), refused(json!([1]), ""), refused(json!({ "a": 1 }), "")]),
        Row::new(object(plain())).with(vec![Example::becomes(
            "null-is-dropped",
            CORNERS,
            json!({ "a": null }),
            json!({}),
        )]),
        Row::new(list(plain())).with(vec![refused(json!(["a", null]), "[1]")]),
        Row::new(object(nullable())).with(vec![Example::kept("nullable", CORNERS, json!({ "a": null }))]),
        Row::new(list(nullable())).with(vec![Example::kept("nullable", CORNERS, json!(["a", null]))]),
        Row::new(json!({ INT_OR_STRING: true, "format": "int32" })).with(vec![Example::kept(
            "no-range",
            CORNERS,
            json!(2_147_483_648_i64),
        )]),
    ])
}
