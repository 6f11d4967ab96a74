//! CRDVAL-007, CRDVAL-008: the defaults of a definition.

use super::shared::{JUDGING, variations_alone, variations_anywhere};
use crate::prelude::*;

pub(super) const PROPERTY: Property =
    Property::new("crdval-007-stated-defaults", |plan, choices| variations_anywhere(plan, choices, VARIED))
        .title("singular, listKind, conversion and the port of a webhook service are filled in if they are omitted")
        .asserts(&["CRDVAL-007", "CRDVAL-008", "CRDVAL-008/e1"])
        .needs(JUDGING)
        .edges(&[Edge { name: "variations", plan: |plan| variations_alone(plan, VARIED) }]);

/// The requirements whose variations this property tries.
const VARIED: &[&str] = &["CRDVAL-007", "CRDVAL-008"];
