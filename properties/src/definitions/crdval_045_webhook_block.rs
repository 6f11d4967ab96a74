//! CRDVAL-045..049: the requirements on a conversion webhook that show when a definition is created.

use super::shared::{JUDGING, variations_alone, variations_anywhere};
use crate::prelude::*;

pub(super) const PROPERTY: Property =
    Property::new("crdval-045-webhook-block", |plan, choices| variations_anywhere(plan, choices, VARIED))
        .title("a conversion webhook must have an https URL or a service, and a known review version")
        .asserts(&[
            "CRDVAL-045",
            "CRDVAL-045/e1",
            "CRDVAL-046",
            "CRDVAL-046/e1",
            "CRDVAL-047",
            "CRDVAL-049",
            "CRDVAL-049/e1",
            "CRDVAL-049/e2",
            "CRDVAL-048",
            "CRDVAL-048/e1",
        ])
        .needs(JUDGING)
        .edges(&[Edge { name: "variations", plan: |plan| variations_alone(plan, VARIED) }]);

/// The requirements whose variations this property tries.
const VARIED: &[&str] = &["CRDVAL-045", "CRDVAL-046", "CRDVAL-047", "CRDVAL-048", "CRDVAL-049"];
