//! A comparison as text for a terminal.

use std::fmt::Write as _;

use crdible_spec::Catalogue;

use super::{Style, curl, diff, visible, yaml};
use crate::comparison::{Comparison, ComparisonVerdict, Counts, Difference};
use crate::fold::base;
use crate::journal::StopReason;
use crate::text::{grouped, plural, properties};

mod as_finding;
mod junit;
mod markdown;

pub(super) use as_finding::findings;
pub use junit::comparison_junit;
pub use markdown::comparison_markdown;

/// The verdict, in a few words.
pub(super) fn headline(comparison: &Comparison) -> String {
    let line = verdict(comparison, Style::default());
    line.strip_prefix("verdict: ").unwrap_or(&line).to_owned()
}

/// The targets as the renderings call them: `A embedded (v1.36.0)`.
pub(super) fn sides(comparison: &Comparison) -> [String; 2] {
    let [first, second] = &comparison.targets;
    [format!("A {first}"), format!("B {second}")]
}

/// What was not compared, and errors, one sentence each; whether it is an error.
fn gaps_and_errors(comparison: &Comparison) -> impl Iterator<Item = (String, bool)> {
    let skipped = comparison
        .skipped
        .iter()
        .map(|(property, capability)| format!("skipped: {property}, because a target does not support {capability}"));
    let stopped = comparison.stopped.iter().map(|(property, reason)| format!("stopped early: {property}: {reason}"));
    let errors = comparison.errors.iter().map(|error| (format!("error: {error}"), true));
    skipped.chain(stopped).map(|gap| (gap, false)).chain(errors)
}

/// What was not compared, and errors, one sentence each.
pub(super) fn gaps(comparison: &Comparison) -> Vec<String> {
    gaps_and_errors(comparison).map(|(gap, _)| gap).collect()
}

/// The comparison as text: verdict, counts, then each difference that is not a known failure: the
/// requirements that it is about, the smallest definition and object, both responses as a diff, the requests
/// to both, and the command that compares it again.
pub fn comparison(comparison: &Comparison, catalogue: &Catalogue, style: Style) -> String {
    let comparison = &visible::visible(comparison);
    let mut text = String::new();
    let _ = writeln!(text, "{}\n", verdict(comparison, style));
    let is_generated = comparison.cases > 0;
    if is_generated {
        let _ = writeln!(text, "{}", sums(comparison));
    }
    for side in sides(comparison) {
        let _ = writeln!(text, "{side}");
    }
    if is_generated {
        let _ = writeln!(text, "seed {}", comparison.seed);
    }
    for (gap, is_error) in gaps_and_errors(comparison) {
        let _ = writeln!(text, "{}", if is_error { style.bad(&gap) } else { gap });
    }
    for known in comparison.differences.iter().filter(|difference| difference.known.is_some()) {
        let reason = known.known.as_deref().unwrap_or_default();
        let _ =
            writeln!(text, "known: {} ({}): {reason}", known.failure.signature, known.failure.requirements.join(" "));
    }
    let count = comparison.new_differences().count();
    for (position, found) in comparison.new_differences().enumerate() {
        let title = format!("── difference {} of {count} ──", position + 1);
        let _ = writeln!(text, "\n{}\n", style.strong(&title));
        text.push_str(&difference(found, comparison, catalogue, style));
    }
    if count > 0 {
        // The first line may have scrolled away.
        let _ = writeln!(text, "\n{}", verdict(comparison, style));
    }
    text
}

fn verdict(comparison: &Comparison, style: Style) -> String {
    match comparison.verdict {
        ComparisonVerdict::NoDifferences => match comparison.differences.len() as u64 {
            0 => style.good("verdict: no differences"),
            known => style.good(&format!("verdict: no differences except {}", plural(known, "known difference"))),
        },
        ComparisonVerdict::Different => {
            let confirmed = comparison.new_differences().filter(|difference| difference.is_reproduced()).count();
            style.bad(&format!("verdict: {}", plural(confirmed as u64, "difference")))
        }
        ComparisonVerdict::Incomplete => style.warning(&format!("verdict: incomplete: {}", reasons(comparison))),
    }
}

