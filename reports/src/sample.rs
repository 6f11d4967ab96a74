//! The small run of the crate `journal`, and its report.

use crate::model::Report;

#[path = "../../journal/src/sample.rs"]
mod run;

pub(crate) use run::*;

pub(crate) fn fold(journal: &crate::journal::Journal, known_failures: &str) -> Report {
    crate::fold(journal, &known(known_failures), &catalogue(), today())
}
