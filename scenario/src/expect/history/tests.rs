use rstest::rstest;
use serde_json::{Value, json};

use super::one_order;
use crate::{
    expect::Mismatch,
    scenario::{Act, Operation},
    transcript::{Answer, Timing, Transcript},
};

/// A thing with this number at this revision.
fn thing(n: i64, revision: u64) -> Value {
    json!({
        "kind": "$kind",
        "metadata": { "name": "$object-0", "resourceVersion": revision.to_string() },
        "spec": { "n": n },
    })
}

fn list(items: &[Value]) -> Value {
    json!({ "kind": "ThingList", "items": items })
}

fn create() -> Act {
    Act::Create { content: json!({ "spec": { "n": 0 } }) }
}

fn merge(n: i64) -> Act {
    Act::Merge { patch: json!({ "spec": { "n": n } }) }
}

fn put(seen: usize, n: i64) -> Act {
    Act::Put { seen, pointer: "/spec/n".to_owned(), value: json!(n) }
}

const LIST: Act = Act::List { object: 0 };

/// The same with a uid and a generation, as reads show it.
fn identified(n: i64, revision: u64) -> Value {
    let mut thing = thing(n, revision);
    thing["metadata"]["uid"] = json!("u");
    thing["metadata"]["generation"] = json!(n + 1);
    thing
}

/// Judges operations, each with when it was sent and answered, and the code and body of its answer.
fn judged(history: Vec<(Act, [u64; 2], u16, Value)>) -> Option<Vec<String>> {
    let mismatch = mismatch(history)?;
    let lines = mismatch.actual.as_array().expect("a timeline").iter();
    Some(lines.map(|line| line.as_str().expect("a line").to_owned()).collect())
}

/// What is wrong with such operations.
fn mismatch(history: Vec<(Act, [u64; 2], u16, Value)>) -> Option<Mismatch> {
    let (mut operations, mut transcript) = (Vec::new(), Transcript::default());
    for (step, (act, [sent, received], status, body)) in history.into_iter().enumerate() {
        operations.push(Operation { step, act });
        let timing = Timing { sent, received };
        transcript.answers.push(Some(Answer { status, body, timing, ..Answer::default() }));
    }
    one_order(&operations, &transcript).err()
}

#[rstest]
#[case::one_after_the_other(vec![
    (create(), [0, 1], 201, thing(0, 1)),
    (merge(1), [2, 3], 200, thing(1, 2)),
    (Act::Read, [4, 5], 200, thing(1, 2)),
    (put(2, 3), [6, 7], 200, thing(3, 3)),
    (Act::Delete, [8, 9], 200, json!({ "kind": "Status" })),
    (Act::Read, [10, 11], 404, Value::Null),
    (LIST, [12, 13], 200, list(&[])),
    (put(2, 4), [14, 15], 404, Value::Null),
    (create(), [16, 17], 201, thing(0, 9)),
    (create(), [18, 19], 409, Value::Null),
    (LIST, [20, 21], 200, list(&[thing(0, 9)])),
])]
#[case::a_read_beside_a_write_sees_what_was(vec![
    (create(), [0, 1], 201, thing(0, 1)),
    (merge(1), [2, 9], 200, thing(1, 2)),
    (Act::Read, [3, 4], 200, thing(0, 1)),
    (Act::Read, [5, 6], 200, thing(1, 2)),
])]
#[case::one_of_two_puts_wins(vec![
    (create(), [0, 1], 201, thing(0, 1)),
    (put(0, 1), [2, 5], 409, Value::Null),
    (put(0, 2), [3, 4], 200, thing(2, 2)),
])]
#[case::nothing_changes(vec![
    (create(), [0, 1], 201, thing(0, 1)),
    (merge(0), [2, 5], 200, thing(0, 1)),
    (put(0, 0), [3, 4], 200, thing(0, 1)),
])]
#[case::what_failed_may_have_been_done(vec![
    (create(), [0, 1], 201, thing(0, 1)),
    (merge(1), [2, 3], 504, Value::Null),
    (Act::Read, [4, 5], 200, thing(1, 2)),
])]
fn some_order_explains(#[case] history: Vec<(Act, [u64; 2], u16, Value)>) {
    assert_eq!(judged(history), None);
}

