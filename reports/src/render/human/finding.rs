//! One finding, in the order of a reader's questions: the requirement, the input, the requests, the responses, the
//! command to run it again.

use std::fmt::Write as _;

use crdible_spec::Catalogue;
use serde_json::Value;

use crate::fold::resolve;
use crate::model::{EvidenceKind, Finding};
use crate::render::{Style, curl, diff, yaml};
use crate::shell::quoted;
use crate::text::plural;

/// The finding as lines of text. Definitions, objects and commands are not indented, so that they can be copied.
pub(super) fn finding(finding: &Finding, seed: u64, catalogue: &Catalogue, style: Style) -> String {
    let mut text = String::new();
    let failure = &finding.failure;
    for reference in &failure.requirements {
        let _ = writeln!(text, "{}", requirement(reference, catalogue, style));
    }
    let _ = writeln!(text, "{}", style.bad(&failure.summary));
    let _ = writeln!(text, "{}", style.faint(&evidence(finding)));

    documents(&mut text, "smallest definition", &finding.minimal.definitions, style);
    documents(&mut text, "smallest object", &finding.minimal.objects, style);
    if !finding.minimal.requests.is_empty() {
        heading(&mut text, "requests", style);
        text.push_str(&curl::script(&finding.minimal.requests));
    }
    if finding.evidence != EvidenceKind::Unconfirmed {
        heading(&mut text, "expected and actual", style);
        text.push_str(&diff::diff(&failure.expected, &failure.actual, style));
    }
    heading(&mut text, "replay", style);
    if let Some(replay) = &finding.replay {
        let _ = writeln!(text, "{}", replay.command);
    } else {
        let property = quoted(&failure.signature.property);
        let _ = writeln!(text, "crdible run --seed {seed} --property {property}");
    }
    text
}

/// ID, title and the first sentence of the requirement.
fn requirement(reference: &str, catalogue: &Catalogue, style: Style) -> String {
    match resolve(catalogue, reference) {
        None => format!("{}: not in this catalogue", style.strong(reference)),
        Some(found) => format!(
            "{} ({}): {}",
            style.strong(&format!("{reference} — {}", found.requirement().title)),
            found.level(),
            first_sentence(found.text()),
        ),
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

fn evidence(finding: &Finding) -> String {
    let signature = &finding.failure.signature;
    let mut text = format!("property {}", signature.property);
    if !signature.check.is_empty() {
        let _ = write!(text, ", check {}", signature.check);
    }
    let _ = write!(text, "; {}; {}", plural(finding.occurrences, "scenario"), reproduced(finding));
    if let Some(shrink) = &finding.shrink {
        let _ = write!(
            text,
            "; shrunk from {} to {} choices in {} executions",
            shrink.initial_size, shrink.final_size, shrink.executions
        );
    }
    let _ = write!(text, "\nsignature {signature}");
    text
}

fn reproduced(finding: &Finding) -> String {
    let (times, attempts) = (finding.reproduced.times, finding.reproduced.attempts);
    match finding.evidence {
        EvidenceKind::Confirmed if attempts == 0 => "not run again".to_owned(),
        EvidenceKind::Confirmed => format!("reproduced {times} of {attempts} times"),
        EvidenceKind::Flaky => format!("flaky: reproduced {times} of {attempts} times"),
        EvidenceKind::Unreproduced => format!("not reproduced in {attempts} attempts"),
        EvidenceKind::Unconfirmed => "not confirmed".to_owned(),
    }
}

fn documents(text: &mut String, title: &str, documents: &[Value], style: Style) {
    if documents.is_empty() {
        return;
    }
    let title = if documents.len() == 1 { title.to_owned() } else { format!("{title}s") };
    heading(text, &title, style);
    for (position, document) in documents.iter().enumerate() {
        if position > 0 {
            text.push_str("---\n");
        }
        text.push_str(&yaml::yaml(document));
    }
}

fn heading(text: &mut String, title: &str, style: Style) {
    let _ = writeln!(text, "\n{}", style.strong(title));
}

#[cfg(test)]
mod tests {
    use super::first_sentence;
    use rstest::rstest;

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
