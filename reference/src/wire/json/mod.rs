//! JSON as a Kubernetes API server reads and writes it: numbers, invalid UTF-8 and repeated keys (REST-007,
//! REST-051, VALUE-005).

mod order;
mod parse;
mod text;
mod unmarshal;
mod write;

pub(crate) use order::{StrictError, in_text_order};
pub(crate) use parse::{JsonError, MAX_NESTING, Parsed, Repeated, nesting, parse, read_own};
pub(crate) use unmarshal::{no_field_of, no_object, no_value_of};
pub(crate) use write::{append, write, write_pretty};
