//! The steps of a path.

/// One step of a path, from some values to others.
#[derive(Debug, PartialEq)]
pub(super) enum PathStep {
    /// `.name`, `['name']`.
    Field(String),
    /// `.*`: all values of an object or a list.
    Wildcard,
    /// `..`: all non-empty lists, objects and strings, the value itself first.
    Descend,
    /// `[1]`, `[1:2:3]`, `[*]`.
    Slice(Slice),
    /// `[0,1]`, `['a','b']`.
    Union(Vec<Vec<Self>>),
    /// `[?(…)]`.
    Filter(Box<Filter>),
    /// `"text"`: the text itself, whatever the values before it.
    Text(String),
    /// A number, once for each value before it.
    Integer(i64),
    Float(f64),
    Bool(bool),
    /// Any other word: it parses, but its evaluation fails.
    Word,
}

/// A selection of list items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Slice {
    pub(super) start: i64,
    /// `None` for the end of the list.
    pub(super) end: Option<i64>,
    /// Whether the text is a single index, from which `end` follows.
    pub(super) single: bool,
    /// `None` for every item.
    pub(super) step: Option<i64>,
}

/// A condition on list items.
#[derive(Debug, PartialEq)]
pub(super) struct Filter {
    pub(super) left: Vec<PathStep>,
    pub(super) test: Test,
}

/// What a filter asks of an item.
#[derive(Debug, PartialEq)]
pub(super) enum Test {
    /// The left path finds something.
    Exists,
    /// The comparison of both sides holds. It fails if the operator is unknown (`None`).
    Compare(Option<Operator>, Vec<PathStep>),
}

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// The text is not a valid path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SyntaxError;
