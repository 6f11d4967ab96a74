//! Converting one object to the version of a view.

use super::view::View;
use crate::store::{Seen, Stored};
use crate::webhooks::conversion::Deadline;
use crate::wire::deep;

/// No request waits for what happens in the background.
const NO_DEADLINE: Deadline = None;

/// A stored object at the version of the view; the error is the message of its failed conversion.
pub(super) fn seen(view: &View, stored: &Stored) -> Result<Seen, String> {
    let (origin, version) = (&view.origin, view.version());
    let read = || {
        let read = version.read(stored, &origin.versions, &origin.semantics, &origin.converter, NO_DEADLINE);
        read.map(|object| Seen::new(object, stored.revision, version.reading)).map_err(|failure| failure.message)
    };
    if !origin.depth.is_somewhere() {
        let seen = read();
        // A webhook may answer the first deep value.
        if !origin.depth.is_somewhere() {
            return seen;
        }
    }
    deep::on_deep_stack(read).unwrap_or_else(|| Err("processing a deeply nested value failed".to_owned()))
}
