//! CEL-008 and INV-086: rules may be at every node that has a type, and one that is always true changes nothing.

use super::shared::{PLACES, rule, ruled, try_piece};
use super::typed::{TypedNode, ruled_at, typed_nodes};
use crate::prelude::*;
use crate::shared::{accepted, alone, host, refused};

const RULE: &[&str] = &["CEL-008"];
const NEUTRAL: &[&str] = &["INV-086"];

pub(super) const PROPERTY: Property = Property::new("cel-008-everywhere", plan)
    .title("rules are checked at each node with a type, refused in quantifiers, and without effect if true")
    .asserts(&["CEL-008", "INV-086"])
    .needs(&[Capability::Serving, Capability::DefinitionValidation, Capability::Rules])
    .edges(&[Edge { name: "examples", plan: |plan| alone(plan, &pieces()) }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    match choices.weighted(&[2, 2, 1]) {
        0 => try_neutral(plan, choices),
        1 => {
            choices.many("schema", 1, 3, |choices, _| try_reported(plan, choices));
        }
        _ => {
            choices.many("piece", 1, 4, |choices, _| {
                let piece = choices.pick(&pieces()).clone();
                try_piece(plan, choices, &PLACES, &piece);
            });
        }
    }
}

/// Any objects, under a generated schema and under the same with rules that are always true.
fn try_neutral(plan: &mut Plan, choices: &mut Choices) {
    let schema = choices.span("schema", |choices| schema::schema(choices, &SchemaShape::default()));
    let bare = schema.to_json();
    let nodes = some(choices, &typed_nodes(&bare));
    let with_rules = ruled_at(&bare, &nodes, &rule("true"));
    let defined = plan.try_define(with_rules.clone());
    plan.check("anywhere", RULE, defined, Expectation::Accepted);
    let (bare, ruled) = (plan.define_schema(bare), plan.define_schema(with_rules));
    plan.cases(choices, "object", |plan, choices| {
        let content = value::arbitrary(choices, &schema);
        let without = plan.try_create(bare, content.clone());
        let with = plan.try_create(ruled, content);
        plan.check("same-acceptance", NEUTRAL, with, Expectation::same_acceptance(without));
    });
}

/// Rules that do not compile, anywhere in a generated schema: each is reported. Without defaults, since a default is
/// refused if its rules do not compile (CEL-009).
fn try_reported(plan: &mut Plan, choices: &mut Choices) {
    let schema = choices.span("host", |choices| {
        let shape = SchemaShape { defaults: false, ..host::shape(choices) };
        schema::schema(choices, &shape).to_json()
    });
    let nodes = some(choices, &typed_nodes(&schema));
    let causes = nodes.iter().map(|node| Cause::new(format!("{}.{RULES}[0].rule", node.path), Reason::Invalid.name()));
    let causes = causes.collect();
    let defined = plan.try_define(ruled_at(&schema, &nodes, &rule("unknown")));
    plan.check_causes("each-reported", RULE, defined, causes);
    plan.count_case();
}

/// One of these nodes or more.
fn some(choices: &mut Choices, nodes: &[TypedNode]) -> Vec<TypedNode> {
    let mut chosen = choices.many("node", 1, 6, |choices, _| choices.pick(nodes).clone());
    chosen.sort_by(|a, b| a.pointer.cmp(&b.pointer));
    chosen.dedup_by(|a, b| a.pointer == b.pointer);
    chosen
}

/// Nodes of all types with a rule, quantifiers with one, and nodes without a type.
fn pieces() -> Vec<Piece> {
    let text = || json!({ "type": "string" });
    let untyped = || json!({ PRESERVE: true });
    let list_of = |items: Value| json!({ "type": "array", "items": items });
    let map_of = |values: Value| json!({ "type": "object", "additionalProperties": values });
    let branch = || ruled(json!({ "minLength": 1 }), "true");
    let typed = [
        text(),
        json!({ "type": "integer" }),
        json!({ "type": "number" }),
        json!({ "type": "boolean", "nullable": true }),
        json!({ INT_OR_STRING: true }),
        json!({ "type": "object" }),
        json!({ "type": "object", PRESERVE: true }),
        json!({ "type": "object", "additionalProperties": true }),
        json!({ "type": "object", EMBEDDED: true, PRESERVE: true }),
        list_of(text()),
        json!({ "type": "array", PRESERVE: true, "items": text() }),
        map_of(list_of(text())),
    ];
    let mut pieces: Vec<Piece> = typed.map(|node| accepted("typed", RULE, ruled(node, "true"))).into();
    let internal = &[(".x-kubernetes-validations", "InternalError")];
    let without = [untyped(), list_of(untyped()), map_of(untyped()), list_of(map_of(list_of(untyped())))];
    pieces.extend(without.map(|node| refused("untyped", RULE, ruled(node, "true"), internal)));
    pieces.extend([
        refused(
            "all-of",
            RULE,
            json!({ "type": "string", "allOf": [{}, branch()] }),
            &[(".allOf[1].x-kubernetes-validations", "Forbidden")],
        ),
        refused(
            "any-of",
            RULE,
            json!({ "type": "string", "anyOf": [branch(), {}] }),
            &[(".anyOf[0].x-kubernetes-validations", "Forbidden")],
        ),
        refused(
            "one-of",
            RULE,
            json!({ "type": "string", "oneOf": [branch()] }),
            &[(".oneOf[0].x-kubernetes-validations", "Forbidden")],
        ),
        refused(
            "not",
            RULE,
            json!({ "type": "string", "not": branch() }),
            &[(".not.x-kubernetes-validations", "Forbidden")],
        ),
        refused(
            "deep-in-a-quantifier",
            RULE,
            json!({ "type": "object", "allOf": [{ "properties": { "a": ruled(json!({}), "true") } }] }),
            &[(".allOf[0].properties[a].x-kubernetes-validations", "Forbidden")],
        ),
    ]);
    pieces
}
