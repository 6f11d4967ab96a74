//! CRDVAL-017, CRDVAL-018, INV-047: storedVersions over a history of updates.

use crate::prelude::*;
use crate::shared::definitions::{check_causes, established, patch, read, replacing_versions};

pub(super) const PROPERTY: Property = Property::new("crdval-017-stored-versions", plan)
    .title("each new storage version is appended to storedVersions and then cannot be removed")
    .asserts(&["CRDVAL-017", "CRDVAL-017/e1", "CRDVAL-018", "CRDVAL-014/e1", "INV-047"])
    .needs(&[Capability::Serving, Capability::DefinitionUpdateValidation]);

/// The versions that a definition may have.
const NAMES: &[&str] = &["v1", "v2", "v3", "v1beta1"];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (definition, _) = established(plan, &["v2"]);
    let mut listed = vec!["v1"];
    plan.cases(choices, "update", |plan, choices| {
        let versions = versions(choices);
        let count = versions.iter().filter(|(_, storage)| *storage).count();
        let new: Vec<Version> = versions.iter().map(|(name, storage)| version(name, *storage)).collect();
        let updated = patch(plan, definition, replacing_versions(&new));
        // `storedVersions` if the update is accepted.
        let mut after = listed.clone();
        let mut causes = Vec::new();
        let mut cause = |field: String| causes.push((field, Reason::Invalid));
        if count != 1 {
            cause("spec.versions".into());
        }
        let first = versions.iter().find(|(_, storage)| *storage).map(|(name, _)| *name);
        if let Some(first) = first
            && !after.contains(&first)
        {
            after.push(first);
        }
        for later in versions.iter().filter(|(_, storage)| *storage).skip(1) {
            if !after.contains(&later.0) {
                cause("status.storedVersions".into());
            }
        }
        for (index, name) in after.iter().enumerate() {
            if !versions.iter().any(|(present, _)| present == name) {
                cause(format!("status.storedVersions[{index}]"));
            }
        }
        if causes.is_empty() {
            let expect = at("/status/storedVersions", json!(after));
            plan.check("kept", &["CRDVAL-018", "INV-047"], updated, expect);
            listed = after;
        } else {
            let asserts: &[&str] =
                if count == 1 { &["CRDVAL-017", "CRDVAL-017/e1"] } else { &["CRDVAL-014/e1", "CRDVAL-017"] };
            check_causes(plan, "refused", asserts, updated, &causes);
        }
    });
    // Rejected updates changed nothing.
    let last = read(plan, definition);
    let expect = at("/status/storedVersions", json!(listed));
    plan.check("in-the-end", &["CRDVAL-018", "INV-047"], last, expect);
}

/// Distinct names, usually with one storage version, rarely none or two.
fn versions(choices: &mut Choices) -> Vec<(&'static str, bool)> {
    let mut names: Vec<&'static str> =
        NAMES.iter().copied().filter(|name| choices.chance(3, 4) || *name == "v1").collect();
    if choices.chance(1, 4) {
        names.retain(|name| *name != "v1");
    }
    if names.is_empty() {
        names.push("v2");
    }
    if choices.chance(1, 3) {
        names.reverse();
    }
    let stored = choices.index(names.len());
    let mut versions: Vec<_> = names.into_iter().enumerate().map(|(index, name)| (name, index == stored)).collect();
    match choices.weighted(&[8, 1, 1]) {
        0 => {}
        1 => versions[stored].1 = false,
        _ => versions[0].1 = true,
    }
    versions
}

fn version(name: &str, is_stored: bool) -> Version {
    Version::named(name, json!({ "type": "object" })).stored_if(is_stored)
}
