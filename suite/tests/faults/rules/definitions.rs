//! Faults in what rules a definition may have.

use crdible_semantics::with;

use crate::table::{Fault, fault, obvious_fault};

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("takes-every-rule", "a rule that does not compile is accepted")
        .breaks(&["CEL-001", "CRDVAL-059"], &["cel-001-rules-compile"])
        .semantics(with::accepts_rule(|_, _| true)),
    fault("takes-other-results", "a rule may have a result of any type")
        .breaks(&["CEL-001", "CRDVAL-059"], &["cel-001-rules-compile"])
        .semantics(with::accepts_rule(|_, error| error.contains("must evaluate to a bool"))),
];
