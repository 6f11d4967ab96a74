//! The names that operators have as functions. They are part of overload tables, and cannot be written as calls.

/// The variable of the accumulator of macros.
pub const ACCUMULATOR: &str = "@result";
/// `a ? b : c`
pub const CONDITIONAL: &str = "_?_:_";
/// `a && b`
pub const AND: &str = "_&&_";
/// `a || b`
pub const OR: &str = "_||_";
/// `!a`
pub const NOT: &str = "!_";
/// Whether a condition of a loop is not false: an error goes on.
pub const NOT_STRICTLY_FALSE: &str = "@not_strictly_false";
/// `a == b`
pub const EQUALS: &str = "_==_";
/// `a != b`
pub const NOT_EQUALS: &str = "_!=_";
/// `a < b`
pub const LESS: &str = "_<_";
/// `a <= b`
pub const LESS_EQUALS: &str = "_<=_";
/// `a > b`
pub const GREATER: &str = "_>_";
/// `a >= b`
pub const GREATER_EQUALS: &str = "_>=_";
/// `a + b`
pub const ADD: &str = "_+_";
/// `a - b`
pub const SUBTRACT: &str = "_-_";
/// `a * b`
pub const MULTIPLY: &str = "_*_";
/// `a / b`
pub const DIVIDE: &str = "_/_";
/// `a % b`
pub const MODULO: &str = "_%_";
/// `-a`
pub const NEGATE: &str = "-_";
/// `a[b]`
pub const INDEX: &str = "_[_]";
/// `a[?b]`
pub const OPTIONAL_INDEX: &str = "_[?_]";
/// `a.?b`
pub const OPTIONAL_SELECT: &str = "_?._";
/// Adds an entry to a map: what `transformMap` and the like call.
pub const MAP_INSERT: &str = "cel.@mapInsert";
/// `a in b`
pub const IN: &str = "@in";
