//! CRDVAL-003: the scope.

use super::shared::{JUDGING, variations_alone, variations_anywhere};
use crate::prelude::*;

pub(super) const PROPERTY: Property =
    Property::new("crdval-003-scope", |plan, choices| variations_anywhere(plan, choices, VARIED))
        .title("the scope must be Cluster or Namespaced, and has no default")
        .asserts(&["CRDVAL-003", "CRDVAL-003/e1"])
        .needs(JUDGING)
        .edges(&[Edge { name: "variations", plan: |plan| variations_alone(plan, VARIED) }]);

/// The requirements whose variations this property tries.
const VARIED: &[&str] = &["CRDVAL-003"];
