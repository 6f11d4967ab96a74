//! What commands do with a target, from its first answer to the report.

pub(crate) mod bench;
pub(crate) mod blame;
pub(crate) mod claims;
pub(crate) mod contract;
pub(crate) mod fuzz_run;
pub(crate) mod judging;
pub(crate) mod proposal;
pub(crate) mod ready;
pub(crate) mod resume;
pub(crate) mod unjudged;
