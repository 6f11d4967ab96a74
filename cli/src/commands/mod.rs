//! The commands, one file each.

pub(crate) mod accept;
pub(crate) mod check_webhook;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod fuzz;
pub(crate) mod list;
pub(crate) mod merge;
pub(crate) mod regressions;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod rules;
pub(crate) mod run;
pub(crate) mod serve;
pub(crate) mod soak;
pub(crate) mod validate;
pub(crate) mod what_matters;
