//! What a write does to the managers of an object (REST-041).

use serde_json::{Map, Value};

use super::entries::Managers;
use super::metadata;
use super::tracked::Tracked;
use super::writer::Writer;
use crate::Semantics;

pub(crate) fn track(
    semantics: &Semantics,
    tracked: &dyn Tracked,
    writer: &Writer,
    before: Option<&Value>,
    after: &mut Value,
) -> bool {
    let given = metadata::take(after);
    let managers = semantics.managers_before(tracked, before, given.as_ref());
    if managers.is_empty() && before.is_some() {
        // An object without managers is not tracked until the first apply.
        return true;
    }
    let blank;
    let before = match before {
        Some(before) => before,
        None => {
            blank = tracked.blank();
            &blank
        }
    };
    // A write of a subresource may state another type (SUB-005), whose fields are unknown.
    if !is_of_known_type(tracked, before, after) {
        return false;
    }
    let Ok(managers) = semantics.managers_after(tracked, writer, before, after, managers) else { return false };
    if !managers.is_empty() {
        metadata::set(after, semantics.write_managers(managers));
    }
    true
}

fn is_of_known_type(tracked: &dyn Tracked, before: &Value, after: &Value) -> bool {
    let api_version = after.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
    before.get("kind") == after.get("kind") && tracked.type_at(api_version).is_ok()
}

pub(crate) fn managers_before(
    semantics: &Semantics,
    tracked: &dyn Tracked,
    before: Option<&Value>,
    given: Option<&Value>,
) -> Managers {
    let present = || before.map(|before| managers_of(semantics, before)).unwrap_or_default();
    let Some(Value::Array(given)) = given.filter(|_| tracked.subresource().is_empty()) else { return present() };
    if is_reset(given) {
        return Managers::new();
    }
    semantics.read_managers(given).ok().filter(|managers| !managers.is_empty()).unwrap_or_else(present)
}

/// The managers of an object.
pub(super) fn managers_of(semantics: &Semantics, object: &Value) -> Managers {
    metadata::present(object).and_then(|entries| semantics.read_managers(entries).ok()).unwrap_or_default()
}

/// Whether a list requests that all managers be removed.
fn is_reset(list: &[Value]) -> bool {
    match list {
        [] => true,
        [entry] => entry.as_object().is_some_and(Map::is_empty),
        _ => false,
    }
}
