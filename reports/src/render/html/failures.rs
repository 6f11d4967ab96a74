//! The failures of a page, each with what a reader needs to fix it.

use crdible_spec::{Catalogue, Level};
use serde::Serialize;
use serde_json::Value;

use crate::across::Column;
use crate::comparison::Difference;
use crate::fold::{base, resolve};
use crate::journal::Request;
use crate::model::{EvidenceKind, Report, ReportedFinding};
use crate::render::diff::{self, Kind};
use crate::render::human::finding;
use crate::render::place::Places;
use crate::render::{curl, rules, visible, yaml};

/// The most failures of a run that are shown in full. Of the others, which are weaker or explain less, only the summary
/// is shown. With several runs it is less: see [`most_in_full`].
const MOST_IN_FULL: usize = 50;

/// All examples of a page together have about this many bytes.
const MOST_BYTES: usize = 320_000;

/// Each example may have at least this many bytes.
const FEWEST_BYTES: usize = 1_000;

/// The most lines of an example.
const MOST_LINES: usize = 200;

/// The most further failures of an entry that are listed.
const MOST_ALSO_SEEN: usize = 20;

/// The failures of a run, or its known failures.
#[derive(Debug, Serialize)]
pub(super) struct RunFailures {
    run: usize,
    name: String,
    entries: Vec<Entry>,
    /// The others, each in a line.
    rest: Vec<Brief>,
}

/// A failure in full.
#[derive(Debug, Serialize)]
struct Entry {
    /// `f1-2` is the second failure of the first run, `k1-2` the second known one.
    anchor: String,
    number: usize,
    /// Its first requirement.
    title: String,
    level: String,
    summary: String,
    promise: String,
    evidence: String,
    certain: bool,
    /// Why it is known, with where it is tracked.
    known: Option<String>,
    requirements: Vec<Requirement>,
    shrunk: Option<String>,
    examples: Vec<Example>,
    /// The requests, by what they are called.
    requests: Vec<(String, String)>,
    diff_names: [String; 2],
    diff: Vec<DiffLine>,
    /// What rules say, below this title; empty if none matters.
    rules_title: &'static str,
    rules: String,
    replay: String,
    signature: String,
    also: Vec<Brief>,
    /// What those in `also` have in common.
    area: String,
    /// What they are about, with the number of each.
    shares: String,
    /// Whether those in `also` look the same to a user.
    also_same: bool,
    also_more: usize,
}

#[derive(Debug, Serialize)]
struct Brief {
    number: usize,
    level: String,
    what: String,
    summary: String,
    replay: String,
}

#[derive(Debug, Serialize)]
struct Requirement {
    reference: String,
    /// The ID of its row; empty if the page has none.
    row: String,
    level: String,
    title: String,
    text: String,
}

/// A definition or an object as YAML.
#[derive(Debug, Serialize)]
struct Example {
    title: &'static str,
    /// What is meant by it; may be empty.
    about: String,
    lines: Vec<(bool, String)>,
    has_marks: bool,
}

#[derive(Debug, Serialize)]
struct DiffLine {
    class: &'static str,
    sign: &'static str,
    parts: Vec<(bool, String)>,
}

/// The differences of a comparison, each as a failure with the requests to both
/// targets: those that are new, and the known ones.
pub(super) fn of_comparison(
    differences: &[(ReportedFinding, &Difference)],
    sides: &[String; 2],
    catalogue: &Catalogue,
) -> [Option<RunFailures>; 2] {
    // Also the requests to the second target.
    let room = (MOST_BYTES / (5 * differences.len().clamp(1, 2 * MOST_IN_FULL))).max(FEWEST_BYTES);
    let maker = Maker { run: 1, name: String::new(), catalogue, room, most: MOST_IN_FULL, has_rows: false };
    [("f", false), ("k", true)].map(|(kind, is_known)| {
        let of_kind = || differences.iter().filter(move |(_, difference)| difference.known.is_some() == is_known);
        let found = of_kind().map(|(found, difference)| (found, difference.known.clone())).collect();
        let mut run = maker.of_run(kind, found)?;
        for (entry, (found, difference)) in run.entries.iter_mut().zip(of_kind()) {
            let both = sides.iter().zip([&found.minimal.requests, &difference.second_requests]);
            entry.requests =
                both.filter_map(|(side, requests)| maker.requests(&format!("requests to {side}"), requests)).collect();
        }
        Some(run)
    })
}

