//! `metadata.managedFields`: which manager set which fields (REST-041).
//!
//! An object is walked by what its schema tells of it ([`types`]): lists and maps are one value or many. Sets of fields are
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

/// The field itself.
const FIELD: &str = "managedFields";
/// How long the name of a manager may be, in bytes.
const MAX_MANAGER: usize = 128;

/// Who writes, and when.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    manager: String,
    time: String,
}

impl Writer {
    /// The writer that a request names, or else the program that sent it.
    pub(crate) fn of(call: &Call<'_>, time: String) -> Self {
        let manager = match call.query.text("fieldManager") {
            "" => program(&String::from_utf8_lossy(call.headers.get(USER_AGENT).map_or(&[], |value| value.as_bytes()))),
            named => named.to_owned(),
        };
        Self { manager: if manager.is_empty() { "unknown".into() } else { manager }, time }
    }

    /// A part of the control plane.
    pub(crate) fn program(name: &str, time: String) -> Self {
        Self { manager: name.to_owned(), time }
    }
}

/// The name of a program in a `User-Agent`: what stands before the first slash, without what cannot be printed.
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

/// Why there is no type for a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoType {
    /// Nobody knows it any more; who managed fields of it manages nothing.
    Unknown,
    /// Objects cannot be converted to it.
    Refused,
}

/// What a URL writes to, for those who track its fields.
pub(crate) trait Tracked {
    /// The version of the request.
    fn api_version(&self) -> &str;

    /// The part of objects that is written to; empty for whole ones.
    fn subresource(&self) -> &'static str {
        ""
    }

    /// Fields of the root that such a write does not change, whatever it says.
    fn resets(&self, _api_version: &str) -> &'static [&'static str] {
        &[]
    }

    /// The type of objects at a version.
    fn type_at(&self, api_version: &str) -> Result<Arc<Type>, NoType>;

    /// An object before anybody set anything.
    fn blank(&self) -> Value;

    /// An object at another version.
    fn convert(&self, object: &Value, api_version: &str) -> Result<Value, Untyped> {
        Ok(at_version(object, api_version))
    }
}

/// The same object, said to be of another version.
pub(crate) fn at_version(object: &Value, api_version: &str) -> Value {
    let mut object = object.clone();
    if let Some(members) = object.as_object_mut() {
        members.insert("apiVersion".into(), api_version.into());
    }
    object
}

/// Writes down who manages the fields of `after`: a new object, or one that replaces `before`.
///
/// What cannot be tracked is managed by nobody.
pub(crate) fn track(tracked: &dyn Tracked, writer: &Writer, before: Option<&Value>, after: &mut Value) {
    let given = fields::take(after, FIELD);
    let managers = managers(tracked, before, given.as_ref());
    if managers.is_empty() && before.is_some() {
        // Nothing is tracked until somebody applies.
        return;
    }
    let blank;
    let before = match before {
        Some(before) => before,
        None => {
            blank = tracked.blank();
            &blank
        }
    };
    // Nothing is known of another type, which a write of a part may claim (SUB-005).
    if is_of_known_type(tracked, before, after)
        && let Ok(managers) = update::updated(tracked, writer, before, after, managers)
        && !managers.is_empty()
    {
        fields::set(after, FIELD, entries::write(managers));
    }
}

fn is_of_known_type(tracked: &dyn Tracked, before: &Value, after: &Value) -> bool {
    let api_version = after.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
    before.get("kind") == after.get("kind") && tracked.type_at(api_version).is_ok()
}

/// The managers before a write: those that it states, or else those of the object that it replaces. Of parts of objects nobody
/// states managers.
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

/// Whether a list asks to forget all managers.
fn is_reset(list: &[Value]) -> bool {
    match list {
        [] => true,
        [entry] => entry.as_object().is_some_and(Map::is_empty),
        _ => false,
    }
}
