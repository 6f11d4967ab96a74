//! One finding, in the order of a reader's questions: the requirement, the input, the requests, the responses, the
//! command to run it again, and where else it was seen.

use std::fmt::Write as _;

use crdible_spec::Catalogue;
use serde_json::Value;

use crate::fold::{base, resolve};
use crate::journal::{Body, Minimal, Request};
use crate::model::{AlsoSeen, EvidenceKind, ReportedFinding, Share};
use crate::render::{Style, curl, diff, rules, visible, yaml};
use crate::shell::quoted;
use crate::text::plural;

/// At most this many lines about the other failures of an entry.
const MOST_ALSO_SEEN: usize = 10;

/// At most this many requirements or keywords of an entry with their counts.
const MOST_SHARES: usize = 12;

/// The most lines of a part of a finding. The file of the counterexample and the report in JSON have all of it.
const MOST_LINES: usize = 300;

/// At most this many requirements that an unconfirmed failure may break.
const MOST_CANDIDATES: usize = 12;

/// The finding as lines of text. Definitions, objects and commands are not indented, so that they can be copied.
pub(in crate::render) fn finding(finding: &ReportedFinding, catalogue: &Catalogue, style: Style) -> String {
    with_evidence(finding, &evidence(finding), catalogue, style)
}

/// The same with these words in place of how certain it is.
pub(super) fn with_evidence(finding: &ReportedFinding, evidence: &str, catalogue: &Catalogue, style: Style) -> String {
    let mut text = String::new();
    let failure = &finding.failure;
    let _ = writeln!(text, "{}", style.bad(&failure.summary));
    if !finding.promise.is_empty() {
        let _ = writeln!(text, "promised: {}", finding.promise);
    }
    if finding.has_details() {
        for line in requirements(&finding.references(), catalogue, style) {
            let _ = writeln!(text, "{line}");
        }
    } else {
        text.push_str(&candidates(&failure.requirements, style));
    }
    let _ = writeln!(text, "{}", style.faint(evidence));

    let Minimal { definitions, objects, requests } = &finding.minimal;
    documents(&mut text, "smallest definition", definitions, requests, style);
    documents(&mut text, "smallest object", objects, requests, style);
    if !finding.minimal.requests.is_empty() {
        heading(&mut text, "requests", style);
        text.push_str(&shortened(&visible::escaped(&curl::script(&finding.minimal.requests))));
    }
    if finding.has_details() {
        let disagree = failure.between.is_some();
        heading(&mut text, if disagree { "two answers that disagree" } else { "expected and actual" }, style);
        text.push_str(&shortened(&diff::of_failure(failure, style)));
    }
    text.push_str(&shortened(&rules::rules(&finding.rules, style)));
    heading(&mut text, "replay", style);
    let _ = writeln!(text, "{}", replay(finding));
    let _ = writeln!(text, "{}", style.faint(&format!("signature {}", failure.signature)));
    also_seen(&mut text, finding, style);
    text
}

/// The command that runs it again.
pub(in crate::render) fn replay(finding: &ReportedFinding) -> String {
    // Reports by earlier versions do not name the target.
    let property = || format!("crdible run --property {}", quoted(&finding.failure.signature.property));
    let again = || finding.look_again.clone().unwrap_or_else(property);
    finding.replay.as_ref().map_or_else(again, |replay| replay.command.clone())
}

/// The requirements that an unconfirmed failure may break, in one line: it breaks few of them.
fn candidates(references: &[String], style: Style) -> String {
    if references.is_empty() {
        return String::new();
    }
    let shown = references.iter().take(MOST_CANDIDATES).map(String::as_str).collect::<Vec<_>>().join(" ");
    match references.len().saturating_sub(MOST_CANDIDATES) {
        0 => format!("may break {}\n", style.strong(&shown)),
        more => format!("may break {} and {more} more\n", style.strong(&shown)),
    }
}

/// One line for each requirement: ID, title and the first sentence. An edge says more about the failure than the
/// requirement that it belongs to: it comes first, and of the requirement only the title is shown.
pub(in crate::render) fn requirements(references: &[String], catalogue: &Catalogue, style: Style) -> Vec<String> {
    let mut lines = Vec::new();
    for reference in edges_first(references) {
        let is_explained = references.iter().any(|other| other != reference && base(other) == reference);
        lines.push(match resolve(catalogue, reference) {
            None => format!("{}: not in this catalogue", style.strong(reference)),
            Some(found) => {
                let title = style.strong(&format!("{reference} — {}", found.requirement().title));
                let text = if is_explained { String::new() } else { format!(": {}", first_sentence(found.text())) };
                format!("{title} ({}){text}", found.level())
            }
        });
    }
    lines
}

