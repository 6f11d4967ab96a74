//! How long requests wait for webhooks.

use std::time::Instant;

/// Until when a request may wait for a webhook; `None` if only the webhook's own time limit counts.
pub(crate) type Deadline = Option<Instant>;
