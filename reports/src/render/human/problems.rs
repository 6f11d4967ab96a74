//! What the run could not judge: capabilities that the target lacks, errors, events.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::paragraph;
use crate::journal::Event;
use crate::model::{Lack, PropertyResult, Report};
use crate::render::Style;
use crate::text::{grouped, more_properties, plural, properties, were};
use crate::verdict::{Verdict, skipped};

/// At most this many lines of a kind; the JSON has all.
const MOST_LINES: usize = 5;

/// One line for each capability that the target lacks, with an empty line at the end.
pub(super) fn lacks(report: &Report, style: Style) -> String {
    if report.lacks.is_empty() {
        return String::new();
    }
    // The plan does not count those that the target cannot be asked.
    let planned = report.counts.properties + report.lacks.iter().map(Lack::count).sum::<u64>();
    let lines: Vec<String> = report
        .lacks
        .iter()
        .map(|lack| {
            let failure = lack.failure.map(|number| format!(" (failure {number} below)")).unwrap_or_default();
            let (count, were) = (grouped(lack.count()), were(lack.count()));
            let count = format!("{count} of {} {were} not judged", properties(planned));
            format!("the target lacks {}: {count}{failure}", lack.capability)
        })
        .collect();
    let heading = style.strong("what to fix first");
    format!("{heading}\n{}", paragraph(&lines, |line| style.warning(line)))
}

/// Why the run is incomplete, its errors and its events, with an empty line at the end.
pub(super) fn of_the_run(report: &Report, style: Style) -> String {
    let mut lines = Vec::new();
    if report.verdict == Verdict::Nonconformant {
        let told: Vec<String> = report.lacks.iter().map(|lack| skipped(&lack.capability, lack.count())).collect();
        let reasons = report.reasons.iter().filter(|reason| !told.contains(reason));
        let reasons = reasons.map(|reason| format!("also: {reason}")).collect();
        lines.extend(first(reasons, |more| format!("also: {}", plural(more, "more reason"))));
    }
    lines.extend(first(errors(&report.properties), |more| format!("and {}", plural(more, "other kind") + " of error")));
    let events = report.events.iter().filter(|event| event.kind != Event::SKIPPED);
    lines.extend(events.map(|event| format!("{} × {}: {}", event.count, event.kind, event.detail)));
    paragraph(&lines, |line| style.warning(line))
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
