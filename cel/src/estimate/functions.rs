//! What each function can cost.

use std::sync::Arc;

use super::bounds::{Bounds, Sizes};
use crate::ast::{Literal, Name};
use crate::library::{COST_ONE, LIST, MESSAGE};
use crate::release::{Change, Release};
use crate::types::Type;

/// What a call can cost, and how large its result can be.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallEstimate {
    pub(super) cost: Bounds,
    pub(super) result: Option<Bounds>,
}

impl CallEstimate {
    pub(super) fn of(cost: Bounds) -> Self {
        Self { cost, result: None }
    }

    fn with_result(cost: Bounds, result: Bounds) -> Self {
        Self { cost, result: Some(result) }
    }
}

/// What is known about an operand.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    /// Which value it is; empty if that is not known.
    pub(super) path: Vec<Name>,
    pub(super) of: Type,
    pub(super) size: Option<Bounds>,
    pub(super) literal: Option<Literal>,
}

impl Operand {
    fn size(&self) -> Bounds {
        self.size.unwrap_or(Bounds::UNKNOWN)
    }

    /// The type of the elements and their size, if it is a list.
    fn elements(&self, sizes: &dyn Sizes) -> Option<(&Type, Bounds)> {
        let of = match &self.of {
            Type::List(element) => &**element,
            Type::Map(types) => &types.0,
            Type::Optional(value) => &**value,
            _ => return None,
        };
        let path: Vec<Name> = self.path.iter().cloned().chain([Arc::from("@items")]).collect();
        let size = if self.path.is_empty() { None } else { sizes.size(&path) };
        Some((of, size.unwrap_or(Bounds::UNKNOWN)))
    }

    /// A constant integer; a negative one counts as 0.
    fn integer(&self) -> Option<u64> {
        match self.literal {
            Some(Literal::Int(value)) => Some(u64::try_from(value).unwrap_or(0)),
            _ => None,
        }
    }
}

/// What it costs to call a function, without its operands.
pub(super) fn cost(
    release: Release,
    function: &str,
    overload: &str,
    target: Option<&Operand>,
    arguments: &[Operand],
    sizes: &dyn Sizes,
) -> CallEstimate {
    of_the_list_library(overload, target, arguments)
        .or_else(|| by_function(function, overload, target, arguments, sizes))
        .unwrap_or_else(|| by_overload(release, overload, target, arguments))
}

/// Functions that make lists, and those of sets.
fn of_the_list_library(overload: &str, target: Option<&Operand>, arguments: &[Operand]) -> Option<CallEstimate> {
    let making = |factor: f64, size: Bounds| {
        Some(CallEstimate::with_result(size.scaled(factor).plus(Bounds::exactly(1 + LIST)), size))
    };
    let square = |operand: &Operand| operand.size().times(operand.size());
    let of_sets = |factor: f64| match arguments {
        [left, right] => {
            Some(CallEstimate::of(left.size().times(right.size()).scaled(factor).plus(Bounds::exactly(1))))
        }
        _ => None,
    };
    // Texts cost a little more to compare.
    let of_sort = |operand: &Operand| {
        let are_texts = overload.starts_with("list_string_") || overload.starts_with("list_bytes_");
        making(if are_texts { 2.1 } else { 2.0 }, square(operand))
    };
    match (overload, target, arguments) {
        ("list_slice", Some(target), [start, end]) => {
            let start = start.integer().unwrap_or(0);
            let end = end.integer().unwrap_or(target.size().most);
            making(1.0, Bounds::exactly(end.wrapping_sub(start)))
        }
        ("lists_range", None, [end]) => making(1.0, Bounds::exactly(end.integer().unwrap_or(u64::MAX))),
        ("list_reverse" | "list_flatten", Some(target), []) => making(1.0, target.size()),
        #[expect(clippy::cast_precision_loss, reason = "as upstream does")]
        ("list_flatten_int", Some(target), [depth]) => {
            making(depth.integer().unwrap_or(u64::MAX) as f64, target.size())
        }
        ("list_distinct", Some(target), []) => making(2.0, square(target)),
        (id, Some(target), []) if id.starts_with("list_") && id.ends_with("_sort") => of_sort(target),
        (id, Some(_), [keys]) if id.ends_with("_sortByAssociatedKeys") => of_sort(keys),
        ("list_sets_contains_list" | "list_sets_intersects_list", _, _) => of_sets(1.0),
        ("list_sets_equivalent_list", _, _) => of_sets(2.0),
        _ => None,
    }
}

