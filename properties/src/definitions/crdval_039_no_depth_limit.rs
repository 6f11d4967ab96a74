//! CRDVAL-039: schemas may be deep and wide.

use crdible_generators::definition::plain;

use super::shared::{JUDGING, try_text};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("crdval-039-no-depth-limit", plan)
    .title("neither the depth of a schema nor the number of its properties is limited")
    .asserts(&["CRDVAL-039"])
    .needs(JUDGING)
    .edges(&[Edge { name: "hundred-deep", plan: |plan| of_depth(plan, 100) }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    if choices.chance(1, 2) { of_width(plan, 1 + choices.draw(600)) } else { of_depth(plan, 1 + choices.draw(99)) }
}

fn of_depth(plan: &mut Plan, depth: u64) {
    let mut text = String::from(r#"{"type":"string"}"#);
    for level in 0..depth {
        text = if level % 3 == 2 {
            format!(r#"{{"type":"array","items":{text}}}"#)
        } else {
            format!(r#"{{"type":"object","properties":{{"a":{text}}}}}"#)
        };
    }
    accepted(plan, &format!(r#"{{"type":"object","properties":{{"spec":{text}}}}}"#))
}

fn of_width(plan: &mut Plan, width: u64) {
    let properties: Vec<String> = (0..width).map(|number| format!(r#""p{number}":{{"type":"string"}}"#)).collect();
    accepted(plan, &format!(r#"{{"type":"object","properties":{{{}}}}}"#, properties.join(",")))
}

/// The schema is kept as text: as a tree it would be too deep for the parser of scenario files.
fn accepted(plan: &mut Plan, schema: &str) {
    let mut document = plain();
    document["spec"]["versions"][0]["schema"]["openAPIV3Schema"] = json!("SCHEMA");
    let text = document.to_string().replacen("\"SCHEMA\"", schema, 1);
    let content = Json::parse(&text).map_or_else(|_| document.into(), Content::Exact);
    let defined = try_text(plan, &[], content);
    // The answer is as deep as the schema, too deep to be parsed as JSON, so only the status code is checked.
    plan.check("accepted", &["CRDVAL-039"], defined, NamedCheck::Taken);
    plan.count_case();
}
