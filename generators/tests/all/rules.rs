//! Rules: what those that are drawn show of operators, and what they cost.

use std::collections::{BTreeMap, BTreeSet};

use crdible_generators::choice::Choices;
use crdible_generators::costly::Costly;
use crdible_generators::predicate::{self, Predicate, Subject};
use crdible_generators::typing::{self, Cell, Rule};

/// Drawn rules, of each kind.
const RULES: u64 = 50_000;
/// The minimum percentage of cells; the message lists the missing ones.
const LEAST: usize = 98;

/// Half of what is drawn is about types, half about values.
fn hit() -> BTreeSet<Cell> {
    let mut hit = BTreeSet::new();
    for seed in 0..RULES {
        let mut choices = Choices::random(seed);
        hit.extend(Rule::draw(&mut choices).cells);
        let subject = Subject::draw(&mut choices);
        hit.extend(Predicate::aimed(&mut choices, &subject, 3).cells(&subject));
    }
    hit
}

#[test]
fn rules_hit_the_cells_of_operators() {
    let (hit, cells) = (hit(), &typing::cells() | &predicate::cells());
    let unknown: Vec<String> = hit.difference(&cells).map(ToString::to_string).collect();
    assert!(unknown.is_empty(), "no cells: {}", unknown.join("\n"));
    let missed: Vec<String> = cells.difference(&hit).map(ToString::to_string).collect();
    let share = hit.len() * 100 / cells.len();
    assert!(share >= LEAST, "{share} of 100 are hit; missed:\n{}", missed.join("\n"));
}

#[test]
fn rules_that_compile_and_that_do_not_are_drawn_for_each_requirement() {
    let mut counts: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    for seed in 0..8_000 {
        let rule = Rule::draw(&mut Choices::random(seed));
        *counts.entry((rule.requirement, rule.is_right)).or_default() += 1;
    }
    let refused = ["CEL-012/e2", "CEL-016/e1", "CEL-020", "CEL-022", "CEL-023", "CEL-023/e1", "CEL-025", "CEL-025/e1"];
    for requirement in refused.into_iter().chain(["CEL-001", "CEL-011"]) {
        let count = counts.get(&(requirement, false)).copied().unwrap_or(0);
        assert!(count >= 10, "{requirement}: {count} of {counts:?}");
    }
    for requirement in ["CEL-001", "CEL-011", "CEL-016/e1", "CEL-020"] {
        let count = counts.get(&(requirement, true)).copied().unwrap_or(0);
        assert!(count >= 10, "{requirement}: {count} of {counts:?}");
    }
}

#[test]
fn cheap_and_dear_rules_are_drawn_with_each_kind_of_expression() {
    let parts = [
        ".all(",
        ".exists(",
        ".exists_one(",
        ".filter(",
        ".map(",
        ".contains(",
        ".matches(",
        ".lowerAscii(",
        ".split(",
        " + ",
        " == ",
        "[",
    ];
    let mut counts: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    for seed in 0..2_000 {
        let costly = Costly::draw(&mut Choices::random(seed));
        for part in parts.into_iter().filter(|part| costly.text().contains(part)) {
            *counts.entry((part, costly.is_dear())).or_default() += 1;
        }
    }
    assert!(counts.len() == parts.len() * 2 && counts.values().all(|count| *count > 20), "{counts:?}");
}
