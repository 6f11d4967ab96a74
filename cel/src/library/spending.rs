//! What calls cost when they are evaluated, in upstream's units.

use super::Overload;
use super::formats::format_of;
use crate::release::{Change, Release};
use crate::stack::deep;
use crate::value::{Evaluated, Value, look};

/// What it costs to make a list, a map and an object, also by the estimate.
pub(crate) const LIST: u64 = 10;
pub(crate) const MAP: u64 = 30;
pub(crate) const MESSAGE: u64 = 40;

/// Functions of Kubernetes that cost 1, also by the estimate.
pub(crate) const COST_ONE: [&str; 38] = [
    "serviceAccount",
    "path",
    "group",
    "resource",
    "subresource",
    "namespace",
    "name",
    "allowed",
    "reason",
    "error",
    "errored",
    "masked",
    "prefixLength",
    "family",
    "isUnspecified",
    "isLoopback",
    "isLinkLocalMulticast",
    "isLinkLocalUnicast",
    "isGlobalUnicast",
    "format.named",
    "sign",
    "asInteger",
    "isInteger",
    "asApproximateFloat",
    "isGreaterThan",
    "isLessThan",
    "compareTo",
    "add",
    "sub",
    "major",
    "minor",
    "patch",
    "getScheme",
    "getHostname",
    "getHost",
    "getPort",
    "getEscapedPath",
    "getQuery",
];

/// A call, with all that its cost depends on.
pub(crate) struct Spending<'a> {
    pub(crate) release: Release,
    pub(crate) function: &'static str,
    /// The overload, if the types of the arguments show only one.
    pub(crate) overload: Option<&'static Overload>,
    pub(crate) arguments: &'a [Evaluated],
}

impl Spending<'_> {
    /// What the call costs that returned this.
    pub(crate) fn units(&self, result: &Evaluated) -> u64 {
        self.of_the_list_library(result).or_else(|| self.by_function(result)).unwrap_or_else(|| self.by_overload())
    }

    fn id(&self) -> &'static str {
        self.overload.map_or("", |overload| overload.id)
    }

    fn size(&self, position: usize) -> u64 {
        self.arguments.get(position).map_or(1, size)
    }

    /// Functions that make lists, and those of sets.
    fn of_the_list_library(&self, result: &Evaluated) -> Option<u64> {
        let making = |work: u64| Some(work.saturating_add(1 + LIST));
        let id = self.id();
        match id {
            "list_slice" | "lists_range" | "list_reverse" => making(size(result)),
            "list_flatten" => making(self.size(0)),
            "list_flatten_int" => match self.arguments.get(1) {
                Some(Ok(Value::Int(depth))) if *depth < 0 && self.release.has(Change::DepthIsPositive) => {
                    making(self.size(0))
                }
                Some(Ok(Value::Int(depth))) => Some(flattened(*depth, self.size(0)).wrapping_add(1 + LIST)),
                _ => making(0),
            },
            "list_distinct" => making(self.comparisons(0)),
            "list_sets_contains_list" | "list_sets_intersects_list" => Some(self.pairs().saturating_add(1)),
            "list_sets_equivalent_list" => Some(self.pairs().saturating_mul(2).saturating_add(1)),
            _ if id.starts_with("list_") && id.ends_with("_sort") => making(self.comparisons(0)),
            _ if id.ends_with("_sortByAssociatedKeys") => making(self.comparisons(1)),
            _ => None,
        }
    }

    /// Each element of a list with each of another one.
    fn pairs(&self) -> u64 {
        self.size(0).saturating_mul(self.size(1))
    }

    /// Of each element of a list with each: texts cost a little more.
    fn comparisons(&self, position: usize) -> u64 {
        let Some(Ok(Value::List(list))) = self.arguments.get(position) else { return 1 };
        let pairs = (list.size() as u64).saturating_pow(2);
        let are_texts = list.size() > 0 && matches!(list.get(0), Ok(Value::String(_) | Value::Bytes(_)));
        if are_texts { pairs.saturating_mul(21) / 10 } else { pairs.saturating_mul(2) }
    }

    /// The functions of Kubernetes, also if the overload is not known.
    fn by_function(&self, result: &Evaluated) -> Option<u64> {
        let own = || plain_size(self.arguments.first());
        let other = || plain_size(self.arguments.get(1));
        Some(match self.function {
            "check" => 350_000,
            "fieldSelector" | "labelSelector" => {
                let size = other();
                LIST + tenth(size) + size.div_ceil(2).saturating_mul(LIST + MESSAGE)
            }
            "isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf" | "includes" => {
                self.arguments.first().and_then(|value| value.as_ref().ok()).map_or(1, traversal)
            }
            "url" | "lowerAscii" | "upperAscii" | "substring" | "trim" | "cidr" | "isIP" | "isCIDR" | "quantity"
            | "isQuantity" | "semver" | "isSemver" => tenth(own()),
            "ip" if self.id() == "cidr_ip" => 1,
            "ip" => tenth(own()),
            "replace" | "split" | "ip.isCanonical" => tenth(2 * own()),
            "join" => tenth(2 * plain_size(Some(result))),
            "find" | "findAll" => tenth(1 + own()) * other().div_ceil(4),
            "containsIP" if self.id() == "cidr_contains_ip_string" => tenth(2 * own()) + tenth(other()),
            "containsIP" => tenth(2 * own()),
            "containsCIDR" if self.id() == "cidr_contains_cidr_string" => {
                tenth(2 * own()) + tenth(own()) + 1 + tenth(other())
            }
            "containsCIDR" => tenth(2 * own()) + tenth(own()) + 1,
            "validate" => match self.arguments.first() {
                Some(Ok(value)) => tenth(1 + other()) * format_of(value).ok()?.expression.div_ceil(4),
                _ => return None,
            },
            name if COST_ONE.contains(&name) => 1,
            _ => return None,
        })
    }

    /// The functions of the language, if the overload is known.
    fn by_overload(&self) -> u64 {
        let size = |position| self.size(position);
        match self.id() {
            "starts_with_string" | "ends_with_string" if self.release.has(Change::SpentByPart) => tenth(size(1)),
            "starts_with_string" | "ends_with_string" | "string_to_bytes" | "bytes_to_string" | "strings_quote"
            | "string_format" => tenth(size(0)),
            "in_list" => size(1),
            "less_string"
            | "greater_string"
            | "less_equals_string"
            | "greater_equals_string"
            | "less_bytes"
            | "greater_bytes"
            | "less_equals_bytes"
            | "greater_equals_bytes" => tenth(size(0).min(size(1))),
            "add_string" | "add_bytes" => tenth(size(0) + size(1)),
            "matches" if !self.release.has(Change::MatchesByText) => 1,
            "matches" | "matches_string" => tenth(1 + size(0)) * size(1).div_ceil(4),
            "contains_string" => tenth(size(0)) * tenth(size(1)),
            _ => 1,
        }
    }
}

