//! What a run writes to everything that it creates, and the path and header that its requests share.

use std::time::Duration;

use jiff::Timestamp;

/// The path of the collection of definitions.
pub(crate) const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// The `User-Agent` of every request.
pub(crate) const USER_AGENT: &str = concat!("crdible/", env!("CARGO_PKG_VERSION"));

/// The label on every definition that a run creates; its value is the ID of the run.
pub const RUN_LABEL: &str = "crdible.dev/run";

/// The heartbeat: the annotation by which a live run marks its definitions as in use until this time. RFC 3339, UTC.
pub const ALIVE_UNTIL: &str = "crdible.dev/alive-until";

/// How far ahead of now a live run sets [`ALIVE_UNTIL`].
pub const ALIVE_FOR: Duration = Duration::from_secs(120);

/// How often a live run renews [`ALIVE_UNTIL`].
pub const REFRESH_EVERY: Duration = Duration::from_secs(30);

/// The value of [`ALIVE_UNTIL`] that a run writes at `now`.
pub fn alive_until(now: Timestamp) -> String {
    now.checked_add(ALIVE_FOR).unwrap_or(Timestamp::MAX).strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