/// The functions of Kubernetes.
fn by_function(
    function: &str,
    overload: &str,
    target: Option<&Operand>,
    arguments: &[Operand],
    sizes: &dyn Sizes,
) -> Option<CallEstimate> {
    let one = Some(CallEstimate::of(Bounds::exactly(1)));
    let traversal = |operand: &Operand| Some(CallEstimate::of(operand.size().traversed()));
    match (function, target, arguments) {
        ("check", _, _) => Some(CallEstimate::of(Bounds::exactly(350_000))),
        // A list of requirements, of two characters each at least.
        ("fieldSelector" | "labelSelector", _, [text]) => {
            let requirements = text.size().scaled(0.5).times(Bounds::exactly(LIST + MESSAGE));
            Some(CallEstimate::of(Bounds::exactly(LIST).plus(text.size().traversed()).plus(requirements)))
        }
        ("isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf" | "includes", Some(target), _) => {
            let Some((element, size)) = target.elements(sizes) else {
                // What may be a list is compared as one, a text is only looked through.
                let is_list = function == "includes";
                return if is_list { Some(CallEstimate::of(target.size())) } else { traversal(target) };
            };
            let each = match element {
                Type::String | Type::Bytes => size.traversed().plus(Bounds::exactly(1)),
                _ => Bounds::exactly(1),
            };
            Some(CallEstimate::of(target.size().times(each)))
        }
        ("url", _, [text]) => Some(CallEstimate::with_result(text.size().traversed(), text.size())),
        ("lowerAscii" | "upperAscii" | "substring" | "trim", Some(text), _) => {
            Some(CallEstimate::with_result(text.size().traversed(), text.size()))
        }
        ("replace", Some(text), [old, new, ..]) => {
            let result = replaced(text.size(), old.size(), new.size());
            Some(CallEstimate::with_result(text.size().scaled(0.2), result))
        }
        ("split", Some(text), arguments) => {
            let most = match arguments.get(1).and_then(|limit| limit.literal.as_ref()) {
                Some(Literal::Int(limit)) => limit.cast_unsigned(),
                _ => text.size().most,
            };
            Some(CallEstimate::with_result(text.size().scaled(0.2), Bounds::new(0, most)))
        }
        ("join", Some(list), arguments) => {
            let size = joined(list, arguments.first(), sizes);
            Some(CallEstimate::with_result(size.traversed(), size))
        }
        ("find" | "findAll", Some(text), [expression, ..]) => {
            let cost = searched(text.size(), expression.size());
            Some(CallEstimate::with_result(cost, Bounds::new(0, text.size().most)))
        }
        ("ip", _, _) if overload == "cidr_ip" => one,
        ("cidr" | "isIP" | "isCIDR" | "ip" | "quantity" | "isQuantity" | "semver" | "isSemver", _, [text, ..]) => {
            traversal(text)
        }
        ("ip.isCanonical", _, [text, ..]) => Some(CallEstimate::of(text.size().scaled(0.2))),
        ("containsIP" | "containsCIDR", _, [other, ..]) => {
            let address = Bounds::new(4, 16);
            let mut cost = address.plus(address).traversed();
            if function == "containsCIDR" {
                cost = cost.plus(address.traversed()).plus(Bounds::exactly(1));
            }
            if overload.ends_with("_string") {
                cost = cost.plus(other.size().traversed());
            }
            Some(CallEstimate::of(cost))
        }
        // As long as the longest expression of a format, a quarter of it.
        ("validate", _, [text, ..]) => Some(CallEstimate::of(text.size().traversed().scaled(32.0))),
        ("_==_", _, [left, right]) if left.of == right.of => of_equality(left, right),
        (name, _, _) if COST_ONE.contains(&name) => one,
        _ => None,
    }
}

