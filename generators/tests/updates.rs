//! Updates: every kind comes up, and what is said of them is what a validator finds.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use crdible_generators::{
    choice::Choices,
    update::{Ground, GroundShape, VersionPlan, versions_update},
};
use crdible_semantics::{Ratcheting, Schema, SchemaContext, SchemaRules, Upstream, Validation};
use serde_json::Value;

const CASES: u64 = 10_000;

fn parsed(schema: &Value) -> Schema {
    Schema::parse(schema).unwrap().0
}

/// Two independent ways to the same causes: the ground knows what it broke, the semantics validate.
#[test]
fn the_causes_are_those_of_a_validator() {
    for seed in 0..CASES {
        let mut c = Choices::random(seed);
        let ground = Ground::draw(&mut c, &GroundShape::default());
        let old = ground.object(&mut c);
        let new = if seed % 5 == 0 { ground.permuted(&mut c, &old) } else { ground.edited(&mut c, &old) };
        let (loose, tight) = (parsed(&ground.loose()), parsed(&ground.tight()));
        assert!(Upstream.schema_violations(&tight, &SchemaContext::default()).is_empty(), "{seed}: {}", ground.tight());
        assert!(Upstream.value_violations(&old, &loose).is_empty(), "{seed}: {old}");
        for before in [None, Some(&old)] {
            let found = match before {
                Some(old) => Upstream.value_update_violations(&new, old, &tight),
                None => Upstream.value_violations(&new, &tight),
            };
            let mut found: Vec<_> = found.into_iter().map(|violation| (violation.field, violation.reason)).collect();
            let mut said = ground.causes(&new, before);
            found.sort();
            said.sort();
            assert_eq!(said, found, "{seed}: {} {old} {new}", ground.tight());
        }
    }
}

#[test]
fn updates_are_forgiven_and_refused_in_good_shares() {
    let (mut forgiven, mut refused, mut unchanged, mut mixed) = (0, 0, 0, 0);
    let mut productions: BTreeMap<&'static str, u32> = BTreeMap::new();
    for seed in 0..CASES {
        let mut c = Choices::random(seed);
        let ground = Ground::draw(&mut c, &GroundShape::default());
        let old = ground.object(&mut c);
        let new = ground.edited(&mut c, &old);
        let (alone, beside) = (ground.causes(&new, None).len(), ground.causes(&new, Some(&old)).len());
        assert!(beside <= alone);
        unchanged += u32::from(ground.is_unchanged(&new, &old));
        forgiven += u32::from(beside == 0 && alone > 0);
        refused += u32::from(beside > 0);
        mixed += u32::from(beside > 0 && beside < alone);
        let recording = c.finish();
        assert!(recording.discarded.is_none());
        for (name, count) in recording.productions {
            *productions.entry(name).or_default() += count;
        }
    }
    for (what, count, least) in [("forgiven", forgiven, 1_000), ("refused", refused, 2_000), ("both", mixed, 800)] {
        assert!(count >= least, "{what}: {count}");
    }
    assert!((200..4_000).contains(&unchanged), "{unchanged}");
    for name in [
        "object",
        "map",
        "map list",
        "list",
        "own rule",
        "maximum",
        "minimum",
        "large integer",
        "maxLength",
        "minLength",
        "boolean",
        "kind of value",
        "enum",
        "pattern",
        "format",
        "multipleOf",
        "type",
        "not",
        "allOf",
        "to a broken value",
        "to a sound value",
        "added",
        "removed",
        "another key",
        "another second key",
        "reordered",
        "a rule fulfilled",
    ] {
        let count = productions.get(name).copied().unwrap_or(0);
        assert!(count > 100, "{name}: {count}");
    }
}

#[test]
fn permutations_change_nothing_and_are_others() {
    let mut others = 0;
    for seed in 0..CASES {
        let mut c = Choices::random(seed);
        let ground = Ground::draw(&mut c, &GroundShape { lists: 0, map_lists: 6, ..GroundShape::default() });
        let old = ground.object(&mut c);
        let new = ground.permuted(&mut c, &old);
        assert!(ground.is_unchanged(&new, &old), "{old} {new}");
        assert!(ground.causes(&new, Some(&old)).is_empty());
        others += u32::from(new != old);
    }
    assert!(others > 2_000, "{others}");
}

#[test]
fn ver_017_every_update_of_versions_comes_up() {
    let mut productions: BTreeMap<&'static str, u32> = BTreeMap::new();
    let mut lost = 0;
    for seed in 0..CASES {
        let mut c = Choices::random(seed);
        let mut versions = vec![VersionPlan { name: "v1", served: true, storage: true }];
        let mut stored = vec!["v1"];
        for _ in 0..6 {
            let update = versions_update(&mut c, &versions, &stored);
            assert_eq!(update.versions.iter().filter(|version| version.storage).count(), 1);
            lost += u32::from(!update.lost.is_empty());
            if update.lost.is_empty() {
                versions = update.versions;
                let storage = versions.iter().find(|version| version.storage).unwrap().name;
                if !stored.contains(&storage) {
                    stored.push(storage);
                }
            }
        }
        for (name, count) in c.finish().productions {
            *productions.entry(name).or_default() += count;
        }
    }
    assert!(lost > 500, "{lost}");
    for name in
        ["storage flipped", "version added", "served toggled", "version removed", "stored version lost", "turned round"]
    {
        let count = productions.get(name).copied().unwrap_or(0);
        assert!(count > 500, "{name}: {count}");
    }
}
