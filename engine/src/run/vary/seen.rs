//! What the other scenarios of a counterexample showed of each place in it.

use std::collections::{BTreeMap, BTreeSet};

use crdible_journal::{VariedDocument, VariedPart};
use serde_json::Value;

use super::{
    difference::{Changes, DocumentPlace},
    documents::Document,
};

/// What varying a counterexample showed.
#[derive(Clone, Debug, PartialEq)]
pub struct Variations {
    /// How many other scenarios were run and judged.
    pub tried: usize,
    /// How many of them failed alike.
    pub failed: usize,
    /// The definitions and requests that were varied.
    pub documents: Vec<VariedDocument>,
    /// Whether they are those of a random case that breaks the same requirement, since the
    /// counterexample is hand-made or of another version.
    pub of_another: bool,
}

/// What was seen of each place.
pub(super) struct Seen {
    documents: Vec<Document>,
    results: Vec<(Changes, bool)>,
}

impl Seen {
    /// Nothing yet of these documents.
    pub(super) fn of(documents: Vec<Document>) -> Self {
        Self { documents, results: Vec::new() }
    }

    /// These places were changed, and it failed or not.
    pub(super) fn enter(&mut self, changes: &Changes, fails: bool) {
        self.results.push((changes.clone(), fails));
    }

    /// What was seen.
    pub(super) fn variations(self) -> Variations {
        let all = parts(&self.results);
        let documents = self.documents.into_iter().enumerate().map(|(number, document)| {
            let of_it = all.iter().filter(|(place, _)| place.document == number);
            VariedDocument {
                title: document.title,
                content: document.content,
                parts: of_it.map(|(_, part)| part.clone()).collect(),
            }
        });
        let documents = documents.collect();
        let failed = self.results.iter().filter(|(_, fails)| *fails).count();
        Variations { tried: self.results.len(), failed, documents, of_another: false }
    }
}

/// What each place showed. If several places changed together and the failure disappeared, places at which other values
/// still fail are not the reason, as long as another place is left.
fn parts(results: &[(Changes, bool)]) -> BTreeMap<DocumentPlace, VariedPart> {
    let mut parts: BTreeMap<DocumentPlace, VariedPart> = BTreeMap::new();
    let mut enter = |place: &DocumentPlace, other: &Option<Value>, fails: bool| {
        let part = parts.entry(place.clone()).or_insert_with(|| VariedPart::new(place.pointer.clone()));
        let others = if fails { &mut part.failing } else { &mut part.passing };
        if !others.contains(other) {
            others.push(other.clone());
        }
    };
    let failing: BTreeSet<&DocumentPlace> =
        results.iter().filter(|(_, fails)| *fails).flat_map(|(changes, _)| changes.keys()).collect();
    for (changes, fails) in results {
        let is_suspect = |place: &DocumentPlace| *fails || !failing.contains(place);
        let has_suspects = changes.keys().any(is_suspect);
        for (place, other) in changes.iter().filter(|(place, _)| is_suspect(place) || !has_suspects) {
            enter(place, other, *fails);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use crdible_journal::Weight;
    use serde_json::json;

    use super::*;

    fn changes(pointers: &[(&str, u32)]) -> Changes {
        let change = |(pointer, other): &(&str, u32)| {
            (DocumentPlace { document: 0, pointer: vec![(*pointer).to_owned()] }, Some(json!(other)))
        };
        pointers.iter().map(change).collect()
    }

    #[test]
    fn what_changed_beside_something_free_is_to_blame() {
        let results = [
            (changes(&[("a", 1)]), true),
            (changes(&[("a", 2), ("b", 2)]), false),
            (changes(&[("c", 3)]), true),
            (changes(&[("c", 4)]), false),
            (changes(&[("c", 4)]), false),
        ];
        let found: Vec<_> = parts(&results).into_values().map(|part| (part.pointer.concat(), part.weight())).collect();
        let expected = [("a", Weight::Free), ("b", Weight::Matters), ("c", Weight::Depends)];
        assert_eq!(found, expected.map(|(place, weight)| (place.to_owned(), weight)));
        let both =
            [(changes(&[("a", 1)]), true), (changes(&[("b", 1)]), true), (changes(&[("a", 2), ("b", 2)]), false)];
        assert!(parts(&both).values().all(|part| part.weight() == Weight::Depends && part.passing == [Some(json!(2))]));
    }
}
