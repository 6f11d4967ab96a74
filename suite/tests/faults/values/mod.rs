//! Faults in the validation of values: chapter 5.

pub(crate) mod fields;
pub(crate) mod lists;
pub(crate) mod numbers;
pub(crate) mod objects;
pub(crate) mod quantifiers;
pub(crate) mod texts;
pub(crate) mod upstream;
