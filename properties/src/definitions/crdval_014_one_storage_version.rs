//! CRDVAL-014, CRDVAL-015: storage and served versions.

use super::shared::{JUDGING, variations_alone, variations_anywhere};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property {
    id: "crdval-014-one-storage-version",
    title: "exactly one version must be the storage version",
    asserts: &["CRDVAL-014", "CRDVAL-014/e1", "CRDVAL-015", "CRDVAL-015/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "variations", plan: || variations_alone(VARIED) }],
    plan: |choices| variations_anywhere(choices, VARIED),
};

/// The requirements whose variations this property tries.
const VARIED: &[&str] = &["CRDVAL-014", "CRDVAL-015"];
