//! A field that looks different from version to version.

use crdible_webhooks::{Place, Reshape, Step};
use serde_json::{Map, Value, json};

use super::form::{FIRST, Form};
use crate::choice::Choices;

/// The places of fields in the first version, simple first.
const PLACES: [&[&str]; 5] =
    [&["spec"], &["spec", "inner"], &["spec", "list", "*"], &["spec", "map", "*"], &["spec", "inner", "list", "*"]];

/// The names of elements in a generated map.
const KEYS: [&str; 3] = ["k", "l", "x-y"];

/// A field as one version has it.
#[derive(Clone, Debug)]
pub(super) struct ShapedField {
    pub(super) at: Place,
    pub(super) name: String,
    form: Form,
    is_nullable: bool,
    /// How often it was renamed, for a new name.
    renamed: usize,
}

impl ShapedField {
    /// Draws the field with this number as the first version has it.
    pub(super) fn draw(c: &mut Choices, number: usize) -> Self {
        let at = *c.pick(&PLACES);
        let form = c.pick(&FIRST).clone();
        // No enumeration allows null (VALUE-020).
        let is_nullable = c.flag(form != Form::Flag, 1, 6);
        Self { at: Place::of(at), name: format!("f{number}"), form, is_nullable, renamed: 0 }
    }

    /// The schema of its values.
    pub(super) fn schema(&self) -> Value {
        let mut schema = self.form.schema();
        if self.is_nullable {
            schema["nullable"] = json!(true);
        }
        schema
    }

    /// Draws its values into an object of the first version: at each of the objects at its place, at some of them.
    pub(super) fn fill(&self, c: &mut Choices, object: &mut Value) {
        make(c, object, self.at.segments());
        self.at.for_each(object, &mut |map| {
            // Most have it; also null and missing ones must survive.
            match c.weighted(&[1, 4]) {
                0 if self.is_nullable => {
                    map.insert(self.name.clone(), Value::Null);
                }
                0 => {}
                _ => {
                    map.insert(self.name.clone(), self.form.value(c));
                }
            }
        });
    }

    /// Draws how it is different in the next version: another form, another name, or within an object of its own.
    pub(super) fn change(&mut self, c: &mut Choices) -> Vec<Step> {
        let mut steps = Vec::new();
        let changes = self.form.changes(&self.at, &self.name);
        if !c.chance(1, 3) {
            let (step, form) = c.pick(&changes).clone();
            steps.push(step);
            self.form = form;
        }
        if c.chance(1, 3) {
            self.renamed += 1;
            let (from, to) = (self.name.clone(), format!("{}-{}", self.name, self.renamed));
            steps.push(Step::of(Reshape::Rename { at: self.at.clone(), from, to: to.clone() }));
            self.name = to;
        }
        if c.chance(1, 4) {
            let into = format!("{}-box", self.name);
            let properties = vec![self.name.clone()];
            steps.push(Step::of(Reshape::Gather { at: self.at.clone(), properties, into: into.clone() }));
            self.at = self.at.join(&into);
        }
        steps
    }
}

/// Makes the objects, lists and maps of a place, as far as they are missing: one to three elements each.
fn make(c: &mut Choices, value: &mut Value, segments: &[String]) {
    let Some((first, rest)) = segments.split_first() else { return };
    if first == "*" {
        match value {
            Value::Array(elements) => elements.iter_mut().for_each(|element| make(c, element, rest)),
            Value::Object(map) => map.values_mut().for_each(|value| make(c, value, rest)),
            _ => {}
        }
        return;
    }
    let Some(map) = value.as_object_mut() else { return };
    let child = map.entry(first.clone()).or_insert_with(|| {
        let is_map = first == "map";
        match rest.first().is_some_and(|next| next == "*") {
            false => json!({}),
            true if is_map => {
                let count = c.many("value", 1, KEYS.len(), |_, at| at).len();
                Value::Object(KEYS.iter().take(count).map(|key| ((*key).to_owned(), json!({}))).collect::<Map<_, _>>())
            }
            true => Value::Array(c.many("element", 1, 3, |_, _| json!({}))),
        }
    });
    make(c, child, rest);
}

/// Inserts the schema of a property at a place of a schema, and the objects, lists and maps on the way.
pub(super) fn insert(schema: &mut Value, segments: &[String], name: &str, of_property: Value) {
    let Some((first, rest)) = segments.split_first() else {
        let properties = schema.as_object_mut().map(|schema| schema.entry("properties").or_insert_with(|| json!({})));
        if let Some(properties) = properties {
            properties[name] = of_property;
        }
        return;
    };
    if first == "*" {
        let key = if schema["type"] == "array" { "items" } else { "additionalProperties" };
        insert(&mut schema[key], rest, name, of_property);
        return;
    }
    let is_container = rest.first().is_some_and(|next| next == "*");
    let missing = match (is_container, first == "map") {
        (false, _) => json!({ "type": "object", "properties": {} }),
        (true, true) => json!({ "type": "object", "additionalProperties": { "type": "object", "properties": {} } }),
        (true, false) => json!({ "type": "array", "items": { "type": "object", "properties": {} } }),
    };
    let Some(schema) = schema.as_object_mut() else { return };
    let properties = schema.entry("properties").or_insert_with(|| json!({}));
    let Some(properties) = properties.as_object_mut() else { return };
    insert(properties.entry(first.clone()).or_insert(missing), rest, name, of_property);
}
