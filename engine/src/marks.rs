//! What a run writes to everything that it creates; and the path, the header and the form of texts that its requests
//! share.

use std::time::Duration;

use jiff::Timestamp;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value, json};

/// The path of the collection of definitions.
pub(crate) const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// The `User-Agent` of every request.
pub(crate) const USER_AGENT: &str = concat!("crdible/", env!("CARGO_PKG_VERSION"));

/// The label on everything that a run creates, except instances of its definitions; its value is the ID of the run.
pub const RUN_LABEL: &str = "crdible.dev/run";

/// The heartbeat: the annotation by which a live run marks what it created as in use until this time. RFC 3339, UTC.
pub const ALIVE_UNTIL: &str = "crdible.dev/alive-until";

/// How far ahead of now a live run sets [`ALIVE_UNTIL`].
pub const ALIVE_FOR: Duration = Duration::from_secs(120);

/// How often a live run renews [`ALIVE_UNTIL`].
pub const REFRESH_EVERY: Duration = Duration::from_secs(30);

/// The value of [`ALIVE_UNTIL`] that a run writes at `now`.
pub fn alive_until(now: Timestamp) -> String {
    now.checked_add(ALIVE_FOR).unwrap_or(Timestamp::MAX).strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// The metadata of an object that a run creates: its name and the marks, without a heartbeat if it is only shown.
pub(crate) fn metadata(name: &str, run: &str, alive_until: Option<&str>) -> Value {
    let annotations: Map<_, _> = alive_until.map(|until| (ALIVE_UNTIL.to_owned(), json!(until))).into_iter().collect();
    json!({ "name": name, "labels": { RUN_LABEL: run }, "annotations": annotations })
}

/// What RFC 3986 calls unreserved is kept.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A text as one segment of a path, or as a value of a query.
pub(crate) fn escaped(text: &str) -> String {
    utf8_percent_encode(text, ESCAPED).to_string()
}
