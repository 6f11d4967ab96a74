//! Shared by the properties of chapter 4: nodes with values for their defaults.

use crate::prelude::*;

/// Schemas with every feature; in one case of six, with names that break unescaped paths and pointers. For properties
/// that compare content, because the fields of causes are not escaped either.
pub(super) fn any_shape(choices: &mut Choices) -> SchemaShape {
    SchemaShape { odd_names: choices.chance(1, 6), ..SchemaShape::default() }
}

/// A node of any kind that is not nullable, without keywords that count or compare values, and values for it.
pub(super) struct Sample {
    /// The node, without a default.
    pub(super) node: Schema,
}

impl Sample {
    pub(super) fn draw(choices: &mut Choices, key: &str) -> Self {
        choices.keyed(key, |choices| {
            let shape = SchemaShape {
                defaults: false,
                value_keywords: false,
                patterns: false,
                formats: false,
                quantifiers: false,
                topology: false,
                ..SchemaShape::default()
            };
            let mut node = schema::node(choices, &shape, shape.max_depth - 1);
            node.nullable = false;
            Self { node }
        })
    }

    /// The node as JSON.
    pub(super) fn json(&self) -> Value {
        self.node.to_json()
    }

    /// A value for the node, never null.
    pub(super) fn value(&self, choices: &mut Choices, key: &str) -> Value {
        choices.keyed(key, |choices| value::valid_node(choices, &self.node))
    }
}

/// A property of an object, with values for its node.
pub(super) struct Field<const N: usize> {
    index: usize,
    sample: Sample,
    values: [Value; N],
}

impl<const N: usize> Field<N> {
    /// The node as JSON.
    pub(super) fn node(&self) -> Value {
        self.sample.json()
    }

    /// One of the values.
    pub(super) fn value(&self, value: usize) -> Value {
        self.values[value].clone()
    }

    /// The node with one of the values as its default.
    pub(super) fn defaulting(&self, value: usize) -> Value {
        with_default(&self.node(), &self.values[value])
    }
}

/// Fields of one object, each with a node and values of its own: each is a case, because another schema is what costs
/// time on a real server.
pub(super) struct Fields<const N: usize>(Vec<Field<N>>);

impl<const N: usize> Fields<N> {
    /// Draws the fields, and for each the values that these keys stand for.
    pub(super) fn draw(choices: &mut Choices, values: [&str; N]) -> Self {
        Self(choices.cases("field", |choices, index| {
            let sample = Sample::draw(choices, "value");
            let values = values.map(|key| sample.value(choices, key));
            Field { index, sample, values }
        }))
    }

    /// An object with these entries for each field. A field's number is added to their keys.
    pub(super) fn entries<const M: usize>(&self, of: impl Fn(&Field<N>) -> [(&'static str, Value); M]) -> Value {
        let numbered = |field: &Field<N>| of(field).map(|(key, value)| (format!("{key}{}", field.index), value));
        Value::Object(self.0.iter().flat_map(numbered).collect())
    }

    /// The properties `p0`, `p1` …; each has this value as its default, or none.
    pub(super) fn properties(&self, default: Option<usize>) -> Value {
        self.entries(|field| [("p", default.map_or_else(|| field.node(), |value| field.defaulting(value)))])
    }

    /// The same properties with this value in each.
    pub(super) fn holding(&self, value: usize) -> Value {
        self.entries(|field| [("p", field.value(value))])
    }

    /// The names of these properties.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|field| format!("p{}", field.index))
    }

    /// Counts each field as a case.
    pub(super) fn count(&self, plan: &mut Plan) {
        self.0.iter().for_each(|_| plan.count_case());
    }
}

/// An object with the keys that have a value.
pub(super) fn present<const N: usize>(entries: [(&str, Option<Value>); N]) -> Value {
    let entries = entries.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
    Value::Object(entries.collect::<Map<String, Value>>())
}