/// The failures of each run that has some, and the known ones.
pub(super) fn of_runs(reports: &[Report], catalogue: &Catalogue) -> (Vec<RunFailures>, Vec<RunFailures>) {
    let most = most_in_full(reports.len());
    let full =
        reports.iter().map(|report| report.failures.len().min(most) + report.known.len().min(most)).sum::<usize>();
    // Definitions, objects, requests and the difference.
    let room = (MOST_BYTES / (4 * full.max(1))).max(FEWEST_BYTES);
    let (mut failures, mut known) = (Vec::new(), Vec::new());
    for (at, report) in reports.iter().enumerate() {
        let name = Column::of(report).to_string();
        let maker = Maker { run: at + 1, name, catalogue, room, most, has_rows: true };
        let found = report.failures.iter().filter(|found| found.has_details()).map(|found| (found, None));
        failures.extend(maker.of_run("f", found.collect()));
        let listed = report.known.iter().map(|known| {
            let issue = known.issue.as_ref().map(|issue| format!(" ({issue})")).unwrap_or_default();
            (&known.finding, Some(format!("{}{issue}; listed as {}", known.reason, known.entry)))
        });
        known.extend(maker.of_run("k", listed.collect()));
    }
    (failures, known)
}

fn most_in_full(runs: usize) -> usize {
    (MOST_IN_FULL / runs.max(1)).max(8)
}

struct Maker<'a> {
    run: usize,
    name: String,
    catalogue: &'a Catalogue,
    /// The bytes of each part of a failure.
    room: usize,
    most: usize,
    /// Whether the page has a row for each requirement.
    has_rows: bool,
}