/// Why the comparison is incomplete.
fn reasons(comparison: &Comparison) -> String {
    let mut reasons = Vec::new();
    match comparison.stop_reason {
        None => reasons.push("the comparison was killed".to_owned()),
        Some(StopReason::Interrupted) => reasons.push("the comparison was interrupted".to_owned()),
        Some(StopReason::TargetUnusable) => reasons.push("a target stopped responding".to_owned()),
        Some(StopReason::Broken) => reasons.push("crdible itself failed".to_owned()),
        _ => {}
    }
    if !comparison.skipped.is_empty() {
        let skipped = if comparison.skipped.len() == 1 { "property was" } else { "properties were" };
        reasons.push(format!(
            "{} {skipped} skipped because a target does not support a capability",
            comparison.skipped.len()
        ));
    }
    let errors: u64 = comparison.properties.values().map(|counts| counts.errors).sum();
    if errors > 0 {
        reasons.push(format!("{} ended in an error", plural(errors, "scenario")));
    }
    let unconfirmed = comparison.new_differences().count();
    if unconfirmed > 0 {
        reasons.push(format!("{} could not be reproduced", plural(unconfirmed as u64, "difference")));
    }
    if comparison.properties.values().all(|counts| counts.scenarios == 0) {
        reasons.push("nothing was compared".to_owned());
    }
    if reasons.is_empty() {
        reasons.push("a difference was seen, but not confirmed before the end".to_owned());
    }
    reasons.join("; ")
}

pub(super) fn sums(comparison: &Comparison) -> String {
    let sum = |of: fn(&Counts) -> u64| comparison.properties.values().map(of).sum::<u64>();
    format!(
        "{} in {} of {}, {} with differences; {}",
        plural(sum(|counts| counts.cases), "case"),
        plural(sum(|counts| counts.scenarios), "scenario"),
        properties(comparison.properties.len() as u64),
        grouped(sum(|counts| counts.differing)),
        plural(comparison.requests, "request"),
    )
}

fn difference(found: &Difference, comparison: &Comparison, catalogue: &Catalogue, style: Style) -> String {
    let mut text = String::new();
    for reference in &found.failure.requirements {
        let id = base(reference);
        let title = catalogue.matching(id).next().map_or("", |requirement| requirement.title.as_str());
        let _ = writeln!(text, "{}", style.strong(&format!("{reference} — {title}")));
    }
    let _ = writeln!(text, "{}", style.bad(&found.failure.summary));
    let _ = writeln!(text, "{}", style.faint(&evidence(found)));
    for (title, documents) in [("definition", &found.minimal.definitions), ("object", &found.minimal.objects)] {
        for document in documents {
            let _ = writeln!(text, "\n{}\n{}", style.strong(title), shortened(&yaml::yaml(document)));
        }
    }
    let [first, second] = &comparison.targets;
    let _ = writeln!(text, "\n{}", style.strong("responses"));
    let sides = [format!("A {}", first.name), format!("B {}", second.name)];
    let (expected, actual) = (&found.failure.expected, &found.failure.actual);
    text.push_str(&shortened(&diff::diff_of([&sides[0], &sides[1]], expected, actual, style)));
    for (side, requests) in sides.iter().zip([&found.minimal.requests, &found.second_requests]) {
        if !requests.is_empty() {
            let script = shortened(&visible::escaped(&curl::script(requests)));
            let _ = writeln!(text, "\n{}\n{script}", style.strong(&format!("requests to {side}")));
        }
    }
    let _ = writeln!(text, "\n{}\n{}", style.strong("compare again"), found.replay.command);
    text
}

/// Shortens a part of a difference; the comparison in JSON has all of it.
fn shortened(text: &str) -> String {
    visible::excerpt(text, 300, 200_000)
}

