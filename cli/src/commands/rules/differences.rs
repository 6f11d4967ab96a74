//! What differs between releases.

use std::collections::{BTreeMap, BTreeSet};

use super::findings::{Difference, OfRelease, of_limit};

/// What releases say in different ways.
pub(super) fn differences(releases: &[OfRelease]) -> Vec<Difference> {
    let mut facts: Vec<(String, BTreeMap<String, String>)> = Vec::new();
    for release in releases {
        for (about, fact) in facts_of(release) {
            let known = facts.iter_mut().find(|(known, _)| *known == about);
            let said = match known {
                Some((_, said)) => said,
                None => {
                    facts.push((about, BTreeMap::new()));
                    let Some((_, said)) = facts.last_mut() else { continue };
                    said
                }
            };
            said.insert(release.release.clone(), fact);
        }
    }
    let is_different = |said: &BTreeMap<String, String>| {
        said.len() < releases.len() || said.values().collect::<BTreeSet<_>>().len() > 1
    };
    let different = facts.into_iter().filter(|(_, said)| is_different(said));
    different.map(|(about, releases)| Difference { about, releases }).collect()
}

fn facts_of(release: &OfRelease) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    if let Some(definition) = &release.definition {
        let messages: Vec<String> =
            definition.causes.iter().map(|cause| format!("{}: {}", cause.field, cause.message)).collect();
        let said = match (&definition.message, definition.is_accepted) {
            (_, true) => "accepted".to_owned(),
            (Some(message), _) => format!("refused: {message}"),
            (None, _) if messages.is_empty() => "refused".to_owned(),
            (None, _) => format!("refused: {}", messages.join("; ")),
        };
        facts.push(("the definition".to_owned(), said));
        for (version, rule) in definition.versions.iter().flat_map(|version| {
            let names = version.versions.join(", ");
            version.rules.iter().map(move |rule| (names.clone(), rule))
        }) {
            let mut said: Vec<String> = rule.causes.iter().map(|cause| cause.message.clone()).collect();
            let costs = [("costs", &rule.cost), ("its message costs", &rule.message_cost)];
            said.extend(costs.iter().filter_map(|(what, cost)| {
                let cost = cost.as_ref()?;
                Some(format!("{what} {}", of_limit(cost.total, cost.limit)))
            }));
            let place = if rule.place.is_empty() { "the object" } else { &rule.place };
            facts.push((format!("{version} {place}: {}", rule.rule), said.join("; ")));
        }
    }
    for object in &release.objects {
        let said = object.causes.iter().map(|cause| format!("{}: {}", cause.field, cause.message));
        let said = said.chain(object.rules.iter().flat_map(|rule| rule.messages.clone()));
        let said: Vec<String> = said.collect();
        let state = if object.is_accepted { "accepted" } else { "refused" };
        let said = if said.is_empty() { state.to_owned() } else { format!("{state}: {}", said.join("; ")) };
        facts.push((object.place.clone(), said));
    }
    for expression in &release.expressions {
        let value = expression.decision.as_ref().map(|decision| decision.value.clone());
        let cost = expression.most_cost.map(|cost| format!("at most {cost} once"));
        let spent = expression.spent.map(|spent| format!("spent {spent}"));
        let said: Vec<String> =
            [expression.error.clone(), value, expression.of.clone(), cost, spent].into_iter().flatten().collect();
        let about = expression.object.clone().unwrap_or_else(|| "the expression".to_owned());
        facts.push((about, said.join("; ")));
    }
    facts
}
