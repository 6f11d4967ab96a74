//! What no property asserts in chapter 14, and why.

pub(in super::super) const EXCLUSIONS: &[(&str, &str)] =
    &[("FSEL-004/e2", "a quirk: what a term without label and value means")];
