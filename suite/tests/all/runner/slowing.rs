//! Servers that answer ever more slowly.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use crdible::{
    connection::{HttpRequest, ResponseFuture, Slowdown, Transport},
    run::{Interrupt, RunOptions, Stop, Summary},
    webhook::Registry,
};
use tokio::sync::mpsc;

use super::{embedded, one_less, open, sound};

/// Says that it has become slow after this many requests.
#[derive(Debug)]
struct Slowing {
    inner: Arc<dyn Transport>,
    left: AtomicU32,
}

impl Transport for Slowing {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        one_less(&self.left);
        self.inner.send(request)
    }

    fn slowdown(&self) -> Option<Slowdown> {
        let is_slow = self.left.load(Ordering::Relaxed) == 0;
        is_slow.then_some(Slowdown { first: Duration::from_millis(4), recent: Duration::from_secs(2) })
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.inner.webhooks()
    }
}

async fn run_slowing(time: Option<Duration>) -> Summary {
    let session = open(Arc::new(Slowing { inner: embedded(), left: AtomicU32::new(500) })).await;
    let options = RunOptions { workers: 2, time, ..RunOptions::new([sound()], 300) };
    let (sender, _events) = mpsc::unbounded_channel();
    session.run(options, sender, Interrupt::never()).await
}

#[tokio::test]
async fn a_target_that_becomes_slow_ends_the_run() {
    let summary = run_slowing(None).await;
    assert!(matches!(summary.stop, Stop::Slow(_)), "{:?}", summary.stop);
    assert!((1..300).contains(&summary.cases[sound().id]), "{:?}", summary.cases);
}

#[tokio::test]
async fn a_user_who_gives_time_has_it() {
    let summary = run_slowing(Some(Duration::from_secs(600))).await;
    assert_eq!(summary.stop, Stop::Finished);
    assert!(summary.cases[sound().id] >= 300, "{:?}", summary.cases);
}
