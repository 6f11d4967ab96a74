//! Which checks apply to a release: those whose requirements and edges the specification promises there.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use crdible_journal as journal;
use crdible_semantics::Release;
use crdible_spec::{Catalogue, Reference, Since};

use super::ScenarioSource;
use crate::scenario::Scenario;

/// The requirements and edges that some known release does not promise, and the releases that do.
static YOUNGER: LazyLock<HashMap<String, Since>> = LazyLock::new(|| {
    let of_all = |since: &Since| Release::all().all(|release| since.holds_in(release.minor()));
    let mut found = HashMap::new();
    for requirement in Catalogue::embedded().iter() {
        let own = (Reference::from(requirement.id), &requirement.since);
        let edges = requirement.edge_references().map(|(reference, edge)| (reference, &edge.since));
        for (reference, since) in std::iter::once(own).chain(edges).filter(|(_, since)| !of_all(since)) {
            found.insert(reference.to_string(), since.clone());
        }
    }
    found
});

/// Whether a release promises this requirement or edge.
pub fn is_promised(reference: &str, release: Release) -> bool {
    YOUNGER.get(reference).is_none_or(|since| since.holds_in(release.minor()))
}

/// What these sources assert and the release does not promise, for the plan of a run.
pub fn unpromised(sources: &[ScenarioSource], release: Release) -> impl Iterator<Item = journal::Unsupported> {
    let references = sources.iter().flat_map(|source| source.asserts());
    references.filter(move |reference| !is_promised(reference, release)).map(move |reference| journal::Unsupported {
        requirement: (*reference).to_owned(),
        reason: format!("Kubernetes {release} does not promise it"),
        lacks: None,
    })
}

/// Removes the checks that assert something that the release does not promise. What only they judged is no case any
/// more: there are at most as many as answers that are still judged.
pub fn keep_promised(scenario: &mut Scenario, release: Release) {
    let before = scenario.checks.len();
    scenario.checks.retain(|check| check.asserts.iter().all(|reference| is_promised(reference, release)));
    if scenario.checks.len() < before {
        let judged: HashSet<usize> = scenario.checks.iter().map(|check| check.step).collect();
        scenario.cases = scenario.cases.min(u32::try_from(judged.len()).unwrap_or(u32::MAX));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Expectation, Plan};

    #[test]
    fn requirements_and_edges_begin_and_end_with_a_release() {
        let of = |minor| Release::nearest(minor);
        for (reference, minor, expected) in [
            ("VALUE-014", 33, true),
            ("VALUE-014/e1", 34, false),
            ("VALUE-014/e1", 35, true),
            ("VALUE-008", 35, false),
            ("VALUE-041/e2", 36, false),
            ("VALUE-041/e3", 36, true),
            ("VALUE-041/e3", 37, false),
        ] {
            assert_eq!(is_promised(reference, of(minor)), expected, "{reference} 1.{minor}");
        }
    }

    #[test]
    fn what_only_removed_checks_judge_is_no_case() {
        let mut plan = Plan::new();
        let definition = plan.define_schema(serde_json::json!({ "type": "object" }));
        for asserted in ["VALUE-001", "VALUE-008", "VALUE-008"] {
            let step = plan.try_create(definition, serde_json::json!({}));
            plan.check("c", &[asserted], step, Expectation::Accepted);
            plan.count_case();
        }
        let scenario = plan.finish();
        let cases_at = |minor| {
            let mut kept = scenario.clone();
            keep_promised(&mut kept, Release::nearest(minor));
            (kept.checks.len(), kept.cases)
        };
        assert_eq!((cases_at(35), cases_at(36)), ((1, 1), (3, 3)));
    }

    /// The table of the semantics and the specification say the same.
    #[test]
    fn every_change_has_the_release_of_its_requirement() {
        for (change, first, reference) in crdible_semantics::release::changes() {
            assert!(Catalogue::embedded().resolve(&reference.parse().expect("a reference")).is_some(), "{change:?}");
            for release in Release::all() {
                let is_younger = release.minor() < first;
                assert_eq!(is_promised(reference, release), !is_younger, "{change:?} at {release}");
                assert_eq!(release.has(change), !is_younger, "{change:?} at {release}");
            }
        }
    }
}
