//! Updates: every kind is drawn, and the stated causes equal those of a validator.

use crdible_generators::{
    choice::Choices,
    update::{TightenedSchema, TightenedShape, VersionPlan, versions_update},
};
use crdible_semantics::{Cause, Schema, SchemaContext, Semantics};
use serde_json::Value;

use crate::common::{cases, reached};

const CASES: u64 = 10_000;

fn parsed(schema: &Value) -> Schema {
    Schema::parse(schema).unwrap().0
}

/// A tightened schema of this shape, an old value, and a new one.
fn drawn(
    shape: TightenedShape,
    change: impl Fn(&TightenedSchema, &mut Choices, &Value) -> Value,
) -> impl Fn(&mut Choices) -> (TightenedSchema, Value, Value) {
    move |c| {
        let tightened = TightenedSchema::draw(c, &shape);
        let old = tightened.object(c);
        let new = change(&tightened, c, &old);
        (tightened, old, new)
    }
}

/// Two independent ways to find the causes: the tightened schema knows its violations, the semantics validate.
#[test]
fn the_causes_equal_those_of_a_validator() {
    for seed in 0..CASES {
        let mut c = Choices::random(seed);
        let tightened = TightenedSchema::draw(&mut c, &TightenedShape::default());
        let old = tightened.object(&mut c);
        let new = if seed % 5 == 0 { tightened.permuted(&mut c, &old) } else { tightened.edited(&mut c, &old) };
        let (loose, tight) = (parsed(&tightened.loose()), parsed(&tightened.tight()));
        assert!(
            Semantics::UPSTREAM.schema_violations(&tight, &SchemaContext::default()).is_empty(),
            "{seed}: {}",
            tightened.tight()
        );
        assert!(Semantics::UPSTREAM.value_violations(&old, &loose).is_empty(), "{seed}: {old}");
        for before in [None, Some(&old)] {
            let found = match before {
                Some(old) => Semantics::UPSTREAM.value_update_violations(&new, old, &tight),
                None => Semantics::UPSTREAM.value_violations(&new, &tight),
            };
            let mut found: Vec<Cause> = found.into_iter().map(|it| Cause::new(it.field, it.reason)).collect();
            let mut stated = tightened.causes(&new, before);
            found.sort();
            stated.sort();
            assert_eq!(stated, found, "{seed}: {} {old} {new}", tightened.tight());
        }
    }
}

#[test]
fn updates_are_often_ratcheted_and_often_rejected() {
    let (mut ratcheted, mut rejected, mut unchanged, mut mixed) = (0, 0, 0, 0);
    let generate = drawn(TightenedShape::default(), TightenedSchema::edited);
    let (productions, discarded) = cases(CASES, generate, |_, (tightened, old, new), _| {
        let (alone, beside) = (tightened.causes(&new, None).len(), tightened.causes(&new, Some(&old)).len());
        assert!(beside <= alone);
        unchanged += u32::from(tightened.is_unchanged(&new, &old));
        ratcheted += u32::from(beside == 0 && alone > 0);
        rejected += u32::from(beside > 0);
        mixed += u32::from(beside > 0 && beside < alone);
    });
    assert_eq!(discarded, 0);
    for (what, count, least) in [("ratcheted", ratcheted, 1_000), ("rejected", rejected, 2_000), ("both", mixed, 800)] {
        assert!(count >= least, "{what}: {count}");
    }
    assert!((200..4_000).contains(&unchanged), "{unchanged}");
    let names = "object, map, map list, list, own rule, maximum, minimum, large integer, maxLength, minLength, \
        boolean, kind of value, enum, pattern, format, multipleOf, type, not, allOf, to an invalid value, \
        to a valid value, added, removed, another key, another second key, reordered, a rule satisfied";
    reached(&productions, 101, names);
}

#[test]
fn permutations_are_different_values_that_count_as_unchanged() {
    let mut different = 0;
    let shape = TightenedShape { lists: 0, map_lists: 6, ..TightenedShape::default() };
    cases(CASES, drawn(shape, TightenedSchema::permuted), |_, (tightened, old, new), _| {
        assert!(tightened.is_unchanged(&new, &old), "{old} {new}");
        assert!(tightened.causes(&new, Some(&old)).is_empty());
        different += u32::from(new != old);
    });
    assert!(different > 2_000, "{different}");
}

#[test]
fn ver_017_every_update_of_versions_is_drawn() {
    let updates = |c: &mut Choices| {
        let mut lost = 0;
        let mut versions = vec![VersionPlan { name: "v1", served: true, storage: true }];
        let mut stored = vec!["v1"];
        for _ in 0..6 {
            let update = versions_update(c, &versions, &stored);
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
        lost
    };
    let mut lost = 0;
    let (productions, _) = cases(CASES, updates, |_, of_case, _| lost += of_case);
    assert!(lost > 500, "{lost}");
    let names = "storage flipped, version added, served toggled, version removed, stored version lost, reversed";
    reached(&productions, 501, names);
}
