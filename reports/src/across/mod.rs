//! Reports of several runs side by side: a matrix of many, and what changed between two.

mod changes;
mod matrix;
mod saved;

use std::collections::BTreeMap;
use std::fmt;

pub use changes::{Change, Changed, Changes};
pub use matrix::{ChapterRow, Matrix, RequirementRow};
pub use saved::{Saved, SavedError, read, read_any};

use crate::model::{Report, Status};
use crate::verdict::Verdict;

/// One run, as the head of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Column {
    /// What users call it: the implementation, the version of the target, or
    /// its address, the first of these that is known.
    pub name: String,
    /// The release by which it was judged.
    pub release: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Cases judged.
    pub cases: u64,
    /// The seed of all random choices.
    pub seed: u64,
    /// The day on which the run started, such as `2026-11-25`.
    pub day: String,
}

impl Column {
    /// The head for a report.
    pub fn of(report: &Report) -> Self {
        let target = &report.target;
        Self {
            name: report
                .implementation
                .clone()
                .or_else(|| target.version.as_ref().map(|version| version.git_version.clone()))
                .unwrap_or_else(|| target.address.clone()),
            release: target.release.clone(),
            verdict: report.verdict,
            cases: report.counts.cases,
            seed: report.seed,
            day: report.run.started.split('T').next().unwrap_or_default().to_owned(),
        }
    }
}

/// The name, and the release if the version in it does not begin with it.
impl fmt::Display for Column {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)?;
        let version = self.name.rsplit(' ').next().unwrap_or_default();
        if version.trim_start_matches('v').starts_with(&format!("{}.", self.release)) {
            return Ok(());
        }
        write!(formatter, " (judged by {})", self.release)
    }
}

/// What several columns say of the same things: for each a row with one cell for each column, in the order in which
/// they first occur.
pub(crate) fn rows<'a, Source, Items, Cell: Clone>(
    columns: &'a [Source],
    items: impl Fn(&'a Source) -> Items,
) -> Vec<(&'a str, Vec<Option<Cell>>)>
where
    Items: IntoIterator<Item = (&'a str, Cell)>,
{
    let mut rows: Vec<(&str, Vec<Option<Cell>>)> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, column) in columns.iter().enumerate() {
        for (name, cell) in items(column) {
            let place = *places.entry(name).or_insert_with(|| {
                rows.push((name, vec![None; columns.len()]));
                rows.len() - 1
            });
            rows[place].1[at] = Some(cell);
        }
    }
    rows
}

/// The statuses in a report: each requirement, followed by its edges.
fn statuses(report: &Report) -> impl Iterator<Item = (&str, Status)> {
    report.requirements.iter().flat_map(|requirement| {
        let edges = requirement.edges.iter().map(|edge| (edge.reference.as_str(), edge.status));
        std::iter::once((requirement.id.as_str(), requirement.status)).chain(edges)
    })
}

#[cfg(test)]
mod tests;
