//! CRDVAL-042: printer columns.

use super::shared::{JUDGING, variations_alone, variations_anywhere};
use crate::prelude::*;

pub(super) const PROPERTY: Property =
    Property::new("crdval-042-printer-columns", |plan, choices| variations_anywhere(plan, choices, VARIED))
        .title("a printer column must have a name, a known type and a jsonPath that starts with a dot")
        .asserts(&["CRDVAL-042", "CRDVAL-042/e1"])
        .needs(JUDGING)
        .edges(&[Edge { name: "variations", plan: |plan| variations_alone(plan, VARIED) }]);

/// The requirements whose variations this property tries.
const VARIED: &[&str] = &["CRDVAL-042"];
