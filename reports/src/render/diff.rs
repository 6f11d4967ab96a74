//! Expected and actual, as a diff of their YAML.

use std::fmt::Write as _;

use serde_json::Value;
use similar::{ChangeTag, TextDiff};

use super::Style;
use super::style::Painter;
use super::yaml::yaml;
use crate::Failure;

/// Lines of context around a change.
const CONTEXT: usize = 3;

/// A line diff of two values: `-` is expected, `+` is actual, changed parts of a line are emphasised (in colour), and
/// lines far from a change are omitted. Equal values are reported as such.
pub fn diff(expected: &Value, actual: &Value, style: Style) -> String {
    diff_of(["expected", "actual"], expected, actual, style)
}

/// The diff of a failure: of expected and actual, or of two answers that disagree, with their names.
pub fn of_failure(failure: &Failure, style: Style) -> String {
    diff_of(names(failure), &failure.expected, &failure.actual, style)
}

/// What the two sides of a failure are called.
pub(super) fn names(failure: &Failure) -> [&str; 2] {
    failure.between.as_deref().map_or(["expected", "actual"], |names| names.each_ref().map(String::as_str))
}

/// Like [`diff`], with other labels than `expected` and `actual`.
pub fn diff_of(names: [&str; 2], expected: &Value, actual: &Value, style: Style) -> String {
    let Some(lines) = lines(expected, actual) else {
        return format!("  ({} and {} look the same)\n", names[0], names[1]);
    };
    let mut text = format!("{}\n{}\n", style.bad(&format!("- {}", names[0])), style.good(&format!("+ {}", names[1])));
    for line in lines {
        let (sign, plain, emphasis): (&str, Painter, Painter) = match line.kind {
            Kind::Expected => ("- ", Style::bad, Style::bad_emphasis),
            Kind::Actual => ("+ ", Style::good, Style::good_emphasis),
            Kind::Both => ("  ", Style::faint, Style::faint),
            Kind::Omitted => {
                let _ = writeln!(text, "{}", style.faint("  …"));
                continue;
            }
        };
        text.push_str(&plain(style, sign));
        for (is_emphasised, part) in line.parts {
            let paint = if is_emphasised { emphasis } else { plain };
            text.push_str(&paint(style, &part));
        }
        text.push('\n');
    }
    text
}

/// A line of a diff.
pub(super) struct Line {
    pub(super) kind: Kind,
    /// Its text without the line end, in parts; `true`: this part differs from its counterpart.
    pub(super) parts: Vec<(bool, String)>,
}

/// Where a line of a diff is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Expected,
    Actual,
    Both,
    /// Lines of both that are far from a change.
    Omitted,
}

/// The lines of a diff; none if both values look the same.
pub(super) fn lines(expected: &Value, actual: &Value) -> Option<Vec<Line>> {
    let (expected, actual) = (sorted_yaml(expected), sorted_yaml(actual));
    if expected == actual {
        return None;
    }
    let diff = TextDiff::from_lines(&expected, &actual);
    let mut lines = Vec::new();
    for (position, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
        if position > 0 {
            lines.push(Line { kind: Kind::Omitted, parts: Vec::new() });
        }
        for change in group.iter().flat_map(|op| diff.iter_inline_changes(op)) {
            let kind = match change.tag() {
                ChangeTag::Delete => Kind::Expected,
                ChangeTag::Insert => Kind::Actual,
                ChangeTag::Equal => Kind::Both,
            };
            let parts = change.iter_strings_lossy();
            let without_end = |part: &str| part.strip_suffix('\n').unwrap_or(part).to_owned();
            let parts = parts.map(|(emphasised, part)| (emphasised, without_end(&part)));
            lines.push(Line { kind, parts: parts.filter(|(_, part)| !part.is_empty()).collect() });
        }
    }
    Some(lines)
}

/// The order of keys has no meaning here, but would show as a difference.
fn sorted_yaml(value: &Value) -> String {
    fn sorted(value: &Value) -> Value {
        match value {
            Value::Object(fields) => {
                let mut entries: Vec<(&String, &Value)> = fields.iter().collect();
                entries.sort_unstable_by_key(|(key, _)| *key);
                entries.into_iter().map(|(key, field)| (key.clone(), sorted(field))).collect()
            }
            Value::Array(items) => items.iter().map(sorted).collect(),
            scalar => scalar.clone(),
        }
    }
    yaml(&sorted(value))
}

#[cfg(test)]
mod tests;
