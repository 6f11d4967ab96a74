//! STRUCT-010: quantifiers must not mention a property named `metadata`.

use super::super::shared::{JUDGING, broken, bury};
use crate::prelude::*;
use crate::shared::{EMBEDDED, PIECES, Piece, alone, host, refused};

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-010-no-metadata-in-quantifiers",
    title: "a property named metadata is forbidden at any depth of any quantifier",
    asserts: &["STRUCT-010", "STRUCT-010/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&pieces()) }],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    choices.many("branch", 1, PIECES, |choices, _| {
        if choices.chance(1, 4) && broken(choices, &mut plan, "STRUCT-010") {
            return;
        }
        // The node declares the metadata that the branch mentions, so that there are no other causes.
        let inner = choices.pick(&[json!({}), json!({ "required": ["name"] }), json!({ "properties": { "name": { "maxLength": 3 } } })]).clone();
        let leaf = json!({ "type": "object", "properties": { "metadata": { "type": "object", "properties": { "name": { "type": "string" } } } } });
        let buried = bury(choices, json!({ "properties": { "metadata": inner } }), leaf);
        let planted = host::plant(choices, &buried.node);
        let path = format!("{}.properties[metadata]", buried.path);
        let causes = planted.place.schema_causes([(path, "Forbidden")]);
        let defined = plan.try_define(planted.schema);
        plan.check_causes("metadata", &["STRUCT-010", "STRUCT-010/e1"], defined, causes);
        plan.count_case();
    });
    plan.finish()
}

pub(super) fn pieces() -> Vec<Piece> {
    const BOTH: &[&str] = &["STRUCT-010", "STRUCT-010/e1"];
    const EDGE: &[&str] = &["STRUCT-010/e1"];
    let metadata = || json!({ "type": "object", "properties": { "metadata": { "type": "object" } } });
    let mention = || json!({ "properties": { "metadata": {} } });
    let forbidden: &[_] = &[(".allOf[0].properties[metadata]", "Forbidden")];
    vec![
        refused(
            "root",
            BOTH,
            json!({ "type": "object", "properties": { "metadata": { "type": "object" } }, "allOf": [mention()] }),
            forbidden,
        )
        .at_root(),
        refused(
            "root-undeclared",
            EDGE,
            json!({ "type": "object", "allOf": [mention()] }),
            &[(".allOf[0].properties[metadata]", "Forbidden"), (".properties[metadata]", "Required")],
        )
        .at_root(),
        refused(
            "user-field",
            EDGE,
            json!({ "type": "object", "properties": { "a": metadata() }, "allOf": [{ "properties": { "a": mention() } }] }),
            &[(".allOf[0].properties[a].properties[metadata]", "Forbidden")],
        ),
        refused(
            "embedded",
            EDGE,
            json!({ "type": "object", EMBEDDED: true, "properties": { "metadata": { "type": "object" } }, "allOf": [mention()] }),
            forbidden,
        ),
        refused(
            "metadata-in-metadata",
            BOTH,
            json!({ "type": "object", "properties": { "metadata": metadata() }, "not": { "properties": { "metadata": mention() } } }),
            &[
                (".not.properties[metadata]", "Forbidden"),
                (".not.properties[metadata].properties[metadata]", "Forbidden"),
            ],
        ),
        refused(
            "of-elements",
            BOTH,
            json!({ "type": "array", "items": metadata(), "anyOf": [{}, { "items": mention() }] }),
            &[(".anyOf[1].items.properties[metadata]", "Forbidden")],
        ),
    ]
}
