//! `metadata.managedFields`: which manager set which fields (REST-041).
//!
//! Objects are traversed by their [`FieldType`], which says whether a list or a map is one value or many. Sets of
//! fields are trees ([`FieldSet`]) with the operations that server-side apply needs too. What decides is a table of
//! functions: [`ManagedFields`](crate::ManagedFields).

mod cap;
mod check;
mod compare;
mod compile;
mod element;
mod entries;
mod fields_v1;
mod malformed;
mod metadata;
mod reconcile;
mod scale;
mod set;
mod track;
mod tracked;
mod types;
mod update;
mod writer;

pub use check::{Duplicates, Untyped};
pub use compare::Comparison;
pub use compile::of_model;
pub use entries::{Entry, Identity, Managers};
pub use malformed::Malformed;
pub use scale::{ScaleFields, ScalePaths};
pub use set::FieldSet;
pub use tracked::{NoType, Tracked};
pub use types::FieldType;
pub use writer::Writer;

pub(crate) use cap::merge_oldest;
pub(crate) use check::check;
pub(crate) use compare::compare;
pub(crate) use compile::of_instances;
pub(crate) use entries::{read, write};
pub(crate) use reconcile::reconciled;
pub(crate) use track::{managers_before, track};
pub(crate) use update::{assign, managers_after, remaining, written};
pub(crate) use writer::manager_name;
