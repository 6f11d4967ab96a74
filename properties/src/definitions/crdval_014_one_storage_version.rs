//! CRDVAL-014, CRDVAL-015: storage and served versions.

use super::shared::{JUDGING, variations_alone, variations_anywhere};
use crate::prelude::*;

pub(super) const PROPERTY: Property =
    Property::new("crdval-014-one-storage-version", |plan, choices| variations_anywhere(plan, choices, VARIED))
        .title("exactly one version must be the storage version")
        .asserts(&["CRDVAL-014", "CRDVAL-014/e1", "CRDVAL-015", "CRDVAL-015/e1"])
        .needs(JUDGING)
        .edges(&[Edge { name: "variations", plan: |plan| variations_alone(plan, VARIED) }]);

/// The requirements whose variations this property tries.
const VARIED: &[&str] = &["CRDVAL-014", "CRDVAL-015"];
