//! Faults in which names of definitions are accepted.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Mutex,
};

use crdible::connection::Target;
use crdible_reference::{Controllers, NameDecision, Names, StandardControllers, TakenNames};
use serde_json::{Value, json};

use super::{conditions, conditions_of};
use crate::{
    json::list,
    server::accepting,
    table::{Fault, fault, obvious_fault},
};

/// What a finding in names that are claimed twice may name.
const BREAKS: &[&str] = &["INV-101", "INV-102", "LIFE-004", "LIFE-006", "LIFE-007", "LIFE-008", "LIFE-010", "LIFE-011"];
const CAUGHT: &[&str] = &["life-006-name-conflicts"];

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("gives-singulars-twice", "a singular that another definition has is accepted")
        .breaks(BREAKS, CAUGHT)
        .server(|| {
            accepting_with(|requested, taken| {
                taken.words.remove(&requested.singular);
            })
        }),
    fault("gives-list-kinds-twice", "a listKind that another definition has is accepted")
        .breaks(BREAKS, CAUGHT)
        .server(|| {
            accepting_with(|requested, taken| {
                taken.kinds.remove(&requested.list_kind);
            })
        }),
    fault("gives-plurals-twice", "a plural that another definition has as another name is accepted")
        .breaks(BREAKS, CAUGHT)
        .server(|| {
            accepting_with(|requested, taken| {
                taken.words.remove(&requested.plural);
            })
        }),
    fault("accepts-short-names-singly", "of the short names those are accepted that are free")
        .breaks(&["INV-101", "LIFE-006", "LIFE-007", "LIFE-008", "LIFE-010"], CAUGHT)
        .server(|| {
            accepting(|requested, accepted, taken| {
                let mut decision = right(requested, accepted, taken);
                if decision.accepted.short_names != requested.short_names {
                    let free = requested.short_names.iter().filter(|name| !taken.words.contains(*name));
                    decision.accepted.short_names = free.cloned().collect();
                }
                decision
            })
        }),
    fault("repeats-a-condition", "a definition that waits for a name has the condition Established twice")
        .breaks(&["INV-102"], CAUGHT)
        .definition_answers(|_, answer| {
            let is_waiting = conditions_of(answer, "NamesAccepted").any(|condition| condition["status"] == "False");
            let repeated = conditions_of(answer, "Established").next().cloned();
            if let (true, Some(all)) = (is_waiting, list(&mut answer.body, "/status/conditions")) {
                all.extend(repeated);
            }
        }),
    fault("waits-for-ever", "a definition that waits for a name goes on waiting when the name is free")
        .breaks(&["INV-101", "LIFE-004", "LIFE-007", "LIFE-010", "LIFE-011"], CAUGHT)
        .within_lines(80)
        .around_everything(act!(|server, request| {
            server
                .answer(request, |answer| {
                    if !answer.body["metadata"]["deletionTimestamp"].is_null() {
                        return;
                    }
                    let waits = conditions_of(answer, "NamesAccepted").any(|condition| condition["status"] == "False");
                    // Other names are looked at.
                    let name = format!("{} {}", answer.body["metadata"]["uid"], answer.body["spec"]["names"]);
                    if waits {
                        server.note(&name, answer.body["status"].clone());
                    } else if let Some(status) = server.noted(&name) {
                        answer.body["status"] = status;
                    }
                })
                .await
        })),
    fault("takes-names-away", "a definition that requests a name of another loses the one that it had in its place")
        .breaks(BREAKS, CAUGHT)
        .within_lines(80)
        .server(|| {
            accepting(|requested, accepted, taken| {
                let mut decision = right(requested, accepted, taken);
                if decision.accepted.singular != requested.singular {
                    decision.accepted.singular.clear();
                }
                if decision.accepted.short_names != requested.short_names {
                    decision.accepted.short_names.clear();
                }
                decision
            })
        }),
    fault("accepts-nothing-with-a-conflict", "a definition with a conflict gets none of the names that are free")
        .breaks(BREAKS, CAUGHT)
        .server(|| {
            accepting(|requested, accepted, taken| {
                let decision = right(requested, accepted, taken);
                if decision.conflict.is_none() {
                    return decision;
                }
                let accepted = Names { categories: requested.categories.clone(), ..accepted.clone() };
                NameDecision { accepted, ..decision }
            })
        }),
    fault("keeps-categories-with-a-conflict", "a definition with a conflict keeps its categories")
        .breaks(BREAKS, CAUGHT)
        .server(|| {
            accepting(|requested, accepted, taken| {
                let mut decision = right(requested, accepted, taken);
                if decision.conflict.is_some() {
                    decision.accepted.categories.clone_from(&accepted.categories);
                }
                decision
            })
        }),
    fault("compares-names-without-case", "names that differ only in case conflict").breaks(BREAKS, CAUGHT).server(
        || {
            accepting_with(|requested, taken| {
                for kind in [&requested.kind, &requested.list_kind] {
                    if taken.kinds.iter().any(|other| other.eq_ignore_ascii_case(kind)) {
                        taken.kinds.insert(kind.clone());
                    }
                }
            })
        },
    ),
    fault("tells-the-first-conflict", "of several conflicts the first is reported")
        .breaks(BREAKS, CAUGHT)
        .within_lines(70)
        .server(|| {
            accepting(|requested, accepted, taken| {
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
            })
        }),
    fault("waits-forever", "a definition that once had a conflict is never looked at again until it changes")
        .breaks(BREAKS, CAUGHT)
        .within_lines(80)
        .server(|| {
            let decided: Mutex<BTreeMap<String, NameDecision>> = Mutex::default();
            accepting(move |requested, accepted, taken| {
                let key = format!("{requested:?}");
                let mut known = decided.lock().unwrap();
                // Not where it is decided on for the first time, as in another group.
                if let Some(before) = known.get(&key).filter(|before| before.accepted == *accepted) {
                    return before.clone();
                }
                let decision = right(requested, accepted, taken);
                if decision.conflict.is_some() {
                    known.insert(key, decision.clone());
                }
                decision
            })
        }),
    fault("names-no-taken-name", "the message about a conflict does not say which name is taken")
        .breaks(BREAKS, CAUGHT)
        .definition_answers(|_, answer| {
            for condition in conditions_of(answer, "NamesAccepted") {
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
            for condition in conditions_of(answer, "Established") {
                condition["status"] = json!("False");
            }
        }
    }),
    obvious_fault("establishes-with-a-conflict", "a definition is established, whatever becomes of its names")
        .breaks(BREAKS, CAUGHT)
        .definition_answers(|_, answer| {
            for condition in conditions_of(answer, "Established") {
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
            if let (true, Some(resources)) = (is_of_version, list(&mut answer.body, "/resources"))
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
        .server(|| {
            // The short names that were accepted in any group.
            let all: Mutex<BTreeSet<String>> = Mutex::default();
            accepting(move |requested, accepted, taken| {
                let mut known = all.lock().unwrap();
                let mut more = taken.clone();
                more.words.extend(known.iter().filter(|name| !accepted.short_names.contains(name)).cloned());
                let decision = right(requested, accepted, &more);
                known.extend(decision.accepted.short_names.iter().cloned());
                decision
            })
        }),
    obvious_fault("accepts-no-renames", "an established definition keeps the singular that it had first")
        .breaks(&["LIFE-010"], &["life-002-establishment"])
        .server(|| {
            accepting(|requested, accepted, taken| {
                let mut decision = right(requested, accepted, taken);
                if !accepted.singular.is_empty() {
                    decision.accepted.singular.clone_from(&accepted.singular);
                }
                decision
            })
        }),
];

fn right(requested: &Names, accepted: &Names, taken: &TakenNames) -> NameDecision {
    StandardControllers.accept_names(requested, accepted, taken)
}

/// A correct server to which other names seem taken.
fn accepting_with(change: fn(&Names, &mut TakenNames)) -> Target {
    accepting(move |requested, accepted, taken| {
        let mut changed = taken.clone();
        change(requested, &mut changed);
        right(requested, accepted, &changed)
    })
}
