//! Which requirements count as asserted, left out and unaccounted.

use crdible_spec::coverage::{ChapterCoverage, Coverage, Exclusion, coverage};
use crdible_spec::{Catalogue, Level};
use proptest::prelude::*;

const VERSIONS: &str = "\
# 8. Versions (VER)

Run on kube-apiserver 1.36.3: all.

**VER-001 — first.** It MUST.
- Edge: one.
- Edge [Q]: two.
- Edge: the server MAY.

**VER-002 — second.** It MUST.
- Edge: one.

**VER-003 — third [SHOULD].** It SHOULD.
- Edge: one.

**VER-004 — fourth [Q].** It does.
- Edge: one.
";

fn of_versions(asserted: &[&str], exclusions: &[(&str, &str)]) -> Coverage {
    coverage(
        &Catalogue::parse([("08-versions.md", VERSIONS)]).unwrap(),
        asserted.iter().map(|text| text.parse().unwrap()),
        exclusions.iter().map(|(scope, reason)| Exclusion::new(scope.parse().unwrap(), *reason)),
    )
}

fn counts(row: &ChapterCoverage) -> [[usize; 4]; 2] {
    [row.items, row.edges].map(|tally| [tally.must, tally.asserted, tally.left_out, tally.unaccounted])
}

fn unaccounted(coverage: &Coverage) -> Vec<String> {
    coverage.chapters[0].unaccounted.iter().map(ToString::to_string).collect()
}

#[test]
fn only_must_counts() {
    let coverage = of_versions(&[], &[]);
    assert_eq!(counts(&coverage.chapters[0]), [[2, 0, 0, 2], [2, 0, 0, 2]]);
    assert_eq!(unaccounted(&coverage), ["VER-001", "VER-001/e1", "VER-002", "VER-002/e1"]);
}

#[test]
fn edge_and_item_do_not_assert_each_other() {
    let coverage = of_versions(&["VER-001/e1", "VER-002", "VER-002"], &[]);
    assert_eq!(counts(&coverage.chapters[0]), [[2, 1, 0, 1], [2, 1, 0, 1]]);
    assert_eq!(unaccounted(&coverage), ["VER-001", "VER-002/e1"]);
    assert!(coverage.unknown.is_empty());
}

#[test]
fn other_levels_may_be_asserted_but_are_not_counted() {
    let coverage = of_versions(&["VER-003", "VER-004/e1", "VER-001/e2"], &[]);
    assert_eq!(counts(&coverage.chapters[0]), [[2, 0, 0, 2], [2, 0, 0, 2]]);
    assert!(coverage.unknown.is_empty());
}

#[test]
fn the_most_exact_exclusion_gives_the_reason() {
    let coverage =
        of_versions(&["VER-002"], &[("VER", "all"), ("VER-001", "item"), ("VER-001/e1", "edge"), ("VER", "again")]);
    let row = &coverage.chapters[0];
    assert_eq!(counts(row), [[2, 1, 1, 0], [2, 0, 2, 0]]);
    let left_out: Vec<(String, &str)> =
        row.left_out.iter().map(|left| (left.reference.to_string(), left.reason.as_str())).collect();
    assert_eq!(left_out, [("VER-001".into(), "item"), ("VER-001/e1".into(), "edge"), ("VER-002/e1".into(), "all")]);
    assert_eq!(coverage.idle, [Exclusion::new("VER".parse().unwrap(), "again")]);
}

#[test]
fn unknown_references_and_idle_exclusions_are_reported() {
    let coverage = of_versions(
        &["VER-009", "VER-001/e9", "VER-001"],
        &[("VER-008", "no such item"), ("VER-003", "not MUST"), ("PRUNE", "not here"), ("VER-001", "keeps its edge")],
    );
    assert_eq!(coverage.unknown.iter().map(ToString::to_string).collect::<Vec<_>>(), ["VER-001/e9", "VER-009"]);
    let idle: Vec<String> = coverage.idle.iter().map(|exclusion| exclusion.scope.to_string()).collect();
    assert_eq!(idle, ["VER-008", "VER-003", "PRUNE"]);
}

#[test]
fn scopes_are_parsed_and_coverage_serializes() {
    assert!("VER-1".parse::<crdible_spec::coverage::Scope>().is_err());
    assert!("VERS".parse::<crdible_spec::coverage::Scope>().is_err());
    let json = serde_json::to_value(of_versions(&["VER-001"], &[("VER", "why")])).unwrap();
    assert_eq!(json["chapters"][0]["left_out"][0]["reference"], "VER-001/e1");
    assert_eq!(json["chapters"][0]["items"]["asserted"], 1);
}

proptest! {
    /// In the whole specification, every MUST is either asserted, left out or unaccounted.
    #[test]
    fn every_must_is_counted_once(seed in prop::collection::vec(0_usize..4, 16), with_prefix in any::<bool>()) {
        let catalogue = Catalogue::embedded();
        let references: Vec<_> = catalogue
            .iter()
            .flat_map(|item| std::iter::once(item.id.into()).chain(item.edge_references().map(|(reference, _)| reference)))
            .collect();
        let choice = |index: usize| seed[index * 7 % seed.len()];
        let asserted = references.iter().enumerate().filter(|(index, _)| choice(*index) == 0).map(|(_, it)| *it);
        let mut exclusions: Vec<Exclusion> = references
            .iter()
            .enumerate()
            .filter(|(index, _)| choice(*index) == 1)
            .map(|(_, reference)| Exclusion::new(reference.to_string().parse().unwrap(), "why"))
            .collect();
        if with_prefix {
            exclusions.push(Exclusion::new("LEGACY".parse().unwrap(), "gone"));
        }
        let coverage = coverage(catalogue, asserted, exclusions);
        prop_assert!(coverage.unknown.is_empty());
        for row in &coverage.chapters {
            for tally in [row.items, row.edges] {
                prop_assert_eq!(tally.must, tally.asserted + tally.left_out + tally.unaccounted);
            }
            prop_assert_eq!(row.left_out.len(), row.items.left_out + row.edges.left_out);
            prop_assert_eq!(row.unaccounted.len(), row.items.unaccounted + row.edges.unaccounted);
        }
        let must = catalogue.iter().filter(|item| item.level == Level::Must).count();
        prop_assert_eq!(coverage.chapters.iter().map(|row| row.items.must).sum::<usize>(), must);
    }
}
