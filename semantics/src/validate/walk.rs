//! The walk for checks that need certain nodes anywhere in a value.

use serde_json::Value;

use crate::{FieldPath, Schema, Semantics, prune::Child};

/// Which keys of an object `additionalProperties` describes if the schema has `properties` too. A definition must not
/// have both (CRDVAL-033), but stored ones may, and defaults are checked even in rejected ones.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MapKeys {
    All,
    Undeclared,
}

/// Visits the objects and lists directly below a value that have a schema. The paths write the keys of maps in
/// brackets, and an empty name as `[]` (PRUNE-017).
pub(super) fn visit_children(
    semantics: &Semantics,
    value: &Value,
    schema: &Schema,
    path: &FieldPath<'_>,
    map_keys: MapKeys,
    mut visit: impl FnMut(&Value, &Schema, &FieldPath<'_>),
) {
    let is_compound = |value: &Value| value.is_array() || value.is_object();
    match value {
        Value::Object(object) => {
            if schema.properties.is_empty() && schema.value_schema().is_none() {
                return;
            }
            for (key, value) in object.iter().filter(|(_, value)| is_compound(value)) {
                let values = match semantics.child(schema, key) {
                    Child::Declared(child) => {
                        visit(value, child, &path.child(key));
                        schema.value_schema().filter(|_| map_keys == MapKeys::All)
                    }
                    Child::MapValue(values) => values,
                    Child::Unknown => None,
                };
                if let Some(values) = values {
                    visit(value, values, &path.key(key));
                }
            }
        }
        Value::Array(elements) => {
            let Some(items) = schema.item_schema() else { return };
            for (index, element) in elements.iter().enumerate().filter(|(_, element)| is_compound(element)) {
                visit(element, items, &path.index(index));
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]
    use rstest::rstest;
    use serde_json::json;

    use super::{MapKeys, visit_children};
    use crate::{FieldPath, Schema, Semantics};

    #[rstest]
    #[case::undeclared(MapKeys::Undeclared, &["declared", "[other]"])]
    #[case::all(MapKeys::All, &["declared", "[declared]", "[other]"])]
    fn map_keys_may_be_declared_too(#[case] map_keys: MapKeys, #[case] expected: &[&str]) {
        let (schema, _) =
            Schema::parse(&json!({"properties": {"declared": {}}, "additionalProperties": {}})).expect("a schema");
        let mut visited = Vec::new();
        let value = json!({"declared": {}, "other": [], "scalar": 1});
        visit_children(&Semantics::UPSTREAM, &value, &schema, &FieldPath::Root, map_keys, |_, _, path| {
            visited.push(path.to_string());
        });
        assert_eq!(visited, expected);
    }
}
