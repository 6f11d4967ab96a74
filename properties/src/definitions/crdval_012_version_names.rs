//! CRDVAL-012, CRDVAL-013: the names of versions.

use super::shared::{JUDGING, variations_alone, variations_anywhere};
use crate::prelude::*;

pub(super) const PROPERTY: Property =
    Property::new("crdval-012-version-names", |plan, choices| variations_anywhere(plan, choices, VARIED))
        .title("version names must be DNS labels and unique")
        .asserts(&["CRDVAL-012", "CRDVAL-012/e1", "CRDVAL-013", "CRDVAL-013/e1"])
        .needs(JUDGING)
        .edges(&[Edge { name: "variations", plan: |plan| variations_alone(plan, VARIED) }]);

/// The requirements whose variations this property tries.
const VARIED: &[&str] = &["CRDVAL-012", "CRDVAL-013"];
