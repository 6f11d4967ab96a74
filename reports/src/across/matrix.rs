//! Many runs side by side.

use std::collections::BTreeMap;

use super::{Column, rows, statuses};
use crate::fold::order;
use crate::model::{Report, Status, StatusCounts};

/// The results of many runs, one column for each, in the order in which the reports were passed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Matrix {
    /// The runs.
    pub columns: Vec<Column>,
    /// The chapters that some run asserts, in order.
    pub chapters: Vec<ChapterRow>,
    /// Requirements and edges that do not have the same result in every run, or failed in one.
    pub requirements: Vec<RequirementRow>,
}

/// The results of one chapter.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChapterRow {
    /// Its number; 0 for requirements that the catalogue of their run did not have.
    pub chapter: u8,
    /// The requirements by status, one entry for each column.
    pub cells: Vec<StatusCounts>,
}

/// The results of one requirement or edge.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequirementRow {
    /// `PRUNE-004` or `PRUNE-004/e2`.
    pub reference: String,
    /// One entry for each column; `None` if the run did not assert it.
    pub cells: Vec<Option<Status>>,
}

impl Matrix {
    /// The matrix of these reports.
    pub fn of(reports: &[Report]) -> Self {
        let mut chapters: BTreeMap<u8, Vec<StatusCounts>> = BTreeMap::new();
        for (column, report) in reports.iter().enumerate() {
            for requirement in &report.requirements {
                let cells =
                    chapters.entry(requirement.chapter).or_insert_with(|| vec![StatusCounts::default(); reports.len()]);
                cells[column].add(requirement.status);
            }
        }
        let row = |(reference, cells): (&str, _)| RequirementRow { reference: reference.to_owned(), cells };
        let mut requirements: Vec<RequirementRow> = rows(reports, statuses).into_iter().map(row).collect();
        requirements.retain(RequirementRow::is_of_interest);
        requirements.sort_by_cached_key(|row| order(&row.reference));
        let chapters = chapters.into_iter().map(|(chapter, cells)| ChapterRow { chapter, cells }).collect();
        Self { columns: reports.iter().map(Column::of).collect(), chapters, requirements }
    }
}

impl RequirementRow {
    /// Whether the runs differ in it, or it failed.
    fn is_of_interest(&self) -> bool {
        let first = self.cells.first().copied().flatten();
        self.cells.iter().any(|&cell| cell != first || matches!(cell, Some(Status::Fail | Status::Flaky)))
    }
}
