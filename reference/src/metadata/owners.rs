//! Owners that are told twice (REST-070).

use std::collections::HashSet;

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
    // There may be ten thousands.
    let mut seen = HashSet::with_capacity(owners.len());
    let mut repeated: Vec<String> = Vec::new();
    owners.retain(|owner| {
        let is_new = seen.insert(owner.clone());
        if !is_new {
            repeated.push(owner.get("uid").and_then(Value::as_str).unwrap_or_default().to_owned());
        }
        is_new
    });
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
