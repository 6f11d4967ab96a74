//! Types of expressions.

use std::fmt;
use std::sync::Arc;

/// The type of an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Any type, known only when the expression is evaluated.
    Dyn,
    /// What is wrongly typed. It fits everywhere, so that one mistake is one error.
    Error,
    /// `null_type`
    Null,
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `uint`
    Uint,
    /// `double`
    Double,
    /// `string`
    String,
    /// `bytes`
    Bytes,
    /// `google.protobuf.Duration`
    Duration,
    /// `google.protobuf.Timestamp`
    Timestamp,
    /// `google.protobuf.Any`
    Any,
    /// A scalar or null: `google.protobuf.Int64Value` and the like.
    Wrapper(Arc<Self>),
    /// `list(T)`
    List(Arc<Self>),
    /// `map(K, V)`
    Map(Arc<(Self, Self)>),
    /// `optional_type(T)`
    Optional(Arc<Self>),
    /// `type(T)`: the type of a type; `type` if that is not known.
    Type(Option<Arc<Self>>),
    /// An object with declared fields.
    Object(Arc<str>),
    /// Of a library, without fields: `net.IP`.
    Opaque(Arc<str>),
    /// A parameter of a signature.
    Parameter(&'static str),
    /// What a parameter or an empty literal stands for, as long as it is unknown.
    Unknown(u32),
}

impl Type {
    /// `list(element)`
    pub fn list(element: Self) -> Self {
        Self::List(Arc::new(element))
    }

    /// `map(key, value)`
    pub fn map(key: Self, value: Self) -> Self {
        Self::Map(Arc::new((key, value)))
    }

    /// `optional_type(value)`
    pub fn optional(value: Self) -> Self {
        Self::Optional(Arc::new(value))
    }

    /// The type of values that are this type.
    #[must_use]
    pub fn of(self) -> Self {
        Self::Type(Some(Arc::new(self)))
    }

    /// An object with declared fields.
    pub fn object(name: &str) -> Self {
        Self::Object(Arc::from(name))
    }

    /// Whether it fits everywhere.
    pub(crate) fn is_dyn_or_error(&self) -> bool {
        matches!(self, Self::Dyn | Self::Any | Self::Error)
    }
}

/// As upstream's errors print it.
impl fmt::Display for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dyn => formatter.write_str("dyn"),
            Self::Error => formatter.write_str("!error!"),
            Self::Null => formatter.write_str("null"),
            Self::Bool => formatter.write_str("bool"),
            Self::Int => formatter.write_str("int"),
            Self::Uint => formatter.write_str("uint"),
            Self::Double => formatter.write_str("double"),
            Self::String => formatter.write_str("string"),
            Self::Bytes => formatter.write_str("bytes"),
            Self::Duration => formatter.write_str("duration"),
            Self::Timestamp => formatter.write_str("timestamp"),
            Self::Any => formatter.write_str("any"),
            Self::Wrapper(scalar) => write!(formatter, "wrapper({scalar})"),
            Self::List(element) => write!(formatter, "list({element})"),
            Self::Map(types) => write!(formatter, "map({}, {})", types.0, types.1),
            Self::Optional(value) => write!(formatter, "optional_type({value})"),
            Self::Type(None) => formatter.write_str("type"),
            Self::Type(Some(of)) => write!(formatter, "type({of})"),
            Self::Object(name) | Self::Opaque(name) => formatter.write_str(name),
            Self::Parameter(name) => formatter.write_str(name),
            Self::Unknown(number) => write!(formatter, "_var{number}"),
        }
    }
}
