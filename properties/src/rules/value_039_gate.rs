//! VALUE-039: some errors of values keep all rules from being evaluated, and one more cause says so.

use super::shared::{forbidden, forbidding, with_rules};
use crate::prelude::*;

const ASSERTS: &[&str] = &["VALUE-039"];
const CORNERS: &[&str] = &["VALUE-039", "VALUE-039/e1"];

pub(super) const PROPERTY: Property = Property::new("value-039-gate", plan)
    .title("rules are skipped if a value has the wrong type, length or count, or is missing or not in its enum")
    .asserts(CORNERS)
    .needs(&[Capability::Storing, Capability::Validation, Capability::Rules])
    .edges(&[Edge { name: "annotations", plan: annotations }]);

/// A property of `spec` that may be invalid: its node, a wrong value, the causes relative to it, and whether rules are
/// skipped for it.
struct Part {
    node: Value,
    wrong: Value,
    causes: Vec<RowCause>,
    skips: bool,
    /// It is about the edge.
    is_corner: bool,
}

fn parts() -> Vec<Part> {
    let part =
        |node: Value, wrong: Value, causes: Vec<RowCause>, skips| Part { node, wrong, causes, skips, is_corner: false };
    let skipping =
        |node: Value, wrong: Value, path: &'static str, reason| part(node, wrong, vec![Cause::of(path, reason)], true);
    let other = |node: Value, wrong: Value, reason| part(node, wrong, vec![Cause::of("", reason)], false);
    let corner = |part: Part| Part { is_corner: true, ..part };
    let text = json!({ "type": "string" });
    let keyed = json!({ "type": "object", "required": ["k"], "properties": { "k": text } });
    vec![
        skipping(json!({ "type": "string", "enum": ["x"] }), json!("y"), "", Reason::NotSupported),
        skipping(
            json!({ "type": "object", "required": ["a"], "properties": { "a": text } }),
            json!({}),
            ".a",
            Reason::Required,
        ),
        skipping(json!({ "type": "string", "maxLength": 1 }), json!("xx"), "", Reason::TooLong),
        skipping(json!({ "type": "array", "maxItems": 1, "items": text }), json!(["x", "y"]), "", Reason::TooMany),
        skipping(
            json!({ "type": "object", "maxProperties": 0, "additionalProperties": text }),
            json!({ "x": "" }),
            "",
            Reason::TooMany,
        ),
        skipping(text.clone(), json!(1), "", Reason::TypeInvalid),
        skipping(json!({ INT_OR_STRING: true }), json!(true), "", Reason::TypeInvalid),
        other(json!({ "type": "integer", "minimum": 1 }), json!(0), Reason::Invalid),
        other(json!({ "type": "string", "pattern": "^a$" }), json!("b"), Reason::Invalid),
        other(json!({ "type": "string", "minLength": 2 }), json!("b"), Reason::Invalid),
        other(json!({ "type": "array", "minItems": 1, "items": text }), json!([]), Reason::Invalid),
        other(
            json!({ "type": "object", "minProperties": 1, "additionalProperties": text }),
            json!({}),
            Reason::Invalid,
        ),
        part(json!({ "type": "string", "not": { "minLength": 2 } }), json!("xx"), vec![NIL], false),
        part(
            json!({ "type": "array", LIST_TYPE: "set", "items": text }),
            json!(["x", "x"]),
            vec![Cause::of("[1]", Reason::Duplicate)],
            false,
        ),
        part(
            json!({ "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: ["k"], "items": keyed }),
            json!([{ "k": "x" }, { "k": "x" }]),
            vec![Cause::of("[1]", Reason::Duplicate)],
            false,
        ),
        corner(skipping(json!({ "type": "string", "format": "date" }), json!("x"), "", Reason::TypeInvalid)),
        corner(skipping(
            json!({ "type": "object", EMBEDDED: true, PRESERVE: true }),
            json!({ "apiVersion": "v1" }),
            ".kind",
            Reason::Required,
        )),
        corner(part(
            json!({ "type": "string", "anyOf": [{ "enum": ["x"] }] }),
            json!("y"),
            vec![Cause::of("", Reason::NotSupported), NIL],
            true,
        )),
    ]
}

/// Where the schema has a rule that `n` is at most 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ruled {
    Nowhere,
    Number,
    Spec,
    Root,
    /// At a property that no object has.
    Unused,
}

const RULED: [Ruled; 5] = [Ruled::Spec, Ruled::Number, Ruled::Root, Ruled::Unused, Ruled::Nowhere];

impl Ruled {
    fn schema(self, properties: &Map<String, Value>) -> Value {
        let ruled = |node: Value, at: Self, rule: &str| {
            if self == at { with_rules(node, [forbidding(rule, "large")]) } else { node }
        };
        let number = json!({ "type": "integer" });
        let mut properties = properties.clone();
        properties.insert("n".to_owned(), ruled(number.clone(), Self::Number, "self < 5"));
        properties.insert("unused".to_owned(), ruled(number, Self::Unused, "false"));
        let spec = ruled(object_of(Value::Object(properties)), Self::Spec, "self.n < 5");
        ruled(root_of(spec), Self::Root, "self.spec.n < 5")
    }

    /// The field of its cause.
    fn field(self) -> Option<&'static str> {
        match self {
            Self::Nowhere | Self::Unused => None,
            Self::Number => Some("spec.n"),
            Self::Spec => Some("spec"),
            Self::Root => Some(NIL.field),
        }
    }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let all = parts();
    let (ruled, chosen) = choices.span("node", |choices| {
        (*choices.pick(&RULED), choices.many("part", 1, 4, |choices, _| choices.index(all.len())))
    });
    let parts: Vec<(String, &Part)> =
        chosen.iter().enumerate().map(|(index, at)| (format!("p{index}"), &all[*at])).collect();
    let properties: Map<String, Value> = parts.iter().map(|(name, part)| (name.clone(), part.node.clone())).collect();
    let definition = plan.define_schema(ruled.schema(&properties));
    let stored = plan.create(definition, json!({ "spec": { "n": 0 } }));
    plan.cases(choices, "object", |plan, choices| {
        let number = choices.between(1, 8);
        let mut spec = json!({ "n": number });
        let (mut causes, mut is_skipped, mut is_corner) = (Vec::new(), false, false);
        for (name, part) in &parts {
            if !choices.chance(1, 3) {
                continue;
            }
            spec[name.as_str()] = part.wrong.clone();
            causes.extend(Place::spec().property(name.clone()).causes(part.causes.clone()));
            is_skipped |= part.skips;
            is_corner |= part.is_corner;
        }
        let mut content = json!({ "spec": spec });
        let written = match choices.weighted(&[3, 1, 1]) {
            0 => {
                if choices.chance(1, 4) {
                    content["metadata"] = json!({ "labels": { "a b": "x" } });
                    causes.push(Cause::new("metadata.labels", "Invalid"));
                }
                plan.try_create(definition, content)
            }
            1 => plan.try_put_back(stored, vec![Edit::Set("/spec".to_owned(), spec.clone())]),
            _ => plan.try_patch(stored, Method::MergePatch, content),
        };
        if is_skipped {
            causes.extend((ruled != Ruled::Nowhere).then(|| Cause::from(NIL)));
        } else if number >= 5 {
            causes.extend(ruled.field().map(forbidden));
        }
        let asserts = if is_corner { CORNERS } else { ASSERTS };
        plan.check("gate", asserts, written, content_or(json!({ "spec": spec }), causes));
    });
}

/// Annotations that are too long make a server skip rules, too.
fn annotations(plan: &mut Plan) {
    for ruled in RULED {
        let definition = plan.define_schema(ruled.schema(&Map::new()));
        let metadata = json!({ "annotations": { "a": "x".repeat(262_144) } });
        let created = plan.try_create(definition, json!({ "metadata": metadata, "spec": { "n": 9 } }));
        let mut causes = vec![Cause::new("metadata.annotations", "TooLong")];
        causes.extend((ruled != Ruled::Nowhere).then(|| Cause::from(NIL)));
        plan.check_causes("annotations", CORNERS, created, causes);
        plan.count_case();
    }
}
