//! A comparison as text for people.

use std::fmt::Write as _;

use crdible_reports::render::{Style, curl, diff, yaml};
use crdible_spec::Catalogue;

use crate::compare::{Comparison, FoundDifference, Verdict};

/// The verdict, what was compared, and each difference: what it touches, the smallest definition and object, both answers
/// side by side, the requests to both, and the command that compares it again.
pub(super) fn comparison(comparison: &Comparison, style: Style) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}\n", verdict(comparison, style));
    let (mut cases, mut scenarios, mut differing) = (0, 0, 0);
    for counts in comparison.properties.values() {
        cases += counts.cases;
        scenarios += counts.scenarios;
        differing += counts.differing;
    }
    let properties = comparison.properties.len();
    let is_generated = comparison.cases > 0;
    let sums = format!(
        "{cases} cases in {scenarios} scenarios of {properties} properties; {differing} scenarios with differing answers; {} requests",
        comparison.requests
    );
    if is_generated {
        let _ = writeln!(text, "{sums}");
    }
    for (word, side) in ["A", "B"].into_iter().zip(&comparison.targets) {
        let version = side.version.as_ref().map_or_else(String::new, |version| format!(" ({version})"));
        let _ = writeln!(text, "{word} {}{version}", side.name);
    }
    if is_generated {
        let _ = writeln!(text, "seed {}", comparison.seed);
    }
    for (property, lack) in &comparison.left_out {
        let _ = writeln!(text, "left out: {property}, for a target lacks {lack}");
    }
    for (property, reason) in &comparison.given_up {
        let _ = writeln!(text, "given up: {property}, since {reason}");
    }
    for error in &comparison.errors {
        let _ = writeln!(text, "{}", style.bad(&format!("error: {error}")));
    }
    for found in &comparison.differences {
        if let Some(reason) = &found.known {
            let _ = writeln!(text, "known: {} ({}): {reason}", found.signature, found.requirements.join(" "));
        }
    }
    let count = comparison.new_differences().count();
    for (position, found) in comparison.new_differences().enumerate() {
        let title = format!("── difference {} of {count} ──", position + 1);
        let _ = writeln!(text, "\n{}\n", style.strong(&title));
        text.push_str(&difference(found, comparison, style));
    }
    if count > 0 {
        let _ = writeln!(text, "\n{}", verdict(comparison, style));
    }
    text
}

fn verdict(comparison: &Comparison, style: Style) -> String {
    match comparison.verdict {
        Verdict::Alike => match comparison.differences.len() {
            0 => style.good("verdict: alike"),
            known => style.good(&format!("verdict: alike but for {known} known differences")),
        },
        Verdict::Different => {
            let confirmed = comparison.new_differences().filter(|found| found.came_again()).count();
            style.bad(&format!("verdict: different in {confirmed} ways"))
        }
        Verdict::Incomplete => style.strong(&format!("verdict: incomplete ({})", comparison.stop)),
    }
}

fn difference(found: &FoundDifference, comparison: &Comparison, style: Style) -> String {
    let mut text = String::new();
    for reference in &found.requirements {
        let id = reference.split('/').next().unwrap_or(reference);
        let title = Catalogue::embedded().matching(id).next().map_or("", |requirement| requirement.title.as_str());
        let _ = writeln!(text, "{}", style.strong(&format!("{reference} — {title}")));
    }
    let _ = writeln!(text, "{}", style.bad(&found.summary));
    let (times, attempts) = (found.reproduced.times, found.reproduced.attempts);
    let circumstances = format!(
        "property {}, scenario {}; came again {times} of {attempts} times; shrunk from {} to {} choices in {} executions\nsignature {}",
        found.property,
        found.index,
        found.shrink.initial_size,
        found.shrink.final_size,
        found.shrink.executions,
        found.signature
    );
    let _ = writeln!(text, "{}", style.faint(&circumstances));
    for (title, documents) in [("definition", &found.definitions), ("object", &found.objects)] {
        for document in documents {
            let _ = writeln!(text, "\n{}\n{}", style.strong(title), yaml::yaml(document));
        }
    }
    let [first, second] = &comparison.targets;
    let _ = writeln!(text, "\n{}", style.strong("the answers"));
    let sides = [format!("A {}", first.name), format!("B {}", second.name)];
    text.push_str(&diff::diff_of([&sides[0], &sides[1]], &found.first, &found.second, style));
    for (side, requests) in sides.iter().zip(&found.requests) {
        if !requests.is_empty() {
            let _ = writeln!(text, "\n{}\n{}", style.strong(&format!("requests to {side}")), curl::script(requests));
        }
    }
    let _ = writeln!(text, "\n{}\n{}", style.strong("again"), found.replay);
    text
}
