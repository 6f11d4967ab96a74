//! How messages are described: each by a table of its fields, from which it is read and written.

/// A field of a message: its number and its name in JSON.
pub(super) struct Field {
    pub(super) number: u32,
    pub(super) name: &'static str,
    pub(super) count: Count,
    pub(super) kind: Kind,
}

/// How often a field occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    /// Once. The zero value counts as unset, and is written nevertheless, as upstream does for fields that are no pointers.
    One,
    /// Once, or not at all. The zero value counts.
    Optional,
    Many,
    /// Once for each key.
    Map,
}

/// The type of a field.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Text,
    /// Base64 in JSON. Even where they are not optional, they are written only if they are set.
    Bytes,
    Bool,
    Int,
    /// A number of which only the lower 32 bits are read.
    Int32,
    Double,
    /// A message with JSON in it.
    Json,
    /// A message with a time, which has no fraction.
    Time,
    /// A message with a time to the microsecond.
    MicroTime,
    /// A message with nothing but texts, for a list that may be unset.
    Words,
    Message(&'static [Field]),
    /// A schema or a boolean: whether more is allowed.
    SchemaOrBool(&'static [Field]),
    /// A schema or a list of them.
    SchemaOrList(&'static [Field]),
    /// A schema or a list of names.
    SchemaOrNames(&'static [Field]),
}

impl Kind {
    /// Whether its values have parts: if there is more than one where one is expected, they are merged.
    pub(super) fn is_message(self) -> bool {
        !matches!(self, Self::Text | Self::Bytes | Self::Bool | Self::Int | Self::Int32 | Self::Double)
    }
}

/// One field of a table.
pub(super) const fn field(number: u32, name: &'static str, count: Count, kind: Kind) -> Field {
    Field { number, name, count, kind }
}

/// The parts of a message with JSON in it.
pub(super) const RAW: u32 = 1;

/// The parts of a time: seconds since 1970, and nanoseconds.
pub(super) static TIME: [Field; 2] =
    [field(1, "seconds", Count::Optional, Kind::Int), field(2, "nanos", Count::Optional, Kind::Int32)];

/// The only part of a message of texts.
pub(super) static WORDS: [Field; 1] = [field(1, "items", Count::Many, Kind::Text)];

/// The parts of a schema or a boolean. With a schema, the boolean is true.
pub(super) fn schema_or_bool(schema: &'static [Field]) -> [Field; 2] {
    [field(1, "allows", Count::Optional, Kind::Bool), field(2, "schema", Count::Optional, Kind::Message(schema))]
}

/// The parts of a schema or a list of them.
pub(super) fn schema_or_list(schema: &'static [Field]) -> [Field; 2] {
    let kind = Kind::Message(schema);
    [field(1, "schema", Count::Optional, kind), field(2, "list", Count::Many, kind)]
}

/// The parts of a schema or a list of names.
pub(super) fn schema_or_names(schema: &'static [Field]) -> [Field; 2] {
    [field(1, "schema", Count::Optional, Kind::Message(schema)), field(2, "names", Count::Many, Kind::Text)]
}
