//! The requirements of all runs, by chapter.

use std::collections::BTreeMap;

use crdible_spec::Catalogue;
use serde::Serialize;

use super::evidence::Evidence;
use super::status::{ABSENT, Shown};
use crate::fold::{base, resolve};
use crate::model::{Report, RequirementResult};
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
    let mut results: BTreeMap<&str, Vec<Option<&RequirementResult>>> = BTreeMap::new();
    let mut order: Vec<&str> = Vec::new();
    for (column, report) in reports.iter().enumerate() {
        for requirement in &report.requirements {
            let row = results.entry(&requirement.id).or_insert_with(|| {
                order.push(&requirement.id);
                vec![None; reports.len()]
            });
            row[column] = Some(requirement);
        }
    }
    order.sort_by_cached_key(|id| crate::across::order(id));
    let links = links(reports);
    let mut chapters: BTreeMap<u8, Vec<Row>> = BTreeMap::new();
    for id in order {
        let Some(row) = results.get(id) else { continue };
        let Some(first) = row.iter().flatten().next() else { continue };
        let failures = links.get(id).cloned().unwrap_or_default();
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

fn edges(row: &[Option<&RequirementResult>]) -> Vec<Edge> {
    let mut edges: Vec<Edge> = Vec::new();
    for (column, result) in row.iter().enumerate() {
        for edge in result.iter().flat_map(|result| &result.edges) {
            let name = edge.reference.split_once('/').map_or(edge.reference.as_str(), |(_, name)| name);
            let place = edges.iter().position(|known| known.name == name).unwrap_or_else(|| {
                edges.push(Edge {
                    name: name.to_owned(),
                    level: edge.level.to_string(),
                    statuses: vec![ABSENT; row.len()],
                    cases: vec![0; row.len()],
                });
                edges.len() - 1
            });
            edges[place].statuses[column] = Shown::of(edge.status);
            edges[place].cases[column] = edge.cases;
        }
    }
    for edge in &mut edges {
        // A status that is the same in all runs is shown once.
        if edge.statuses.windows(2).all(|pair| pair[0] == pair[1]) {
            edge.statuses.truncate(1);
        }
    }
    edges
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
