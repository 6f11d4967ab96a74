//! A schema in two forms.

use serde_json::{Map, Value, json};

use super::leaf::{LARGE, LEAVES, Leaf};
use crate::choice::Choices;

/// The contents of a tightened schema. A kind of node with weight 0 is never used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TightenedShape {
    /// Weight of scalars.
    pub leaves: u32,
    /// Weight of objects with declared properties.
    pub objects: u32,
    /// Weight of maps.
    pub maps: u32,
    /// Weight of lists of type `map`.
    pub map_lists: u32,
    /// Weight of lists that are atomic, sets, or without a type.
    pub lists: u32,
    /// Whether objects, maps and lists get keywords that no old value satisfies.
    pub own_rules: bool,
    /// The greatest depth of nodes below `spec`.
    pub max_depth: usize,
}

impl Default for TightenedShape {
    fn default() -> Self {
        Self { leaves: 4, objects: 2, maps: 1, map_lists: 2, lists: 1, own_rules: true, max_depth: 2 }
    }
}

/// A schema in two forms, loose and tight: the tight form has all keywords of the loose one, and more.
#[derive(Clone, Debug, PartialEq)]
pub struct TightenedSchema {
    pub(super) spec: Node,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) rule: Option<Rule>,
    /// Whether an object or map has `x-kubernetes-map-type: atomic`, which ratcheting ignores.
    is_atomic: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Leaf(&'static Leaf),
    Object(Vec<(&'static str, Node)>),
    Map(Box<Node>),
    /// The fields other than the keys; one key or two.
    MapList {
        fields: Vec<(&'static str, Node)>,
        two_keys: bool,
    },
    List {
        list_type: Option<&'static str>,
        items: Box<Node>,
    },
}

/// A keyword in the tight form of a node with children. Hardly any old value satisfies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// At least fifty elements or keys.
    Count,
    /// No elements or keys.
    Empty,
    /// A branch of `not` that every value satisfies.
    Not,
    /// The property [`NEEDED`], which no old value has.
    Required,
    /// The same in a branch of a quantifier.
    AllOf,
    AnyOf,
    OneOf,
}

/// The property that rules require.
pub(super) const NEEDED: &str = "needed";
/// The keys of map lists.
pub(super) const LIST_KEYS: [&str; 2] = ["k", "n"];

const NAMES: &[&str] = &["a", "b", "c", "d"];
const LIST_TYPES: [Option<&str>; 3] = [None, Some("atomic"), Some("set")];
const FIFTY: u64 = 50;
/// Rules for lists and maps.
const OF_ANY_SIZE: [Rule; 3] = [Rule::Count, Rule::Empty, Rule::Not];

impl TightenedSchema {
    /// Draws a tightened schema whose `spec` is an object with one to three properties.
    pub fn draw(c: &mut Choices, shape: &TightenedShape) -> Self {
        let spec = c.span("tightened", |c| c.based(|c| object(c, shape, 0)));
        Self { spec }
    }

    /// The loose schema, under which all old values are valid.
    pub fn loose(&self) -> Value {
        root(self.spec.schema(false))
    }

    /// Whether every value has the same type in both schemas. If not, the server may drop managedFields (REST-041).
    pub fn keeps_types(&self) -> bool {
        self.spec.keeps_types()
    }

    /// The tight schema.
    pub fn tight(&self) -> Value {
        root(self.spec.schema(true))
    }
}

fn root(spec: Value) -> Value {
    json!({ "type": "object", "properties": { "spec": spec } })
}

fn object(c: &mut Choices, shape: &TightenedShape, depth: usize) -> Node {
    let kind = Kind::Object(fields(c, shape, depth, 1));
    let rule =
        rule(c, shape, &[Rule::Required, Rule::AllOf, Rule::Count, Rule::Empty, Rule::Not, Rule::AnyOf, Rule::OneOf]);
    Node { kind, rule, is_atomic: c.chance(1, 8) }
}

fn fields(c: &mut Choices, shape: &TightenedShape, depth: usize, min: usize) -> Vec<(&'static str, Node)> {
    let mut names: Vec<&'static str> = Vec::new();
    c.many_average("property", min, 3, 1, |c, _| {
        let name = c.part_name(NAMES, |name| names.contains(&name));
        names.extend(name);
    });
    names.into_iter().map(|name| (name, c.part(name, |c| node(c, shape, depth + 1)))).collect()
}

fn node(c: &mut Choices, shape: &TightenedShape, depth: usize) -> Node {
    let deeper = |weight: u32| if depth > shape.max_depth { 0 } else { weight };
    let weights =
        [shape.leaves, deeper(shape.objects), deeper(shape.maps), deeper(shape.map_lists), deeper(shape.lists)];
    match c.weighted(&weights) {
        1 => {
            c.reached("object");
            object(c, shape, depth)
        }
        2 => {
            c.reached("map");
            let kind = Kind::Map(Box::new(c.part("*", |c| node(c, shape, depth + 1))));
            Node { kind, rule: rule(c, shape, &OF_ANY_SIZE), is_atomic: c.chance(1, 8) }
        }
        3 => {
            c.reached("map list");
            let two_keys = c.chance(1, 3);
            let kind = Kind::MapList { fields: c.part("*", |c| fields(c, shape, depth + 1, 1)), two_keys };
            Node { kind, rule: rule(c, shape, &OF_ANY_SIZE), is_atomic: false }
        }
        4 => {
            c.reached("list");
            let list_type = *c.pick(&LIST_TYPES);
            let items = c.part("*", |c| match list_type {
                // Only scalars as elements of sets: objects and lists would have to be atomic (STRUCT-026).
                // managedFields list the elements of sets, and round integers beyond 2^53 (REST-040).
                Some("set") => leaf(c, |leaf| leaf.name != LARGE),
                _ => node(c, shape, depth + 1),
            });
            let kind = Kind::List { list_type, items: Box::new(items) };
            Node { kind, rule: rule(c, shape, &OF_ANY_SIZE), is_atomic: false }
        }
        _ => leaf(c, |_| true),
    }
}

/// A leaf of one of the allowed kinds.
fn leaf(c: &mut Choices, is_allowed: impl Fn(&Leaf) -> bool) -> Node {
    let leaves: Vec<&'static Leaf> = LEAVES.iter().filter(|leaf| is_allowed(leaf)).collect();
    let leaf = *c.pick(&leaves);
    c.reached(leaf.name);
    Node { kind: Kind::Leaf(leaf), rule: None, is_atomic: false }
}

fn rule(c: &mut Choices, shape: &TightenedShape, rules: &[Rule]) -> Option<Rule> {
    if !shape.own_rules || !c.chance(1, 3) {
        return None;
    }
    c.reached("own rule");
    Some(*c.pick(rules))
}

impl Node {
    pub(super) fn requires_needed(&self) -> bool {
        matches!(self.rule, Some(Rule::Required | Rule::AllOf | Rule::AnyOf | Rule::OneOf))
    }

    fn keeps_types(&self) -> bool {
        match &self.kind {
            Kind::Leaf(leaf) => leaf.keeps_its_type(),
            Kind::Map(node) | Kind::List { items: node, .. } => node.keeps_types(),
            Kind::Object(fields) | Kind::MapList { fields, .. } => fields.iter().all(|(_, node)| node.keeps_types()),
        }
    }

    pub(super) fn schema(&self, tight: bool) -> Value {
        let mut schema = match &self.kind {
            Kind::Leaf(leaf) if tight => leaf.tight.clone(),
            Kind::Leaf(leaf) => leaf.loose.clone(),
            Kind::Object(fields) => json!({ "type": "object", "properties": properties(fields, tight) }),
            Kind::Map(value) => json!({ "type": "object", "additionalProperties": value.schema(tight) }),
            Kind::MapList { fields, two_keys } => {
                let mut properties = properties(fields, tight);
                properties.insert(LIST_KEYS[0].to_owned(), json!({ "type": "string" }));
                if *two_keys {
                    properties.insert(LIST_KEYS[1].to_owned(), json!({ "type": "integer" }));
                }
                let keys = &LIST_KEYS[..if *two_keys { 2 } else { 1 }];
                json!({
                    "type": "array",
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": keys,
                    "items": { "type": "object", "required": keys, "properties": properties },
                })
            }
            Kind::List { list_type, items } => {
                let mut list = json!({ "type": "array", "items": items.schema(tight) });
                if let Some(list_type) = list_type {
                    list["x-kubernetes-list-type"] = json!(list_type);
                }
                list
            }
        };
        if self.requires_needed() {
            schema["properties"][NEEDED] = json!({ "type": "string" });
        }
        if self.is_atomic {
            schema["x-kubernetes-map-type"] = json!("atomic");
        }
        let (least, most) = match self.kind {
            Kind::MapList { .. } | Kind::List { .. } => ("minItems", "maxItems"),
            _ => ("minProperties", "maxProperties"),
        };
        let required = json!({ "required": [NEEDED] });
        match self.rule.filter(|_| tight) {
            Some(Rule::Count) => schema[least] = json!(FIFTY),
            Some(Rule::Empty) => schema[most] = json!(0),
            Some(Rule::Not) => schema["not"] = json!({ least: 0 }),
            Some(Rule::Required) => schema["required"] = json!([NEEDED]),
            Some(Rule::AllOf) => schema["allOf"] = json!([required]),
            Some(Rule::AnyOf) => schema["anyOf"] = json!([required]),
            Some(Rule::OneOf) => schema["oneOf"] = json!([required]),
            None => {}
        }
        schema
    }
}

/// A value in whose fields other values stand, as far as it has them.
pub(super) fn with_fields(
    fields: &[(&'static str, Node)],
    value: &Value,
    mut change: impl FnMut(&'static str, &Node, &Value) -> Value,
) -> Value {
    let mut object = value.clone();
    for (name, node) in fields {
        if let Some(field) = value.get(*name) {
            object[*name] = change(name, node, field);
        }
    }
    object
}

fn properties(fields: &[(&'static str, Node)], tight: bool) -> Map<String, Value> {
    fields.iter().map(|(name, node)| ((*name).to_owned(), node.schema(tight))).collect()
}
