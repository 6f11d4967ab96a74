//! The functions of the language: rows of tables, one for each overload.

mod authorization;
mod conversions;
mod formats;
mod lists;
mod network;
mod numbers;
mod operators;
mod optionals;
mod order;
mod signature;
mod strings;
mod time;

use std::collections::BTreeMap;

pub(crate) use self::signature::Signature;

/// The tables, in the order in which overloads of one function are tried.
const TABLES: [&[Overload]; 11] = [
    operators::OVERLOADS,
    order::OVERLOADS,
    conversions::OVERLOADS,
    strings::OVERLOADS,
    time::OVERLOADS,
    lists::OVERLOADS,
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
    /// The minor release whose definitions may use it: rules that are stored may use all.
    since: u32,
}

impl Overload {
    const fn since(mut self, minor: u32) -> Self {
        self.since = minor;
        self
    }
}

const fn row(name: &'static str, id: &'static str, signature: &'static str) -> Overload {
    Overload { name, id, signature, since: 0 }
}

/// The functions by name, each with its overloads.
pub(crate) type Functions = BTreeMap<&'static str, Vec<(&'static Overload, Signature)>>;

/// The functions that rules may use which must be understood by this minor release.
pub(crate) fn functions(minor: u32) -> Functions {
    let mut functions = Functions::new();
    for overload in TABLES.into_iter().flatten().filter(|overload| overload.since <= minor) {
        let signature = Signature::read(overload.signature);
        functions.entry(overload.name).or_default().push((overload, signature));
    }
    functions
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rstest::rstest;

    use super::{TABLES, functions};

    #[test]
    fn each_overload_has_its_own_id() {
        let mut seen = BTreeSet::new();
        for overload in TABLES.into_iter().flatten() {
            assert!(seen.insert(overload.id), "{} stands twice", overload.id);
        }
        assert!(seen.len() > 250, "{}", seen.len());
    }

    #[rstest]
    #[case::semver_before(32, "semver", false)]
    #[case::semver(33, "semver", true)]
    #[case::slice_before(33, "slice", false)]
    #[case::slice(34, "slice", true)]
    #[case::always(0, "size", true)]
    fn some_functions_came_later(#[case] minor: u32, #[case] name: &str, #[case] is_known: bool) {
        assert_eq!(functions(minor).contains_key(name), is_known);
    }
}
