//! Where branches of quantifiers find their text: it is the value itself, or a property of it.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::{Sample, sample::samples_at};
use crate::{properties::frame::Frame, scenario::Scenario};

/// Names of the property, of which many break paths and pointers that are not escaped.
const NAMES: [&str; 12] =
    ["a", "x.y", "x/y", "x~y", "", "é", "$ref", "__proto__", "items", "kind", "apiVersion", "properties"];
/// The same at the root, where meta fields have rules of their own and REST-013 has a defect with `items`.
const ROOT_NAMES: [&str; 7] = ["a", "x.y", "x/y", "x~y", "é", "$ref", "__proto__"];

/// What holds the text, and where that stands.
#[derive(Clone, Debug)]
pub(in super::super) struct Holder {
    name: Option<&'static str>,
    frame: Frame,
}

/// A value in which no branch finds a text to judge, so that all of them hold.
#[derive(Clone, Debug)]
pub(in super::super) struct Textless {
    sent: Value,
    stored: Option<Value>,
}

impl Holder {
    /// The value itself in one of two.
    pub(in super::super) fn draw(choices: &mut Choices) -> Self {
        if !choices.chance(1, 2) {
            return Self { name: None, frame: Frame::draw(choices) };
        }
        let frame = Frame::draw_of_object(choices);
        let name = if frame.is_root() { choices.pick(&ROOT_NAMES) } else { choices.pick(&NAMES) };
        Self { name: Some(name), frame }
    }

    /// The branch that says this of the text.
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

    /// The value with this text.
    pub(in super::super) fn value(&self, text: &str) -> Value {
        match self.name {
            None => json!(text),
            Some(name) => json!({ name: text }),
        }
    }

    /// The field of the text behind the path of the node.
    pub(in super::super) fn field(&self) -> String {
        self.name.map_or_else(String::new, |name| format!(".{name}"))
    }

    /// Now and then a value without the text.
    pub(in super::super) fn textless(&self, choices: &mut Choices) -> Option<Textless> {
        let name = self.name?;
        if !choices.chance(1, 4) {
            return None;
        }
        let empty = Some(json!({}));
        Some(match choices.draw(if self.frame.is_root() { 1 } else { 3 }) {
            0 => Textless { sent: json!({}), stored: empty },
            // It is dropped before anything judges it (DEFAULT-003).
            1 => Textless { sent: json!({ name: null }), stored: empty },
            _ => Textless { sent: choices.pick(&[json!("x"), json!(1), json!(true), json!([])]).clone(), stored: None },
        })
    }

    /// Samples of the node at its place.
    pub(in super::super) fn samples(
        &self,
        choices: &mut Choices,
        node: &Value,
        sample: impl FnMut(&mut Choices) -> Sample,
    ) -> Scenario {
        samples_at(choices, &self.frame, node, sample)
    }
}

impl Textless {
    /// What comes of it where the quantifier adds these causes.
    pub(in super::super) fn sample(
        self,
        asserts: &'static [&'static str],
        causes: impl IntoIterator<Item = (&'static str, &'static str)>,
    ) -> Sample {
        let of_kind = self.stored.is_none().then_some(("", "TypeInvalid"));
        let causes: Vec<_> = of_kind.into_iter().chain(causes).collect();
        match self.stored {
            Some(stored) if causes.is_empty() => Sample::becomes("no-text", asserts, self.sent, stored),
            _ => Sample::refused("no-text", asserts, self.sent, causes),
        }
    }
}
