//! Updates old → new of objects under a schema that is tightened in between, and updates of lists of versions.
//!
//! A [`Ground`] is a schema in two forms, loose and tight. Its objects fit the loose form; where and how the tight form is broken
//! is known of every value that is drawn, so what an update must be refused for follows from the two values alone
//! ([`Ground::causes`]), without a validator.

mod edits;
mod ground;
mod leaf;
mod values;
mod verdict;
mod versions;

pub use ground::{Ground, GroundShape};
pub use versions::{VersionPlan, VersionsUpdate, versions_update};
