//! One node of a schema: upstream's `JSONSchemaProps` as decoded from JSON.
//!
//! The type can represent schemas that violate the rules of chapter 2, since these rules are functions on it. Like
//! upstream's decoded type, it does not distinguish zero values from missing ones (`type: ""` is no type).

mod parse;
mod pattern;
mod print;
pub mod shown;

use std::collections::BTreeMap;

use serde_json::Value;

pub use parse::SchemaError;
pub use pattern::PatternKeyword;

/// A schema node with everything below it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schema {
    /// `type`; empty means missing.
    pub type_name: String,
    /// `nullable`.
    pub nullable: bool,
    /// `default`; an explicit null counts as missing (DEFAULT-001).
    pub default: Option<Value>,
    /// `properties`.
    pub properties: BTreeMap<String, Self>,
    /// `additionalProperties`; null counts as missing.
    pub additional_properties: Option<AdditionalProperties>,
    /// `items`; null and the empty list count as missing.
    pub items: Option<Items>,
    /// `x-kubernetes-preserve-unknown-fields`; `Some(false)` violates CRDVAL-035.
    pub preserve_unknown_fields: Option<bool>,
    /// `x-kubernetes-embedded-resource`.
    pub embedded_resource: bool,
    /// `x-kubernetes-int-or-string`.
    pub int_or_string: bool,
    /// `x-kubernetes-list-type`; `Some("")` is an invalid value, not a missing one (STRUCT-023).
    pub list_type: Option<String>,
    /// `x-kubernetes-list-map-keys`.
    pub list_map_keys: Vec<String>,
    /// `x-kubernetes-map-type`.
    pub map_type: Option<String>,
    /// `x-kubernetes-validations`: the raw JSON of each CEL rule. Only the JSON types of its fields are checked;
    /// expressions are not parsed until a CEL crate does it.
    pub rules: Vec<Value>,
    /// `allOf`.
    pub all_of: Vec<Self>,
    /// `anyOf`.
    pub any_of: Vec<Self>,
    /// `oneOf`.
    pub one_of: Vec<Self>,
    /// `not`.
    pub not: Option<Box<Self>>,
    /// The keywords that validate a value without defining its structure.
    pub values: ValueKeywords,
    /// The documentation keywords.
    pub documentation: Documentation,
    /// The keywords that the v1 type has but a definition must not use (CRDVAL-030), as raw JSON. Keywords whose empty
    /// value counts as missing are omitted if empty.
    pub unsupported: BTreeMap<String, Value>,
}

impl Schema {
    /// Decodes a schema. Also returns the paths of the keywords that the v1 type lacks, from the schema's root, with
    /// dots and `[i]`, in the order of the document (CRDVAL-031: a warning, not an error).
    ///
    /// # Errors
    /// Lists every keyword whose JSON has the wrong type (upstream: 400). Also fails if schemas nest deeper than
    /// [`crate::MAX_DEPTH`], or JSON deeper than twice that plus 100.
    pub fn parse(json: &Value) -> Result<(Self, Vec<String>), Vec<SchemaError>> {
        parse::parse(json)
    }

    /// The schema as JSON, without zero values. `parse` returns an equal schema if this one was returned by `parse`, or
    /// has neither a null default nor an empty list in `Items::ByPosition`.
    pub fn to_json(&self) -> Value {
        print::print(self)
    }

    /// Whether `x-kubernetes-preserve-unknown-fields` is true.
    pub fn is_preserving(&self) -> bool {
        self.preserve_unknown_fields == Some(true)
    }

    /// The schema of all elements. `None` if `items` is missing or has a schema per position.
    pub fn item_schema(&self) -> Option<&Self> {
        match &self.items {
            Some(Items::Each(schema)) => Some(schema),
            _ => None,
        }
    }

    /// The schema of `additionalProperties`. `None` if it is missing, `true` or `false`.
    pub fn value_schema(&self) -> Option<&Self> {
        match &self.additional_properties {
            Some(AdditionalProperties::Schema(schema)) => Some(schema),
            _ => None,
        }
    }

