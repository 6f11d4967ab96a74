//! CRDVAL-001: the name of a definition.

use super::shared::{JUDGING, variations_alone, variations_anywhere};
use crate::prelude::*;

pub(super) const PROPERTY: Property =
    Property::new("crdval-001-object-name", |plan, choices| variations_anywhere(plan, choices, VARIED))
        .title("the name of a definition must be its plural, a dot and its group")
        .asserts(&["CRDVAL-001", "CRDVAL-001/e1", "CRDVAL-001/e2"])
        .needs(JUDGING)
        .edges(&[Edge { name: "variations", plan: |plan| variations_alone(plan, VARIED) }]);

/// The requirements whose variations this property tries.
const VARIED: &[&str] = &["CRDVAL-001"];
