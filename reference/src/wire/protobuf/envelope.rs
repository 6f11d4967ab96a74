//! The envelope of every body, `k8s.io.apimachinery.pkg.runtime.Unknown`: it names the type of the message in it. Watch
//! events have frames around that.

use serde_json::{Map, Value};

use super::backwards::Backwards;
use super::wire::{WireError, fields};
use super::write;
use crate::kinds;

/// The prefix of every body.
const MAGIC: &[u8] = b"k8s\0";

/// The numbers of the fields of the envelope …
const TYPE_META: u32 = 1;
const RAW: u32 = 2;
const CONTENT_ENCODING: u32 = 3;
const CONTENT_TYPE: u32 = 4;
/// … and of the type in it.
const API_VERSION: u32 = 1;
const KIND: u32 = 2;

/// The numbers of the fields of a watch event …
const EVENT_TYPE: u32 = 1;
const EVENT_OBJECT: u32 = 2;
/// … and of the object in it.
const OBJECT_RAW: u32 = 1;

/// A message with its type.
#[derive(Debug, Default)]
pub(super) struct Envelope {
    pub(super) api_version: String,
    pub(super) kind: String,
    pub(super) raw: Vec<u8>,
}

/// Why a body has no envelope.
pub(super) enum NoEnvelope {
    Empty,
    /// Nothing follows the prefix.
    OnlyPrefix,
    NoPrefix,
    Broken(WireError),
}

impl Envelope {
    /// Opens the envelope of a body.
    pub(super) fn open(body: &[u8]) -> Result<Self, NoEnvelope> {
        let content = match body.strip_prefix(MAGIC) {
            Some([]) => return Err(NoEnvelope::OnlyPrefix),
            None if body.is_empty() => return Err(NoEnvelope::Empty),
            None => return Err(NoEnvelope::NoPrefix),
            Some(content) => content,
        };
        let mut envelope = Self::default();
        let read = fields(content, |number, wire| {
            match number {
                TYPE_META => fields(wire.bytes(number)?, |number, wire| {
                    match number {
                        API_VERSION => wire.text(number)?.clone_into(&mut envelope.api_version),
                        KIND => wire.text(number)?.clone_into(&mut envelope.kind),
                        _ => {}
                    }
                    Ok(())
                })?,
                RAW => wire.bytes(number)?.clone_into(&mut envelope.raw),
                _ => {}
            }
            Ok(())
        });
        read.map(|()| envelope).map_err(NoEnvelope::Broken)
    }
}

/// The body for an object.
pub(super) fn body(object: &Value) -> Vec<u8> {
    let mut out = Backwards::default();
    append_body(&mut out, object);
    out.finish()
}

/// The frame for a watch event: its length in four bytes, and the event.
pub(super) fn frame(event: &str, object: &Value) -> Vec<u8> {
    let mut out = Backwards::default();
    out.within(EVENT_OBJECT, |out| out.within(OBJECT_RAW, |out| append_body(out, object)));
    out.text(EVENT_TYPE, event);
    // Nothing that a server stores is so long that its length does not fit.
    let length = u32::try_from(out.len()).unwrap_or(u32::MAX);
    out.bytes(&length.to_be_bytes());
    out.finish()
}

fn append_body(out: &mut Backwards, object: &Value) {
    let text = |name: &str| object.get(name).and_then(Value::as_str).unwrap_or_default();
    let (api_version, kind) = (text("apiVersion"), text("kind"));
    out.text(CONTENT_TYPE, "");
    out.text(CONTENT_ENCODING, "");
    out.within(RAW, |out| {
        // All kinds that are offered in protobuf have a type.
        if let Some(of) = kinds::type_of(api_version, kind) {
            write::message(out, of, object.as_object().unwrap_or(&Map::new()));
        }
    });
    out.within(TYPE_META, |out| {
        out.text(KIND, kind);
        out.text(API_VERSION, api_version);
    });
    out.bytes(MAGIC);
}