/// What it costs to flatten a list: upstream multiplies doubles, and makes an integer of the product as processors do.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "as upstream does"
)]
fn flattened(depth: i64, size: u64) -> u64 {
    const TOO_LARGE: u64 = 1 << 63;
    match depth as f64 * size as f64 {
        product if product < 2f64.powi(63) => (product as i64).cast_unsigned(),
        product if product < 2f64.powi(64) => product as u64,
        _ => TOO_LARGE,
    }
}

/// What it costs to look at a value once, with all its parts: texts by their bytes.
fn traversal(value: &Value) -> u64 {
    if look().is_err() {
        return u64::MAX;
    }
    match value {
        Value::String(text) => text.len() as u64 / 10,
        Value::Bytes(bytes) => bytes.len() as u64 / 10,
        Value::List(list) => total((0..list.size()).map(|position| of_part(&list.get(position)))),
        Value::Map(map) => {
            total(map.keys().iter().map(|key| traversal(key).saturating_add(map.get(key).as_ref().map_or(1, of_part))))
        }
        _ => 1,
    }
}

fn of_part(part: &Evaluated) -> u64 {
    part.as_ref().map_or(1, |part| deep(|| traversal(part)))
}

/// Of a list that has far too many parts, no more are looked at.
fn total(mut costs: impl Iterator<Item = u64>) -> u64 {
    costs.try_fold(0, |sum: u64, cost| sum.checked_add(cost)).unwrap_or(u64::MAX)
}

/// The size of a value; an optional value has none of its own.
fn plain_size(value: Option<&Evaluated>) -> u64 {
    match value {
        Some(Ok(Value::Optional(_))) => 1,
        Some(value) => size(value),
        None => 1,
    }
}

/// What it costs to compare two values. Kubernetes charges 1 for `==` of its own types, and forgets `!=`.
pub(crate) fn cost_of_equality(left: &Evaluated, right: &Evaluated, is_negated: bool) -> u64 {
    if matches!(left, Ok(Value::Opaque(_))) && !is_negated {
        return 1;
    }
    tenth(smaller_size(left, right))
}

/// The size of the smaller one. A long text is not measured beside a short one: it has no fewer characters than a quarter
/// of its bytes.
fn smaller_size(left: &Evaluated, right: &Evaluated) -> u64 {
    let (Ok(Value::String(one)), Ok(Value::String(other))) = (left, right) else { return size(left).min(size(right)) };
    let (shorter, longer) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let characters = shorter.chars().count();
    let smaller = if longer.len() / 4 >= characters { characters } else { characters.min(longer.chars().count()) };
    smaller as u64
}

/// A text is looked at in pieces of ten.
fn tenth(size: u64) -> u64 {
    size.div_ceil(10)
}

/// The size of a value; one of what has none.
fn size(value: &Evaluated) -> u64 {
    value.as_ref().map_or(1, size_of)
}

fn size_of(mut value: &Value) -> u64 {
    while let Value::Optional(Some(inner)) = value {
        value = inner.value();
    }
    value.size().map_or(1, |size| size as u64)
}
