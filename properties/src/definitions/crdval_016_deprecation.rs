//! CRDVAL-016: deprecation warnings.

use super::shared::{JUDGING, variations_alone, variations_anywhere};
use crate::prelude::*;

pub(super) const PROPERTY: Property =
    Property::new("crdval-016-deprecation", |plan, choices| variations_anywhere(plan, choices, VARIED))
        .title("a deprecationWarning needs deprecated: true and a short, printable text")
        .asserts(&["CRDVAL-016", "CRDVAL-016/e1", "CRDVAL-016/e2"])
        .needs(JUDGING)
        .edges(&[Edge { name: "variations", plan: |plan| variations_alone(plan, VARIED) }]);

/// The requirements whose variations this property tries.
const VARIED: &[&str] = &["CRDVAL-016"];
