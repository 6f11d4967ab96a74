//! The page of a comparison.

use crdible_spec::Catalogue;
use serde::Serialize;

use super::failures::{RunFailures, of_comparison};
use crate::comparison::{Comparison, ComparisonVerdict, Counts};
use crate::render::comparison::{findings, gaps, headline, sides, sums};

/// What the template shows.
#[derive(Debug, Serialize)]
pub(super) struct Page {
    title: String,
    /// The class and the sign of the verdict.
    verdict: (&'static str, &'static str, &'static str),
    headline: String,
    gaps: Vec<String>,
    facts: Vec<(String, String)>,
    sections: Vec<Section>,
    properties: Vec<(String, Counts)>,
}

/// New or known differences.
#[derive(Debug, Serialize)]
struct Section {
    id: &'static str,
    title: &'static str,
    found: RunFailures,
}

impl Page {
    /// The page of a comparison whose text is harmless.
    pub(super) fn of(comparison: &Comparison, catalogue: &Catalogue) -> Self {
        let sides = sides(comparison);
        let found = findings(comparison, catalogue);
        let sections = of_comparison(&found, &sides, catalogue)
            .into_iter()
            .zip([("failures", "Differences"), ("known", "Known differences")])
            .filter_map(|(found, (id, title))| Some(Section { id, title, found: found? }))
            .collect();
        let [first, second] = &sides;
        Self {
            title: format!("{} and {}", comparison.targets[0].name, comparison.targets[1].name),
            // The classes are those of the verdicts of runs, which have the same colours.
            verdict: match comparison.verdict {
                ComparisonVerdict::NoDifferences => ("conformant", "✓", "no differences"),
                ComparisonVerdict::Different => ("nonconformant", "✗", "different"),
                ComparisonVerdict::Incomplete => ("incomplete", "!", "incomplete"),
            },
            headline: headline(comparison),
            gaps: gaps(comparison),
            facts: vec![
                ("first target".to_owned(), first.clone()),
                ("second target".to_owned(), second.clone()),
                ("compared".to_owned(), sums(comparison)),
                ("seed".to_owned(), comparison.seed.to_string()),
            ],
            sections,
            properties: comparison.properties.iter().map(|(id, counts)| (id.clone(), *counts)).collect(),
        }
    }
}