impl Maker<'_> {
    fn of_run(&self, kind: &str, found: Vec<(&ReportedFinding, Option<String>)>) -> Option<RunFailures> {
        if found.is_empty() {
            return None;
        }
        let numbered = || found.iter().enumerate().map(|(at, one)| (at + 1, one));
        let entries = numbered().take(self.most);
        let entries = entries.map(|(number, (found, known))| {
            self.entry(format!("{kind}{}-{number}", self.run), number, found, known.clone())
        });
        let rest = numbered().skip(self.most).map(|(number, (found, _))| self.brief(number, found));
        Some(RunFailures { run: self.run, name: self.name.clone(), entries: entries.collect(), rest: rest.collect() })
    }

    fn brief(&self, number: usize, found: &ReportedFinding) -> Brief {
        Brief {
            number,
            level: found.level.to_string(),
            what: finding::first_requirement(found, self.catalogue),
            summary: found.failure.summary.clone(),
            replay: finding::replay(found),
        }
    }

    fn entry(&self, anchor: String, number: usize, found: &ReportedFinding, known: Option<String>) -> Entry {
        let failure = &found.failure;
        let places = Places::of(failure);
        let examples = |title, documents: &[Value]| -> Vec<Example> {
            let room = self.room / documents.len().max(1);
            let about = |document| finding::about(document, &found.minimal.requests).unwrap_or_default().to_owned();
            documents.iter().map(|document| example(title, about(document), document, &places, room)).collect()
        };
        let mut all = examples("smallest definition", &found.minimal.definitions);
        all.extend(examples("smallest object", &found.minimal.objects));
        let (diff_names, diff) = self.difference(found);
        Entry {
            anchor,
            number,
            title: finding::first_requirement(found, self.catalogue),
            level: found.level.to_string(),
            summary: failure.summary.clone(),
            promise: found.promise.clone(),
            evidence: finding::evidence(found),
            certain: found.evidence == EvidenceKind::Confirmed,
            known,
            requirements: self.requirements(found),
            shrunk: found.shrink.as_ref().filter(|shrink| shrink.executions > 0).map(|shrink| {
                format!(
                    "shrunk from {} to {} choices in {} runs ({})",
                    shrink.initial_size, shrink.final_size, shrink.executions, shrink.stopped_by
                )
            }),
            examples: all,
            requests: self.requests("requests", &found.minimal.requests).into_iter().collect(),
            diff_names,
            diff,
            rules_title: rules::TITLE,
            rules: visible::excerpt(&rules::text(&found.rules), MOST_LINES, self.room),
            replay: finding::replay(found),
            signature: failure.signature.to_string(),
            also: found
                .also
                .iter()
                .take(MOST_ALSO_SEEN)
                .enumerate()
                .map(|(at, also)| Brief {
                    number: at + 1,
                    level: found.level.to_string(),
                    what: also.requirements.first().cloned().unwrap_or_default(),
                    summary: also.summary.clone(),
                    replay: also.replay.clone().unwrap_or_default(),
                })
                .collect(),
            area: found.area().to_owned(),
            shares: finding::shares(found),
            also_same: found.is_of_one_symptom(),
            also_more: found.also.len().saturating_sub(MOST_ALSO_SEEN),
        }
    }

    /// As a script; none if there are none.
    fn requests(&self, title: &str, requests: &[Request]) -> Option<(String, String)> {
        let script = visible::escaped(&curl::script(requests)).into_owned();
        (!requests.is_empty()).then(|| (title.to_owned(), visible::excerpt(&script, MOST_LINES, self.room)))
    }

    fn requirements(&self, found: &ReportedFinding) -> Vec<Requirement> {
        let references = found.references();
        let references = finding::edges_first(&references);
        let requirement = |reference: &&String| {
            let resolved = resolve(self.catalogue, reference);
            Requirement {
                reference: (*reference).clone(),
                row: if self.has_rows { base(reference).to_owned() } else { String::new() },
                level: resolved.map_or(Level::Must, crdible_spec::Resolved::level).to_string(),
                title: resolved
                    .map_or("not in this specification", |found| found.requirement().title.as_str())
                    .to_owned(),
                text: resolved.map(|found| visible::excerpt(found.text(), 40, 1_500)).unwrap_or_default(),
            }
        };
        // One that was not confirmed may break any that were asserted.
        let most = if found.has_details() { 8 } else { 3 };
        references.iter().take(most).map(requirement).collect()
    }

    fn difference(&self, found: &ReportedFinding) -> ([String; 2], Vec<DiffLine>) {
        let failure = &found.failure;
        let names = diff::names(failure).map(str::to_owned);
        if !found.has_details() {
            return (names, Vec::new());
        }
        let mut left = self.room;
        let mut lines = Vec::new();
        for line in diff::lines(&failure.expected, &failure.actual).unwrap_or_default() {
            if left == 0 || lines.len() >= MOST_LINES {
                lines.push(DiffLine {
                    class: "omitted",
                    sign: " ",
                    parts: vec![(false, "… more lines, not shown".to_owned())],
                });
                break;
            }
            let (class, sign) = match line.kind {
                Kind::Expected => ("expected", "-"),
                Kind::Actual => ("actual", "+"),
                Kind::Both => ("both", " "),
                Kind::Omitted => ("omitted", "…"),
            };
            let mut parts = Vec::new();
            for (emphasised, part) in line.parts {
                let (shown, rest) = visible::cut(&part, left);
                left -= shown.len();
                let cut = if rest > 0 { visible::missing(rest) } else { String::new() };
                parts.push((emphasised, format!("{shown}{cut}")));
                if rest > 0 {
                    break;
                }
            }
            lines.push(DiffLine { class, sign, parts });
        }
        (names, lines)
    }
}

fn example(title: &'static str, about: String, document: &Value, places: &Places, room: usize) -> Example {
    let marked = places.lines(document);
    let text = visible::excerpt(&yaml::yaml(document), MOST_LINES, room);
    let lines: Vec<(bool, String)> =
        text.lines().enumerate().map(|(number, line)| (marked.contains(&number), line.to_owned())).collect();
    Example { title, about, has_marks: lines.iter().any(|(is_marked, _)| *is_marked), lines }
}
