//! A comparison as Markdown.

use std::fmt::Write as _;

use crdible_spec::Catalogue;

use super::{findings, gaps, headline, sides, sums};
use crate::comparison::{Comparison, ComparisonVerdict};
use crate::render::grid::{Form, escaped};
use crate::render::markdown::{MOST_DETAILS, details, failures, one_line, some_of};
use crate::render::visible;

/// The comparison as Markdown: verdict, targets, differences.
pub fn comparison_markdown(comparison: &Comparison, catalogue: &Catalogue) -> String {
    let comparison = &visible::visible(comparison);
    let sign = match comparison.verdict {
        ComparisonVerdict::NoDifferences => "✅",
        ComparisonVerdict::Different => "❌",
        ComparisonVerdict::Incomplete => "⚠️",
    };
    let mut text = format!("## {sign} {}\n\n", escaped(&one_line(&headline(comparison))));
    for side in sides(comparison) {
        let _ = writeln!(text, "{}\\", escaped(&one_line(&side)));
    }
    let _ = writeln!(text, "{}; seed {}\n", sums(comparison), comparison.seed);
    some_of(&mut text, &gaps(comparison));
    let found = findings(comparison, catalogue);
    let new: Vec<_> =
        found.iter().filter(|(_, difference)| difference.known.is_none()).map(|(found, _)| found).collect();
    if !new.is_empty() {
        text.push_str(&failures(&new, "difference", catalogue));
    }
    for (_, difference) in found.iter().filter(|(_, difference)| difference.known.is_some()).take(MOST_DETAILS) {
        let reason = difference.known.as_deref().unwrap_or_default();
        text.push_str(&Form::Markdown.item(&one_line(&format!("known: {}: {reason}", difference.failure.signature))));
    }
    if found.len() > new.len() {
        text.push('\n');
    }
    for (position, found) in new.iter().take(MOST_DETAILS).enumerate() {
        details(&mut text, position, found, catalogue);
    }
    text
}
