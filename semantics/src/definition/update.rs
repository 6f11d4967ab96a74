//! Immutable fields (CRDVAL-009..011).

use super::{Spec, violation};
use crate::{Reason, Violation};

pub(crate) fn check(spec: &Spec, before: &Spec, established: bool, found: &mut Vec<Violation>) {
    let mut fixed = |changed, field: &str, requirement| {
        if changed {
            found.push(violation(field, Reason::Invalid, requirement, "field is immutable"));
        }
    };
    if established {
        fixed(spec.scope != before.scope, "spec.scope", "CRDVAL-010");
        fixed(spec.names.kind != before.names.kind, "spec.names.kind", "CRDVAL-010");
    }
    fixed(spec.group != before.group, "spec.group", "CRDVAL-009");
    fixed(spec.names.plural != before.names.plural, "spec.names.plural", "CRDVAL-009");
}
