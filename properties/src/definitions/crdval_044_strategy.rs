//! CRDVAL-044: the conversion strategy.

use super::shared::{JUDGING, variations_alone, variations_anywhere};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property {
    id: "crdval-044-strategy",
    title: "the conversion strategy must be None or Webhook",
    asserts: &["CRDVAL-044", "CRDVAL-044/e1", "CRDVAL-008/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "variations", plan: || variations_alone(VARIED) }],
    plan: |choices| variations_anywhere(choices, VARIED),
};

/// The requirements whose variations this property tries.
const VARIED: &[&str] = &["CRDVAL-044"];
