//! The properties of single rules, a row each. What violates or satisfies a rule is in the table of
//! `crdible_generators::rule`.

use super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

/// The property of a rule: the rows of the table that cover it, each alone and some in generated schemas.
macro_rules! rule {
    ($id:literal, $rule:literal) => {
        Property::new($id, |plan, choices| try_rule(plan, choices, $rule))
            .needs(JUDGING)
            .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, $rule) }])
    };
}

/// STRUCT-001: the root has type object.
pub(super) const ROOT_TYPE: Property = rule!("struct-001-root-type", "STRUCT-001")
    .title("a root without a type, or with a type other than object, is rejected at its type")
    .asserts(&["STRUCT-001", "STRUCT-001/e3", "CRDVAL-027"]);

/// STRUCT-002: every node below the root has a type, or an extension that replaces it.
pub(super) const NODE_TYPES: Property = rule!("struct-002-node-types", "STRUCT-002")
    .title("a structural node below the root must have a type, unless an extension replaces it")
    .asserts(&["STRUCT-002", "STRUCT-002/e1", "CRDVAL-024"]);

/// STRUCT-003: arrays have items.
pub(super) const ARRAYS_NEED_ITEMS: Property = rule!("struct-003-arrays-need-items", "STRUCT-003")
    .title("an array must have items")
    .asserts(&["STRUCT-003", "STRUCT-003/e1"]);

/// STRUCT-004: no `additionalProperties` at the root or at embedded resources.
pub(super) const NO_ROOT_ADDITIONAL_PROPERTIES: Property =
    rule!("struct-004-no-root-additional-properties", "STRUCT-004")
        .title("additionalProperties in any form is forbidden at the root and at embedded resources")
        .asserts(&["STRUCT-004", "STRUCT-004/e1", "CRDVAL-027", "CRDVAL-033"]);

/// STRUCT-010: quantifiers must not mention a property named `metadata`.
pub(super) const NO_METADATA_IN_QUANTIFIERS: Property = rule!("struct-010-no-metadata-in-quantifiers", "STRUCT-010")
    .title("a property named metadata is forbidden at any depth of any quantifier")
    .asserts(&["STRUCT-010", "STRUCT-010/e1"]);

/// STRUCT-011: only `anyOf: [{type: integer}, {type: string}]` may have types.
pub(super) const INT_OR_STRING_ANY_OF: Property = rule!("struct-011-int-or-string-any-of", "STRUCT-011")
    .title("int-or-string may list its two types under anyOf in exactly one form")
    .asserts(&["STRUCT-011", "STRUCT-011/e1"]);

/// STRUCT-012: the same pair under `allOf[0].anyOf`.
pub(super) const INT_OR_STRING_ALL_OF: Property = rule!("struct-012-int-or-string-all-of", "STRUCT-012")
    .title("int-or-string may list its two types under anyOf of the first allOf member, and of no other")
    .asserts(&["STRUCT-012", "STRUCT-012/e1"]);

/// STRUCT-013: extensions that cannot be combined with int-or-string.
pub(super) const INT_OR_STRING_COMBINATIONS: Property = rule!("struct-013-int-or-string-combinations", "STRUCT-013")
    .title("int-or-string excludes preserve-unknown-fields and embedded-resource")
    .asserts(&["STRUCT-013", "STRUCT-013/e1"]);

/// STRUCT-015: any node may have preserve-unknown-fields.
pub(super) const PRESERVE_ANYWHERE: Property = rule!("struct-015-preserve-anywhere", "STRUCT-015")
    .title("preserve-unknown-fields is accepted on every structural node, with any type or none")
    .asserts(&["STRUCT-015"]);

/// STRUCT-016: an embedded resource is an object with some content.
pub(super) const EMBEDDED_SHAPE: Property = rule!("struct-016-embedded-shape", "STRUCT-016")
    .title("an embedded resource must have type object, and preserve unknown fields or declare a property")
    .asserts(&["STRUCT-016", "STRUCT-016/e1"]);

/// STRUCT-017: no embedded resource inside the meta fields of another.
pub(super) const NO_RESOURCE_IN_METADATA: Property = rule!("struct-017-no-resource-in-metadata", "STRUCT-017")
    .title("an embedded resource is forbidden at or below apiVersion, kind and metadata of another")
    .asserts(&["STRUCT-017", "STRUCT-017/e1"]);

