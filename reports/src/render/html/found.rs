//! When the failures of the first run were found, and how far shrinking went.

use crdible_spec::Catalogue;
use serde::Serialize;

use crate::model::{Report, ReportedFinding};
use crate::render::human::finding;
use crate::text::grouped;

/// The most failures in the plot.
const MOST: usize = 40;

/// The plot.
#[derive(Debug, Serialize)]
pub(super) struct Found {
    rows: Vec<Row>,
    more: usize,
}

/// A failure, or a known one.
#[derive(Debug, Serialize)]
struct Row {
    /// Its place on the page.
    anchor: String,
    name: String,
    what: String,
    /// Seconds from the start of the run; empty if that is not known.
    after: String,
    /// Where that is between start and end, of 100.
    at: u64,
    /// Choices before and after shrinking, and the scenarios that it took; empty if it was not shrunk.
    size: String,
    executions: String,
    /// The widths of the bars, of 100.
    before: u64,
    left: u64,
}

/// The plot; `None` if nothing was found, or if no times were recorded.
pub(super) fn of(reports: &[Report], catalogue: &Catalogue) -> Option<Found> {
    let report = reports.first()?;
    let failures = report.failures.iter().enumerate().map(|(at, found)| ("f", at + 1, found));
    let known = report.known.iter().enumerate().map(|(at, known)| ("k", at + 1, &known.finding));
    let mut all: Vec<(&str, usize, &ReportedFinding)> = failures.chain(known).collect();
    all.retain(|(_, _, found)| found.after_ms.is_some());
    if all.is_empty() {
        return None;
    }
    all.sort_by_key(|(kind, number, found)| (found.after_ms, *kind, *number));
    let longest = all.iter().filter_map(|(_, _, found)| found.after_ms).max().unwrap_or(0).max(1);
    let sizes = all.iter().filter_map(|(_, _, found)| found.shrink.as_ref());
    let largest = sizes.map(|shrink| shrink.initial_size.max(shrink.final_size)).max().unwrap_or(0).max(1);
    let more = all.len().saturating_sub(MOST);
    let row = |(kind, number, found): (&str, usize, &ReportedFinding)| {
        let after = found.after_ms.unwrap_or(0);
        let shrunk = found.shrink.as_ref().filter(|shrink| shrink.executions > 0);
        let width = |size: u64| (size * 100 / largest).max(1);
        Row {
            anchor: format!("{kind}1-{number}"),
            name: if kind == "k" { format!("known {number}") } else { number.to_string() },
            what: finding::first_requirement(found, catalogue),
            after: seconds(after),
            at: after * 98 / longest,
            size: shrunk.map_or_else(String::new, |shrink| match shrink.initial_size {
                // A scenario that was written by hand has no choices.
                0 => "by hand".to_owned(),
                initial => format!("{} → {}", grouped(initial), grouped(shrink.final_size)),
            }),
            executions: shrunk.map_or_else(String::new, |shrink| grouped(shrink.executions)),
            before: shrunk.filter(|shrink| shrink.initial_size > 0).map_or(0, |shrink| width(shrink.initial_size)),
            left: shrunk.map_or(0, |shrink| width(shrink.final_size)),
        }
    };
    Some(Found { rows: all.into_iter().take(MOST).map(row).collect(), more })
}

/// With one digit behind the point as long as that says something.
fn seconds(ms: u64) -> String {
    if ms < 10_000 { format!("{}.{}", ms / 1_000, ms % 1_000 / 100) } else { grouped(ms / 1_000) }
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn times() {
        assert_eq!([0, 99, 2_340, 9_999, 10_000, 3_600_000].map(seconds), ["0.0", "0.0", "2.3", "9.9", "10", "3,600"]);
    }
}
