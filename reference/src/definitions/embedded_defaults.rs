//! What upstream's check of a default leaves behind: the metadata of embedded objects in it are stored in form ([Q] of CRDVAL-052).

use crdible_semantics::{Schema, Semantics, schema::Items};
use serde_json::Value;

/// Brings the metadata of embedded objects in all defaults of a valid definition into form.
pub(super) fn rewrite(semantics: &dyn Semantics, definition: &mut Value) {
    let versions = definition.pointer_mut("/spec/versions").and_then(Value::as_array_mut);
    for document in versions.into_iter().flatten().filter_map(|version| version.pointer_mut("/schema/openAPIV3Schema"))
    {
        if !has_default(document) {
            continue;
        }
        // What is accepted parses.
        if let Ok((mut schema, _)) = Schema::parse(document) {
            rewrite_below(semantics, &mut schema, Around::Resource);
            *document = schema.to_json();
        }
    }
}

/// Whether some node may have a default; a field that is called so counts, too.
fn has_default(document: &Value) -> bool {
    match document {
        Value::Object(fields) => fields.contains_key("default") || fields.values().any(has_default),
        Value::Array(elements) => elements.iter().any(has_default),
        _ => false,
    }
}

/// What a node is to the nearest resource around it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    /// It is one.
    Resource,
    /// It stands in one.
    Content,
    /// It stands in its `apiVersion`, `kind` or `metadata`: the check works on a copy.
    Meta,
}

fn rewrite_below(semantics: &dyn Semantics, schema: &mut Schema, around: Around) {
    let around = if schema.embedded_resource { Around::Resource } else { around };
    if around != Around::Meta
        && let Some(mut default) = schema.default.take()
    {
        let marked = std::mem::replace(&mut schema.embedded_resource, around == Around::Resource);
        // The definition is valid, so there is no wrong type.
        let _ = semantics.coerce_embedded(&mut default, schema);
        schema.embedded_resource = marked;
        schema.default = Some(default);
    }
    // `additionalProperties` is not followed (CRDVAL-054).
    if let Some(Items::Each(items)) = &mut schema.items {
        rewrite_below(semantics, items, if around == Around::Meta { around } else { Around::Content });
    }
    for (name, property) in &mut schema.properties {
        let is_meta = around == Around::Meta
            || around == Around::Resource && ["apiVersion", "kind", "metadata"].contains(&name.as_str());
        rewrite_below(semantics, property, if is_meta { Around::Meta } else { Around::Content });
    }
}
