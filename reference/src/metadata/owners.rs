//! Duplicate owner references (REST-070).

use std::collections::HashSet;

use serde_json::Value;

use super::fields::metadata_mut;

/// Where owner references come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OwnersFrom {
    /// From a request body.
    Body,
    /// From the result of a patch.
    Patch,
}

/// Removes duplicate `ownerReferences`. Returns the warning about them, if there were any.
pub(crate) fn collapse_owners(object: &mut Value, from: OwnersFrom) -> Option<String> {
    let owners = metadata_mut(object)?.get_mut("ownerReferences")?.as_array_mut()?;
    // A set, since there may be tens of thousands.
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
    let after = if from == OwnersFrom::Patch { " after mutating admission happens" } else { "" };
    Some(format!(
        ".metadata.ownerReferences contains duplicate entries{after}; API server dedups owner references in 1.20+, \
         and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: {}",
        repeated.join(", ")
    ))
}
