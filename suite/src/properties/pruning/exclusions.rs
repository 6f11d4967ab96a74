//! What of chapter 3, and of the invariants about pruning, no property asserts, and why.

const NEEDS_WEBHOOKS: &str = "needs a webhook: these come with conversion and admission";
const NEEDS_APPLY: &str = "needs server-side apply, which has an issue of its own";
const NOT_TO_BE_HAD: &str =
    "spec.preserveUnknownFields can no longer be set to true over HTTP, so nothing of it can be shown";

pub(in super::super) const EXCLUSIONS: &[(&str, &str)] = &[
    ("PRUNE-023", NEEDS_WEBHOOKS),
    ("PRUNE-024", NEEDS_WEBHOOKS),
    ("PRUNE-025", NEEDS_APPLY),
    ("PRUNE-027", NOT_TO_BE_HAD),
    ("PRUNE-027/e1", NOT_TO_BE_HAD),
    (
        "INV-001/e1",
        "what a stored -0.0 does is told by chapter 5 (VALUE-005); that the first PUT is a write tells how the number is kept, not what is promised",
    ),
];
