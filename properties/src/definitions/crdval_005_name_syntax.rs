//! CRDVAL-005, CRDVAL-006: the syntax of names.

use super::shared::{JUDGING, variations_alone, variations_anywhere};
use crate::prelude::*;

pub(super) const PROPERTY: Property =
    Property::new("crdval-005-name-syntax", |plan, choices| variations_anywhere(plan, choices, VARIED))
        .title("every name must be a DNS label, kind and listKind after lower-casing")
        .asserts(&["CRDVAL-005", "CRDVAL-005/e1", "CRDVAL-005/e2", "CRDVAL-001/e2", "CRDVAL-006", "CRDVAL-006/e1"])
        .needs(JUDGING)
        .edges(&[Edge { name: "variations", plan: |plan| variations_alone(plan, VARIED) }]);

/// The requirements whose variations this property tries.
const VARIED: &[&str] = &["CRDVAL-005", "CRDVAL-006"];
