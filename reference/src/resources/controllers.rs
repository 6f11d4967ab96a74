//! The rules that follow a write of a definition: with storage, one of the two replaceable parts of the server.

use std::{collections::BTreeSet, slice::from_ref};

pub use crdible_semantics::definition::Names;

/// The rules by which the server maintains definitions and generations. Every method has an implementation that behaves
/// like kube-apiserver; a test may replace one with a faulty one.
pub trait Controllers: Send + Sync {
    /// `status.storedVersions` after a write that makes `storage` the storage version (CRDVAL-018, VER-017).
    fn stored_versions(&self, listed: &[String], storage: &str) -> Vec<String> {
        let mut versions = listed.to_vec();
        if !versions.iter().any(|version| version == storage) {
            versions.push(storage.to_owned());
        }
        versions
    }

    /// Which of the requested names are accepted (LIFE-006, LIFE-007).
    fn accept_names(&self, requested: &Names, accepted: &Names, taken: &TakenNames) -> NameDecision {
        decide(requested, accepted, taken)
    }

    /// `metadata.generation` of an updated object, given whether its content changed (SUB-009).
    fn next_generation(&self, present: i64, content_changed: bool) -> i64 {
        if content_changed { present + 1 } else { present }
    }
}

/// The rules of kube-apiserver.
#[derive(Clone, Copy, Debug, Default)]
pub struct StandardControllers;

impl Controllers for StandardControllers {}

/// The names that other definitions of the group use.
#[derive(Clone, Debug, Default)]
pub struct TakenNames {
    /// Plurals, singulars and short names, which share one namespace.
    pub words: BTreeSet<String>,
    /// Kinds and list kinds, which share another.
    pub kinds: BTreeSet<String>,
}

impl TakenNames {
    /// Adds the accepted names of a definition.
    pub fn add(&mut self, names: &Names) {
        let words = [&names.plural, &names.singular].into_iter().chain(&names.short_names);
        self.words.extend(words.filter(|word| !word.is_empty()).cloned());
        self.kinds.extend([&names.kind, &names.list_kind].into_iter().filter(|kind| !kind.is_empty()).cloned());
    }
}

/// The result of a request for names.
#[derive(Clone, Debug)]
pub struct NameDecision {
    /// The names that are accepted from now on.
    pub accepted: Names,
    /// Reason and message of the last conflict, if any.
    pub conflict: Option<(&'static str, String)>,
}

fn decide(requested: &Names, before: &Names, taken: &TakenNames) -> NameDecision {
    let mut accepted = Names { categories: requested.categories.clone(), ..before.clone() };
    let mut conflict = None;
    let mut take = |reason, wanted: &[String], own: &[String], taken: &BTreeSet<String>| {
        let mut messages = Vec::new();
        for word in wanted.iter().filter(|word| !own.contains(word) && taken.contains(*word)) {
            let message = format!("\"{word}\" is already in use");
            if !messages.contains(&message) {
                messages.push(message);
            }
        }
        match &messages[..] {
            [] => return true,
            [only] => conflict = Some((reason, only.clone())),
            several => conflict = Some((reason, format!("[{}]", several.join(", ")))),
        }
        false
    };
    if take("PluralConflict", from_ref(&requested.plural), from_ref(&before.plural), &taken.words) {
        accepted.plural.clone_from(&requested.plural);
    }
    if take("SingularConflict", from_ref(&requested.singular), from_ref(&before.singular), &taken.words) {
        accepted.singular.clone_from(&requested.singular);
    }
    if take("ShortNamesConflict", &requested.short_names, &before.short_names, &taken.words) {
        accepted.short_names.clone_from(&requested.short_names);
    }
    if take("KindConflict", from_ref(&requested.kind), from_ref(&before.kind), &taken.kinds) {
        accepted.kind.clone_from(&requested.kind);
    }
    if take("ListKindConflict", from_ref(&requested.list_kind), from_ref(&before.list_kind), &taken.kinds) {
        accepted.list_kind.clone_from(&requested.list_kind);
    }
    NameDecision { accepted, conflict }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(plural: &str, singular: &str, short: &[&str], kind: &str) -> Names {
        Names {
            plural: plural.into(),
            singular: singular.into(),
            short_names: short.iter().map(|word| (*word).to_owned()).collect(),
            kind: kind.into(),
            list_kind: format!("{kind}List"),
            categories: Vec::new(),
        }
    }

    #[test]
    fn life_007_names_without_a_conflict_are_accepted() {
        let mut taken = TakenNames::default();
        taken.add(&names("apples", "apple", &["ap"], "Apple"));
        let requested = names("pears", "apple", &["pe", "ap"], "Apple");
        let decision = StandardControllers.accept_names(&requested, &Names::default(), &taken);
        let expected = Names { list_kind: String::new(), ..names("pears", "", &[], "") };
        assert_eq!(decision.accepted, expected);
        assert_eq!(decision.conflict, Some(("ListKindConflict", "\"AppleList\" is already in use".into())));
    }

    #[test]
    fn life_006_a_definitions_own_names_never_conflict() {
        let requested = names("fish", "fish", &["fish"], "Fish");
        let decision = StandardControllers.accept_names(&requested, &Names::default(), &TakenNames::default());
        assert_eq!((decision.accepted, decision.conflict), (requested, None));
    }

    #[test]
    fn life_006_all_short_names_in_use_are_named() {
        let mut taken = TakenNames::default();
        taken.add(&names("apples", "apple", &["ap", "al"], "Apple"));
        let requested = names("pears", "pear", &["ap", "pe", "al", "ap"], "Pear");
        let decision = StandardControllers.accept_names(&requested, &Names::default(), &taken);
        assert_eq!(decision.accepted, Names { short_names: Vec::new(), ..requested });
        let message = "[\"ap\" is already in use, \"al\" is already in use]".to_owned();
        assert_eq!(decision.conflict, Some(("ShortNamesConflict", message)));
    }

    #[test]
    fn ver_017_stored_versions_are_appended_in_order_of_first_use() {
        let listed = ["v2".to_owned(), "v1".to_owned()];
        assert_eq!(StandardControllers.stored_versions(&listed, "v1"), ["v2", "v1"]);
        assert_eq!(StandardControllers.stored_versions(&listed, "v3"), ["v2", "v1", "v3"]);
    }
}
