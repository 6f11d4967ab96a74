//! Where a node stands: what the specification says of a node holds wherever it stands.

use crdible_generators::choice::Choices;
use crdible_semantics::{
    Schema,
    schema::{AdditionalProperties, Items},
};
use serde_json::{Value, json};

use super::segment;

/// One step from a node down to the next.
#[derive(Clone, Copy, Debug)]
enum Turn {
    /// Into a declared property.
    Property(&'static str),
    /// Into the elements of a list with so many equal elements.
    Elements(usize),
    /// Into the value of a map's key.
    Entry(&'static str),
}

/// A place below `spec`.
#[derive(Clone, Debug)]
pub(in super::super) struct Site(Vec<Turn>);

/// Declared names; some of them mean something elsewhere (PRUNE-015).
const NAMES: [&str; 6] = ["a", "b", "metadata", "kind", "items", "x-y"];
/// Keys of maps.
const KEYS: [&str; 6] = ["k", "l", "metadata", "apiVersion", "spec", "x-y"];

/// How many copies of a value there are at the most, all lists on the way together: each is reported, and a server cuts the
/// warnings of one answer off at 4096 characters (VER-013).
const COPIES: usize = 6;

impl Site {
    /// Directly below `spec`.
    pub(in super::super) fn direct() -> Self {
        Self(vec![Turn::Property("a")])
    }

    /// Through properties, lists and maps; the simplest is directly below `spec`.
    pub(in super::super) fn draw(choices: &mut Choices) -> Self {
        Self::through(choices, &[3, 2, 2])
    }

    /// As [`Site::draw`], never below a map: how its keys show in reports of embedded metadata is a quirk (PRUNE-017).
    pub(in super::super) fn outside_maps(choices: &mut Choices) -> Self {
        Self::through(choices, &[3, 2, 0])
    }

    fn through(choices: &mut Choices, weights: &[u32; 3]) -> Self {
        let mut turns = vec![Turn::Property(choices.pick::<&str>(&NAMES))];
        let mut copies = 1;
        choices.many_average("turn", 0, 3, 1, |choices, _| {
            turns.push(match choices.weighted(weights) {
                0 => Turn::Property(choices.pick::<&str>(&NAMES)),
                1 => {
                    let elements = *choices.pick(&[1, 2, 3][..(COPIES / copies).min(3)]);
                    copies *= elements;
                    Turn::Elements(elements)
                }
                _ => Turn::Entry(choices.pick::<&str>(&KEYS)),
            });
        });
        Self(turns)
    }

    /// Whether a key of a map leads to the place.
    pub(in super::super) fn is_below_map(&self) -> bool {
        self.0.iter().any(|turn| matches!(turn, Turn::Entry(_)))
    }

    /// The root schema with this node at the place.
    pub(in super::super) fn schema(&self, node: Schema) -> Schema {
        let spec = self.0.iter().rev().fold(node, |node, turn| around(*turn, node));
        around(Turn::Property("spec"), spec)
    }

    /// The content of an object with this value at the place; as often as lists on the way have elements.
    pub(in super::super) fn content(&self, value: &Value) -> Value {
        let spec = self.0.iter().rev().fold(value.clone(), |value, turn| match turn {
            Turn::Property(name) | Turn::Entry(name) => json!({ *name: value }),
            Turn::Elements(count) => Value::Array(vec![value; *count]),
        });
        json!({ "spec": spec })
    }

    /// The JSON pointer to the first copy.
    pub(in super::super) fn pointer(&self) -> String {
        let turns = self.0.iter().map(|turn| match turn {
            Turn::Property(name) | Turn::Entry(name) => format!("/{}", segment(name)),
            Turn::Elements(_) => "/0".to_owned(),
        });
        format!("/spec{}", turns.collect::<String>())
    }

    /// The fields of all copies, as causes and reports write them, with this behind; sorted as text.
    pub(in super::super) fn fields(&self, behind: &str) -> Vec<String> {
        let mut fields = vec!["spec".to_owned()];
        for turn in &self.0 {
            fields = match turn {
                Turn::Property(name) | Turn::Entry(name) => {
                    fields.iter().map(|field| format!("{field}.{name}")).collect()
                }
                Turn::Elements(count) => {
                    fields.iter().flat_map(|field| (0..*count).map(move |index| format!("{field}[{index}]"))).collect()
                }
            };
        }
        for field in &mut fields {
            field.push_str(behind);
        }
        fields.sort_unstable();
        fields
    }

    /// The fields of all copies with each of these behind; sorted as text.
    pub(in super::super) fn all_fields(&self, behind: &[impl AsRef<str>]) -> Vec<String> {
        let mut fields: Vec<String> = behind.iter().flat_map(|behind| self.fields(behind.as_ref())).collect();
        fields.sort_unstable();
        fields
    }
}

fn around(turn: Turn, node: Schema) -> Schema {
    let typed = |name: &str| Schema { type_name: name.to_owned(), ..Schema::default() };
    match turn {
        Turn::Property(name) => Schema { properties: [(name.to_owned(), node)].into(), ..typed("object") },
        Turn::Elements(_) => Schema { items: Some(Items::Each(Box::new(node))), ..typed("array") },
        Turn::Entry(_) => {
            Schema { additional_properties: Some(AdditionalProperties::Schema(Box::new(node))), ..typed("object") }
        }
    }
}
