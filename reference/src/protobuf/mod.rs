//! Request bodies in protobuf, which upstream's clients send for built-in types: kubectl's `create namespace`, and the
//! event recorders and typed clients of client-go and of apiextensions (REST-080). They are converted to the equivalent JSON. Responses are
//! in JSON, which these clients accept.

mod definition;
mod messages;
mod tables;
mod wire;

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::{HeaderMap, Method};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::built_in::Served;
use crate::events::Version;
use crate::json;
use crate::request::{Call, media_type};
use crate::status::Failure;
use definition::definition;
use messages::{CoreEvent, DeleteOptions, Event, Namespace, ObjectMeta, Unknown};
use wire::Message;

/// The media type of protobuf.
pub(crate) const MEDIA_TYPE: &str = "application/vnd.kubernetes.protobuf";
/// The prefix of every body.
const MAGIC: &[u8] = b"k8s\0";

/// The kind of the options of a deletion. Upstream says nothing more about them than the error.
const OPTIONS: &str = "DeleteOptions";
/// How many bytes of a body that is no message are shown.
const SHOWN: usize = 30;

/// Decodes a message of one type.
type Read = fn(&[u8]) -> Result<Value, String>;

/// The headers and the body of a request, converted to JSON. `None` if the body is not protobuf, or if the resource
/// does not accept protobuf.
///
/// # Errors
/// 400 if the body is not a valid message of its type.
pub(crate) fn in_json(call: Call<'_>, served: Served) -> Result<Option<(HeaderMap, Bytes)>, Failure> {
    if media_type(call.headers) != MEDIA_TYPE {
        return Ok(None);
    }
    let (kind, read): (&str, Read) = match (served, call.method) {
        (_, &Method::DELETE) if call.body.is_empty() => return Ok(None),
        (_, &Method::DELETE) => (OPTIONS, message::<DeleteOptions>),
        (_, method) if method != Method::POST && method != Method::PUT => return Ok(None),
        (Served::Namespaces, _) => ("Namespace", object::<Namespace>),
        (Served::Events(Version::Core), _) => ("Event", object::<CoreEvent>),
        (Served::Events(Version::Events), _) => ("Event", object::<Event>),
        (Served::Definitions, _) => ("CustomResourceDefinition", definition),
    };
    let value = enveloped(call.body, kind, read).map_err(Failure::bad_request)?;
    let mut headers = call.headers.clone();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(Some((headers, json::write(&value).into())))
}

/// Decodes the message of a kind in an envelope, and sets the type that the envelope names. Errors are in upstream's words.
fn enveloped(body: &[u8], kind: &str, read: Read) -> Result<Value, String> {
    let unrecognized = |why: &str| {
        if kind == OPTIONS {
            return why.to_owned();
        }
        let shown: Vec<String> = body.iter().take(SHOWN).map(|byte| format!("{byte:02x}")).collect();
        let shown = shown.concat();
        let shown = match body.len() {
            0 => "<empty>".to_owned(),
            length if length > SHOWN => format!("{shown} ..."),
            _ => shown,
        };
        format!("the object provided is unrecognized (must be of type {kind}): {why} ({shown})")
    };
    let envelope = match body.strip_prefix(MAGIC) {
        Some([]) => return Err(unrecognized("empty body")),
        None if body.is_empty() => return Err(unrecognized("empty data")),
        None => {
            let why = "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]";
            return Err(unrecognized(why));
        }
        Some(envelope) => Unknown::decode(envelope).map_err(|error| unrecognized(&error.to_string()))?,
    };
    let names = envelope.type_meta.unwrap_or_default();
    let mut value = read(&envelope.raw).map_err(|error| {
        let named = if names.kind.is_empty() { kind } else { &names.kind };
        let version = names.api_version.rsplit('/').next().filter(|version| !version.is_empty()).unwrap_or("v1");
        format!("{named} in version {version:?} cannot be handled as a {kind}: {error}")
    })?;
    if let Some(members) = value.as_object_mut() {
        let named = [("apiVersion", names.api_version), ("kind", names.kind)];
        members.extend(
            named.into_iter().filter(|(_, name)| !name.is_empty()).map(|(field, name)| (field.into(), name.into())),
        );
    }
    Ok(value)
}

/// Decodes a message into JSON.
fn message<M: Message + Serialize>(raw: &[u8]) -> Result<Value, String> {
    let message = M::decode(raw).map_err(|error| error.to_string())?;
    serde_json::to_value(message).map_err(|error| error.to_string())
}

/// Decodes an object into JSON.
fn object<M: Message + Serialize>(raw: &[u8]) -> Result<Value, String> {
    let mut object = message::<M>(raw)?;
    if let Some(metadata) = object.get_mut("metadata") {
        drop_unset_metadata(metadata);
    }
    Ok(object)
}

/// Decodes the metadata of an object into JSON.
fn metadata(raw: &[u8]) -> Result<Value, String> {
    let mut metadata = message::<ObjectMeta>(raw)?;
    drop_unset_metadata(&mut metadata);
    Ok(metadata)
}

/// Drops metadata fields with zero values, because clients encode unset fields, too.
fn drop_unset_metadata(metadata: &mut Value) {
    let Some(metadata) = metadata.as_object_mut() else { return };
    drop_unset(metadata);
    let managers = metadata.get_mut("managedFields").and_then(Value::as_array_mut);
    managers.into_iter().flatten().filter_map(Value::as_object_mut).for_each(drop_unset);
}

fn drop_unset(members: &mut Map<String, Value>) {
    members.retain(|_, value| match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Number(number) => number.as_i64() != Some(0),
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
        Value::Bool(_) => true,
    });
}
