//! Examples: values with their expected outcomes, and the ways to try them.
//!
//! An [`Example`] holds the value that is sent for a node, the name and references of its check, and its [`Outcome`].
//! A method of the plan tries it ([`TryExamples`]):
//!
//! - `in_one_schema`: a table of exact inputs; each [`Row`] is a node with its examples;
//! - `at_any_place` and `at_place`: drawn examples of one drawn node, at a drawn or given place;
//! - `try_objects`: whole objects under one root schema;
//! - `try_updates`: updates of stored objects after the schema was tightened.
//!
//! All but the last create objects as dry runs. For examples of schemas, see [`super::pieces`].

mod example;
mod outcome;

pub(crate) use example::Example;
pub(crate) use outcome::Outcome;

use super::{
    place::{Place, Places},
    schema::spec_of,
};
use crate::shared::prelude::*;

/// A number or another value exactly as written.
pub(crate) fn exact(text: &str) -> Content {
    Content::Exact(Json::parse(text).unwrap_or(Json::Number(text.to_owned())))
}

/// A node of a schema, and examples of values for it.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    node: Value,
    examples: Vec<Example>,
}

impl Row {
    /// A node.
    pub(crate) fn new(node: Value) -> Self {
        Self { node, examples: Vec::new() }
    }

    /// The same with these examples.
    #[must_use]
    pub(crate) fn with(self, examples: impl IntoIterator<Item = Example>) -> Self {
        Self { examples: examples.into_iter().collect(), ..self }
    }
}

/// An object, and examples of updates of its `spec`.
#[derive(Clone, Debug)]
pub(crate) struct Updates {
    /// The stored `spec`.
    old: Value,
    examples: Vec<Example>,
}

impl Updates {
    /// Updates of a stored `spec`.
    pub(crate) fn new(old: Value, examples: impl IntoIterator<Item = Example>) -> Self {
        Self { old, examples: examples.into_iter().collect() }
    }
}

/// The ways to try examples, as methods of a plan.
pub(crate) trait TryExamples {
    /// All examples of all rows under one schema: `spec` has a property for each row.
    fn in_one_schema(&mut self, rows: impl IntoIterator<Item = Row>);

    /// Examples of whole objects, without their meta fields, under this root.
    fn try_objects(&mut self, root: Value, examples: impl IntoIterator<Item = Example>);

    /// Examples of one node, at any place in `spec`.
    fn at_any_place(&mut self, choices: &mut Choices, node: &Value, example: impl FnMut(&mut Choices) -> Example) {
        let place = Place::draw(choices, &Places::ANY);
        self.at_place(choices, &place, node, example);
    }

    /// Examples of one node at a place.
    fn at_place(
        &mut self,
        choices: &mut Choices,
        place: &Place,
        node: &Value,
        example: impl FnMut(&mut Choices) -> Example,
    );

    /// Dry-run updates of objects that were stored under the loose schema, once the tight one is served.
    fn try_updates(&mut self, loose: Value, tight: Value, objects: impl IntoIterator<Item = Updates>);
}

impl TryExamples for Plan {
    fn in_one_schema(&mut self, rows: impl IntoIterator<Item = Row>) {
        let key = |index: usize| format!("e{index}");
        let (nodes, examples): (Vec<Value>, Vec<Vec<Example>>) =
            rows.into_iter().map(|row| (row.node, row.examples)).unzip();
        let properties: Map<String, Value> = nodes.into_iter().enumerate().map(|(at, node)| (key(at), node)).collect();
        let definition = self.define_schema(spec_of(Value::Object(properties)));
        for (at, examples) in examples.into_iter().enumerate() {
            let place = Place::spec().property(key(at));
            for example in examples {
                example.create(self, definition, &place);
            }
        }
    }

    fn try_objects(&mut self, root: Value, examples: impl IntoIterator<Item = Example>) {
        let definition = self.define_schema(root);
        for example in examples {
            example.create(self, definition, &Place::root());
        }
    }

    fn at_place(
        &mut self,
        choices: &mut Choices,
        place: &Place,
        node: &Value,
        mut example: impl FnMut(&mut Choices) -> Example,
    ) {
        let definition = self.define_schema(place.schema(node.clone()));
        choices.cases("value", |choices, _| example(choices).create(self, definition, place));
    }

    fn try_updates(&mut self, loose: Value, tight: Value, objects: impl IntoIterator<Item = Updates>) {
        let definition = self.define_schema(loose);
        let stored: Vec<(StepId, Vec<Example>)> = objects
            .into_iter()
            .map(|Updates { old, examples }| (self.create(definition, Place::spec().content(old)), examples))
            .collect();
        self.install_schema(definition, tight);
        for (created, examples) in stored {
            for example in examples {
                let spec = example.sent.to_value().unwrap_or_default();
                let put = self.try_put_back(created, vec![Edit::Set(Place::spec().pointer(), spec)]);
                example.check(self, put, &Place::spec());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crdible_scenario::Scenario;

    use super::*;
    use crate::shared::pieces::{alone, refused};

    const TOO_LONG: &str = "may not be more than 3 bytes";

    fn expected(scenario: &Scenario) -> &Expectation {
        &scenario.checks.first().expect("one check").expect
    }

    #[test]
    fn the_message_of_an_example_is_checked_at_its_place() {
        let cause = Cause::of("[1]", Reason::TooLong).saying(TOO_LONG);
        let example = Example::refused("long", &["VALUE-011"], json!(["abc", "abcd"]), [cause]);
        let node = json!({ "type": "array", "items": { "type": "string", "maxLength": 3 } });
        let scenario = Plan::scenario(|plan| plan.in_one_schema([Row::new(node).with([example])]));
        let cause = Cause::new("spec.e0[1]", "TooLong").with_message(TOO_LONG);
        assert_eq!(expected(&scenario), &Expectation::Causes(vec![cause]));
    }

    #[test]
    fn the_message_of_a_piece_is_checked_at_its_path() {
        let cause = Cause::of(".type", Reason::Required).saying("must not be empty");
        let piece = refused("untyped", &["STRUCT-002"], json!({}), &[cause]);
        let scenario = Plan::scenario(|plan| alone(plan, &[piece]));
        let path = "openAPIV3Schema.properties[spec].type";
        let cause = Cause::new(path, "Required").with_message("must not be empty");
        assert_eq!(expected(&scenario), &Expectation::Causes(vec![cause]));
    }
}
