//! A parsed request: what it addresses, its options and its body.

mod body;
mod health;
mod options;
mod path;
mod protobuf;
mod query;
mod time_limit;

use bytes::Bytes;
use http::HeaderMap;
use http::Method;

pub(crate) use body::{
    body_nesting, body_object, check_media_type, json_text, media_type, undecodable, unrecognized, without_type,
};
pub(crate) use health::{CHECKS, Health};
pub(crate) use options::{
    DeleteOptions, FieldValidation, ListOptions, Preconditions, WriteKind, WriteOptions, integer, refuse, revision,
    violation,
};
pub(crate) use path::{OpenApiPath, PathVerb, ResourcePath, Route, route};
pub(crate) use protobuf::protobuf_in_json;
pub(crate) use query::Query;
pub(crate) use time_limit::{check_time_limit, deadline};

/// The parts of a request that handlers use.
#[derive(Clone, Copy)]
pub(crate) struct Call<'a> {
    pub(crate) method: &'a Method,
    pub(crate) query: &'a Query,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) body: &'a Bytes,
}
