//! Faults in the validation of values: chapter 5.

pub(crate) mod containers;
pub(crate) mod fields;
pub(crate) mod scalars;
pub(crate) mod upstream;