#[rstest]
#[case::a_stale_read(vec![
    (create(), [0, 1], 201, thing(0, 1)),
    (merge(1), [2, 3], 200, thing(1, 2)),
    (Act::Read, [4, 5], 200, thing(0, 1)),
], 3)]
#[case::a_stale_list(vec![
    (create(), [0, 1], 201, thing(0, 1)),
    (Act::Delete, [2, 3], 200, Value::Null),
    (LIST, [4, 5], 200, list(&[thing(0, 1)])),
], 3)]
#[case::reads_that_go_back(vec![
    (create(), [0, 1], 201, thing(0, 1)),
    (merge(1), [2, 9], 200, thing(1, 2)),
    (Act::Read, [3, 4], 200, thing(1, 2)),
    (Act::Read, [5, 6], 200, thing(0, 1)),
], 4)]
#[case::both_puts_win(vec![
    (create(), [0, 1], 201, thing(0, 1)),
    (put(0, 1), [2, 5], 200, thing(1, 2)),
    (put(0, 2), [3, 4], 200, thing(2, 3)),
], 3)]
#[case::no_put_wins(vec![
    (create(), [0, 1], 201, thing(0, 1)),
    (put(0, 1), [2, 5], 409, Value::Null),
    (put(0, 2), [3, 4], 409, Value::Null),
], 2)]
#[case::both_creates_win(vec![(create(), [0, 2], 201, thing(0, 1)), (create(), [1, 3], 201, thing(0, 2))], 2)]
#[case::a_write_is_lost(vec![
    (create(), [0, 1], 201, thing(0, 1)),
    (merge(1), [2, 5], 200, thing(1, 2)),
    (Act::Read, [6, 7], 200, thing(1, 2)),
    (merge(2), [8, 9], 200, thing(2, 3)),
    (Act::Read, [10, 11], 200, thing(1, 2)),
], 4)]
#[case::a_write_of_nothing_is_stored(vec![
    (create(), [0, 1], 201, thing(0, 1)),
    (merge(0), [2, 5], 200, thing(0, 2)),
], 2)]
fn no_order_explains(#[case] history: Vec<(Act, [u64; 2], u16, Value)>, #[case] lines: usize) {
    assert_eq!(judged(history).map(|shown| shown.len()), Some(lines));
}

#[rstest]
#[case::of_the_create(vec![
    (create(), [0, 1], 201, identified(0, 7)),
    (Act::Read, [2, 3], 200, identified(0, 5)),
    (merge(1), [4, 5], 200, identified(1, 8)),
    (Act::Read, [6, 7], 200, identified(1, 8)),
], "create-otherwise")]
#[case::as_a_list_shows(vec![
    (create(), [0, 1], 201, identified(0, 7)),
    (LIST, [2, 3], 200, list(&[identified(0, 9)])),
], "create-otherwise")]
#[case::besides_another(vec![
    (create(), [0, 1], 201, identified(0, 7)),
    (Act::Read, [2, 3], 200, identified(0, 5)),
    (merge(1), [4, 5], 200, identified(1, 8)),
    (Act::Read, [6, 7], 200, identified(0, 5)),
], "no-order")]
#[case::of_a_changed_object(vec![
    (create(), [0, 1], 201, identified(0, 7)),
    (Act::Read, [2, 3], 200, identified(1, 8)),
], "no-order")]
fn what_is_wrong(#[case] history: Vec<(Act, [u64; 2], u16, Value)>, #[case] reason: &str) {
    assert_eq!(mismatch(history).map(|mismatch| mismatch.reason), Some(reason.to_owned()));
}

/// A quirk (SUB-009): a server may count it or not.
#[rstest]
#[case::counts(2)]
#[case::does_not_count(1)]
fn a_number_may_be_written_otherwise(#[case] revision: u64) {
    let patch = json!({ "spec": { "n": 0.0 } });
    let history = vec![(create(), [0, 1], 201, thing(0, 1)), (Act::Merge { patch }, [2, 3], 200, thing(0, revision))];
    assert_eq!(judged(history), None);
}

#[test]
fn a_timeline_shows_what_overlaps() {
    let lines = judged(vec![
        (create(), [0, 1], 201, thing(0, 1)),
        (put(0, 1), [2, 5], 200, thing(1, 2)),
        (put(0, 2), [3, 4], 200, thing(2, 3)),
    ]);
    assert_eq!(
        lines.unwrap_or_default(),
        [
            "├─────┤                          step 0: POST {\"spec\":{\"n\":0}} → {\"spec\":{\"n\":0}} at revision 1",
            "            ├──────────────────┤ step 1: PUT of what step 0 showed, with 1 at /spec/n → {\"spec\":{\"n\":1}} at revision 2",
            "                  ├─────┤        step 2: PUT of what step 0 showed, with 2 at /spec/n → {\"spec\":{\"n\":2}} at revision 3",
        ]
    );
}

#[test]
fn many_operations_at_once_are_judged_quickly() {
    let mut history = vec![(create(), [0, 1], 201, thing(0, 1))];
    // All overlap, and their answers say in which order they were done.
    history.extend((1..=15).map(|n| (merge(n), [2, 99], 200, thing(n, u64::try_from(n).unwrap_or(0) + 1))));
    history.push((Act::Read, [100, 101], 200, thing(3, 4)));
    assert_eq!(judged(history), None);
}
