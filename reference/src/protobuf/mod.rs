//! Request bodies in protobuf, which upstream's clients send for built-in types: kubectl's `create namespace`, and the
//! event recorders and typed clients of client-go (REST-080). They are converted to the equivalent JSON. Responses are
//! in JSON, which these clients accept.

mod messages;
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
use messages::{CoreEvent, DeleteOptions, Event, Namespace, Unknown};
use wire::Message;

/// The media type of protobuf.
pub(crate) const MEDIA_TYPE: &str = "application/vnd.kubernetes.protobuf";
/// The prefix of every body.
const MAGIC: &[u8] = b"k8s\0";

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
    let read: Read = match (served, call.method) {
        (_, &Method::DELETE) if call.body.is_empty() => return Ok(None),
        (Served::Namespaces | Served::Events(_), &Method::DELETE) => message::<DeleteOptions>,
        (_, method) if method != Method::POST && method != Method::PUT => return Ok(None),
        (Served::Namespaces, _) => object::<Namespace>,
        (Served::Events(Version::Core), _) => object::<CoreEvent>,
        (Served::Events(Version::Events), _) => object::<Event>,
        (Served::Definitions, _) => return Ok(None),
    };
    let value = enveloped(call.body, read).map_err(|error| {
        Failure::bad_request(format!("the object provided is unrecognized: protobuf message: {error}"))
    })?;
    let mut headers = call.headers.clone();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(Some((headers, json::write(&value).into())))
}

/// Decodes the message in an envelope, and sets the type that the envelope names.
fn enveloped(body: &[u8], read: Read) -> Result<Value, String> {
    let envelope = body
        .strip_prefix(MAGIC)
        .filter(|envelope| !envelope.is_empty())
        .ok_or("the prefix k8s\\0 or the content after it is missing")?;
    let envelope = Unknown::decode(envelope).map_err(|error| error.to_string())?;
    let mut value = read(&envelope.raw)?;
    let names = envelope.type_meta.unwrap_or_default();
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

/// Decodes an object into JSON. Metadata fields with zero values are dropped, because clients encode unset fields, too.
fn object<M: Message + Serialize>(raw: &[u8]) -> Result<Value, String> {
    let mut object = message::<M>(raw)?;
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        drop_unset(metadata);
        let managers = metadata.get_mut("managedFields").and_then(Value::as_array_mut);
        managers.into_iter().flatten().filter_map(Value::as_object_mut).for_each(drop_unset);
    }
    Ok(object)
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
