//! Pruning.

use serde_json::{Map, Value};

use crate::{
    FieldPath, Schema, Semantics,
    prune::{self, Child},
};

area! {
    /// The fields that are removed because the schema does not declare them (chapter 3.1).
    ///
    /// Pruning is idempotent (PRUNE-012). The methods add the paths of the removed fields to the given list.
    pub struct Pruning as pruning;

    /// Removes the fields that the schema does not declare (PRUNE-001..015). `root`: whether the value is a whole
    /// object, which keeps `apiVersion`, `kind` and `metadata` under any schema. Returns the removed paths in the
    /// notation of PRUNE-028, sorted.
    fn prune(&self, value: &mut Value, schema: &Schema, root: bool) -> Vec<String> = prune;
    /// Prunes a value by its schema, if it has one. `keeps_meta`: whether an object here keeps its three meta fields.
    fn prune_node(
        &self, value: &mut Value, schema: Option<&Schema>, keeps_meta: bool, path: &FieldPath<'_>,
        removed: &mut Vec<String>,
    ) = prune::node;
    /// Removes the unknown keys of an object and prunes the values of the others (PRUNE-001, PRUNE-004).
    fn prune_object(
        &self, object: &mut Map<String, Value>, schema: &Schema, keeps_meta: bool, path: &FieldPath<'_>,
        removed: &mut Vec<String>,
    ) = prune::object;
    /// Prunes each element by `items` (PRUNE-003).
    fn prune_array(&self, elements: &mut [Value], schema: &Schema, path: &FieldPath<'_>, removed: &mut Vec<String>) =
        prune::array;
    /// Prunes a map value. `schema` is that of `additionalProperties`, and `None` for `true` and `false`
    /// (PRUNE-004..006).
    fn prune_map_value(
        &self, value: &mut Value, schema: Option<&Schema>, path: &FieldPath<'_>, removed: &mut Vec<String>,
    ) = prune_map_value;
    /// Prunes a value at a node that preserves unknown fields: prunes only the values of declared fields (PRUNE-008,
    /// PRUNE-009).
    fn prune_preserved(
        &self, value: &mut Value, schema: &Schema, keeps_meta: bool, path: &FieldPath<'_>, removed: &mut Vec<String>,
    ) = prune::preserved;
    /// Prunes a value without a schema: empties objects, and descends into arrays (PRUNE-005).
    fn prune_unspecified(value: &mut Value, path: &FieldPath<'_>, removed: &mut Vec<String>) = prune::unspecified;
    /// Whether objects here keep `apiVersion`, `kind` and `metadata` (PRUNE-013..015).
    fn keeps_meta_fields(&self, schema: &Schema, root: bool) -> bool =
        |_, schema, root| root || schema.embedded_resource;
    /// Whether unknown keys are kept (PRUNE-008).
    fn preserves_unknown_fields(&self, schema: &Schema) -> bool = |_, schema| schema.is_preserving();
    /// How the structural part of a schema declares a key (PRUNE-002).
    fn child<'s>(schema: &'s Schema, key: &str) -> Child<'s> = prune::child;
}

fn prune(semantics: &Semantics, value: &mut Value, schema: &Schema, root: bool) -> Vec<String> {
    let mut removed = Vec::new();
    let keeps_meta = semantics.keeps_meta_fields(schema, root);
    semantics.prune_node(value, Some(schema), keeps_meta, &FieldPath::Root, &mut removed);
    removed.sort();
    removed
}

fn prune_map_value(
    semantics: &Semantics,
    value: &mut Value,
    schema: Option<&Schema>,
    path: &FieldPath<'_>,
    removed: &mut Vec<String>,
) {
    let keeps_meta = schema.is_some_and(|schema| semantics.keeps_meta_fields(schema, false));
    semantics.prune_node(value, schema, keeps_meta, path, removed);
}
