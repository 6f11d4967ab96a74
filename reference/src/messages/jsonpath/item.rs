//! What a path finds.

use serde_json::Value;

/// A result of a path: a part of the object, or a literal of the path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Item<'a> {
    Json(&'a Value),
    Text(&'a str),
    Integer(&'a i64),
    Float(&'a f64),
    Bool(&'a bool),
    /// One byte of a string, because upstream treats strings as lists in some places.
    Byte(&'a u8),
}
