//! CEL-009 and CRDVAL-025: rules are compiled only where nothing else is wrong.

use super::shared::{CHECKING, rule};
use crate::prelude::*;
use crate::shared::PIECES;

const RULE: &[&str] = &["CEL-009", "CRDVAL-025"];
const BOTH: &[&str] = &["CEL-009", "CEL-009/e1", "CRDVAL-025"];

pub(super) const PROPERTY: Property = Property::new("cel-009-order-of-checks", plan)
    .title("rules are compiled unless the schema has an error at or below their node, or structural ones")
    .asserts(BOTH)
    .needs(CHECKING)
    .edges(&[Edge { name: "each-pair", plan: pairs }]);

/// What is wrong at a node, beside its rule.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// A forbidden keyword.
    Keyword,
    /// Another rule with an unknown reason.
    Form,
}

/// What is wrong elsewhere in the version, so that no rule of it is compiled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Blocked {
    Not,
    /// A node has no type.
    Structure,
    /// A pattern is no regular expression.
    Pattern,
    /// A default has another type than its node.
    Default,
}

const BLOCKED: [Blocked; 3] = [Blocked::Structure, Blocked::Pattern, Blocked::Default];

/// A node with two properties, or none.
struct Node {
    has_wrong_rule: bool,
    fault: Fault,
    children: Vec<Self>,
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    choices.many("version", 1, PIECES, |choices, _| {
        let node = drawn(choices, 2);
        let blocked = if choices.chance(1, 4) { *choices.pick(&BLOCKED) } else { Blocked::Not };
        let beside = choices.chance(1, 4).then(|| drawn(choices, 1));
        try_versions(plan, &node, blocked, beside.as_ref());
    });
}

fn drawn(choices: &mut Choices, depth: usize) -> Node {
    let has_wrong_rule = choices.chance(2, 3);
    let fault = match choices.weighted(&[4, 1, 1]) {
        0 => Fault::None,
        1 => Fault::Keyword,
        _ => Fault::Form,
    };
    let most = if depth == 0 { 0 } else { 2 };
    let children = choices.many("child", 0, most, |choices, _| drawn(choices, depth - 1));
    Node { has_wrong_rule, fault, children }
}

/// A wrong rule at each of three nodes in a row and at one beside them, with each fault at one of them.
fn pairs(plan: &mut Plan) {
    let node = |fault, children| Node { has_wrong_rule: true, fault, children };
    for fault in [Fault::Keyword, Fault::Form] {
        for at in 0..3 {
            let of = |level| if level == at { fault } else { Fault::None };
            let inner = node(of(2), vec![]);
            let middle = node(of(1), vec![inner, node(Fault::None, vec![])]);
            let outer = node(of(0), vec![middle, node(Fault::None, vec![])]);
            try_versions(plan, &outer, Blocked::Not, None);
        }
    }
    for blocked in BLOCKED {
        let faulty = node(Fault::Form, vec![node(Fault::None, vec![])]);
        let other = node(Fault::None, vec![]);
        try_versions(plan, &faulty, blocked, Some(&other));
    }
}

/// Tries a definition with a version that has this schema, and in some cases another one that has none of its faults.
fn try_versions(plan: &mut Plan, node: &Node, blocked: Blocked, beside: Option<&Node>) {
    let mut causes = Vec::new();
    let first = version("v1", node, blocked, &mut causes);
    let versions = [first.stored()].into_iter();
    let versions = versions.chain(beside.map(|node| version("v2", node, Blocked::Not, &mut causes))).collect();
    let is_plain = causes.is_empty() || blocked != Blocked::Not && beside.is_none();
    let definition = plan.uninstalled();
    let defined = plan.try_define_versions(definition, versions);
    let expectation = if causes.is_empty() { Expectation::Accepted } else { Expectation::Causes(causes) };
    plan.check("order", if is_plain { RULE } else { BOTH }, defined, expectation);
    plan.count_case();
}

/// The version; adds its causes.
fn version(name: &str, node: &Node, blocked: Blocked, causes: &mut Vec<Cause>) -> Version {
    let mut schema = spec_of(json!({ name: schema(node) }));
    let path = "openAPIV3Schema.properties[spec].properties";
    let (other, cause) = match blocked {
        Blocked::Not => (json!({ "type": "string" }), None),
        Blocked::Structure => (json!({}), Some(("type", Reason::Required))),
        Blocked::Pattern => (json!({ "type": "string", "pattern": "(" }), Some(("pattern", Reason::Invalid))),
        Blocked::Default => (json!({ "type": "string", "default": 1 }), Some(("default", Reason::TypeInvalid))),
    };
    schema["properties"]["spec"]["properties"]["other"] = other;
    let of_other = |(keyword, reason): (&str, Reason)| Cause::new(format!("{path}[other].{keyword}"), reason.name());
    causes.extend(cause.map(of_other));
    report(node, &format!("{path}[{name}]"), blocked == Blocked::Not, causes);
    Version::named(name, schema)
}

fn schema(node: &Node) -> Value {
    let children = node.children.iter().enumerate();
    let properties: Map<String, Value> = children.map(|(at, child)| (format!("c{at}"), schema(child))).collect();
    let mut made = object_of(Value::Object(properties));
    let mut entries = Vec::new();
    if node.has_wrong_rule {
        entries.push(rule("unknown"));
    }
    match node.fault {
        Fault::None => {}
        Fault::Keyword => made["uniqueItems"] = json!(true),
        Fault::Form => entries.push(json!({ "rule": "true", "reason": "Unknown" })),
    }
    if !entries.is_empty() {
        made[RULES] = Value::Array(entries);
    }
    made
}

/// Adds the causes of a node and of those below. Returns whether there is an error at or below it that is no matter of
/// compiling.
fn report(node: &Node, path: &str, is_compiled: bool, causes: &mut Vec<Cause>) -> bool {
    let mut has_error = node.fault != Fault::None;
    for (at, child) in node.children.iter().enumerate() {
        has_error |= report(child, &format!("{path}.properties[c{at}]"), is_compiled, causes);
    }
    let mut add = |field: String, reason: Reason| causes.push(Cause::new(format!("{path}.{field}"), reason.name()));
    match node.fault {
        Fault::None => {}
        Fault::Keyword => add("uniqueItems".to_owned(), Reason::Forbidden),
        Fault::Form => {
            add(format!("{RULES}[{}].reason", usize::from(node.has_wrong_rule)), Reason::NotSupported);
        }
    }
    if node.has_wrong_rule && is_compiled && !has_error {
        add(format!("{RULES}[0].rule"), Reason::Invalid);
    }
    has_error
}