/// The references in their order, but the edges of a requirement before the requirement itself.
pub(in crate::render) fn edges_first(references: &[String]) -> Vec<&String> {
    let mut ordered: Vec<&String> = references.iter().collect();
    let first_of = |reference: &str| references.iter().position(|other| base(other) == base(reference));
    ordered.sort_by_key(|reference| (first_of(reference), !reference.contains('/')));
    ordered
}

/// ID and title of the requirement that is shown first.
pub(in crate::render) fn first_requirement(finding: &ReportedFinding, catalogue: &Catalogue) -> String {
    match edges_first(&finding.references()).first() {
        None => "no requirement".to_owned(),
        Some(reference) => match resolve(catalogue, reference) {
            None => (*reference).clone(),
            Some(found) => format!("{reference} — {}", found.requirement().title),
        },
    }
}

/// Up to the first full stop that ends a sentence.
fn first_sentence(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    line.match_indices(". ")
        .find(|(at, _)| {
            let (before, after) = (&line[..*at], &line[at + 2..]);
            let is_abbreviation = before.ends_with("e.g") || before.ends_with("i.e") || before.ends_with("incl");
            !is_abbreviation && !after.starts_with(|next: char| next.is_lowercase())
        })
        .map_or(line, |(at, _)| &line[..=at])
}

pub(in crate::render) fn evidence(finding: &ReportedFinding) -> String {
    let mut text = origin(finding);
    let _ = write!(text, "; {}; {}", plural(finding.occurrences, "scenario"), reproduced(finding));
    if !finding.also.is_empty() {
        let _ = write!(text, "; {} (below)", others(finding));
    }
    text
}

/// The property and the check.
pub(super) fn origin(finding: &ReportedFinding) -> String {
    let signature = &finding.failure.signature;
    let what = if signature.is_of_capability() { "capability test" } else { "property" };
    let check = if signature.check.is_empty() { String::new() } else { format!(", check {}", signature.check) };
    format!("{what} {}{check}", signature.property)
}

/// How many other failures the entry lists. Those that only share an area with it may have other causes.
pub(in crate::render) fn others(finding: &ReportedFinding) -> String {
    let others = plural(finding.also.len() as u64, "other failure");
    if finding.is_of_one_symptom() {
        format!("also seen as {others}")
    } else {
        format!("{others} of {}", finding.area())
    }
}

/// `multipleOf 4, maximum 12`: what the failures of an entry are about, with the number of each; empty if it is one
/// thing.
pub(in crate::render) fn shares(finding: &ReportedFinding) -> String {
    let count = |share: &Share| format!("{} {}", share.of, share.failures);
    let mut counts: Vec<String> = finding.shares.iter().take(MOST_SHARES).map(count).collect();
    let rest: u64 = finding.shares.iter().skip(MOST_SHARES).map(|share| share.failures).sum();
    if rest > 0 {
        counts.push(format!("others {rest}"));
    }
    counts.join(", ")
}

/// What an other failure of an entry is called: its first requirement, and what was seen.
fn other(also: &AlsoSeen) -> String {
    let doubt = if also.evidence == EvidenceKind::Confirmed { "" } else { " (not reproduced each time)" };
    let requirement = edges_first(&also.requirements).first().map(|first| format!("{first} ")).unwrap_or_default();
    format!("{requirement}{}: {}{doubt}", also.signature.property, also.summary)
}

