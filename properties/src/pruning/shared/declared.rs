//! Declared properties that can be removed from a schema, and from values under it.

use crdible_semantics::{
    Schema,
    schema::{AdditionalProperties, Items},
};

use crate::prelude::*;

/// A declared property of an object node that neither preserves unknown fields nor has `additionalProperties`: without
/// the declaration, its key is unknown.
#[derive(Clone, Debug)]
pub(in super::super) struct Declared {
    steps: Vec<Step>,
    name: String,
}

#[derive(Clone, Debug)]
enum Step {
    Property(String),
    Elements,
    Entries,
}

impl Declared {
    /// A root schema, and a property in it; never one below a preserving list, whose elements keep unknown keys
    /// (PRUNE-009).
    pub(in super::super) fn draw(choices: &mut Choices, shape: &SchemaShape) -> (Schema, Self) {
        let mut root = choices.span("schema", |choices| schema::schema(choices, shape));
        // Keeps `spec` a candidate.
        root.preserve_unknown_fields = None;
        let spec = Self { steps: Vec::new(), name: "spec".to_owned() };
        let mut found = Vec::new();
        collect(&root, true, &mut Vec::new(), &mut found);
        let declared = if found.is_empty() { spec } else { choices.pick(&found).clone() };
        (root, declared)
    }

    /// The schema without the declaration.
    pub(in super::super) fn remove_from_schema(&self, root: &Schema) -> Schema {
        let mut root = root.clone();
        let node = self.steps.iter().try_fold(&mut root, |node, step| match step {
            Step::Property(name) => node.properties.get_mut(name),
            Step::Elements => match &mut node.items {
                Some(Items::Each(items)) => Some(&mut **items),
                _ => None,
            },
            Step::Entries => match &mut node.additional_properties {
                Some(AdditionalProperties::Schema(values)) => Some(&mut **values),
                _ => None,
            },
        });
        if let Some(node) = node {
            node.properties.remove(&self.name);
        }
        root
    }

    /// The content of an object without the key, at every place of the node.
    pub(in super::super) fn remove_from_content(&self, content: &Value) -> Value {
        let mut content = content.clone();
        let mut open = vec![&mut content];
        for step in &self.steps {
            open = open.into_iter().flat_map(|value| below(value, step)).collect();
        }
        for value in open {
            if let Value::Object(object) = value {
                object.remove(&self.name);
            }
        }
        content
    }

    /// The paths of the key in the content of an object, as unknown fields are reported (PRUNE-028).
    pub(in super::super) fn paths(&self, content: &Value) -> Vec<String> {
        let mut open = vec![(content, String::new())];
        for step in &self.steps {
            open = open.into_iter().flat_map(|(value, field)| below_with_field(value, &field, step)).collect();
        }
        let found = open.into_iter().filter(|(value, _)| value.get(&self.name).is_some());
        let mut paths: Vec<String> = found.map(|(_, field)| joined(&field, &self.name)).collect();
        paths.sort_unstable();
        paths
    }
}

fn joined(field: &str, name: &str) -> String {
    if field.is_empty() { name.to_owned() } else { format!("{field}.{name}") }
}

fn below_with_field<'a>(value: &'a Value, field: &str, step: &Step) -> Vec<(&'a Value, String)> {
    match (value, step) {
        (Value::Object(object), Step::Property(name)) => {
            object.get(name).into_iter().map(|value| (value, joined(field, name))).collect()
        }
        (Value::Object(object), Step::Entries) => {
            object.iter().map(|(key, value)| (value, joined(field, key))).collect()
        }
        (Value::Array(elements), Step::Elements) => {
            elements.iter().enumerate().map(|(index, value)| (value, format!("{field}[{index}]"))).collect()
        }
        _ => Vec::new(),
    }
}

fn below<'a>(value: &'a mut Value, step: &Step) -> Vec<&'a mut Value> {
    match (value, step) {
        (Value::Object(object), Step::Property(name)) => object.get_mut(name).into_iter().collect(),
        (Value::Object(object), Step::Entries) => object.values_mut().collect(),
        (Value::Array(elements), Step::Elements) => elements.iter_mut().collect(),
        _ => Vec::new(),
    }
}

fn collect(node: &Schema, is_root: bool, steps: &mut Vec<Step>, found: &mut Vec<Declared>) {
    let is_open = node.is_preserving() || node.additional_properties.is_some();
    for (name, property) in &node.properties {
        let is_meta =
            (is_root || node.embedded_resource) && matches!(name.as_str(), "apiVersion" | "kind" | "metadata");
        if is_meta {
            continue;
        }
        // An embedded resource needs a property, or must preserve unknown fields (STRUCT-016).
        let is_needed = node.embedded_resource && node.properties.len() == 1;
        if !is_open && !is_needed {
            found.push(Declared { steps: steps.clone(), name: name.clone() });
        }
        steps.push(Step::Property(name.clone()));
        collect(property, false, steps, found);
        steps.pop();
    }
    let (step, below) = match (node.item_schema(), node.value_schema()) {
        (Some(items), _) if !node.is_preserving() => (Step::Elements, items),
        (_, Some(values)) => (Step::Entries, values),
        _ => return,
    };
    steps.push(step);
    collect(below, false, steps, found);
    steps.pop();
}
