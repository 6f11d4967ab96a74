//! The functions of the language: rows of tables, one for each overload.

#![expect(
    clippy::unnecessary_wraps,
    clippy::match_same_arms,
    reason = "bodies have one type, and arms of tables stand for one family of functions each"
)]

mod address;
mod arguments;
mod authorization;
mod conversions;
mod format;
mod formats;
mod lists;
mod messages;
mod network;
mod numbers;
mod operators;
mod optionals;
mod order;
mod quantities;
mod quantity;
mod signature;
mod spending;
mod strings;
mod time;
mod versions;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::Release;
use crate::types::Type;
use crate::value::{Evaluated, EvaluationError, Value, print_double};

pub(crate) use self::format::fault as fault_of_template;
pub(crate) use self::messages::message;
pub(crate) use self::operators::accumulated;
pub(crate) use self::signature::Signature;
pub(crate) use self::spending::{COST_ONE, LIST, MAP, MESSAGE, Spending, cost_of_equality};

/// What a function does.
pub(crate) type Body = fn(&[Value]) -> Evaluated;

/// The tables, in the order in which overloads of one function are tried.
const TABLES: [&[Overload]; 11] = [
    operators::OVERLOADS,
    order::OVERLOADS,
    conversions::OVERLOADS,
    lists::OVERLOADS,
    strings::OVERLOADS,
    time::OVERLOADS,
    optionals::OVERLOADS,
    network::OVERLOADS,
    numbers::OVERLOADS,
    formats::OVERLOADS,
    authorization::OVERLOADS,
];

/// One way to call a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overload {
    /// The function.
    pub(crate) name: &'static str,
    /// What it is called in tables of costs.
    pub(crate) id: &'static str,
    /// Types of arguments and result: `(string) -> int` of a function, `string.() -> int` of a method.
    signature: &'static str,
    /// The minor release that understands it first.
    since: u32,
    /// The minor releases of servers that have it: the first one, and the first one that has it no more.
    of_servers: (u32, u32),
    /// What it does.
    pub(crate) body: Body,
}

impl Overload {
    const fn since(mut self, minor: u32) -> Self {
        self.since = minor;
        self
    }

    const fn until(mut self, minor: u32) -> Self {
        self.of_servers.1 = minor;
        self
    }

    /// As servers have it from a minor release on, whatever rules may use.
    const fn from(mut self, minor: u32) -> Self {
        self.of_servers.0 = minor;
        self
    }

    fn is_in(&self, release: Release) -> bool {
        let (first, end) = self.of_servers;
        release.understands(self.since) && release.is_at_least(first) && !release.is_at_least(end)
    }
}

const fn row(name: &'static str, id: &'static str, signature: &'static str, body: Body) -> Overload {
    Overload { name, id, signature, since: 0, of_servers: (0, u32::MAX), body }
}

/// The functions by name, each with its overloads.
pub(crate) type Functions = BTreeMap<&'static str, Vec<(&'static Overload, Signature)>>;

/// The functions that rules of a release may use.
pub(crate) fn functions(release: Release) -> Arc<Functions> {
    static KNOWN: Mutex<BTreeMap<Release, Arc<Functions>>> = Mutex::new(BTreeMap::new());
    // A panic elsewhere has not harmed the table.
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(known.entry(release).or_insert_with(|| Arc::new(made(release))))
}

fn made(release: Release) -> Functions {
    let mut functions = Functions::new();
    for overload in TABLES.into_iter().flatten().filter(|overload| overload.is_in(release)) {
        let signature = Signature::read(overload.signature);
        functions.entry(overload.name).or_default().push((overload, signature));
    }
    functions
}

/// Whether a function converts a value to another type: of a constant, that is done at once.
pub(crate) fn is_conversion(function: &str) -> bool {
    matches!(
        function,
        "bool" | "bytes" | "double" | "duration" | "dyn" | "int" | "string" | "timestamp" | "type" | "uint"
    )
}

/// Whether a constant can be converted to a duration or a timestamp.
pub(crate) fn is_conversion_of(function: &str, constant: &Value) -> bool {
    conversions::of_constant(function, constant).is_ok()
}

/// Whether a text is a regular expression.
pub(crate) fn is_pattern(text: &str) -> bool {
    crdible_text::Pattern::parse(text).is_ok()
}

/// A body that depends on a constant argument.
pub(crate) type PreparedBody = Arc<dyn Fn(&[Value]) -> Evaluated + Send + Sync>;

/// The body of a call some of whose arguments are constant, if that is quicker or fails beforehand.
///
/// Errors: a constant that is no regular expression.
pub(crate) fn prepared(
    overload: &Overload,
    constants: &[Option<Value>],
) -> Result<Option<PreparedBody>, EvaluationError> {
    match constants {
        [_, Some(Value::String(text)), ..] => strings::with_pattern(overload.name, text),
        _ => Ok(None),
    }
}

/// The name that a type has at run time, without parameters.
pub(crate) fn runtime_name(of: &Type) -> Arc<str> {
    Arc::from(match of {
        Type::Duration => "google.protobuf.Duration",
        Type::Timestamp => "google.protobuf.Timestamp",
        Type::Null => "null_type",
        Type::List(_) => "list",
        Type::Map(_) => "map",
        Type::Optional(_) => "optional_type",
        Type::Type(_) => "type",
        Type::Any => "google.protobuf.Any",
        Type::Wrapper(scalar) => return runtime_name(scalar),
        other => return Arc::from(other.to_string()),
    })
}

/// A value as messages name it: keys that are missing, and the like.
pub(crate) fn plain(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Uint(value) => value.to_string(),
        Value::Double(value) => print_double(*value),
        Value::String(text) => text.to_string(),
        other => other.type_name().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rstest::rstest;

    use super::{TABLES, functions};
    use crate::Release;

    #[test]
    fn each_overload_has_its_own_id() {
        let mut seen = BTreeSet::new();
        for overload in TABLES.into_iter().flatten() {
            let again = seen.iter().any(|(id, (first, end))| {
                *id == overload.id && overload.of_servers.0 < *end && *first < overload.of_servers.1
            });
            assert!(!again, "{} stands twice", overload.id);
            seen.insert((overload.id, overload.of_servers));
        }
        assert!(seen.len() > 250, "{}", seen.len());
    }

    #[rstest]
    #[case::semver_before(Release::new_rules(33), "semver", false)]
    #[case::semver_stored(Release::stored_rules(33), "semver", true)]
    #[case::semver(Release::new_rules(34), "semver", true)]
    #[case::slice_before(Release::new_rules(34), "slice", false)]
    #[case::slice(Release::new_rules(35), "slice", true)]
    #[case::chosen(Release::new_rules(37).compatible_with(33), "slice", false)]
    #[case::always(Release::new_rules(0), "size", true)]
    fn some_functions_came_later(#[case] release: Release, #[case] name: &str, #[case] is_known: bool) {
        assert_eq!(functions(release).contains_key(name), is_known);
    }
}
