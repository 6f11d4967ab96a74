//! What a deletion does to an object, which its finalizers decide (REST-044, REST-048).

use serde_json::Value;

use crate::metadata::fields;

/// Finalizers that represent propagation policies.
const ORPHAN: &str = "orphan";
const FOREGROUND: &str = "foregroundDeletion";
/// The metadata field for the grace period of a deletion, in seconds.
const GRACE: &str = "deletionGracePeriodSeconds";

/// What a deletion does to an object.
#[derive(Debug)]
pub(crate) enum Deletion {
    /// Removes it at once.
    Remove,
    /// Keeps it, in this form, until its finalizers are removed.
    Keep(Value),
    /// Leaves it unchanged.
    Unchanged,
}

/// Decides a deletion by finalizers and propagation policy (REST-044, REST-048).
pub(crate) fn by_finalizers(object: &Value, propagation: Option<&str>, now: &str) -> Deletion {
    let present: Vec<&str> = fields::finalizers(object).collect();
    let wanted = with_propagation(object, propagation);
    if wanted.is_empty() {
        return Deletion::Remove;
    }
    let is_marked = fields::metadata(object).is_some_and(|metadata| metadata.contains_key(GRACE));
    if wanted == present && fields::is_terminating(object) && is_marked {
        return Deletion::Unchanged;
    }
    let mut marked = object.clone();
    fields::set_finalizers(&mut marked, wanted);
    fields::set(&mut marked, GRACE, 0);
    if !fields::is_terminating(object) {
        fields::set(&mut marked, "deletionTimestamp", now);
        if fields::generation(object) > 0 {
            fields::set(&mut marked, "generation", fields::generation(object) + 1);
        }
    }
    Deletion::Keep(marked)
}

/// The finalizers of an object that is deleted with a propagation policy.
pub(crate) fn with_propagation(object: &Value, propagation: Option<&str>) -> Vec<String> {
    let present: Vec<&str> = fields::finalizers(object).collect();
    match propagation {
        Some("Orphan") => with_policy(&present, Some(ORPHAN)),
        Some("Foreground") => with_policy(&present, Some(FOREGROUND)),
        Some("Background") => with_policy(&present, None),
        _ => present.into_iter().map(str::to_owned).collect(),
    }
}

/// The finalizers with `policy` as the only one of the two policy finalizers, or with neither.
fn with_policy(present: &[&str], policy: Option<&str>) -> Vec<String> {
    let others = present.iter().filter(|name| !matches!(**name, ORPHAN | FOREGROUND) || Some(**name) == policy);
    let mut wanted: Vec<String> = others.map(|name| (*name).to_owned()).collect();
    if let Some(policy) = policy
        && !wanted.iter().any(|name| name == policy)
    {
        wanted.push(policy.to_owned());
    }
    wanted
}
