//! CRDVAL-041: the paths of the scale subresource.

use super::shared::{JUDGING, variations_alone, variations_anywhere};
use crate::prelude::*;

pub(super) const PROPERTY: Property =
    Property::new("crdval-041-scale-paths", |plan, choices| variations_anywhere(plan, choices, VARIED))
        .title("scale paths must be below .spec or .status")
        .asserts(&["CRDVAL-041", "CRDVAL-041/e1"])
        .needs(JUDGING)
        .edges(&[Edge { name: "variations", plan: |plan| variations_alone(plan, VARIED) }]);

/// The requirements whose variations this property tries.
const VARIED: &[&str] = &["CRDVAL-041"];
