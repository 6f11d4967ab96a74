//! One row for each chapter: how its requirements fared, and how many cases there were.

use std::collections::BTreeMap;

use crdible_spec::Catalogue;
use serde::Serialize;

use super::requirements::chapter_title;
use super::status::{self, Shown};
use crate::model::{Report, Status};

/// A chapter.
#[derive(Debug, Serialize)]
pub(super) struct OverviewRow {
    id: u8,
    title: String,
    /// One for each run.
    cells: Vec<Cell>,
}

/// How the requirements of a chapter fared in a run.
#[derive(Debug, Clone, Default, Serialize)]
struct Cell {
    counts: Vec<Count>,
    /// The cases of its properties.
    cases: u64,
    /// The width of the bar of cases, of 100.
    width: u64,
}

#[derive(Debug, Clone, Serialize)]
struct Count {
    status: Shown,
    number: u64,
    /// The part of the bar, of 1000.
    from: u64,
    width: u64,
}

pub(super) fn rows(reports: &[Report], catalogue: &Catalogue) -> Vec<OverviewRow> {
    let mut rows: BTreeMap<u8, Vec<Cell>> = BTreeMap::new();
    for (column, report) in reports.iter().enumerate() {
        let mut statuses: BTreeMap<u8, Vec<Status>> = BTreeMap::new();
        for requirement in &report.requirements {
            statuses.entry(requirement.chapter).or_default().push(requirement.status);
        }
        let cases = cases(report);
        let most = cases.values().copied().max().unwrap_or_default().max(1);
        for (chapter, statuses) in statuses {
            let cell = &mut rows.entry(chapter).or_insert_with(|| vec![Cell::default(); reports.len()])[column];
            cell.counts = counts(&statuses);
            cell.cases = cases.get(&chapter).copied().unwrap_or_default();
            cell.width = cell.cases * 100 / most;
        }
    }
    rows.into_iter().map(|(id, cells)| OverviewRow { id, title: chapter_title(id, catalogue), cells }).collect()
}

fn counts(statuses: &[Status]) -> Vec<Count> {
    let mut counts: Vec<Count> = Vec::new();
    let all = statuses.len() as u64;
    let mut before = 0;
    for status in status::all() {
        let count = statuses.iter().filter(|&&one| one == status).count() as u64;
        if count > 0 {
            let from = before * 1000 / all;
            before += count;
            counts.push(Count { status: Shown::of(status), number: count, from, width: before * 1000 / all - from });
        }
    }
    counts
}

/// The cases of each chapter. A case asserts many requirements, so those of properties are added up: each belongs to
/// the chapter of the requirement after which it is named, else of the first that it asserts.
fn cases(report: &Report) -> BTreeMap<u8, u64> {
    let mut chapters: BTreeMap<&str, u8> = BTreeMap::new();
    for requirement in &report.requirements {
        let name = requirement.id.to_lowercase();
        for property in &requirement.properties {
            let is_named = property.starts_with(&name);
            if is_named || !chapters.contains_key(property.as_str()) {
                chapters.insert(property, requirement.chapter);
            }
        }
    }
    let mut cases: BTreeMap<u8, u64> = BTreeMap::new();
    for property in &report.properties {
        if let Some(chapter) = chapters.get(property.id.as_str()) {
            *cases.entry(*chapter).or_default() += property.cases;
        }
    }
    cases
}
