//! CRDVAL-057: unknown formats are warned about, and nothing else is.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{DEFINITIONS, JUDGING, try_document};
use crate::{
    properties::Property,
    scenario::{Expectation, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "crdval-057-unrecognized-formats",
    title: "each format that a server does not know for its type is warned about once",
    asserts: &["CRDVAL-057", "CRDVAL-057/e1"],
    needs: JUDGING,
    edges: &[],
    plan,
};

/// Type, format, and whether it is known.
const FORMATS: &[(&str, &str, bool)] = &[
    ("string", "date-time", true),
    ("string", "datetime", true),
    ("string", "d-a-t-e", true),
    ("string", "Date", false),
    ("string", "int32", false),
    ("string", "x", false),
    ("integer", "int32", true),
    ("integer", "int64", true),
    ("integer", "date", false),
    ("integer", "float", false),
    ("number", "float", true),
    ("number", "double", true),
    ("number", "int64", false),
    ("boolean", "date", false),
    ("object", "uuid", false),
];

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    choices.many("definition", 1, DEFINITIONS, |choices, _| {
        let mut document = crdible_generators::definition::plain();
        let (mut properties, mut unknown) = (json!({}), Vec::new());
        choices.many("format", 1, 5, |choices, number| {
            let (kind, format, is_known) = *choices.pick(FORMATS);
            let node = json!({ "type": kind, "format": format });
            let node = if choices.chance(1, 3) { json!({ "type": "array", "items": node }) } else { node };
            properties[format!("p{number}")] = node;
            if !is_known && !unknown.contains(&format) {
                unknown.push(format);
            }
        });
        if choices.chance(1, 4) {
            // Nothing else is warned about.
            properties["set"] = json!({ "type": "string", "minLength": 3, "maxLength": 1 });
            document["spec"]["versions"][0]["deprecated"] = json!(true);
        }
        document["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"] = properties;
        let defined = try_document(&mut plan, document);
        let arguments: Value = json!({ "formats": unknown });
        let expect = Expectation::Named { check: "unrecognized-formats@2".into(), of: None, arguments };
        let asserts: &[&str] = if unknown.is_empty() { &["CRDVAL-057/e1"] } else { &["CRDVAL-057"] };
        plan.check("formats", asserts, defined, expect);
        plan.count_case();
    });
    plan.finish()
}