/// The other failures of the entry, with the first requirement of each.
fn also_seen(text: &mut String, finding: &ReportedFinding, style: Style) {
    if finding.also.is_empty() {
        return;
    }
    let area = finding.area();
    let title = match finding.is_of_one_symptom() {
        true => "also seen as".to_owned(),
        false => format!("other failures of {area} (they may have other causes)"),
    };
    heading(text, &title, style);
    if !finding.shares.is_empty() {
        let _ = writeln!(text, "{}", shares(finding));
    }
    let mut lines: Vec<(String, usize)> = Vec::new();
    for also in &finding.also {
        let line = other(also);
        match lines.iter_mut().find(|(known, _)| *known == line) {
            Some((_, count)) => *count += 1,
            None => lines.push((line, 1)),
        }
    }
    for (line, count) in lines.iter().take(MOST_ALSO_SEEN) {
        let times = if *count > 1 { format!(" ({count} times)") } else { String::new() };
        let _ = writeln!(text, "{line}{times}");
    }
    let more: usize = lines.iter().skip(MOST_ALSO_SEEN).map(|(_, count)| count).sum();
    if more > 0 {
        let of = if area.is_empty() { String::new() } else { format!(" of {area}") };
        let _ = writeln!(text, "and {more} more{of}, which `--output json` lists with their files");
    }
}

pub(super) fn reproduced(finding: &ReportedFinding) -> String {
    let (times, attempts) = (finding.reproduced.times, finding.reproduced.attempts);
    match finding.evidence {
        EvidenceKind::Confirmed if attempts == 0 => "not run again".to_owned(),
        EvidenceKind::Confirmed if times < attempts => format!("a race: reproduced {times} of {attempts} times"),
        EvidenceKind::Confirmed => format!("reproduced {times} of {attempts} times"),
        EvidenceKind::Flaky => format!("flaky: reproduced {times} of {attempts} times"),
        EvidenceKind::Unreproduced => format!("not reproduced in {attempts} attempts"),
        EvidenceKind::Unconfirmed => "not confirmed".to_owned(),
    }
}

/// What is meant by a document, if the request that sends it says so.
pub(in crate::render) fn about<'a>(document: &Value, requests: &'a [Request]) -> Option<&'a str> {
    let sends = |request: &&Request| match &request.body {
        Some(Body::Text(text)) => serde_json::from_str::<Value>(text).is_ok_and(|body| body == *document),
        Some(Body::Base64(_)) | None => false,
    };
    requests.iter().filter(|request| request.about.is_some()).find(sends)?.about.as_deref()
}

fn documents(text: &mut String, title: &str, documents: &[Value], requests: &[Request], style: Style) {
    if documents.is_empty() {
        return;
    }
    let title = if documents.len() == 1 { title.to_owned() } else { format!("{title}s") };
    heading(text, &title, style);
    for (position, document) in documents.iter().enumerate() {
        if position > 0 {
            text.push_str("---\n");
        }
        if let Some(about) = about(document, requests) {
            let _ = writeln!(text, "# {}", visible::text(about).replace('\n', " "));
        }
        text.push_str(&shortened(&yaml::yaml(document)));
    }
}

/// A text without what is too long to be read; it says how much is missing.
fn shortened(text: &str) -> String {
    visible::excerpt(text, MOST_LINES, usize::MAX)
}

fn heading(text: &mut String, title: &str, style: Style) {
    let _ = writeln!(text, "\n{}", style.strong(title));
}

#[cfg(test)]
mod tests {
    use super::{candidates, edges_first, first_sentence};
    use crate::render::Style;
    use rstest::rstest;

    #[test]
    fn an_edge_comes_before_its_requirement_and_nothing_else_moves() {
        let references = ["B-002", "A-001", "A-001/e1", "A-001/e2", "C-001/e1"].map(str::to_owned);
        assert_eq!(edges_first(&references), ["B-002", "A-001/e1", "A-001/e2", "A-001", "C-001/e1"]);
    }

    #[test]
    fn some_of_the_requirements_that_may_be_broken_are_named() {
        let many: Vec<String> = (1..=14).map(|number| format!("A-{number}")).collect();
        assert!(candidates(&many, Style::default()).ends_with("A-11 A-12 and 2 more\n"));
        assert_eq!(candidates(&many[..2], Style::default()), "may break A-1 A-2\n");
        assert_eq!(candidates(&[], Style::default()), "");
    }

    #[rstest]
    #[case::one("The server MUST prune it.", "The server MUST prune it.")]
    #[case::two("It MUST. Or else `x`.", "It MUST.")]
    #[case::code_follows("It MUST. `x` too.", "It MUST.")]
    #[case::abbreviation("A key, e.g. Kind, is kept. More.", "A key, e.g. Kind, is kept.")]
    #[case::table("It holds:\n| a | b |", "It holds:")]
    #[case::empty("", "")]
    fn first_sentences(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(first_sentence(text), expected);
    }
}
