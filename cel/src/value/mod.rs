//! Values of expressions.

mod aggregate;
mod arithmetic;
mod equality;
mod go_type;
mod number;
mod order;
mod read;
mod row;
mod time;
mod work;

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::ast::Literal;
use crate::stack::deep;

pub use self::aggregate::{List, Map, plain_equal};
pub(crate) use self::aggregate::{PlainList, PlainMap, entries, is_one_of};
pub(crate) use self::arithmetic::{add, divide, modulo, multiply, negate, subtract};
pub use self::equality::equal;
pub(crate) use self::equality::is_same;
pub(crate) use self::number::print_double;
pub(crate) use self::order::{compare, lossless};
pub(crate) use self::read::{read_double, read_int, read_timestamp, read_uint};
pub(crate) use self::time::Shown;
pub use self::time::{Span, Timestamp};
pub use self::work::make_list;
pub(crate) use self::work::{
    Growing, begin as begin_work, check as check_work, is_exhausted, look, look_at, look_through, make, make_text,
    may_have_elements,
};

/// A value.
#[derive(Clone, Debug)]
pub enum Value {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    Uint(u64),
    /// A floating-point number.
    Double(f64),
    /// A text.
    String(Arc<str>),
    /// Bytes.
    Bytes(Arc<[u8]>),
    /// A length of time.
    Duration(Span),
    /// A moment.
    Timestamp(Timestamp),
    /// A list.
    List(Arc<dyn List>),
    /// A map, or an object with fields.
    Map(Arc<dyn Map>),
    /// A value that may be absent.
    Optional(Option<Arc<Present>>),
    /// A type, by its name at run time.
    Type(Arc<str>),
    /// Of a library, or of the host.
    Opaque(Arc<dyn Opaque>),
}

/// What is in an optional value.
#[derive(Debug)]
pub struct Present(Value);

impl Present {
    /// The value.
    pub fn value(&self) -> &Value {
        &self.0
    }

    /// The value, when it is taken out.
    ///
    /// Errors: it was lost when it was unwrapped.
    pub(crate) fn taken(&self) -> Evaluated {
        lost(&self.0).map_or_else(|| Ok(self.0.clone()), Err)
    }
}

/// What is present in an optional value, although it cannot be taken out.
#[derive(Debug)]
struct Lost(EvaluationError);

impl Opaque for Lost {
    fn type_name(&self) -> &'static str {
        "error"
    }

    fn is_equal(&self, _: &Value) -> Result<bool, EvaluationError> {
        Err(self.0.clone())
    }

    fn print(&self) -> String {
        self.0.to_string()
    }
}

/// Why a value is lost, if it is.
pub(crate) fn lost(value: &Value) -> Option<EvaluationError> {
    let Value::Opaque(opaque) = value else { return None };
    (&**opaque as &dyn Any).downcast_ref::<Lost>().map(|lost| lost.0.clone())
}

/// Optional values may be nested deeply.
impl Drop for Present {
    fn drop(&mut self) {
        let value = std::mem::replace(&mut self.0, Value::Null);
        deep(|| drop(value));
    }
}

/// A value of a library, or of the host.
pub trait Opaque: Any + fmt::Debug + Send + Sync {
    /// The name of its type at run time.
    fn type_name(&self) -> &'static str;

    /// Whether the other value is the same.
    ///
    /// Errors: they cannot be compared.
    fn is_equal(&self, other: &Value) -> Result<bool, EvaluationError>;

    /// Its size in bytes, if it has one.
    fn size(&self) -> Option<usize> {
        None
    }

    /// How it looks in messages.
    fn print(&self) -> String;

    /// What it is once it was in an optional value that was unwrapped (see [`Value::unwrapped`]).
    fn unwrapped(&self) -> Option<Evaluated> {
        None
    }
}

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvaluationError {
    /// What is wrong, as upstream words it.
    pub message: Arc<str>,
}

