//! Texts, numbers and values that functions have trouble with. They stand in `data/pools.json`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::grammar::Kind;
use crate::texts::Draws;

#[derive(Deserialize)]
struct Pools {
    /// Expressions of a type that has no parameters, by the type.
    literals: BTreeMap<String, Vec<String>>,
    #[serde(flatten)]
    texts: BTreeMap<String, Vec<String>>,
}

fn pools() -> &'static Pools {
    static POOLS: OnceLock<Pools> = OnceLock::new();
    POOLS.get_or_init(|| serde_json::from_str(include_str!("../data/pools.json")).expect("lists of texts"))
}

/// Texts for any place.
pub(crate) fn any() -> &'static [String] {
    &pools().texts["texts"]
}

/// Texts for an argument of a function, if it needs special ones.
pub(crate) fn texts(function: &str, position: usize) -> Option<&'static [String]> {
    let name = match (function, position) {
        ("matches" | "find" | "findAll", 1) => "patterns",
        ("url" | "isURL", 0) => "urls",
        ("ip" | "isIP" | "ip.isCanonical" | "containsIP", _) => "addresses",
        ("cidr" | "isCIDR" | "containsCIDR", _) => "networks",
        ("quantity" | "isQuantity", 0) => "quantities",
        ("semver" | "isSemver", 0) => "versions",
        ("format", 0) => "templates",
        ("timestamp", 0) => "moments",
        ("duration", 0) => "spans",
        ("int" | "uint" | "double" | "bool", 0) => "numbers",
        ("format.named", 0) | ("validate", 1) => "names",
        ("indexOf" | "lastIndexOf" | "split" | "replace" | "join" | "contains" | "startsWith" | "endsWith", 1..) => {
            "separators"
        }
        (name, 1) if name.starts_with("get") => "zones",
        _ => return None,
    };
    Some(&pools().texts[name])
}

/// Whether an integer of this function says how much it makes.
pub(crate) fn is_size(function: &str) -> bool {
    matches!(function, "lists.range" | "flatten")
}

/// Expressions of a type that has no parameters; nothing if there are none.
pub(crate) fn literals(kind: &str) -> Option<&'static [String]> {
    pools().literals.get(kind).map(Vec::as_slice)
}

/// A value, with its tag.
pub(crate) fn value(draws: &mut Draws, of: &Kind) -> Json {
    match of.name() {
        "int" => json!({"int": draws.one_of(&INTEGERS)}),
        "wrapper" if draws.below(2) == 0 => json!({"null": null}),
        "wrapper" => value(draws, of.parameter(0)),
        "uint" => json!({"uint": draws.one_of(&[0, 1, 2, 7, u64::MAX, 1 << 63])}),
        "double" => {
            json!({"double": draws.one_of(&["0", "-0", "1", "1.5", "-2.5", "NaN", "+Inf", "-Inf", "1e+300", "9007199254740992", "0.1", "3"])})
        }
        "string" => json!({"string": draws.among(any())}),
        "bytes" => json!({"bytes": draws.one_of(&["", "YQ==", "/w==", "YWJj"])}),
        "bool" => json!({"bool": draws.below(2) == 0}),
        "timestamp" => {
            json!({"timestamp": draws.one_of(&["2020-01-01T00:00:00Z", "2024-02-29T23:59:59.999999999+14:00", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.5Z"])})
        }
        "duration" => {
            json!({"duration": draws.one_of(&[0, 1, -1, 1_500_000_000, 5_400_000_000_000, i64::MAX, i64::MIN])})
        }
        "list" => json!({"list": (0..draws.below(5)).map(|_| value(draws, of.parameter(0))).collect::<Vec<_>>()}),
        "map" => {
            let mut keys = Vec::new();
            for _ in 0..draws.below(4) {
                let key = match of.parameter(0).name() {
                    "int" => json!({"int": draws.one_of(&[0, 1, -1, 2])}),
                    _ => json!({"string": draws.one_of(&["a", "b", "c", ""])}),
                };
                if !keys.contains(&key) {
                    keys.push(key);
                }
            }
            let entries: Vec<Json> = keys.into_iter().map(|key| json!([key, value(draws, of.parameter(1))])).collect();
            json!({"map": entries})
        }
        "optional_type" if draws.below(3) == 0 => json!({"optional": []}),
        "optional_type" => json!({"optional": [value(draws, of.parameter(0))]}),
        "dyn" => {
            const ALL: [&str; 11] = [
                "int",
                "uint",
                "double",
                "string",
                "bool",
                "null",
                "list(int)",
                "list(string)",
                "map(string, int)",
                "duration",
                "bytes",
            ];
            let kind = Kind::read(draws.one_of(&ALL));
            value(draws, &kind)
        }
        _ => json!({"null": null}),
    }
}

const INTEGERS: [i64; 14] =
    [0, 1, 2, 3, 7, -1, -7, 10, i64::MAX, i64::MIN, 1 << 53, (1 << 53) + 1, 4_294_967_296, 1_000_000];
