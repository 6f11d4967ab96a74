//! CRDVAL-002: the group.

use super::shared::{JUDGING, variations_alone, variations_anywhere};
use crate::prelude::*;

pub(super) const PROPERTY: Property =
    Property::new("crdval-002-group", |plan, choices| variations_anywhere(plan, choices, VARIED))
        .title("a group must be a DNS subdomain with at least one dot")
        .asserts(&["CRDVAL-002", "CRDVAL-002/e1", "CRDVAL-001/e2"])
        .needs(JUDGING)
        .edges(&[Edge { name: "variations", plan: |plan| variations_alone(plan, VARIED) }]);

/// The requirements whose variations this property tries.
const VARIED: &[&str] = &["CRDVAL-002"];