    /// All schemas directly below this one: structural children first, then the branches of quantifiers.
    pub fn children(&self) -> impl Iterator<Item = &Self> {
        let by_position: &[Self] = match &self.items {
            Some(Items::ByPosition(schemas)) => schemas,
            _ => &[],
        };
        self.structural_children().chain(by_position).chain(self.branches().map(|(.., branch)| branch))
    }

    /// The branches of quantifiers: each with its keyword and, except for `not`, its index.
    pub fn branches(&self) -> impl Iterator<Item = (&'static str, Option<usize>, &Self)> {
        let lists = [("allOf", &self.all_of), ("anyOf", &self.any_of), ("oneOf", &self.one_of)];
        let listed = lists.into_iter().flat_map(|(keyword, branches)| {
            branches.iter().enumerate().map(move |(index, branch)| (keyword, Some(index), branch))
        });
        listed.chain(self.not.as_deref().map(|branch| ("not", None, branch)))
    }

    /// The schemas directly below this one that define structure: `properties`, `items`, `additionalProperties`.
    pub fn structural_children(&self) -> impl Iterator<Item = &Self> {
        self.properties.values().chain(self.item_schema()).chain(self.value_schema())
    }

    /// The nesting depth: 1 for a schema without children.
    pub fn depth(&self) -> usize {
        let mut deepest = 0;
        let mut open = vec![(self, 1)];
        while let Some((schema, depth)) = open.pop() {
            deepest = deepest.max(depth);
            open.extend(schema.children().map(|child| (child, depth + 1)));
        }
        deepest
    }

    /// The number of schemas, this one included.
    pub fn size(&self) -> usize {
        self.nodes().count()
    }

    /// All schemas at and below this one, in no particular order.
    pub fn nodes(&self) -> impl Iterator<Item = &Self> {
        let mut open = vec![self];
        std::iter::from_fn(move || {
            let schema = open.pop()?;
            open.extend(schema.children());
            Some(schema)
        })
    }

    /// Whether a rule stands at or below this schema (CEL-001).
    pub(crate) fn has_rules(&self) -> bool {
        self.nodes().any(|node| !node.rules.is_empty())
    }
}

/// `additionalProperties` in its two forms.
#[derive(Clone, Debug, PartialEq)]
pub enum AdditionalProperties {
    /// `true` or `false`.
    Allowed(bool),
    /// A schema for all values.
    Schema(Box<Schema>),
}

/// `items` in its two forms.
#[derive(Clone, Debug, PartialEq)]
pub enum Items {
    /// One schema for all elements.
    Each(Box<Schema>),
    /// A schema per position, which a definition must not use (CRDVAL-030).
    ByPosition(Vec<Schema>),
}

/// Keywords of value validation (chapter 5). Bounds are float64, as upstream keeps them (VALUE-007).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueKeywords {
    /// `format`; empty means missing.
    pub format: String,
    /// `maximum`.
    pub maximum: Option<f64>,
    /// `exclusiveMaximum`.
    pub exclusive_maximum: bool,
    /// `minimum`.
    pub minimum: Option<f64>,
    /// `exclusiveMinimum`.
    pub exclusive_minimum: bool,
    /// `multipleOf`.
    pub multiple_of: Option<f64>,
    /// `maxLength`, in code points.
    pub max_length: Option<i64>,
    /// `minLength`, in code points.
    pub min_length: Option<i64>,
    /// `pattern`; empty means missing.
    pub pattern: PatternKeyword,
    /// `maxItems`.
    pub max_items: Option<i64>,
    /// `minItems`.
    pub min_items: Option<i64>,
    /// `uniqueItems`.
    pub unique_items: bool,
    /// `maxProperties`.
    pub max_properties: Option<i64>,
    /// `minProperties`.
    pub min_properties: Option<i64>,
    /// `enum`; empty means missing.
    pub enumeration: Vec<Value>,
    /// `required`.
    pub required: Vec<String>,
}

/// Keywords without an effect on objects (STRUCT-034, INV-096).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Documentation {
    /// `title`.
    pub title: String,
    /// `description`.
    pub description: String,
    /// `example`.
    pub example: Option<Value>,
    /// `externalDocs`.
    pub external_docs: Option<Value>,
}
