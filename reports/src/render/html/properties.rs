//! The properties of all runs: their cases, and where the time went.

use serde::Serialize;

use crate::across::rows;
use crate::model::{PropertyResult, Report};

/// The most properties in the plot of the slowest.
const SLOWEST: usize = 12;

/// The properties.
#[derive(Debug, Serialize)]
pub(super) struct Properties {
    rows: Vec<Row>,
    /// Those of the first run that took the most time.
    slowest: Vec<Slow>,
}

#[derive(Debug, Serialize)]
struct Row {
    id: String,
    /// One for each run.
    cells: Vec<Option<PropertyResult>>,
    /// How many different schemas the first run sent for it; none if that is not known.
    schemas: Option<u64>,
}

#[derive(Debug, Serialize)]
struct Slow {
    id: String,
    ms: u64,
    /// Of one scenario.
    each: u64,
    /// The width of its bar, of 100.
    width: u64,
}

pub(super) fn of(reports: &[Report]) -> Properties {
    let rows =
        rows(reports, |report| report.properties.iter().map(|property| (property.id.as_str(), property.clone())));
    // A property that occurs at all is in a report, so there is a first one.
    let row =
        |(id, cells): (&str, _)| Row { id: id.to_owned(), cells, schemas: reports[0].sent.schemas.get(id).copied() };
    let rows = rows.into_iter().map(row).collect();
    Properties { rows, slowest: reports.first().map(slowest).unwrap_or_default() }
}

fn slowest(report: &Report) -> Vec<Slow> {
    let mut properties: Vec<&PropertyResult> = report.properties.iter().filter(|property| property.ms > 0).collect();
    properties.sort_by_key(|property| std::cmp::Reverse(property.ms));
    let most = properties.first().map_or(1, |first| first.ms);
    let slow = |property: &&PropertyResult| {
        let scenarios = property.passed + property.failed + property.errors + property.discarded;
        let (ms, width) = (property.ms, (property.ms * 100 / most).max(1));
        Slow { id: property.id.clone(), ms, each: ms / scenarios.max(1), width }
    };
    properties.iter().take(SLOWEST).map(slow).collect()
}
