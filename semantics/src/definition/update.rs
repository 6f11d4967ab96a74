//! Immutable fields (CRDVAL-009..011).

use super::{Spec, violation};
use crate::{Reason, Violation, message};

pub(crate) fn check(spec: &Spec, before: &Spec, established: bool, found: &mut Vec<Violation>) {
    let mut fixed = |new: &str, old: &str, field: &str, requirement| {
        if new != old {
            let detail = message::about_text(new, "field is immutable");
            found.push(violation(field, Reason::Invalid, requirement, &detail));
        }
    };
    if established {
        fixed(&spec.scope, &before.scope, "spec.scope", "CRDVAL-010");
        fixed(&spec.names.kind, &before.names.kind, "spec.names.kind", "CRDVAL-010");
    }
    fixed(&spec.group, &before.group, "spec.group", "CRDVAL-009");
    fixed(&spec.names.plural, &before.names.plural, "spec.names.plural", "CRDVAL-009");
}
