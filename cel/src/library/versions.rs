//! What rules do with semantic versions.

use std::cmp::Ordering;
use std::sync::Arc;

use crdible_text::quoted;
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
    if let Some(why) = why_no_version(&text) {
        return Err(EvaluationError::new(why));
    }
    Version::parse(&text).map_err(|error| EvaluationError::new(error.to_string()))
}

/// Why upstream's library cannot read a version, in its words.
fn why_no_version(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some("Version string empty".to_owned());
    }
    let parts: Vec<&str> = text.splitn(3, '.').collect();
    let [major, minor, rest] = parts[..] else { return Some("No Major.Minor.Patch elements found".to_owned()) };
    let (rest, build) = rest.split_once('+').map_or((rest, None), |(rest, build)| (rest, Some(build)));
    let (patch, pre) = rest.split_once('-').map_or((rest, None), |(patch, pre)| (patch, Some(pre)));
    let core = [("major", "Major", major), ("minor", "Minor", minor), ("patch", "Patch", patch)];
    let of_core = core.into_iter().find_map(|(name, capital, part)| {
        if !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some(format!("Invalid character(s) found in {name} number {}", quoted(part)));
        }
        why_no_number(part, &format!("{capital} number"))
    });
    let is_usual = |part: &str| part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let wrong = |what: &str, part: &str| Some(format!("Invalid character(s) found in {what} {}", quoted(part)));
    let of_pre = |part: &str| match part {
        "" => Some("Prerelease is empty".to_owned()),
        number if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            why_no_number(number, "Numeric PreRelease version")
        }
        part if is_usual(part) => None,
        part => wrong("prerelease", part),
    };
    let of_build = |part: &str| match part {
        "" => Some("Build meta data is empty".to_owned()),
        part if is_usual(part) => None,
        part => wrong("build meta data", part),
    };
    of_core
        .or_else(|| pre.and_then(|pre| pre.split('.').find_map(of_pre)))
        .or_else(|| build.and_then(|build| build.split('.').find_map(of_build)))
}

/// Why a text of digits is no number of a version.
fn why_no_number(digits: &str, what: &str) -> Option<String> {
    if digits.len() > 1 && digits.starts_with('0') {
        return Some(format!("{what} must not contain leading zeroes {}", quoted(digits)));
    }
    let why = match digits.parse::<u64>() {
        Ok(_) => return None,
        Err(_) if digits.is_empty() => "invalid syntax",
        Err(_) => "value out of range",
    };
    Some(format!("strconv.ParseUint: parsing {}: {why}", quoted(digits)))
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
