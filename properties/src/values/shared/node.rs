//! A node of one kind, with keywords for that kind only. For values to which none of the keywords applies: nulls and
//! values of other kinds.

use crdible_generators::format;

use super::Within;
use crate::prelude::*;

const KINDS: [&str; 7] = ["string", "integer", "boolean", "number", "object", "array", INT_OR_STRING];
/// The weight of each kind: some have more forms than others.
const WEIGHTS: [u32; 7] = [6, 3, 1, 3, 6, 4, 1];
/// Documentation keywords, which have no effect.
const DOCUMENTATION: [&str; 3] = ["title", "description", "example"];
/// At most this many keywords per node.
const KEYWORDS: usize = 3;

/// A node, and the facts that predict its outcomes.
#[derive(Clone, Debug)]
pub(in super::super) struct Node {
    /// As a schema.
    pub(in super::super) schema: Value,
    /// Whether it accepts null.
    pub(in super::super) is_nullable: bool,
    /// Whether it has keywords of value validation.
    pub(in super::super) is_judging: bool,
    /// Values of kinds that it rejects.
    others: Vec<Value>,
    /// Whether it has a branch of `not`, which matches every value that the branch does not apply to.
    has_not: bool,
}

impl Node {
    /// Draws a node for values of other kinds.
    pub(in super::super) fn draw(choices: &mut Choices) -> Self {
        Self::with_formats(choices, |_| Within::Node)
    }

    /// Draws a node for nulls only: its formats may be in branches, where by accident they also apply to other kinds
    /// than strings (VALUE-046).
    pub(in super::super) fn draw_for_null(choices: &mut Choices) -> Self {
        Self::with_formats(choices, Within::draw)
    }

    fn with_formats(choices: &mut Choices, within: fn(&mut Choices) -> Within) -> Self {
        let kind = KINDS[choices.weighted(&WEIGHTS)];
        let mut others = vec![json!("x"), json!(1), json!(true), json!([]), json!({})];
        let is_own = |value: &Value| match kind {
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "object" => value.is_object(),
            "array" => value.is_array(),
            INT_OR_STRING => value.is_string() || value.is_number(),
            _ => value.is_number(),
        };
        others.retain(|value| !is_own(value));
        let mut schema = form(choices, kind);
        if kind == "string" && choices.chance(2, 3) {
            let name = format::name(choices);
            within(choices).put(&mut schema, json!({ "format": name }));
            // An array at a node with a format is a defect (VALUE-017).
            others.retain(|value| !value.is_array());
        }
        let is_nullable = choices.chance(1, 2);
        if is_nullable {
            schema["nullable"] = json!(true);
        }
        let documented = |choices: &mut Choices| choices.chance(1, 6).then(|| *choices.pick(&DOCUMENTATION));
        if let Some(name) = choices.keyed("documentation", documented) {
            schema[name] = json!("x");
        }
        let table = judging(kind);
        let most = if table.is_empty() { 0 } else { KEYWORDS };
        let mut has_not = false;
        let keywords = choices.many_average("keyword", 0, most, 1, |choices, _| {
            let (name, argument) = choices.pick(&table).clone();
            let within = match Within::draw(choices) {
                // The forms of int-or-string use `anyOf` (STRUCT-011).
                Within::Branch("anyOf") if kind == INT_OR_STRING => Within::Node,
                // A list already has its items.
                Within::Node if name == "items" => Within::Branch("allOf"),
                within => within,
            };
            has_not |= within == Within::Branch("not");
            within.put(&mut schema, json!({ name: argument }));
        });
        Self { schema, is_nullable, is_judging: !keywords.is_empty(), others, has_not }
    }

    /// A value of a kind that the node rejects, never null, and its causes.
    pub(in super::super) fn other(&self, choices: &mut Choices) -> (Value, Vec<RowCause>) {
        let summary = self.has_not.then_some(NIL);
        let causes = [Cause::of("", Reason::TypeInvalid)].into_iter().chain(summary);
        (choices.pick(&self.others).clone(), causes.collect())
    }
}

/// The keywords that define the structure of the node, and formats of numbers.
fn form(choices: &mut Choices, kind: &str) -> Value {
    let forms = match kind {
        INT_OR_STRING => vec![json!({ INT_OR_STRING: true })],
        "string" => vec![json!({}), json!({ "format": "x" })],
        "integer" => vec![json!({}), json!({ "format": "int32" }), json!({ "format": "int64" })],
        "number" => vec![json!({}), json!({ "format": "float" }), json!({ "format": "double" })],
        "array" => vec![
            json!({ "items": { "type": "string" } }),
            json!({ "items": { "type": "string" }, LIST_TYPE: "atomic" }),
            json!({ "items": { "type": "string" }, LIST_TYPE: "set" }),
            json!({ LIST_TYPE: "map", LIST_MAP_KEYS: ["k"], "items": {
                "type": "object", "properties": { "k": { "type": "string" } }, "required": ["k"],
            } }),
        ],
        "object" => vec![
            json!({}),
            json!({ "properties": { "a": { "type": "string" } } }),
            json!({ "additionalProperties": { "type": "string" } }),
            json!({ "additionalProperties": false }),
            json!({ "additionalProperties": true }),
            json!({ MAP_TYPE: "granular" }),
            json!({ MAP_TYPE: "atomic" }),
            json!({ EMBEDDED: true, PRESERVE: true }),
        ],
        _ => vec![json!({})],
    };
    let mut form = choices.pick(&forms).clone();
    if kind != INT_OR_STRING {
        form["type"] = json!(kind);
    }
    form
}

/// Value validation keywords for this kind. No null would satisfy them if they applied to null.
fn judging(kind: &str) -> Vec<(&'static str, Value)> {
    let of_texts = [("minLength", json!(1)), ("maxLength", json!(0)), ("pattern", json!("y"))];
    let of_numbers = [
        ("minimum", json!(9)),
        ("maximum", json!(-9)),
        ("multipleOf", json!(2)),
        ("exclusiveMinimum", json!(true)),
        ("exclusiveMaximum", json!(true)),
    ];
    match kind {
        "string" => of_texts.to_vec(),
        "integer" | "number" => of_numbers.to_vec(),
        INT_OR_STRING => of_texts.into_iter().chain(of_numbers).collect(),
        "array" => vec![("minItems", json!(1)), ("maxItems", json!(0)), ("items", json!({ "minLength": 1 }))],
        "object" => vec![("minProperties", json!(1)), ("maxProperties", json!(0)), ("required", json!(["a"]))],
        _ => vec![],
    }
}
