//! Filling a view: all objects are converted before any is shown.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::seeing;
use super::view::View;
use crate::base::locks::lock;
use crate::store::{ListQuery, Mirror, Seen, Stored};

/// How many objects are converted at the same time.
const AT_ONCE: usize = 8;
/// With fewer objects, more threads would not be worth it.
const FEW: usize = 16;

/// A converted object and its position, or why it cannot be converted.
type Converted = (usize, Result<Seen, String>);

/// Converts all objects as they are now. The error is the message about the first object that cannot be converted.
pub(super) fn fill(view: &View) -> Result<Mirror, String> {
    let query = ListQuery { prefix: "", after: None, revision: None, limit: 0, keep: None };
    // The current revision is never compacted.
    let page = view.origin.instances.list(&query).map_err(|error| error.to_string())?;
    let mut converted = convert(view, &page.items);
    converted.sort_unstable_by_key(|(at, _)| *at);
    let mut objects = Vec::with_capacity(page.items.len());
    if converted.len() < page.items.len() && converted.iter().all(|(_, seen)| seen.is_ok()) {
        return Err("the definition has changed".to_owned());
    }
    for ((key, _), (_, seen)) in page.items.iter().zip(converted) {
        let kind = &view.version().kind;
        let seen = seen.map_err(|why| format!("failed to list {}, Kind={}: {why}", kind.api_version, kind.kind))?;
        objects.push((Arc::clone(key), seen));
    }
    Ok(Mirror::new(objects, page.revision))
}

fn convert(view: &View, items: &[(Arc<str>, Stored)]) -> Vec<Converted> {
    let (next, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let done = Mutex::new(Vec::with_capacity(items.len()));
    let work = || {
        let mut own = Vec::new();
        while !is_over.load(Ordering::Relaxed) && !view.has_ended() {
            // In order, so that everything before the first failure is done.
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some((_, stored)) = items.get(at) else { break };
            let seen = seeing::seen(view, stored);
            is_over.fetch_or(seen.is_err(), Ordering::Relaxed);
            own.push((at, seen));
        }
        lock(&done).extend(own);
    };
    if items.len() <= FEW {
        work();
    } else {
        thread::scope(|scope| {
            for _ in 1..AT_ONCE {
                // Without a thread, the others do its work.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
    }
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}