/// STRUCT-018: the types of declared `apiVersion`, `kind` and `metadata`.
pub(super) const META_PROPERTY_TYPES: Property = rule!("struct-018-meta-property-types", "STRUCT-018")
    .title("declared apiVersion and kind of a resource must be strings, and declared metadata an object")
    .asserts(&["STRUCT-018", "STRUCT-018/e1", "STRUCT-018/e2"]);

/// STRUCT-019: root `metadata` may restrict names, and nothing else.
pub(super) const ROOT_METADATA: Property = rule!("struct-019-root-metadata", "STRUCT-019")
    .title("root metadata may declare only name and generateName")
    .asserts(&["STRUCT-019", "STRUCT-019/e2", "STRUCT-019/e3", "CRDVAL-051"]);

/// STRUCT-020: the metadata of an embedded resource may declare anything.
pub(super) const EMBEDDED_METADATA: Property = rule!("struct-020-embedded-metadata", "STRUCT-020")
    .title("the metadata of an embedded resource may declare any properties, validation and defaults")
    .asserts(&["STRUCT-020"]);

/// STRUCT-022: which nodes may be nullable.
pub(super) const NULLABLE: Property = rule!("struct-022-nullable", "STRUCT-022")
    .title("of structural nodes, only root, root metadata, set and map list elements and keys cannot be nullable")
    .asserts(&["STRUCT-022", "STRUCT-022/e1", "CRDVAL-027"]);

/// STRUCT-023: the values of list-type, and the node type that it requires.
pub(super) const LIST_TYPES: Property = rule!("struct-023-list-type", "STRUCT-023")
    .title("list-type must be atomic, set or map, on a node of type array")
    .asserts(&["STRUCT-023", "STRUCT-023/e1"]);

/// STRUCT-024: the values of map-type, and the node type that it requires.
pub(super) const MAP_TYPES: Property = rule!("struct-024-map-type", "STRUCT-024")
    .title("map-type must be granular or atomic, on a node of type object")
    .asserts(&["STRUCT-024", "STRUCT-024/e1"]);

/// STRUCT-025: list-map-keys require list-type `map`.
pub(super) const KEYS_IMPLY_MAP: Property = rule!("struct-025-keys-imply-map", "STRUCT-025")
    .title("list-map-keys without list-type map are rejected at the list-type")
    .asserts(&["STRUCT-025", "STRUCT-025/e1"]);

/// STRUCT-026: the elements of a set are atomic.
pub(super) const SET_ITEMS_ATOMIC: Property = rule!("struct-026-set-items-atomic", "STRUCT-026")
    .title("elements of a set must be scalars, atomic lists, or objects with map-type atomic")
    .asserts(&["STRUCT-026", "STRUCT-026/e1"]);

/// STRUCT-027: the form of map lists.
pub(super) const MAP_LIST_FORM: Property = rule!("struct-027-map-list-form", "STRUCT-027")
    .title("a map list must have keys, and a single items schema of type object")
    .asserts(&["STRUCT-027", "STRUCT-027/e1", "CRDVAL-030"]);

/// STRUCT-028: the keys of a map list name scalar properties of its elements, each once.
pub(super) const KEYS_NAME_PROPERTIES: Property = rule!("struct-028-keys-name-properties", "STRUCT-028")
    .title("each list-map key must name a declared scalar property of the elements")
    .asserts(&["STRUCT-028", "STRUCT-028/e1"]);

/// STRUCT-029: keys of map lists are required or have a default.
pub(super) const KEYS_ALWAYS_PRESENT: Property = rule!("struct-029-keys-always-present", "STRUCT-029")
    .title("each list-map key must be required in the elements or have a default")
    .asserts(&["STRUCT-029", "STRUCT-029/e1"]);

/// STRUCT-031: the elements of sets and map lists are not nullable.
pub(super) const ITEMS_NOT_NULLABLE: Property = rule!("struct-031-items-not-nullable", "STRUCT-031")
    .title("elements of sets and map lists must not be nullable")
    .asserts(&["STRUCT-031"]);

/// STRUCT-032: the keys of map lists are not nullable.
pub(super) const KEYS_NOT_NULLABLE: Property = rule!("struct-032-keys-not-nullable", "STRUCT-032")
    .title("a nullable list-map key is forbidden at its own path")
    .asserts(&["STRUCT-032"]);
