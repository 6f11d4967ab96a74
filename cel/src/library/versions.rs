//! What rules do with semantic versions.

use std::cmp::Ordering;
use std::sync::Arc;

use semver::Version;

use super::arguments::{opaque, string, unconvertible};
use crate::value::{Evaluated, EvaluationError, Opaque, Value, look_through};

/// To compare a pre-release part by part takes longer than to compare a text.
const TIMES_A_TEXT: usize = 64;

impl Opaque for Version {
    fn type_name(&self) -> &'static str {
        "kubernetes.Semver"
    }

    fn is_equal(&self, other: &Value) -> Result<bool, EvaluationError> {
        order(self, opaque::<Self>(other)?).map(Ordering::is_eq)
    }

    fn print(&self) -> String {
        self.to_string()
    }

    fn unwrapped(&self) -> Option<Evaluated> {
        unconvertible("semver.Version", self)
    }
}

/// How two versions are ordered.
///
/// Errors: the evaluation has compared too much.
fn order(left: &Version, right: &Version) -> Result<Ordering, EvaluationError> {
    look_through(left.pre.len().min(right.pre.len()).saturating_mul(TIMES_A_TEXT))?;
    Ok(left.cmp_precedence(right))
}

/// Reads a version; with `true` as the second argument also `v1` and `01.2`.
fn read(arguments: &[Value]) -> Result<Version, EvaluationError> {
    let text = string(&arguments[0])?;
    let text = match arguments.get(1) {
        Some(Value::Bool(true)) => normalized(text)?,
        _ => text.to_string(),
    };
    let version = Version::parse(&text).map_err(|error| EvaluationError::new(error.to_string()))?;
    let is_too_large = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit()) && part.parse::<u64>().is_err();
    match version.pre.split('.').find(|part| !part.is_empty() && is_too_large(part)) {
        Some(part) => Err(EvaluationError::new(format!("strconv.ParseUint: parsing {part:?}: value out of range"))),
        None => Ok(version),
    }
}

/// With three parts, and without a `v` and zeros in front.
fn normalized(text: &str) -> Result<String, EvaluationError> {
    let mut parts: Vec<&str> = text.strip_prefix('v').unwrap_or(text).splitn(3, '.').collect();
    if parts.len() < 3 && parts.last().is_some_and(|last| last.contains(['+', '-'])) {
        return Err(EvaluationError::new("short version cannot contain PreRelease/Build meta data"));
    }
    parts.resize(3, "0");
    let without_zeros = |part: &str| {
        let trimmed = if part.len() > 1 { part.trim_start_matches('0') } else { part };
        let begins_with_digit = trimmed.starts_with(|first: char| first.is_ascii_digit());
        if part.len() > 1 && !begins_with_digit { format!("0{trimmed}") } else { trimmed.to_owned() }
    };
    Ok(parts.into_iter().map(without_zeros).collect::<Vec<_>>().join("."))
}

pub(super) fn semver(arguments: &[Value]) -> Evaluated {
    Ok(Value::Opaque(Arc::new(read(arguments)?)))
}

pub(super) fn is_semver(arguments: &[Value]) -> Evaluated {
    string(&arguments[0])?;
    Ok(Value::Bool(read(arguments).is_ok()))
}

pub(super) fn is_greater(arguments: &[Value]) -> Evaluated {
    Ok(Value::Bool(order(opaque::<Version>(&arguments[0])?, opaque::<Version>(&arguments[1])?)?.is_gt()))
}

pub(super) fn is_less(arguments: &[Value]) -> Evaluated {
    Ok(Value::Bool(order(opaque::<Version>(&arguments[0])?, opaque::<Version>(&arguments[1])?)?.is_lt()))
}

pub(super) fn compare(arguments: &[Value]) -> Evaluated {
    Ok(Value::Int(order(opaque::<Version>(&arguments[0])?, opaque::<Version>(&arguments[1])?)? as i64))
}

pub(super) fn major(arguments: &[Value]) -> Evaluated {
    part(opaque::<Version>(&arguments[0])?.major)
}

pub(super) fn minor(arguments: &[Value]) -> Evaluated {
    part(opaque::<Version>(&arguments[0])?.minor)
}

pub(super) fn patch(arguments: &[Value]) -> Evaluated {
    part(opaque::<Version>(&arguments[0])?.patch)
}

/// A part of a version, as an integer that is signed.
#[expect(clippy::cast_possible_wrap, reason = "as upstream does")]
fn part(value: u64) -> Evaluated {
    Ok(Value::Int(value as i64))
}
