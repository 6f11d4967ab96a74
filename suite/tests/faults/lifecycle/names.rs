//! Faults in which names of definitions are accepted.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Mutex,
};

use crdible_reference::{Controllers, NameDecision, Names, StandardControllers, TakenNames};
use serde_json::{Value, json};

use super::conditions;
use crate::{
    server::controlled,
    table::{Fault, fault, obvious_fault},
};

/// What a finding in names that are claimed twice may name.
const BREAKS: &[&str] = &["INV-101", "INV-102", "LIFE-004", "LIFE-006", "LIFE-007", "LIFE-008", "LIFE-010", "LIFE-011"];
const CAUGHT: &[&str] = &["life-006-name-conflicts"];

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("gives-singulars-twice", "a singular that another definition has is accepted")
        .breaks(BREAKS, CAUGHT)
        .server(|| controlled(Without("SingularConflict"))),
    fault("gives-list-kinds-twice", "a listKind that another definition has is accepted")
        .breaks(BREAKS, CAUGHT)
        .server(|| controlled(Without("ListKindConflict"))),
    fault("gives-plurals-twice", "a plural that another definition has as another name is accepted")
        .breaks(BREAKS, CAUGHT)
        .server(|| controlled(Without("PluralConflict"))),
    fault("accepts-short-names-singly", "of the short names those are accepted that are free")
        .breaks(BREAKS, CAUGHT)
        .server(|| controlled(ShortNamesSingly)),
    fault("takes-names-away", "a definition that requests a name of another loses the one that it had in its place")
        .breaks(BREAKS, CAUGHT)
        .within_lines(80)
        .server(|| controlled(LosesNames)),
    fault("accepts-nothing-with-a-conflict", "a definition with a conflict gets none of the names that are free")
        .breaks(BREAKS, CAUGHT)
        .server(|| controlled(AllOrNothing)),
    fault("keeps-categories-with-a-conflict", "a definition with a conflict keeps its categories")
        .breaks(BREAKS, CAUGHT)
        .server(|| controlled(KeepsCategories)),
    fault("compares-names-without-case", "names that differ only in case conflict")
        .breaks(BREAKS, CAUGHT)
        .server(|| controlled(WithoutCase)),
    fault("tells-the-first-conflict", "of several conflicts the first is reported")
        .breaks(BREAKS, CAUGHT)
        .within_lines(70)
        .server(|| controlled(FirstConflict)),
    fault("waits-forever", "a definition that once had a conflict is never looked at again until it changes")
        .breaks(BREAKS, CAUGHT)
        .within_lines(80)
        .server(|| controlled(WaitsForever::default())),
    fault("names-no-taken-name", "the message about a conflict does not say which name is taken")
        .breaks(BREAKS, CAUGHT)
        .definition_answers(|_, answer| {
            for condition in conditions(answer).filter(|condition| condition["type"] == "NamesAccepted") {
                condition["message"] = json!("a name is in use");
            }
        }),
    obvious_fault(
        "ends-establishment-with-a-conflict",
        "an established definition that requests a name of another is not established any more",
    )
    .breaks(BREAKS, CAUGHT)
    .within_lines(80)
    .definition_answers(|_, answer| {
        let is_refused = |condition: &Value| condition["type"] == "NamesAccepted" && condition["status"] == "False";
        if conditions(answer).any(|condition| is_refused(condition)) {
            for condition in conditions(answer).filter(|condition| condition["type"] == "Established") {
                condition["status"] = json!("False");
            }
        }
    }),
    obvious_fault("establishes-with-a-conflict", "a definition is established, whatever becomes of its names")
        .breaks(BREAKS, CAUGHT)
        .definition_answers(|_, answer| {
            for condition in conditions(answer).filter(|condition| condition["type"] == "Established") {
                condition["status"] = json!("True");
                condition["reason"] = json!("InitialNamesAccepted");
            }
        }),
    fault("answers-with-documents-where-nothing-is", "what is not served is a 404 with a Status")
        .breaks(&["LIFE-008"], CAUGHT)
        .answers(|_, answer| {
            if answer.head.status == http::StatusCode::NOT_FOUND && answer.body.is_null() {
                answer.body = json!({ "kind": "Status", "status": "Failure", "reason": "NotFound", "code": 404 });
            }
        }),
    fault("shows-waiting-definitions", "discovery lists the resources of definitions that are not established")
        .breaks(&["VER-006"], CAUGHT)
        .answers(|asked, answer| {
            let is_of_version = asked.uri.path().starts_with("/apis/g") && asked.uri.path().matches('/').count() == 3;
            if let (true, Some(resources)) =
                (is_of_version, answer.body.get_mut("resources").and_then(Value::as_array_mut))
                && resources.len() == 1
            {
                let other = if resources[0]["name"] == "things" { "thing1s" } else { "things" };
                let mut resource = resources[0].clone();
                resource["name"] = json!(other);
                resources.push(resource);
            }
        }),
    fault("has-one-space-of-names", "a short name can be had only once in all groups")
        .breaks(&["INV-103", "LIFE-006"], &["inv-103-independent-groups"])
        .within_lines(80)
        .server(|| controlled(AcrossGroups::default())),
    obvious_fault("accepts-no-renames", "an established definition keeps the singular that it had first")
        .breaks(&["LIFE-010"], &["life-002-establishment"])
        .server(|| controlled(KeepsSingular)),
];

