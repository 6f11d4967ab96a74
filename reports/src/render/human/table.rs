//! Requirements by chapter: one line for each chapter, then the requirements that did not pass.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crdible_spec::{Catalogue, Level};

use crate::model::{Report, Status};
use crate::render::Style;
use crate::text::{grouped, plural, were};

/// At most this many IDs on the line of a status that needs no details; and up to this number, requirements
/// that were not judged have a line each.
const MOST_IDS: usize = 12;

/// The head of the first column.
const HEADING: &str = "requirements by chapter";

/// The table and the lines below it, with an empty line at the end.
pub(super) fn by_chapter(report: &Report, catalogue: &Catalogue, style: Style) -> String {
    if report.requirements.is_empty() {
        return "no requirement was selected\n\n".to_owned();
    }
    let mut rows: BTreeMap<u8, Row> = BTreeMap::new();
    for requirement in &report.requirements {
        rows.entry(place(requirement.chapter)).or_default().add(requirement.status, requirement.cases);
    }
    let title = |chapter: u8| match catalogue.chapter(chapter) {
        Some(found) => format!("{chapter:>2} {}", found.title),
        None => " ? not in this catalogue".to_owned(),
    };
    let width = rows.keys().map(|&chapter| title(chapter).chars().count()).chain([HEADING.len()]).max().unwrap_or(0);
    let line = |title: &str, [pass, fail, known, other, cases]: [String; 5]| {
        format!("{title:<width$}  {pass:>5}  {fail:>5}  {known:>5}  {other:>5}  {cases:>9}")
    };
    let head = line(HEADING, ["pass", "fail", "known", "other", "cases"].map(str::to_owned));
    let mut text = style.faint(&head) + "\n";
    for (&chapter, row) in &rows {
        let fail = format!("{:>5}", row.fail);
        let fail = if row.fail > 0 { style.bad(&fail) } else { fail };
        let [pass, known, other] = [row.pass, row.known, row.other].map(|count| count.to_string());
        let _ = writeln!(text, "{}", line(&title(chapter), [pass, fail, known, other, grouped(row.most_cases)]));
    }
    text.push('\n');
    let below = not_passed(report, style);
    if !below.is_empty() {
        text.push_str(&below);
        text.push('\n');
    }
    text
}

/// Requirements without a chapter come last.
fn place(chapter: u8) -> u8 {
    if chapter == 0 { u8::MAX } else { chapter }
}

#[derive(Default)]
struct Row {
    pass: u64,
    fail: u64,
    known: u64,
    other: u64,
    most_cases: u64,
}

impl Row {
    fn add(&mut self, status: Status, cases: u64) {
        *match status {
            Status::Pass => &mut self.pass,
            Status::Fail => &mut self.fail,
            Status::Known => &mut self.known,
            _ => &mut self.other,
        } += 1;
        // One case asserts many requirements, so a sum would count it several times.
        self.most_cases = self.most_cases.max(cases);
    }
}

fn not_passed(report: &Report, style: Style) -> String {
    let mut text = String::new();
    let mut quiet: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let count = |statuses: &[Status]| report.requirements.iter().filter(|one| statuses.contains(&one.status)).count();
    let unjudged = count(&[Status::Inconclusive, Status::NotRun, Status::Unsupported]);
    if unjudged > 0 {
        let all = plural(report.requirements.len() as u64, "requirement");
        let line = format!("{unjudged} of {all} {} not judged", were(unjudged as u64));
        let _ = writeln!(text, "{}", style.warning(&line));
    }
    // A run that ended early judged hundreds of them too little.
    let are_many = count(&[Status::Inconclusive]) > MOST_IDS;
    for requirement in &report.requirements {
        match requirement.status {
            Status::Pass => {}
            Status::NotRun | Status::Unsupported | Status::NotPromised => {
                quiet.entry(requirement.status.as_str()).or_default().push(&requirement.id);
            }
            Status::Inconclusive if are_many => {
                quiet.entry(requirement.status.as_str()).or_default().push(&requirement.id);
            }
            status => text.push_str(&line(
                status,
                &requirement.id,
                requirement.level,
                &requirement.title,
                requirement.cases,
                style,
            )),
        }
        // An edge with a weaker level than its requirement fails without it.
        for edge in requirement.edges.iter().filter(|edge| edge.level > requirement.level) {
            if matches!(edge.status, Status::Fail | Status::Flaky | Status::Known | Status::UnexpectedPass) {
                text.push_str(&line(edge.status, &edge.reference, edge.level, &requirement.title, edge.cases, style));
            }
        }
    }
    for (status, ids) in quiet {
        let shown = ids.iter().take(MOST_IDS).copied().collect::<Vec<_>>().join(" ");
        let more = if ids.len() > MOST_IDS { format!(" and {} more", ids.len() - MOST_IDS) } else { String::new() };
        let _ = writeln!(text, "{}  {shown}{more}", style.faint(&format!("{status:<15}")));
    }
    text
}

fn line(status: Status, reference: &str, level: Level, title: &str, cases: u64, style: Style) -> String {
    let word = format!("{:<15}", status.as_str());
    let word = if status == Status::Fail { style.bad(&word) } else { style.warning(&word) };
    // What shows that a capability is missing is not a case.
    let cases = if cases == 0 { String::new() } else { format!("; {}", plural(cases, "case")) };
    format!("{word}  {reference} ({level}) {title}{cases}\n")
}
