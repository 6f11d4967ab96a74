//! Owners that are told twice (REST-070).

use serde_json::Value;

use super::fields::metadata_mut;

/// Where in a request they were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// In a body.
    Sent,
    /// In what a patch made.
    Patched,
}

/// Leaves one of equal `ownerReferences`; the result is the warning about it, if there were any.
pub(crate) fn collapse_owners(object: &mut Value, found: Found) -> Option<String> {
    let owners = metadata_mut(object)?.get_mut("ownerReferences")?.as_array_mut()?;
    let mut seen: Vec<Value> = Vec::with_capacity(owners.len());
    let mut repeated: Vec<String> = Vec::new();
    for owner in owners.drain(..) {
        if seen.contains(&owner) {
            repeated.push(owner.get("uid").and_then(Value::as_str).unwrap_or_default().to_owned());
        } else {
            seen.push(owner);
        }
    }
    *owners = seen;
    if repeated.is_empty() {
        return None;
    }
    let after = if found == Found::Patched { " after mutating admission happens" } else { "" };
    Some(format!(
        ".metadata.ownerReferences contains duplicate entries{after}; API server dedups owner references in 1.20+, \
         and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: {}",
        repeated.join(", ")
    ))
}
