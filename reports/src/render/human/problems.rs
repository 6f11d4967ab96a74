//! What the run could not judge: missing capabilities, errors, events.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::paragraph;
use crate::journal::Event;
use crate::model::{EventSummary, MissingCapability, PropertyResult, Report};
use crate::render::Style;
use crate::text::{grouped, more_properties, plural, properties, were};
use crate::verdict::Verdict;

/// At most this many lines of a kind; the JSON has all.
const MOST_LINES: usize = 5;

/// One line for each missing capability, with an empty line at the end.
pub(super) fn missing_capabilities(report: &Report, style: Style) -> String {
    if report.lacks.is_empty() {
        return String::new();
    }
    // The plan does not count the properties that need a missing capability.
    let planned = report.counts.properties + report.lacks.iter().map(MissingCapability::count).sum::<u64>();
    let lines: Vec<String> = report
        .lacks
        .iter()
        .map(|missing| {
            let failure = missing.failure.map(|number| format!(" (failure {number} below)")).unwrap_or_default();
            let (count, were) = (grouped(missing.count()), were(missing.count()));
            let count = format!("{count} of {} {were} not judged", properties(planned));
            format!("the target does not support {}: {count}{failure}", missing.capability)
        })
        .collect();
    let heading = style.strong("what to fix first");
    format!("{heading}\n{}", paragraph(&lines, |line| style.warning(line)))
}

/// Why the run is incomplete, its errors and its events, with an empty line at the end.
pub(super) fn of_the_run(report: &Report, style: Style) -> String {
    let mut lines = Vec::new();
    if report.verdict == Verdict::Nonconformant {
        // Earlier versions worded these reasons differently.
        let is_listed = |reason: &str| {
            let shows = |capability: &str| reason.contains(" skipped because ") && reason.ends_with(capability);
            report.lacks.iter().any(|missing| shows(&missing.capability))
        };
        let reasons = report.reasons.iter().filter(|reason| !is_listed(reason));
        let reasons = reasons.map(|reason| format!("also: {reason}")).collect();
        lines.extend(first(reasons, |more| format!("also: {}", plural(more, "more reason"))));
    }
    lines.extend(first(errors(&report.properties), |more| format!("and {}", plural(more, "other kind") + " of error")));
    let events = report.events.iter().filter(|event| event.kind != Event::SKIPPED);
    lines.extend(events.map(event));
    paragraph(&lines, |line| style.warning(line))
}

/// One line: `9 × stopped, the first: …`.
pub(in crate::render) fn event(event: &EventSummary) -> String {
    let EventSummary { kind, count, detail } = event;
    let first = if *count > 1 { ", the first" } else { "" };
    format!("{count} × {kind}{first}: {detail}")
}

/// The first lines, and how many there are more.
fn first(mut lines: Vec<String>, more: impl Fn(u64) -> String) -> Vec<String> {
    if lines.len() > MOST_LINES {
        let last = more((lines.len() - MOST_LINES) as u64);
        lines.truncate(MOST_LINES);
        lines.push(last);
    }
    lines
}

/// One line for all properties whose first error has the same text, most errors first.
fn errors(properties: &[PropertyResult]) -> Vec<String> {
    let mut by_text: BTreeMap<&str, Vec<(&PropertyResult, &str)>> = BTreeMap::new();
    for property in properties.iter().filter(|property| property.errors > 0) {
        let example = property.examples.iter().find_map(|example| example.strip_prefix("error, ")).unwrap_or_default();
        let (scenario, text) = example.split_once(": ").unwrap_or(("", example));
        by_text.entry(text).or_default().push((property, scenario));
    }
    let mut kinds: Vec<(u64, String)> = by_text
        .into_iter()
        .map(|(text, found)| {
            let count = found.iter().map(|(property, _)| property.errors).sum();
            let place = found.first().map(|(property, scenario)| format!("{}, {scenario}", property.id));
            let others = match found.len() as u64 - 1 {
                0 => String::new(),
                others => format!(", and {}", more_properties(others)),
            };
            // Of each property only the first text is known.
            let such_as = if count > found.len() as u64 { ", such as" } else { "" };
            let line = format!("{}{such_as}: {text} ({}{others})", plural(count, "error"), place.unwrap_or_default());
            (count, line)
        })
        .collect();
    kinds.sort_by_key(|(count, _)| Reverse(*count));
    kinds.into_iter().map(|(_, line)| line).collect()
}
