//! Faults in the validation of values: chapter 5.

pub(crate) mod known_defects;
pub(crate) mod lists;
pub(crate) mod metadata;
pub(crate) mod numbers;
pub(crate) mod objects;
pub(crate) mod quantifiers;
pub(crate) mod strings;
