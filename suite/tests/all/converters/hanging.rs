//! Converters that fail now and then, or do not answer some reviews at all.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use crdible::converter::{Asker, ConverterTransport};
use crdible_webhooks::{Ending, HookAnswer};
use tokio::time::Instant;

use super::{check, check_with, faults, subject};
use crate::{converters::subject::plain, json::parsed};

/// A server waits 30 s. The first reviews without an answer and their repetitions are waited for as long; the others,
/// and those of shrinking, are not.
#[tokio::test(start_paused = true)]
async fn a_converter_that_hangs_on_one_input_is_judged_in_about_a_minute() {
    let (subject, chain) = subject::different_shapes();
    let fault = faults::all().find(|fault| fault.name == "hangs-on-large-numbers").expect("it is there");
    let asker = Arc::new(Asker::new(ConverterTransport::InProcess(Arc::new(fault.converter(chain)))));
    let started = Instant::now();
    let found = check_with(&asker, subject, &["conv-035-round-trips", "conv-045-every-object"], 1, 100).await;
    let took = started.elapsed();
    assert!(found.signatures.contains("conv-045-every-object:there::timeout"), "{:?}", found.signatures);
    assert!(took < Duration::from_secs(90), "{took:?}");
    let smallest = found.counterexamples.first().expect("one");
    assert!(smallest.to_text().len() < 20_000, "it is shrunk");
}

/// Once it is shown that some reviews are never answered, the others get less time. One that takes longer than that,
/// but not as long as a server waits, is right.
#[tokio::test(start_paused = true)]
async fn a_slow_answer_beside_those_that_never_come_is_right() {
    let (subject, chain) = subject::different_shapes();
    let right = subject::right(&subject, chain);
    let (hung, slow) = (AtomicU64::new(0), Arc::new(AtomicU64::new(0)));
    let seen = Arc::clone(&slow);
    let hanging = move |body: &[u8]| {
        let answer = right(body);
        let objects = parsed(body)["request"]["objects"].as_array().map_or(0, Vec::len);
        if objects > 4 {
            hung.fetch_add(1, Ordering::Relaxed);
            HookAnswer { ending: Ending::Silent, ..answer }
        } else if hung.load(Ordering::Relaxed) > 12 {
            seen.fetch_add(1, Ordering::Relaxed);
            HookAnswer { delay: Duration::from_secs(5), ..answer }
        } else {
            answer
        }
    };
    let found = check(subject, hanging, &["conv-035-round-trips", "conv-048-in-time"], 1, 100).await;
    assert!(slow.load(Ordering::Relaxed) > 20, "some are slow");
    assert!(found.signatures.contains("conv-048-in-time:in-time::timeout"), "{found:?}");
    assert!(found.signatures.iter().all(|signature| signature.starts_with("conv-048-")), "{:?}", found.signatures);
}

/// One of ten answers is an error, whatever the object is.
#[tokio::test(start_paused = true)]
async fn a_rate_of_errors_is_a_failure() {
    let (subject, chain) = subject::different_shapes();
    let right = subject::right(&subject, chain);
    let calls = AtomicU64::new(0);
    let failing = move |body: &[u8]| {
        // No call is like another, and neither is every tenth of a scenario.
        let call = calls.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        if call.is_multiple_of(10) { plain(500, b"overloaded".to_vec()) } else { right(body) }
    };
    let found = check(subject, failing, &["conv-045-every-object"], 1, 100).await;
    assert!(found.signatures.contains("conv-045-every-object:there::status-500"), "{found:?}");
}

/// What happened once is no failure.
#[tokio::test(start_paused = true)]
async fn one_error_of_many_answers_is_no_failure() {
    let (subject, chain) = subject::different_shapes();
    let right = subject::right(&subject, chain);
    let calls = AtomicU64::new(0);
    let failing = move |body: &[u8]| {
        if calls.fetch_add(1, Ordering::Relaxed) == 50 { plain(500, b"restarting".to_vec()) } else { right(body) }
    };
    let found = check(subject, failing, &["conv-045-every-object"], 1, 100).await;
    assert!(found.signatures.is_empty(), "{:?}", found.signatures);
    assert_eq!(found.flaky.len(), 1);
}

/// It mixes up what several callers ask at once.
#[tokio::test(start_paused = true)]
async fn what_only_many_callers_see_is_confirmed_by_many() {
    let (subject, chain) = subject::different_shapes();
    let right = subject::right(&subject, chain);
    let calls = AtomicU64::new(0);
    let racing = move |body: &[u8]| {
        let answer = right(body);
        // In process calls follow one another: every seventh is one that another caller disturbs.
        if calls.fetch_add(1, Ordering::Relaxed) % 7 == 6 {
            return HookAnswer { ending: Ending::Whole, status: 500, ..answer };
        }
        answer
    };
    let found = check(subject, racing, &["conv-044-no-state", "conv-048-in-time"], 1, 60).await;
    assert!(found.signatures.contains("conv-048-in-time:in-time::status-500"), "{found:?}");
}
