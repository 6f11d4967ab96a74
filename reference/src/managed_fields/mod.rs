//! `metadata.managedFields`: which manager set which fields (REST-041).
//!
//! Objects are traversed by their type ([`types`]), which says whether a list or a map is one value or many. Sets of fields are
//! trees ([`set`]) with the operations that server-side apply needs too.

mod cap;
mod check;
mod compare;
mod compile;
mod element;
mod entries;
mod fields_v1;
mod instances;
mod models;
mod reconcile;
mod scale;
mod set;
mod types;
mod update;

use std::sync::Arc;

use http::header::USER_AGENT;
use serde_json::{Map, Value};

pub(crate) use check::Untyped;
pub(crate) use compile::of_instances;
pub(crate) use instances::InstanceFields;
pub(crate) use models::of_model;
pub(crate) use scale::ScaleFields;
pub(crate) use types::Type;

use crate::metadata::fields;
use crate::request::Call;
use entries::Managers;

/// The metadata field.
const FIELD: &str = "managedFields";
/// The maximum length of a manager's name, in bytes.
const MAX_MANAGER: usize = 128;

/// Who writes, and when.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    manager: String,
    /// The time of the write.
    pub(crate) time: String,
}

impl Writer {
    /// The `fieldManager` that a request names, or else the program that sent it.
    pub(crate) fn of(call: &Call<'_>, time: String) -> Self {
        let manager = match call.query.text("fieldManager") {
            "" => program(&String::from_utf8_lossy(call.headers.get(USER_AGENT).map_or(&[], |value| value.as_bytes()))),
            named => named.to_owned(),
        };
        Self { manager: if manager.is_empty() { "unknown".into() } else { manager }, time }
    }

    /// A component of the control plane.
    pub(crate) fn program(name: &str, time: String) -> Self {
        Self { manager: name.to_owned(), time }
    }
}

/// The program name in a `User-Agent`: the text before the first slash, without unprintable characters.
fn program(agent: &str) -> String {
    let name = agent.split('/').next().unwrap_or_default();
    let printable = name.chars().filter(|letter| *letter == ' ' || !(letter.is_whitespace() || letter.is_control()));
    let mut program = String::new();
    for letter in printable {
        if program.len() + letter.len_utf8() > MAX_MANAGER {
            break;
        }
        program.push(letter);
    }
    program
}

/// Why a version has no type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoType {
    /// The version does not exist; its managers are dropped.
    Unknown,
    /// Objects cannot be converted to it.
    Refused,
}

/// What field management needs to know about the target of a write.
pub(crate) trait Tracked {
    /// The version of the request.
    fn api_version(&self) -> &str;

    /// The subresource that is written; empty for whole objects.
    fn subresource(&self) -> &'static str {
        ""
    }

    /// Fields of the root that such a write never changes, whatever its body contains.
    fn resets(&self, _api_version: &str) -> &'static [&'static str] {
        &[]
    }

    /// The type of objects in a version.
    fn type_at(&self, api_version: &str) -> Result<Arc<Type>, NoType>;

    /// An object in which nothing is set yet.
    fn blank(&self) -> Value;

    /// Converts an object to another version.
    fn convert(&self, object: &Value, api_version: &str) -> Result<Value, Untyped> {
        Ok(at_version(object, api_version))
    }
}

/// The same object with another `apiVersion`.
pub(crate) fn at_version(object: &Value, api_version: &str) -> Value {
    let mut object = object.clone();
    if let Some(members) = object.as_object_mut() {
        members.insert("apiVersion".into(), api_version.into());
    }
    object
}

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

/// The managers before a write: those in its body, or else those of the object that it replaces. Writes of subresources cannot
/// state managers.
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
