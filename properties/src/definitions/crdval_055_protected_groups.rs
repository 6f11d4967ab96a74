//! CRDVAL-055: protected groups.

use super::shared::{JUDGING, variations_alone, variations_anywhere};
use crate::prelude::*;

pub(super) const PROPERTY: Property =
    Property::new("crdval-055-protected-groups", |plan, choices| variations_anywhere(plan, choices, VARIED))
        .title("a definition in a group below k8s.io or kubernetes.io needs an approval annotation")
        .asserts(&["CRDVAL-055", "CRDVAL-055/e1", "CRDVAL-055/e2"])
        .needs(JUDGING)
        .edges(&[Edge { name: "variations", plan: |plan| variations_alone(plan, VARIED) }]);

/// The requirements whose variations this property tries.
const VARIED: &[&str] = &["CRDVAL-055"];
