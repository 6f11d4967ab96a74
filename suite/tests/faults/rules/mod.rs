//! Faults in rules: chapter 7.

pub(crate) mod definitions;
pub(crate) mod language;
pub(crate) mod objects;
pub(crate) mod operands;
pub(crate) mod transitions;
pub(crate) mod typing;
pub(crate) mod values;

use crate::rewrite;
