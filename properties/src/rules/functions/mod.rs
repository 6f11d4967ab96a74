//! The functions of rules as tables: for each a rule, values for which it holds, and others.

pub(super) mod addresses;
pub(super) mod amounts;
pub(super) mod conversions;
pub(super) mod lists;
pub(super) mod newer;
pub(super) mod texts;