impl EvaluationError {
    /// An error with this message.
    pub fn new(message: impl Into<Arc<str>>) -> Self {
        Self { message: message.into() }
    }

    pub(crate) fn no_such_overload() -> Self {
        Self::new("no such overload")
    }
}

impl fmt::Display for EvaluationError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for EvaluationError {}

/// A value, or why there is none.
pub type Evaluated = Result<Value, EvaluationError>;

impl Value {
    /// A text.
    pub fn string(text: impl Into<Arc<str>>) -> Self {
        Self::String(text.into())
    }

    /// A list of these values.
    pub fn list(elements: Vec<Self>) -> Self {
        Self::List(Arc::new(PlainList::new(elements)))
    }

    /// A map of these entries. Of equal keys, the last one counts.
    pub fn map(entries: Vec<(Self, Self)>) -> Self {
        Self::Map(Arc::new(PlainMap::new(entries)))
    }

    /// A value that is present.
    pub fn some(value: Self) -> Self {
        Self::Optional(Some(Arc::new(Present(value))))
    }

    /// What a value is once it was in an optional value that is the value of a variable, or of a branch of `a ? b : c`.
    ///
    /// Until Kubernetes 1.36, upstream makes such a value again of what Go has of it. So it loses what a host says about
    /// it, and there is none of the types of libraries.
    #[must_use]
    pub fn unwrapped(&self) -> Self {
        let unwrapped = match self {
            Self::List(list) => list.unwrapped().map(Ok),
            Self::Map(map) => map.unwrapped().map(Ok),
            Self::Opaque(opaque) => opaque.unwrapped(),
            Self::Type(name) => Some(Ok(Self::String(Arc::clone(name)))),
            _ => None,
        };
        match unwrapped {
            None => self.clone(),
            Some(Ok(value)) => value,
            Some(Err(error)) => Self::Opaque(Arc::new(Lost(error))),
        }
    }

    /// The name of its type at run time.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null_type",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Uint(_) => "uint",
            Self::Double(_) => "double",
            Self::String(_) => "string",
            Self::Bytes(_) => "bytes",
            Self::Duration(_) => "google.protobuf.Duration",
            Self::Timestamp(_) => "google.protobuf.Timestamp",
            Self::List(_) => "list",
            Self::Map(_) => "map",
            Self::Optional(_) => "optional_type",
            Self::Type(_) => "type",
            Self::Opaque(opaque) => opaque.type_name(),
        }
    }

    /// The number of code points, bytes, elements or entries; `None` for what has no size.
    pub(crate) fn size(&self) -> Option<usize> {
        match self {
            Self::String(text) => Some(text.chars().count()),
            Self::Bytes(bytes) => Some(bytes.len()),
            Self::List(list) => Some(list.size()),
            Self::Map(map) => Some(map.size()),
            Self::Opaque(opaque) => opaque.size(),
            _ => None,
        }
    }

    /// Whether it is the value that stands for nothing: 0, empty, absent.
    pub(crate) fn is_zero(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Bool(value) => !value,
            Self::Int(value) => *value == 0,
            Self::Uint(value) => *value == 0,
            Self::Double(value) => *value == 0.0,
            Self::Duration(value) => value.nanoseconds() == 0,
            Self::Timestamp(value) => value.is_first_moment(),
            // Libraries' own types know no zero.
            Self::Optional(_) | Self::Opaque(_) => false,
            Self::List(list) => list.is_zero(),
            Self::Map(map) => map.is_zero(),
            other => other.size() == Some(0),
        }
    }
}

impl From<Literal> for Value {
    fn from(literal: Literal) -> Self {
        match literal {
            Literal::Null => Self::Null,
            Literal::Bool(value) => Self::Bool(value),
            Literal::Int(value) => Self::Int(value),
            Literal::Uint(value) => Self::Uint(value),
            Literal::Double(value) => Self::Double(value),
            Literal::String(text) => Self::String(text),
            Literal::Bytes(bytes) => Self::Bytes(bytes),
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::string(text)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::string(text)
    }
}
