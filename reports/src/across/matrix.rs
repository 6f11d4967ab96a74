//! Many runs side by side.

use std::collections::BTreeMap;

use crdible_spec::Reference;

use super::{Column, statuses};
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
        let mut requirements: Vec<RequirementRow> = Vec::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for (column, report) in reports.iter().enumerate() {
            for requirement in &report.requirements {
                let cells =
                    chapters.entry(requirement.chapter).or_insert_with(|| vec![StatusCounts::default(); reports.len()]);
                cells[column].add(requirement.status);
            }
            for (reference, status) in statuses(report) {
                let place = *places.entry(reference).or_insert_with(|| {
                    requirements
                        .push(RequirementRow { reference: reference.to_owned(), cells: vec![None; reports.len()] });
                    requirements.len() - 1
                });
                requirements[place].cells[column] = Some(status);
            }
        }
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

/// Requirements in the order of the specification, each before its edges. Texts that are not references come last.
pub(crate) fn order(reference: &str) -> (bool, Option<Reference>, String) {
    let parsed = reference.parse::<Reference>().ok();
    (parsed.is_none(), parsed, reference.to_owned())
}
