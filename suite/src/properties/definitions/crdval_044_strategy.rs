//! CRDVAL-044: the strategy of conversion.

use super::shared::{JUDGING, alone, anywhere};
use crate::properties::{Edge, Property};

pub(super) const PROPERTY: Property = Property {
    id: "crdval-044-strategy",
    title: "the strategy of conversion is None or Webhook, and only Webhook has a webhook",
    asserts: &["CRDVAL-044", "CRDVAL-044/e1", "CRDVAL-008/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "variations", plan: || alone(VARIED) }],
    plan: |choices| anywhere(choices, VARIED),
};

/// The requirements whose variations are tried.
const VARIED: &[&str] = &["CRDVAL-044"];
