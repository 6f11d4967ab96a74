//! The data of a page: what the templates show, in their order.

use crdible_spec::Catalogue;
use serde::Serialize;

use super::failures::{self, RunFailures};
use super::found::{self, Found};
use super::overview::{self, OverviewRow};
use super::properties::{self, Properties};
use super::requirements::{self, ChapterRows};
use super::sent::{self, SentPlots};
use super::status::{self, Word};
use crate::across::Column;
use crate::model::Report;
use crate::render::human::{event, judged, target};
use crate::render::style::Look;
use crate::text::{grouped, plural, properties as count_of_properties};
use crate::verdict::Verdict;

/// Everything that a page shows.
#[derive(Debug, Serialize)]
pub(super) struct Page {
    title: String,
    several: bool,
    runs: Vec<Run>,
    overview: Vec<OverviewRow>,
    chapters: Vec<ChapterRows>,
    requirements: usize,
    failures: Vec<RunFailures>,
    known: Vec<RunFailures>,
    found: Option<Found>,
    count_failures: usize,
    count_known: usize,
    properties: Properties,
    sent: Option<SentPlots>,
    words: Vec<Word>,
    verdicts: [(&'static str, &'static str, &'static str); 5],
    /// Whether all runs have the same specification; else some requirements may have other texts.
    same_catalogue: bool,
}

/// The head of a run.
#[derive(Debug, Serialize)]
struct Run {
    /// Counted from 1.
    number: usize,
    name: String,
    verdict: &'static str,
    sign: &'static str,
    statement: String,
    facts: Vec<(&'static str, String)>,
    command: String,
    reasons: Vec<String>,
    notes: Vec<String>,
    missing: Vec<Missing>,
    known_entries: Vec<String>,
    events: Vec<String>,
}

/// A missing capability of the target.
#[derive(Debug, Serialize)]
struct Missing {
    text: String,
    /// The number of the failure that shows it.
    failure: Option<u64>,
}

impl Page {
    pub(super) fn of(reports: &[Report], catalogue: &Catalogue) -> Self {
        let several = reports.len() > 1;
        let runs: Vec<Run> = reports.iter().enumerate().map(|(at, report)| Run::of(at + 1, report)).collect();
        let title = match runs.as_slice() {
            [run] => format!("{}: {}", run.name, run.verdict),
            runs => format!("{} runs side by side", runs.len()),
        };
        let chapters = requirements::chapters(reports, catalogue);
        let same = |of: fn(&Report) -> &String| reports.windows(2).all(|pair| of(&pair[0]) == of(&pair[1]));
        let (failures, known) = failures::of_runs(reports, catalogue);
        Self {
            title,
            several,
            runs,
            overview: overview::rows(reports, catalogue),
            requirements: chapters.iter().map(ChapterRows::len).sum(),
            chapters,
            count_failures: reports.iter().map(|report| report.failures.len()).sum(),
            count_known: reports.iter().map(|report| report.known.len()).sum(),
            failures,
            known,
            found: found::of(reports, catalogue),
            properties: properties::of(reports),
            sent: sent::of(reports),
            words: status::words(),
            verdicts: status::verdicts(),
            same_catalogue: same(|report| &report.catalogue.digest),
        }
    }
}

impl Run {
    fn of(number: usize, report: &Report) -> Self {
        let column = Column::of(report);
        let counts = &report.counts;
        let mut facts = vec![
            ("target", target(&report.target, &report.profile, report.profile_complete)),
            ("judged", judged(counts.cases, counts.passed + counts.failed, counts.properties, counts.requests)),
            ("seed", report.seed.to_string()),
            ("started", report.run.started.split('.').next().unwrap_or_default().replace('T', " ").replace('Z', "")),
        ];
        if counts.errors + counts.discarded > 0 {
            let not_judged = format!("{}, {} discarded", plural(counts.errors, "error"), grouped(counts.discarded));
            facts.insert(2, ("not judged", not_judged));
        }
        if let Some(platform) = report.target.version.as_ref().and_then(|version| version.platform.as_ref()) {
            facts.push(("platform", platform.clone()));
        }
        facts.push(("made by", format!("{} {}, {}", report.tool.name, report.tool.version, specification(report))));
        Self {
            number,
            name: column.to_string(),
            verdict: report.verdict.as_str(),
            sign: Look::of(report.verdict).sign,
            statement: statement(report),
            facts,
            command: report.run.command.clone(),
            // With other verdicts the statement may name only the first of them.
            reasons: match report.verdict {
                Verdict::Conformant | Verdict::ConformantWithKnownFailures => Vec::new(),
                _ => report.reasons.clone(),
            },
            notes: report.notes.clone(),
            missing: report.lacks.iter().map(missing).collect(),
            known_entries: crate::render::human::known_entries(report),
            events: events(report),
        }
    }
}

/// The statement without the verdict, which stands above it.
fn statement(report: &Report) -> String {
    let verdict = format!("{}: ", report.verdict.as_str());
    report.statement.strip_prefix(&verdict).unwrap_or(&report.statement).to_owned()
}

fn specification(report: &Report) -> String {
    let digest: String = report.catalogue.digest.chars().take(12).collect();
    format!("specification {digest} with {}", plural(report.catalogue.requirements as u64, "requirement"))
}

fn missing(of: &crate::model::MissingCapability) -> Missing {
    let count = count_of_properties(of.count());
    Missing { text: format!("{}: {count} not judged", of.capability), failure: of.failure }
}

fn events(report: &Report) -> Vec<String> {
    let shown = report.events.iter().filter(|event| event.kind != crate::journal::Event::SKIPPED);
    shown.map(event).collect()
}
