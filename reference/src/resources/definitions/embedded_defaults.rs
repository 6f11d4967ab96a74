//! A side effect of upstream's check of defaults: the metadata of embedded objects inside a default is stored coerced
//! (`[Q]` of CRDVAL-052).

use crdible_semantics::{Schema, Semantics, schema::Items};
use serde_json::Value;

/// Coerces the metadata of embedded objects in all defaults of a valid definition.
pub(super) fn rewrite(semantics: &Semantics, definition: &mut Value) {
    let versions = definition.pointer_mut("/spec/versions").and_then(Value::as_array_mut);
    for document in versions.into_iter().flatten().filter_map(|version| version.pointer_mut("/schema/openAPIV3Schema"))
    {
        if !has_default(document) {
            continue;
        }
        // The schemas of a valid definition always parse.
        if let Ok((mut schema, _)) = Schema::parse(document) {
            rewrite_below(semantics, &mut schema, Position::Resource);
            *document = schema.to_json();
        }
    }
}

/// Whether some node may have a default. A property named `default` counts too.
fn has_default(document: &Value) -> bool {
    match document {
        Value::Object(fields) => fields.contains_key("default") || fields.values().any(has_default),
        Value::Array(elements) => elements.iter().any(has_default),
        _ => false,
    }
}

/// The position of a node relative to the nearest enclosing resource.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    /// The node is a resource itself.
    Resource,
    /// The node is in the content of the resource.
    Content,
    /// The node is in the `apiVersion`, `kind` or `metadata` of the resource, of which upstream checks a copy.
    Meta,
}

fn rewrite_below(semantics: &Semantics, schema: &mut Schema, position: Position) {
    let position = if schema.embedded_resource { Position::Resource } else { position };
    if position != Position::Meta
        && let Some(mut default) = schema.default.take()
    {
        let was_embedded = std::mem::replace(&mut schema.embedded_resource, position == Position::Resource);
        // Cannot fail: the defaults of a valid definition have the right types.
        let _ = semantics.coerce_embedded(&mut default, schema);
        schema.embedded_resource = was_embedded;
        schema.default = Some(default);
    }
    // `additionalProperties` is not visited (CRDVAL-054).
    if let Some(Items::Each(items)) = &mut schema.items {
        rewrite_below(semantics, items, if position == Position::Meta { position } else { Position::Content });
    }
    for (name, property) in &mut schema.properties {
        let is_meta = position == Position::Meta
            || position == Position::Resource && ["apiVersion", "kind", "metadata"].contains(&name.as_str());
        rewrite_below(semantics, property, if is_meta { Position::Meta } else { Position::Content });
    }
}
