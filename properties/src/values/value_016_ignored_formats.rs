//! VALUE-016: unknown formats, and formats for another type, have no effect.

use super::shared::JUDGING;
use crate::prelude::*;

const UNKNOWN: &[&str] = &["VALUE-016"];
const OTHER_TYPE: &[&str] = &["VALUE-016", "VALUE-016/e1"];

pub(super) const PROPERTY: Property = Property::new("value-016-ignored-formats", plan)
    .title("an unknown format, or a string format at a node of another type, is ignored")
    .asserts(OTHER_TYPE)
    .needs(JUDGING);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (kind, format, is_known) = choices.span("node", |choices| {
        let kind = *choices.pick(&["string", "integer", "number", "boolean", "object", "array"]);
        let is_known = kind != "string" && choices.chance(1, 2);
        let unknown = ["x", "Date", "URI", "ip", "int8", "decimal", "datetime2", "uuid6", "date_time"];
        let known = ["date", "uri", "email", "uuid", "byte", "ipv4", "duration", "date-time", "k8s-short-name"];
        (kind, if is_known { *choices.pick(&known) } else { *choices.pick(&unknown) }, is_known)
    });
    let mut node = json!({ "type": kind, "format": format });
    match kind {
        "object" => node["additionalProperties"] = json!({ "type": "string" }),
        "array" => node["items"] = json!({ "type": "string" }),
        _ => {}
    }
    plan.at_any_place(choices, &node, |choices| {
        let values: Vec<Value> = match kind {
            "string" => vec![json!("x"), json!(""), json!("2020"), json!("é\n")],
            "integer" => vec![json!(0), json!(-5), json!(2_147_483_648_i64)],
            "number" => vec![json!(0.5), json!(3)],
            "boolean" => vec![json!(true), json!(false)],
            "object" => vec![json!({}), json!({ "a": "x" })],
            _ => vec![json!([]), json!(["x", ""])],
        };
        let value = choices.pick(&values).clone();
        Example::kept("ignored", if is_known { OTHER_TYPE } else { UNKNOWN }, value)
    })
}
