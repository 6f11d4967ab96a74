//! What no property asserts in chapter 3 and the invariants about pruning, and why.

const NEEDS_WEBHOOKS: &str = "needs a conversion or admission webhook, which the suite does not serve yet";
const NEEDS_APPLY: &str = "needs server-side apply, which is not supported yet";
const NO_LONGER_POSSIBLE: &str =
    "spec.preserveUnknownFields can no longer be set to true over HTTP, so its effect cannot be tested";

pub(in super::super) const EXCLUSIONS: &[(&str, &str)] = &[
    ("PRUNE-023", NEEDS_WEBHOOKS),
    ("PRUNE-024", NEEDS_WEBHOOKS),
    ("PRUNE-025", NEEDS_APPLY),
    ("PRUNE-027", NO_LONGER_POSSIBLE),
    ("PRUNE-027/e1", NO_LONGER_POSSIBLE),
    (
        "INV-001/e1",
        "chapter 5 defines what happens to a stored -0.0 (VALUE-005); whether the first PUT writes depends on how the number is stored, which is not specified",
    ),
];
