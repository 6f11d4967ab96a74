//! Differences in the form of findings, which the renderings of reports know.

use crdible_spec::{Catalogue, Level, Resolved};

use super::sides;
use crate::comparison::{Comparison, Difference};
use crate::fold::findings::evidence;
use crate::fold::resolve;
use crate::model::{EvidenceKind, ReportedFinding, RulesOfFinding};

/// The differences as findings whose two answers are those of the targets.
pub(in crate::render) fn findings<'a>(
    comparison: &'a Comparison,
    catalogue: &Catalogue,
) -> Vec<(ReportedFinding, &'a Difference)> {
    let between = sides(comparison);
    let as_finding = |difference: &'a Difference| (finding(difference, &between, catalogue), difference);
    comparison.differences.iter().map(as_finding).collect()
}

fn finding(difference: &Difference, between: &[String; 2], catalogue: &Catalogue) -> ReportedFinding {
    let mut failure = difference.failure.clone();
    failure.between = Some(Box::new(between.clone()));
    let levels = failure.requirements.iter().filter_map(|reference| resolve(catalogue, reference).map(Resolved::level));
    ReportedFinding {
        level: levels.min().unwrap_or(Level::Must),
        failure,
        promise: String::new(),
        symptom: String::new(),
        also: Vec::new(),
        shares: Vec::new(),
        // The run may have ended before it was tried again.
        evidence: match difference.is_reproduced() {
            true => evidence(difference.reproduced),
            false => EvidenceKind::Unreproduced,
        },
        occurrences: 1,
        minimal: difference.minimal.clone(),
        rules: RulesOfFinding::default(),
        replay: Some(difference.replay.clone()),
        look_again: None,
        shrink: difference.shrink.clone(),
        reproduced: difference.reproduced,
        after_ms: None,
    }
}
