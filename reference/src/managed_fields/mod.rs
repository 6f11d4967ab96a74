//! `metadata.managedFields`: which manager set which fields (REST-041).
//!
//! Objects are traversed by their type ([`types`]), which says whether a list or a map is one value or many. Sets of
//! fields are trees ([`set`]) with the operations that server-side apply needs too.

mod cap;
mod check;
mod compare;
mod compile;
mod element;
mod entries;
mod fields_v1;
mod instances;
mod malformed;
mod reconcile;
mod scale;
mod set;
mod tracked;
mod types;
mod update;
mod writer;

use serde_json::{Map, Value};

pub(crate) use compile::{of_instances, of_model};
pub(crate) use instances::InstanceFields;
pub(crate) use scale::ScaleFields;
pub(crate) use tracked::{NoType, Tracked};
pub(crate) use types::Type;
pub(crate) use writer::Writer;

use crate::metadata::fields;
use entries::Managers;

/// The metadata field.
const FIELD: &str = "managedFields";

/// Sets the `managedFields` of `after`, which is a new object or replaces `before`.
///
/// Returns whether fields could be tracked; if not, `after` has no `managedFields`.
pub(crate) fn track(tracked: &dyn Tracked, writer: &Writer, before: Option<&Value>, after: &mut Value) -> bool {
    let given = fields::take(after, FIELD);
    let managers = managers(tracked, before, given.as_ref());
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
    let Ok(managers) = update::updated(tracked, writer, before, after, managers) else { return false };
    if !managers.is_empty() {
        fields::set(after, FIELD, entries::write(managers));
    }
    true
}

/// Gives `after` the `managedFields` of `before`.
pub(crate) fn keep(before: &Value, after: &mut Value) {
    fields::take_over(after, FIELD, before);
}

fn is_of_known_type(tracked: &dyn Tracked, before: &Value, after: &Value) -> bool {
    let api_version = after.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
    before.get("kind") == after.get("kind") && tracked.type_at(api_version).is_ok()
}

/// The managers before a write: those in its body, or else those of the object that it replaces. Writes of subresources
/// cannot state managers.
fn managers(tracked: &dyn Tracked, before: Option<&Value>, given: Option<&Value>) -> Managers {
    let present = || before.map(managers_of).unwrap_or_default();
    let Some(Value::Array(given)) = given.filter(|_| tracked.subresource().is_empty()) else { return present() };
    if is_reset(given) {
        return Managers::new();
    }
    entries::read(given).ok().filter(|managers| !managers.is_empty()).unwrap_or_else(present)
}

/// The managers of an object.
fn managers_of(object: &Value) -> Managers {
    let list = fields::metadata(object).and_then(|metadata| metadata.get(FIELD)).and_then(Value::as_array);
    list.and_then(|list| entries::read(list).ok()).unwrap_or_default()
}

/// Whether a list requests that all managers be removed.
fn is_reset(list: &[Value]) -> bool {
    match list {
        [] => true,
        [entry] => entry.as_object().is_some_and(Map::is_empty),
        _ => false,
    }
}
