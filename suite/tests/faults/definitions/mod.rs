//! Faults in the rules of definitions: chapter 1.

pub(crate) mod answers;
pub(crate) mod columns_and_conversion;
pub(crate) mod known_defects;
pub(crate) mod names_and_scope;
pub(crate) mod schemas;
pub(crate) mod updates;
pub(crate) mod versions;
