//! What the properties of several chapters share.
//!
//! | task | use |
//! |---|---|
//! | put a node somewhere, and name that place in schemas, objects, causes and pointers | [`Place`], drawn from [`Places`] |
//! | try values of a node, each with its outcome: in one table, at a drawn place, as whole objects, as updates | [`Example`], [`Row`], [`TryExamples`] |
//! | try pieces of schema, each with its causes: alone, or planted in generated schemas | [`Piece`], [`accepted`], [`refused`], [`alone`], [`anywhere`], [`host`] |
//! | make, read, change and delete definitions | [`definitions`] |
//! | expect a value at a pointer, this content or these causes, an object that was not written | [`expect`]: [`at`], [`content_or`], [`unchanged`] |
//! | know which names of two definitions of a group are accepted | [`names`] |
//! | decide what a write changes, which values are equal, what is kept or shown of them, what is nothing | [`oracle`] |
//! | write a schema: Kubernetes' keywords, objects, roots | [`schema`]: [`PRESERVE`], [`object_of`], [`spec_of`] |
//!
//! Definitions and versions are built with [`crdible_scenario::Definition`] and [`crdible_scenario::Version`], requests
//! for objects with [`crdible_scenario::Plan`]. What only one chapter needs is in the `shared` module of that chapter.
//!
//! Nothing here, and nothing in a chapter's `shared`, imports a property, and no property imports the `shared` of
//! another chapter; `properties/src/imports.rs` tests that.

pub(super) mod examples;
pub(super) mod expect;
pub(super) mod names;
pub(super) mod oracle;
pub(super) mod pieces;
pub(super) mod place;
pub(super) mod prelude;

pub(super) use crdible_scenario::plans::{definitions, schema, watch};
pub(super) use examples::{Example, Row, TryExamples, Updates, exact};
pub(super) use expect::{
    absent, accepted_as, accepted_or, accepted_or_refused_as, all, at, condition_for, content_or, differs_at, has,
    holds_nothing, names_decided, read_back, same_at, texts, unchanged,
};
pub(super) use pieces::{PIECES, Piece, accepted, alone, anywhere, host, refused};
pub(super) use place::{Container, NIL, Place, Places};
pub(super) use schema::{
    EMBEDDED, INT_OR_STRING, LIST_MAP_KEYS, LIST_TYPE, MAP_TYPE, PRESERVE, RULES, extended, object_of, root_of,
    spec_of, with_default,
};
