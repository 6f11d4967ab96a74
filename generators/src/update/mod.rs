//! Updates of objects whose schema became stricter, and updates of version lists.
//!
//! A [`TightenedSchema`] is a schema in two forms, loose and tight. Its objects are valid under the loose form. For
//! every drawn value it is known where and how it violates the tight form, so the expected causes of an update follow
//! from the two values alone ([`TightenedSchema::causes`]), without a validator.

mod edits;
mod leaf;
mod tightened;
mod values;
mod verdict;
mod versions;

pub use tightened::{TightenedSchema, TightenedShape};
pub use versions::{VersionPlan, VersionsUpdate, versions_update};
