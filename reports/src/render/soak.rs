//! The sum of a soak as text for a terminal.

use std::fmt::Write as _;

use super::human::{judged, target};
use super::{Style, blame, visible};
use crate::soak::{Soak, SoakFinding};
use crate::text::{grouped, plural};
use crate::verdict::Verdict;

/// The most lines of a kind that are shown; the JSON has all.
const MOST_LINES: usize = 50;

/// The most seeds that are shown; the JSON has all, and each follows from the one before.
const MOST_SEEDS: usize = 400;

/// The longest line of seeds.
const WIDTH: usize = 120;

/// The sum of a soak as text: verdict, what was judged, on what, what was found, and the seeds of all rounds.
pub fn soak(soak: &Soak, style: Style) -> String {
    let soak = &visible::visible(soak);
    let mut text = String::new();
    let _ = writeln!(text, "{}\n", style.verdict(soak.verdict, &soak.statement));
    findings(&mut text, &style.strong("failures"), &soak.failures);
    findings(&mut text, &style.strong("could not be confirmed"), &soak.unconfirmed);
    let known = soak.known.iter().map(|known| {
        format!(
            "{}: {} in {}, first with seed {}",
            known.entry,
            plural(known.scenarios, "scenario"),
            plural(known.rounds, "round"),
            known.seed
        )
    });
    list(&mut text, &style.strong("known failures"), known);
    let errors = soak.errors.iter().map(|error| {
        format!(
            "{}: {}, first with seed {}, {}",
            error.property,
            plural(error.scenarios, "error"),
            error.seed,
            error.example
        )
    });
    list(&mut text, &style.strong("errors"), errors);
    // Only the statement of a nonconformant target names no reasons.
    let also = if soak.verdict == Verdict::Nonconformant { &soak.reasons[..] } else { &[] };
    list(&mut text, &style.strong("also"), also.iter().cloned());
    list(&mut text, &style.strong("notes"), soak.notes.iter().cloned());
    let _ = writeln!(text, "{}", sums(soak));
    let _ = writeln!(
        text,
        "{} of {} for each property, in {}",
        plural(soak.counts.rounds, "round"),
        plural(soak.run.cases, "case"),
        duration(soak.seconds)
    );
    let _ = writeln!(text, "target {}", target(&soak.target, &soak.profile, soak.profile_complete));
    text.push_str(&seeds(&soak.seeds));
    if let Some(line) = blame::soak_blame(soak) {
        let _ = writeln!(text, "\n{}", style.bad(&line));
    }
    text
}

fn findings(text: &mut String, heading: &str, found: &[SoakFinding]) {
    let lines = found.iter().map(|found| {
        let SoakFinding { signature, requirements, level, summary, seed, .. } = found;
        let place = match requirements.as_slice() {
            [] => level.to_string(),
            some => format!("{}, {level}", some.join(", ")),
        };
        let replay = found.replay.as_ref().map(|command| format!("\n    {command}")).unwrap_or_default();
        format!(
            "{summary} ({place}): {signature}, seed {seed}; {} in {}{replay}",
            plural(found.scenarios, "scenario"),
            plural(found.rounds, "round")
        )
    });
    list(text, heading, lines);
}

/// A heading and lines below it, with an empty line at the end; nothing if there are no lines.
fn list(text: &mut String, heading: &str, lines: impl ExactSizeIterator<Item = String>) {
    let count = lines.len();
    if count == 0 {
        return;
    }
    let _ = writeln!(text, "{heading}");
    for line in lines.take(MOST_LINES) {
        let _ = writeln!(text, "  {line}");
    }
    if count > MOST_LINES {
        let _ = writeln!(text, "  … and {} more", grouped((count - MOST_LINES) as u64));
    }
    text.push('\n');
}

/// What was judged, and with how many requests.
fn sums(soak: &Soak) -> String {
    let counts = &soak.counts;
    let mut text = judged(counts.cases, counts.scenarios, counts.properties, counts.requests);
    let found = [
        (counts.failures, "failure"),
        (counts.unconfirmed, "unconfirmed failure"),
        (counts.errors, "error"),
        (counts.known_failures, "known failure"),
    ];
    for (count, what) in found {
        let _ = write!(text, ", {}", plural(count, what));
    }
    if counts.discarded > 0 {
        let _ = write!(text, ", {} discarded", grouped(counts.discarded));
    }
    text
}

/// `2 h 13 min`, `5 min 7 s`, `12 s`.
fn duration(seconds: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a time is positive, and no soak lasts that long"
    )]
    let seconds = seconds.round().max(0.0) as u64;
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match (hours, minutes) {
        (0, 0) => format!("{seconds} s"),
        (0, _) => format!("{minutes} min {} s", seconds % 60),
        _ => format!("{} h {minutes} min", grouped(hours)),
    }
}

/// The seeds, several in a line.
fn seeds(seeds: &[u64]) -> String {
    let mut text = if seeds.len() == 1 { "seed" } else { "seeds" }.to_owned();
    let mut width = text.len();
    for seed in seeds.iter().take(MOST_SEEDS) {
        let word = format!(" {seed}");
        if width + word.len() > WIDTH {
            text.push_str("\n     ");
            width = 5;
        }
        width += word.len();
        text.push_str(&word);
    }
    if let more @ 1.. = seeds.len().saturating_sub(MOST_SEEDS) {
        let _ = write!(text, "\n      and {}, each of which follows from the one before", grouped(more as u64));
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests;
