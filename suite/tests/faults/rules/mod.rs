//! Faults in rules: chapter 7.

pub(crate) mod definitions;
pub(crate) mod language;
pub(crate) mod objects;

use crate::rewrite;
