//! CRDVAL-057: a server warns about unknown formats, and about nothing else.

use crdible_semantics::release::Change;

use super::shared::{DEFINITIONS, JUDGING, try_document};
use crate::prelude::*;
use crate::shared::texts;

pub(super) const PROPERTY: Property = Property::new("crdval-057-unrecognized-formats", plan)
    .title("a server warns exactly once about each format that is unknown for its type")
    .asserts(&["CRDVAL-057", "CRDVAL-057/e1"])
    .needs(JUDGING);

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
    // A node without a type counts as a string, whatever surrounds it (CRDVAL-036).
    (INT_OR_STRING, "int32", false),
    (INT_OR_STRING, "date", true),
    (IN_A_BRANCH, "int32", false),
    (IN_A_BRANCH, "uuid", true),
];

/// A pseudo-type: a branch of an integer's quantifier.
const IN_A_BRANCH: &str = "branch";

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let is_by_type = choices.release().has(Change::FormatWarningsByType);
    choices.many("definition", 1, DEFINITIONS, |choices, _| {
        let mut document = crdible_generators::definition::plain();
        let (mut properties, mut unknown) = (json!({}), Vec::new());
        choices.many("format", 1, 5, |choices, number| {
            let (kind, format, is_known) = *choices.pick(FORMATS);
            let node = match kind {
                INT_OR_STRING => json!({ INT_OR_STRING: true, "format": format }),
                IN_A_BRANCH => json!({ "type": "integer", "allOf": [{ "format": format }] }),
                _ => json!({ "type": kind, "format": format }),
            };
            let node = if choices.chance(1, 3) { json!({ "type": "array", "items": node }) } else { node };
            properties[format!("p{number}")] = node;
            let counts = is_by_type || kind == "string";
            if !is_known && counts && !unknown.contains(&format) {
                unknown.push(format);
            }
        });
        if choices.chance(1, 4) {
            // Nothing else causes a warning, however odd.
            properties["pointless"] = json!({ "type": "string", "minLength": 3, "maxLength": 1 });
            document["spec"]["versions"][0]["deprecated"] = json!(true);
        }
        document["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"] = properties;
        plan.count_case();
        if choices.chance(1, 6) {
            // A rejected write has no such warning.
            document["spec"]["scope"] = json!("Global");
            let refused = try_document(plan, document);
            return plan.check("refused", &["CRDVAL-057"], refused, NamedCheck::NoUnrecognizedFormat);
        }
        let defined = try_document(plan, document);
        let asserts: &[&str] = if unknown.is_empty() { &["CRDVAL-057/e1"] } else { &["CRDVAL-057"] };
        plan.check("formats", asserts, defined, NamedCheck::UnrecognizedFormats { formats: texts(&unknown) });
    });
}
