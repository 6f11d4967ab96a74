//! The requirements of all runs, by chapter.

use std::collections::BTreeMap;

use crdible_spec::Catalogue;
use serde::Serialize;

use super::evidence::Evidence;
use super::status::{ABSENT, Shown};
use crate::across::rows;
use crate::fold::{base, order, resolve};
use crate::model::{EdgeResult, Report, RequirementResult};
use crate::render::visible;

/// The longest text of a requirement in its row, in bytes; a failure shows more.
const MOST_BYTES: usize = 420;

/// The requirements of a chapter.
#[derive(Debug, Serialize)]
pub(super) struct ChapterRows {
    id: u8,
    title: String,
    /// Whether something in it did not hold.
    open: bool,
    rows: Vec<Row>,
}

/// A requirement.
#[derive(Debug, Serialize)]
struct Row {
    id: String,
    title: String,
    level: String,
    text: String,
    /// The words of its statuses, for the filter.
    words: String,
    /// One for each run.
    cells: Vec<Cell>,
    edges: Vec<Edge>,
    /// The numbers of the properties that assert it, in the table of properties, with their IDs.
    properties: Vec<String>,
    failures: Vec<FailureLink>,
    evidence: Option<Evidence>,
}

#[derive(Debug, Clone, Serialize)]
struct Cell {
    status: Shown,
    cases: u64,
    reason: Option<String>,
}

#[derive(Debug, Serialize)]
struct Edge {
    name: String,
    level: String,
    statuses: Vec<Shown>,
    cases: Vec<u64>,
}

/// The place of a failure on the page.
#[derive(Debug, Clone, Serialize)]
struct FailureLink {
    run: usize,
    kind: &'static str,
    number: usize,
}

impl ChapterRows {
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }
}

/// `3 Pruning and coercion`.
pub(super) fn chapter_title(number: u8, catalogue: &Catalogue) -> String {
    match catalogue.chapter(number) {
        Some(chapter) => format!("{number} {}", chapter.title),
        None => "not in this specification".to_owned(),
    }
}

pub(super) fn chapters(reports: &[Report], catalogue: &Catalogue) -> Vec<ChapterRows> {
    let mut results = rows(reports, |report| report.requirements.iter().map(|found| (found.id.as_str(), found)));
    results.sort_by_cached_key(|(id, _)| order(id));
    let links = links(reports);
    let mut chapters: BTreeMap<u8, Vec<Row>> = BTreeMap::new();
    for (id, row) in &results {
        let Some(first) = row.iter().flatten().next() else { continue };
        let failures = links.get(*id).cloned().unwrap_or_default();
        let mut row = Row::of(first, row, failures, catalogue);
        row.evidence = reports.first().and_then(|report| Evidence::of(&first.id, report, catalogue));
        chapters.entry(first.chapter).or_default().push(row);
    }
    let open = |rows: &[Row]| rows.iter().any(|row| !row.failures.is_empty() && row.words.contains("fail"));
    let chapter =
        |(id, rows): (u8, Vec<Row>)| ChapterRows { id, title: chapter_title(id, catalogue), open: open(&rows), rows };
    chapters.into_iter().map(chapter).collect()
}

impl Row {
    fn of(
        first: &RequirementResult,
        row: &[Option<&RequirementResult>],
        failures: Vec<FailureLink>,
        catalogue: &Catalogue,
    ) -> Self {
        let cells: Vec<Cell> = row.iter().map(|result| Cell::of(*result)).collect();
        let text = resolve(catalogue, &first.id).map(|found| found.text().to_owned()).unwrap_or_default();
        let line = text.lines().next().unwrap_or_default();
        let (shown, rest) = visible::cut(line, MOST_BYTES);
        let mut properties: Vec<String> = Vec::new();
        for property in row.iter().flatten().flat_map(|result| &result.properties) {
            if !properties.contains(property) {
                properties.push(property.clone());
            }
        }
        Self {
            id: first.id.clone(),
            title: first.title.clone(),
            level: first.level.to_string(),
            text: if rest > 0 { format!("{shown}…") } else { shown.to_owned() },
            words: cells.iter().map(|cell| cell.status.word).collect::<Vec<_>>().join(" "),
            edges: edges(row),
            cells,
            properties,
            failures,
            evidence: None,
        }
    }
}

impl Cell {
    fn of(result: Option<&RequirementResult>) -> Self {
        match result {
            None => Self { status: ABSENT, cases: 0, reason: None },
            Some(result) => {
                Self { status: Shown::of(result.status), cases: result.cases, reason: result.reason.clone() }
            }
        }
    }
}

fn edges<'a>(row: &'a [Option<&RequirementResult>]) -> Vec<Edge> {
    let named =
        |edge: &'a EdgeResult| (edge.reference.split_once('/').map_or(edge.reference.as_str(), |(_, name)| name), edge);
    let edge = |(name, cells): (&str, Vec<Option<&EdgeResult>>)| {
        let mut statuses: Vec<Shown> =
            cells.iter().map(|cell| cell.map_or(ABSENT, |edge| Shown::of(edge.status))).collect();
        // A status that is the same in all runs is shown once.
        if statuses.windows(2).all(|pair| pair[0] == pair[1]) {
            statuses.truncate(1);
        }
        Edge {
            name: name.to_owned(),
            level: cells.iter().flatten().next().map(|edge| edge.level.to_string()).unwrap_or_default(),
            statuses,
            cases: cells.iter().map(|cell| cell.map_or(0, |edge| edge.cases)).collect(),
        }
    };
    rows(row, |result| result.iter().flat_map(|result| &result.edges).map(named)).into_iter().map(edge).collect()
}

/// The failures that name each requirement.
fn links(reports: &[Report]) -> BTreeMap<String, Vec<FailureLink>> {
    let mut links: BTreeMap<String, Vec<FailureLink>> = BTreeMap::new();
    let mut add = |reference: &str, link: FailureLink| {
        let list = links.entry(base(reference).to_owned()).or_default();
        let same = |known: &FailureLink| (known.run, known.kind, known.number) == (link.run, link.kind, link.number);
        if !list.iter().any(same) {
            list.push(link);
        }
    };
    for (at, report) in reports.iter().enumerate() {
        let run = at + 1;
        for (number, found) in report.failures.iter().enumerate() {
            let also = found.also.iter().flat_map(|also| &also.requirements);
            for reference in found.failure.requirements.iter().chain(also) {
                add(reference, FailureLink { run, kind: "f", number: number + 1 });
            }
        }
        for (number, known) in report.known.iter().enumerate() {
            for reference in &known.finding.failure.requirements {
                add(reference, FailureLink { run, kind: "k", number: number + 1 });
            }
        }
    }
    links
}