/// Equality of the types of Kubernetes.
fn of_equality(left: &Operand, right: &Operand) -> Option<CallEstimate> {
    let (Type::Object(name) | Type::Opaque(name)) = &left.of else { return None };
    let most = match &**name {
        "net.IP" | "net.CIDR" | "kubernetes.Quantity" | "kubernetes.Semver" => {
            return Some(CallEstimate::of(Bounds::exactly(1)));
        }
        name if name.starts_with("kubernetes.authorization.") => return Some(CallEstimate::of(Bounds::exactly(1))),
        "kubernetes.NamedFormat" => 64,
        // Upstream looks at the right one only.
        "kubernetes.URL" => match (left.size, right.size) {
            (_, Some(right)) => right.most,
            _ => 1,
        },
        _ => return None,
    };
    Some(CallEstimate::of(Bounds::new(1, most).traversed()))
}

/// A text in which each part is replaced.
fn replaced(text: Bounds, old: Bounds, new: Bounds) -> Bounds {
    let (mut count, mut kept) = (Bounds::exactly(0), Bounds::exactly(0));
    if old.least == 0 {
        (count.most, kept.most) = (text.most.saturating_add(1), text.most);
    } else if new.most <= old.least {
        kept.most = text.most;
    } else {
        count.most = quotient(text.most, old.least);
    }
    if old.most == 0 {
        (count.least, kept.least) = (text.least.saturating_add(1), text.least);
    } else if old.most <= new.least {
        kept.least = text.least;
    } else {
        count.least = quotient(text.least, old.most);
    }
    count.times(new).plus(kept)
}

/// Rounded up, in doubles.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "as upstream")]
fn quotient(dividend: u64, divisor: u64) -> u64 {
    (dividend as f64 / divisor as f64).ceil() as u64
}

fn joined(list: &Operand, separator: Option<&Operand>, sizes: &dyn Sizes) -> Bounds {
    let count = list.size();
    let elements = list.elements(sizes).map_or(Bounds::exactly(0), |(_, size)| count.times(size));
    let gaps = Bounds::new(count.least.saturating_sub(1), count.most.saturating_sub(1));
    separator.map_or(elements, |separator| elements.plus(separator.size().times(gaps)))
}

/// A text in which an expression is looked for.
fn searched(text: Bounds, expression: Bounds) -> Bounds {
    text.plus(Bounds::exactly(1)).traversed().times(expression.scaled(0.25))
}

/// The functions of the language.
fn by_overload(release: Release, overload: &str, target: Option<&Operand>, arguments: &[Operand]) -> CallEstimate {
    match (overload, target, arguments) {
        ("string_format", Some(text), _) => CallEstimate::of(text.size().traversed()),
        ("string_to_bytes", _, [text]) => {
            let size = text.size();
            CallEstimate::with_result(size.traversed(), Bounds::new(size.least, size.most.wrapping_mul(4)))
        }
        ("bytes_to_string", _, [bytes]) => {
            let size = bytes.size();
            CallEstimate::with_result(size.traversed(), Bounds::new(size.least / 4, size.most))
        }
        ("strings_quote", _, [text]) => {
            let size = text.size();
            let quoted = Bounds::new(size.least.wrapping_add(2), size.most.wrapping_mul(2).wrapping_add(2));
            CallEstimate::with_result(size.traversed(), quoted)
        }
        ("starts_with_string" | "ends_with_string", _, [part]) => CallEstimate::of(part.size().traversed()),
        ("in_list", _, [_, list]) => CallEstimate::of(list.size().scaled(1.0)),
        ("matches_string", Some(text), [expression]) => CallEstimate::of(searched(text.size(), expression.size())),
        ("matches", None, [text, expression]) if release.has(Change::MatchesByText) => {
            CallEstimate::of(searched(text.size(), expression.size()))
        }
        ("contains_string", Some(text), [part]) => {
            CallEstimate::of(text.size().traversed().times(part.size().traversed()))
        }
        ("add_string" | "add_bytes", _, [left, right]) => {
            let size = left.size().plus(right.size());
            CallEstimate::with_result(size.traversed(), size)
        }
        ("add_list", _, [left, right]) => CallEstimate::with_result(Bounds::exactly(1), left.size().plus(right.size())),
        (
            "less_string"
            | "greater_string"
            | "less_equals_string"
            | "greater_equals_string"
            | "less_bytes"
            | "greater_bytes"
            | "less_equals_bytes"
            | "greater_equals_bytes"
            | "equals"
            | "not_equals",
            _,
            [left, right],
        ) => {
            let most = left.size().most.min(right.size().most);
            CallEstimate::of(Bounds::new(most.min(1), most).traversed())
        }
        _ => CallEstimate::of(Bounds::exactly(1)),
    }
}
