//! Appendix D lists the requirements that no invariant covers, and no others.

use std::collections::BTreeSet;

use crate::catalogue::Catalogue;
use crate::id::{Prefix, RequirementId, three_digits};

use super::lines::{joined, numbered};
use super::problem::{Errors, Problem};

/// Compares Appendix D, if the text has one, with the `Covers` lines of the catalogue.
pub(super) fn check(text: &str, catalogue: &Catalogue, errors: &mut Errors<'_>) {
    let heading = numbered(text).find(|(_, line)| line.starts_with("# Appendix D"));
    let Some((heading, _)) = heading else { return };
    let uncovered: BTreeSet<RequirementId> = catalogue.without_invariant().map(|requirement| requirement.id).collect();
    let mut listed: BTreeSet<RequirementId> = BTreeSet::new();
    let mut seen: BTreeSet<Prefix> = BTreeSet::new();
    let lines = numbered(text).skip(heading).take_while(|(_, line)| !line.starts_with('#'));
    for (number, line) in joined(lines) {
        if line.is_empty() {
            continue;
        }
        let Some(ids) = parse(&line).filter(|ids| ids.first().is_some_and(|first| seen.insert(first.prefix()))) else {
            errors.add(number, Problem::AppendixLine);
            continue;
        };
        for id in ids {
            if catalogue.get(id).is_none() {
                errors.add(number, Problem::DanglingReference(id));
            } else if !uncovered.contains(&id) {
                errors.add(number, Problem::AppendixListsCovered(id));
            }
            listed.insert(id);
        }
    }
    for id in uncovered.difference(&listed) {
        errors.add(heading, Problem::AppendixLacks(*id));
    }
}

/// `- <PREFIX>: <nnn> <nnn> …`, ascending.
fn parse(line: &str) -> Option<Vec<RequirementId>> {
    let (prefix, numbers) = line.strip_prefix("- ")?.split_once(": ")?;
    let prefix: Prefix = prefix.parse().ok()?;
    let ids: Option<Vec<RequirementId>> =
        numbers.split(' ').map(|number| RequirementId::new(prefix, three_digits(number)?)).collect();
    ids.filter(|ids| ids.is_sorted_by(|left, right| left < right))
}
