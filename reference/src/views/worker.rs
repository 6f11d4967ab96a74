//! The thread that fills a view and keeps it up to date.

use std::future::Future as _;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::thread;
use std::time::Duration;

use tokio::sync::watch;

use super::filling;
use super::retry::Retry;
use super::seeing::seen;
use super::view::View;
use crate::base::park::block_on;
use crate::store::{Change, Mirror, Seen};
use crate::wire::deep;

/// The time between two attempts to fill a view.
const REFILL: Duration = Duration::from_secs(1);
/// The time between two attempts to convert a change.
const RETRY: Duration = Duration::from_millis(100);
/// How many changes are taken at a time.
const BATCH: usize = 100;
/// The name of the threads.
const NAME: &str = "crdible-view";

/// Starts the thread of a view.
pub(super) fn spawn(view: Arc<View>) {
    let failed = {
        let view = Arc::clone(&view);
        thread::Builder::new().name(NAME.to_owned()).spawn(move || run(&view)).err()
    };
    if let Some(error) = failed {
        view.set_unready(Some(format!("no thread to convert objects: {error}")));
    }
}

fn run(view: &View) {
    while !view.has_ended() {
        match filling::fill(view) {
            Ok(mirror) => {
                let mirror = Arc::new(mirror);
                view.set_ready(&mirror);
                follow(view, &mirror);
                view.set_unready(None);
                view.pause(REFILL);
                // Only now, so that what happens in this second is not missed for no reason.
                mirror.life().end();
            }
            Err(failure) => {
                view.set_unready(Some(failure));
                view.pause(REFILL);
            }
        }
    }
}

/// Converts each change, until one cannot be converted for too long, or the view ends.
fn follow(view: &View, mirror: &Mirror) {
    let origin = &view.origin;
    let mut retry = Retry::default();
    let mut writes = origin.instances.writes();
    while !view.has_ended() {
        writes.mark_unchanged();
        // Changes that the history does not hold any more are seen by filling the view anew.
        let Ok(changes) = origin.instances.changes(mirror.until(), BATCH) else { return };
        if changes.changes.is_empty() {
            mirror.complete(changes.until);
            view.notify();
            wait(view, &mut writes);
            continue;
        }
        let is_done = changes.changes.iter().all(|change| {
            let converted = converted(view, change);
            if let Ok(after) = converted {
                mirror.change(&change.key, change.revision, after);
                view.notify();
                return true;
            }
            false
        });
        if is_done {
            mirror.complete(changes.until);
        } else if retry.after_failure(origin.clock.now()) {
            view.pause(RETRY);
        } else {
            return;
        }
    }
}

/// The object after a change at the version of the view. To show that an object is removed, its last state has to be
/// converted, too (CONV-023).
fn converted(view: &View, change: &Change) -> Result<Option<Seen>, String> {
    match (&change.after, &change.before) {
        (Some(after), _) => seen(view, after).map(Some),
        (None, Some(before)) => seen(view, before).map(|_| None),
        (None, None) => Ok(None),
    }
}

/// Waits until there is a change, or the view ends.
fn wait(view: &View, writes: &mut watch::Receiver<u64>) {
    deep::give_back();
    let mut ends = view.ends();
    block_on(async {
        let mut changed = pin!(writes.changed());
        let mut ended = pin!(ends.wait_for(|ended| *ended));
        std::future::poll_fn(move |context| {
            let is_ready = changed.as_mut().poll(context).is_ready() || ended.as_mut().poll(context).is_ready();
            if is_ready { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    });
}