fn evidence(found: &Difference) -> String {
    let (times, attempts) = (found.reproduced.times, found.reproduced.attempts);
    let mut text = format!(
        "property {}, scenario {}; reproduced {times} of {attempts} times",
        found.failure.signature.property, found.index
    );
    if let Some(shrink) = &found.shrink {
        let _ = write!(
            text,
            "; shrunk from {} to {} choices in {} executions",
            shrink.initial_size, shrink.final_size, shrink.executions
        );
    }
    let _ = write!(text, "\nsignature {}", found.failure.signature);
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::journal::{Event, Journal, StopReason};
    use crate::sample::{KNOWN, case, catalogue, clean, failing, finding, known, second_target, signature, today};

    fn rendered(journal: &Journal, known_failures: &str) -> String {
        comparison(&crate::compare(journal, &known(known_failures), today()), &catalogue(), Style::default())
    }

    fn eventful() -> Journal {
        let mut journal = clean();
        journal.header.second_target = Some(second_target());
        for (index, property, requirement) in
            [(3, "prune-undeclared", "PRUNE-001"), (4, "default-missing", "DEFAULT-001")]
        {
            let signature = signature(property, "get", "status", "200-404");
            journal.cases.push(failing(property, index, &[0], &signature));
            journal.findings.push(finding(property, index, &[requirement], &signature));
        }
        journal
    }

    #[test]
    fn no_differences() {
        let mut journal = clean();
        journal.header.second_target = Some(second_target());
        insta::assert_snapshot!(rendered(&journal, ""));
    }

    #[test]
    fn a_new_difference_and_a_known_one() {
        insta::assert_snapshot!(rendered(&eventful(), KNOWN));
    }

    /// With requests to both targets.
    fn compared(known_failures: &str) -> Comparison {
        let mut journal = eventful();
        for finding in &mut journal.findings {
            finding.second_requests = finding.minimal.requests[..1].to_vec();
            finding.second_requests[0].status = Some(422);
        }
        journal.events.push(Event::about("default-null", Event::SKIPPED, "defaulting"));
        crate::compare(&journal, &known(known_failures), today())
    }

    #[test]
    fn in_other_formats() {
        let compared = compared(KNOWN);
        insta::assert_snapshot!("comparison-markdown", comparison_markdown(&compared, &catalogue()));
        let document = comparison_junit(&compared, &catalogue());
        crate::render::junit::tests::check(&document);
        insta::assert_snapshot!("comparison-junit", document);
        let page = crate::render::comparison_html(&compared, &catalogue()).unwrap();
        let (_, body) = page.split_once("<body>").unwrap();
        let (body, _) = body.split_once("<script>").unwrap();
        insta::assert_snapshot!("comparison-html", body);
    }

    /// A CI server is red exactly if the exit code is not 0.
    #[test]
    fn a_test_fails_only_if_the_verdict_does() {
        let fails = |text: &str| text.contains("<failure") || text.contains("<error");
        let (mut equal, new, mut unconfirmed) = (eventful(), eventful(), eventful());
        equal.findings.remove(0);
        equal.cases.retain(|case| case.failures.is_empty() || case.property == "default-missing");
        unconfirmed.findings.iter_mut().for_each(|finding| finding.reproduced.times = 0);
        let killed = Journal { footer: None, ..equal.clone() };
        for (journal, is_red) in [(&equal, false), (&new, true), (&unconfirmed, true), (&killed, true)] {
            let compared = crate::compare(journal, &known(KNOWN), today());
            assert_eq!(compared.exit_code() != 0, is_red, "{:?}", compared.verdict);
            assert_eq!(fails(&comparison_junit(&compared, &catalogue())), is_red);
        }
    }

    #[test]
    fn an_incomplete_comparison_says_why() {
        let mut journal = clean();
        journal.footer.as_mut().unwrap().stop_reason = StopReason::TargetUnusable;
        journal.events.push(Event::about("default-null", Event::SKIPPED, "defaulting"));
        journal.events.push(Event::about("prune-undeclared", Event::STOPPED, "its cases end in errors"));
        journal.cases.push(case("prune-undeclared", 9, crate::journal::Outcome::Error, &[]));
        insta::assert_snapshot!(rendered(&journal, ""));
    }
}
