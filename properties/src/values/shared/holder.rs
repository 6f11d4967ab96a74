//! Where the branches of quantifiers find their string: it is the value itself, or a property of it.

use crate::prelude::*;

/// Names of the property. Many of them break unescaped paths and pointers.
const NAMES: [&str; 12] =
    ["a", "x.y", "x/y", "x~y", "", "é", "$ref", "__proto__", "items", "kind", "apiVersion", "properties"];
/// The same at the root, where meta fields have their own rules and REST-013 has a defect with `items`.
const ROOT_NAMES: [&str; 7] = ["a", "x.y", "x/y", "x~y", "é", "$ref", "__proto__"];

/// The value that holds the string, and its place.
#[derive(Clone, Debug)]
pub(in super::super) struct Holder {
    name: Option<&'static str>,
    place: Place,
}

/// A value without a string for the branches: all branches match.
#[derive(Clone, Debug)]
pub(in super::super) struct Textless {
    sent: Value,
    stored: Option<Value>,
}

impl Holder {
    /// Draws the value itself in one of two cases.
    pub(in super::super) fn draw(choices: &mut Choices) -> Self {
        if !choices.chance(1, 2) {
            return Self { name: None, place: Place::draw(choices, &Places::ANY) };
        }
        let place = Place::draw(choices, &Places::OF_OBJECTS);
        let name = if place.is_root() { choices.pick(&ROOT_NAMES) } else { choices.pick(&NAMES) };
        Self { name: Some(name), place }
    }

    /// A branch that applies this schema to the string.
    pub(in super::super) fn branch(&self, of_text: Value) -> Value {
        match self.name {
            None => of_text,
            Some(name) => json!({ "properties": { name: of_text } }),
        }
    }

    /// The node with this quantifier.
    pub(in super::super) fn node(&self, quantifier: &str, branches: Value) -> Value {
        match self.name {
            None => json!({ "type": "string", quantifier: branches }),
            Some(name) => {
                json!({ "type": "object", "properties": { name: { "type": "string" } }, quantifier: branches })
            }
        }
    }

    /// The value with this string.
    pub(in super::super) fn value(&self, text: &str) -> Value {
        match self.name {
            None => json!(text),
            Some(name) => json!({ name: text }),
        }
    }

    /// The path of the string, relative to the node.
    pub(in super::super) fn field(&self) -> String {
        self.name.map_or_else(String::new, |name| format!(".{name}"))
    }

    /// In some cases, a value without the string.
    pub(in super::super) fn textless(&self, choices: &mut Choices) -> Option<Textless> {
        let name = self.name?;
        if !choices.chance(1, 4) {
            return None;
        }
        let empty = Some(json!({}));
        Some(match choices.draw(if self.place.is_root() { 1 } else { 3 }) {
            0 => Textless { sent: json!({}), stored: empty },
            // It is dropped before it is validated (DEFAULT-003).
            1 => Textless { sent: json!({ name: null }), stored: empty },
            _ => Textless { sent: choices.pick(&[json!("x"), json!(1), json!(true), json!([])]).clone(), stored: None },
        })
    }

    /// Examples of the node at its place.
    pub(in super::super) fn examples(
        &self,
        plan: &mut Plan,
        choices: &mut Choices,
        node: &Value,
        example: impl FnMut(&mut Choices) -> Example,
    ) {
        plan.at_place(choices, &self.place, node, example)
    }
}

impl Textless {
    /// The expected outcome if the quantifier adds these causes.
    pub(in super::super) fn example(
        self,
        asserts: &'static [&'static str],
        causes: impl IntoIterator<Item = RowCause>,
    ) -> Example {
        let of_kind = self.stored.is_none().then_some(Cause::of("", Reason::TypeInvalid));
        let causes: Vec<_> = of_kind.into_iter().chain(causes).collect();
        match self.stored {
            Some(stored) if causes.is_empty() => Example::becomes("no-text", asserts, self.sent, stored),
            _ => Example::refused("no-text", asserts, self.sent, causes),
        }
    }
}
