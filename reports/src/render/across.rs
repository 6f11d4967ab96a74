//! Several runs side by side: a matrix, and what changed between two.

use crdible_spec::{Catalogue, Resolved};

use super::grid::Form;
use crate::across::{Change, Changed, Changes, Column, Matrix};
use crate::fold::resolve;
use crate::model::{Status, StatusCounts};
use crate::text::{grouped, plural};

/// The longest text of an edge that is shown, in characters.
const LONGEST: usize = 160;

/// The most references on a line.
const MOST_REFERENCES: usize = 12;

/// A matrix: the runs, their results by chapter, and the requirements in which they differ.
pub fn matrix(matrix: &Matrix, catalogue: &Catalogue, form: Form) -> String {
    let row = |title: &str, cell: &dyn Fn(&Column) -> String| -> Vec<String> {
        std::iter::once(title.to_owned()).chain(matrix.columns.iter().map(cell)).collect()
    };
    let mut rows = vec![
        row("requirements by chapter", &Column::to_string),
        row("verdict", &|column| column.verdict.as_str().to_owned()),
        row("cases (seed)", &|column| format!("{} ({})", grouped(column.cases), column.seed)),
        row("day", &|column| column.day.clone()),
    ];
    for chapter in &matrix.chapters {
        let title = match catalogue.chapter(chapter.chapter) {
            Some(found) => format!("{} {}", found.number, found.title),
            None => "not in this specification".to_owned(),
        };
        rows.push(std::iter::once(title).chain(chapter.cells.iter().map(cell)).collect());
    }
    let mut text = form.table(&rows);
    if !matrix.requirements.is_empty() {
        text.push_str(&form.heading("Requirements whose results differ, or failed"));
        let mut rows = vec![row("requirement", &Column::to_string)];
        rows[0].push(String::new());
        for requirement in &matrix.requirements {
            let cells = requirement.cells.iter().map(|status| word(*status).to_owned());
            let head = std::iter::once(requirement.reference.clone());
            rows.push(head.chain(cells).chain([words(&requirement.reference, catalogue)]).collect());
        }
        text.push_str(&form.table(&rows));
    }
    text
}

/// What changed between two runs.
pub fn changes(changes: &Changes, catalogue: &Catalogue, form: Form) -> String {
    let [before, after] = &changes.columns;
    let cases = |column: &Column| format!("{} cases, seed {}, {}", grouped(column.cases), column.seed, column.day);
    let mut text = form.heading(&format!("From {before} to {after}"));
    text.push_str(&form.item(&format!("{before}: {}", cases(before))));
    text.push_str(&form.item(&format!("{after}: {}", cases(after))));
    for caveat in &changes.caveats {
        text.push_str(&form.item(&format!("note: {caveat}")));
    }
    text.push('\n');
    let kinds = [Change::Fails, Change::Fixed, Change::Begins, Change::Ends, Change::Unclear];
    for kind in kinds {
        let changed: Vec<&Changed> = changes.changed.iter().filter(|changed| changed.change == kind).collect();
        if changed.is_empty() {
            continue;
        }
        text.push_str(&form.heading(heading(kind)));
        let (undecided, changed): (Vec<&Changed>, Vec<&Changed>) =
            changed.into_iter().partition(|one| is_undecided(one));
        for (before, after) in [(Status::Pass, Status::Inconclusive), (Status::Inconclusive, Status::Pass)] {
            let same = undecided.iter().filter(|one| one.before == Some(before));
            let references: Vec<&str> = same.map(|one| one.reference.as_str()).collect();
            if !references.is_empty() {
                let (before, after) = (before.as_str(), after.as_str());
                text.push_str(&form.item(&format!("{before} → {after}: {}", shortened(&references))));
            }
        }
        for changed in changed {
            let statuses = format!("{} → {}", word(changed.before), word(changed.after));
            text.push_str(&form.item(&format!(
                "{} ({statuses}): {}",
                changed.reference,
                words(&changed.reference, catalogue)
            )));
        }
        text.push('\n');
    }
    for (title, signatures) in [("Failures that are new", &changes.new), ("Failures that are gone", &changes.gone)] {
        if !signatures.is_empty() {
            text.push_str(&form.heading(title));
            signatures.iter().for_each(|signature| text.push_str(&form.item(&format!("`{signature}`"))));
            text.push('\n');
        }
    }
    let same =
        plural(changes.same as u64, "requirement or edge").replace("requirement or edges", "requirements and edges");
    text.push_str(&if changes.changed.is_empty() {
        format!("nothing changed in {same}\n")
    } else {
        format!("the same result: {same}\n")
    });
    text
}

/// Whether a requirement or edge could be decided in one of the runs only, and no run saw a failure of it.
fn is_undecided(changed: &Changed) -> bool {
    let pair = [changed.before, changed.after];
    !changed.has_failure && pair.contains(&Some(Status::Pass)) && pair.contains(&Some(Status::Inconclusive))
}

/// The first of these references, and how many more there are.
fn shortened(references: &[&str]) -> String {
    let shown = references.iter().take(MOST_REFERENCES).copied().collect::<Vec<_>>().join(", ");
    match references.len().saturating_sub(MOST_REFERENCES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

fn heading(change: Change) -> &'static str {
    match change {
        Change::Fails => "Fails now",
        Change::Fixed => "Held again: failed before",
        Change::Begins => "New: holds now, was not promised or not asserted before",
        Change::Ends => "No longer promised or asserted",
        Change::Unclear => "Other changes",
    }
}

fn word(status: Option<Status>) -> &'static str {
    status.map_or("–", Status::as_str)
}

/// The results of a chapter: `40`, or `38, 2 fail`.
fn cell(counts: &StatusCounts) -> String {
    let StatusCounts { pass, fail, known, unexpected_pass, flaky, unsupported, not_promised, not_run, inconclusive } =
        *counts;
    let others = [
        (fail, "fail"),
        (flaky, "flaky"),
        (known, "known"),
        (unsupported, "unsupported"),
        (not_promised, "not promised"),
        (not_run, "not run"),
        (inconclusive, "inconclusive"),
    ];
    let mut text = (pass + unexpected_pass).to_string();
    for (count, word) in others.into_iter().filter(|(count, _)| *count > 0) {
        text.push_str(&format!(", {count} {word}"));
    }
    text
}

/// The title of a requirement, or the text of an edge.
fn words(reference: &str, catalogue: &Catalogue) -> String {
    match resolve(catalogue, reference) {
        Some(Resolved::Requirement(requirement)) => requirement.title.clone(),
        Some(Resolved::Edge(_, edge)) if edge.text.chars().count() > LONGEST => {
            let cut: String = edge.text.chars().take(LONGEST).collect();
            // Cuts between words. The cut may be in code, so its backquote is closed.
            let cut = cut.rsplit_once(' ').map_or(cut.as_str(), |(start, _)| start);
            let close = if cut.matches('`').count() % 2 == 1 { "`" } else { "" };
            format!("{cut}{close} …")
        }
        Some(Resolved::Edge(_, edge)) => edge.text.clone(),
        None => "not in this specification".to_owned(),
    }
}
