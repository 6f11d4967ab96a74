//! One server under requests of several threads (REST-020, REST-035, REST-042).

use std::collections::BTreeSet;
use std::sync::Barrier;
use std::thread;

use serde_json::json;

use crate::support::{DEFINITIONS, THING, THINGS, Target, With, thing, things};

const THREADS: usize = 8;

/// Runs the work on all threads at once, and collects the results.
fn on_threads<T: Send>(work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let barrier = Barrier::new(THREADS);
    thread::scope(|scope| {
        let start = |index| {
            let (barrier, work) = (&barrier, &work);
            scope.spawn(move || {
                barrier.wait();
                work(index)
            })
        };
        let threads: Vec<_> = (0..THREADS).map(start).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    })
}

#[test]
fn versions_are_unique_and_grow() {
    let target = Target::with(&things());
    let versions = on_threads(|index| {
        let create = |number| target.post(THINGS, &thing(&format!("t{index}-{number}"), &json!({})));
        (0..100).map(|number| create(number).version().parse::<u64>().expect("a number")).collect::<Vec<_>>()
    });
    assert!(versions.iter().all(|own| own.is_sorted_by(|a, b| a < b)), "versions grow in each thread");
    let distinct: BTreeSet<u64> = versions.iter().flatten().copied().collect();
    assert_eq!(distinct.len(), THREADS * 100);
    let list = target.get(THINGS);
    assert_eq!(list.names().len(), THREADS * 100);
    assert!(list.version().parse::<u64>().is_ok_and(|version| distinct.last().is_some_and(|last| version >= *last)));
}

#[test]
fn rest_042_of_concurrent_updates_one_wins() {
    let target = Target::with(&things());
    for round in 0..30 {
        if round == 0 {
            target.post(THINGS, &thing("a", &json!({})));
        }
        let before = target.get(THING).body;
        let codes =
            on_threads(|index| target.put(THING, &before.clone().with("/spec/a", format!("{round}-{index}"))).code);
        assert_eq!(codes.iter().filter(|code| **code == 200).count(), 1, "{codes:?}");
        assert_eq!(codes.iter().filter(|code| **code == 409).count(), THREADS - 1, "{codes:?}");
    }
}

#[test]
fn rest_035_patches_without_a_version_all_succeed() {
    let target = Target::with_thing(&json!({"m": {}}));
    on_threads(|index| {
        for number in 0..25 {
            let key = format!("k{index}-{number}");
            assert_eq!(target.merge(THING, &json!({"spec": {"m": {key: 1}}})).code, 200);
        }
    });
    let after = target.get(THING);
    assert_eq!(after.body["spec"]["m"].as_object().map(serde_json::Map::len), Some(THREADS * 25));
    assert_eq!(after.generation(), 1 + 25 * i64::try_from(THREADS).unwrap_or_default());
}

#[test]
fn of_concurrent_creates_with_one_name_one_wins() {
    let target = Target::with(&things());
    for round in 0..30 {
        let codes = on_threads(|_| target.post(THINGS, &thing(&format!("t{round}"), &json!({}))).code);
        assert_eq!(codes.iter().filter(|code| **code == 201).count(), 1, "{codes:?}");
    }
}

#[test]
fn definitions_are_created_and_deleted_concurrently() {
    let target = Target::new();
    on_threads(|index| {
        let own =
            things().with("/spec/group", format!("g{index}.io")).with("/metadata/name", format!("things.g{index}.io"));
        let path = format!("/apis/g{index}.io/v1/namespaces/default/things");
        let object = thing("a", &json!({})).with("/apiVersion", format!("g{index}.io/v1"));
        for _ in 0..10 {
            assert_eq!(target.post(DEFINITIONS, &own).code, 201);
            assert_eq!(target.post(&path, &object).code, 201);
            assert_eq!(target.delete(&format!("{DEFINITIONS}/things.g{index}.io")).code, 200);
            assert_eq!(target.get(&path).code, 404);
        }
    });
    assert_eq!(target.get(DEFINITIONS).body["items"], json!([]));
}