fn right(requested: &Names, accepted: &Names, taken: &TakenNames) -> NameDecision {
    StandardControllers.accept_names(requested, accepted, taken)
}

/// Overlooks conflicts that are reported for this reason.
struct Without(&'static str);

impl Controllers for Without {
    fn accept_names(&self, requested: &Names, accepted: &Names, taken: &TakenNames) -> NameDecision {
        let mut fewer = taken.clone();
        match self.0 {
            "PluralConflict" => drop(fewer.words.remove(&requested.plural)),
            "SingularConflict" => drop(fewer.words.remove(&requested.singular)),
            _ => drop(fewer.kinds.remove(&requested.list_kind)),
        }
        right(requested, accepted, &fewer)
    }
}

struct ShortNamesSingly;

impl Controllers for ShortNamesSingly {
    fn accept_names(&self, requested: &Names, accepted: &Names, taken: &TakenNames) -> NameDecision {
        let mut decision = right(requested, accepted, taken);
        if decision.accepted.short_names != requested.short_names {
            let free = requested.short_names.iter().filter(|name| !taken.words.contains(*name));
            decision.accepted.short_names = free.cloned().collect();
        }
        decision
    }
}

struct LosesNames;

impl Controllers for LosesNames {
    fn accept_names(&self, requested: &Names, accepted: &Names, taken: &TakenNames) -> NameDecision {
        let mut decision = right(requested, accepted, taken);
        if decision.accepted.singular != requested.singular {
            decision.accepted.singular.clear();
        }
        if decision.accepted.short_names != requested.short_names {
            decision.accepted.short_names.clear();
        }
        decision
    }
}

struct AllOrNothing;

impl Controllers for AllOrNothing {
    fn accept_names(&self, requested: &Names, accepted: &Names, taken: &TakenNames) -> NameDecision {
        let decision = right(requested, accepted, taken);
        if decision.conflict.is_none() {
            return decision;
        }
        let accepted = Names { categories: requested.categories.clone(), ..accepted.clone() };
        NameDecision { accepted, ..decision }
    }
}

struct KeepsCategories;

impl Controllers for KeepsCategories {
    fn accept_names(&self, requested: &Names, accepted: &Names, taken: &TakenNames) -> NameDecision {
        let mut decision = right(requested, accepted, taken);
        if decision.conflict.is_some() {
            decision.accepted.categories.clone_from(&accepted.categories);
        }
        decision
    }
}

struct WithoutCase;

impl Controllers for WithoutCase {
    fn accept_names(&self, requested: &Names, accepted: &Names, taken: &TakenNames) -> NameDecision {
        let mut more = taken.clone();
        for kind in [&requested.kind, &requested.list_kind] {
            if taken.kinds.iter().any(|other| other.eq_ignore_ascii_case(kind)) {
                more.kinds.insert(kind.clone());
            }
        }
        right(requested, accepted, &more)
    }
}

struct FirstConflict;

impl Controllers for FirstConflict {
    fn accept_names(&self, requested: &Names, accepted: &Names, taken: &TakenNames) -> NameDecision {
        let mut decision = right(requested, accepted, taken);
        let found = [
            ("PluralConflict", &requested.plural, &accepted.plural, &taken.words),
            ("SingularConflict", &requested.singular, &accepted.singular, &taken.words),
            ("KindConflict", &requested.kind, &accepted.kind, &taken.kinds),
        ];
        let first = found.into_iter().find(|(_, wanted, own, taken)| wanted != own && taken.contains(*wanted));
        if let Some((reason, name, ..)) = first {
            decision.conflict = Some((reason, format!("\"{name}\" is already in use")));
        }
        decision
    }
}

/// What was decided on requests with a conflict.
#[derive(Default)]
struct WaitsForever(Mutex<BTreeMap<String, NameDecision>>);

impl Controllers for WaitsForever {
    fn accept_names(&self, requested: &Names, accepted: &Names, taken: &TakenNames) -> NameDecision {
        let key = format!("{requested:?}");
        let mut known = self.0.lock().unwrap();
        // Not where it is decided on for the first time, as in another group.
        if let Some(before) = known.get(&key).filter(|before| before.accepted == *accepted) {
            return before.clone();
        }
        let decision = right(requested, accepted, taken);
        if decision.conflict.is_some() {
            known.insert(key, decision.clone());
        }
        decision
    }
}

/// The short names that were accepted in any group.
#[derive(Default)]
struct AcrossGroups(Mutex<BTreeSet<String>>);

impl Controllers for AcrossGroups {
    fn accept_names(&self, requested: &Names, accepted: &Names, taken: &TakenNames) -> NameDecision {
        let mut known = self.0.lock().unwrap();
        let mut more = taken.clone();
        more.words.extend(known.iter().filter(|name| !accepted.short_names.contains(name)).cloned());
        let decision = right(requested, accepted, &more);
        known.extend(decision.accepted.short_names.iter().cloned());
        decision
    }
}

struct KeepsSingular;

impl Controllers for KeepsSingular {
    fn accept_names(&self, requested: &Names, accepted: &Names, taken: &TakenNames) -> NameDecision {
        let mut decision = right(requested, accepted, taken);
        if !accepted.singular.is_empty() {
            decision.accepted.singular.clone_from(&accepted.singular);
        }
        decision
    }
}
