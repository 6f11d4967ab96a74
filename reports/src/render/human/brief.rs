//! The failures that are not shown in full: one line for each.

use std::fmt::Write as _;

use crdible_spec::Catalogue;

use super::finding::{first_requirement, others, reproduced};
use crate::model::{EvidenceKind, ReportedFinding};
use crate::render::Style;
use crate::text::plural;

/// The heading, one line for each finding, and where the rest of it is. `before` is how many failures are shown above.
pub(super) fn lines(findings: &[&ReportedFinding], before: usize, catalogue: &Catalogue, style: Style) -> String {
    let title = format!("── {} ──", plural(findings.len() as u64, "more failure"));
    let mut text = format!("\n{}\n\n", style.strong(&title));
    for (position, finding) in findings.iter().enumerate() {
        let _ = writeln!(text, "{:>3}  {}", before + position + 1, line(finding, catalogue, style));
    }
    text.push_str("\n`--output json` prints each failure in full");
    if findings.iter().filter_map(|finding| finding.replay.as_ref()).any(|replay| replay.path.is_some()) {
        text.push_str("; `crdible replay FILE` runs one of these files again");
    }
    text.push('\n');
    text
}

fn line(finding: &ReportedFinding, catalogue: &Catalogue, style: Style) -> String {
    let failure = &finding.failure;
    let what = first_requirement(finding, catalogue);
    let summary = failure.summary.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut text = format!("{} {}; {what}", finding.level, style.strong(&summary));
    let _ = write!(text, "; {}", plural(finding.occurrences, "scenario"));
    if finding.evidence != EvidenceKind::Confirmed {
        let _ = write!(text, ", {}", reproduced(finding));
    }
    if !finding.also.is_empty() {
        let _ = write!(text, "; {}", others(finding));
    }
    if let Some(replay) = &finding.replay {
        let _ = write!(text, "; {}", replay.path.as_deref().unwrap_or(&replay.command));
    }
    text
}
