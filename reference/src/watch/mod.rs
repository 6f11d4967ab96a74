//! Watches (section 11.7): the changes of a collection as a stream of events.
//!
//! A watch keeps nothing but a revision: it reads from the history of the collection what came since. A client that reads too
//! slowly is told so (410) when the history does not reach back any more, and costs no memory until then.

mod event;
mod options;

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::{Value, json};
use tokio::sync::watch::Receiver;
use tokio::time::{Instant, sleep_until};

use crate::deep::{self, Depth};
use crate::definitions::Life;
use crate::engine::Kind;
use crate::representation::{Heads, Shown, View};
use crate::selectors::Selection;
use crate::status::Failure;
use crate::storage::{Changes, Collection, Compacted, Reading, Stored};

pub(crate) use options::{Start, WatchOptions};

/// How many objects or changes go into one piece of the stream.
const BATCH: usize = 100;
/// How often a client that wants bookmarks gets one, …
const BOOKMARK_EVERY: Duration = Duration::from_secs(60);
/// … and so long before its time is over a last one.
const LAST_BOOKMARK: Duration = Duration::from_secs(2);

/// Reads the stored objects of a resource at one version, for as long as a watch needs it.
pub(crate) trait Reader: Send + Sync {
    /// A stored object in that version, without its revision.
    fn read(&self, stored: &Stored) -> Result<Value, Failure>;

    /// What the result depends on beside the object, if the same always gives the same.
    fn reading(&self) -> Option<Reading> {
        None
    }
}

/// Reads objects that have one version.
pub(crate) struct AsStored;

impl Reader for AsStored {
    fn read(&self, stored: &Stored) -> Result<Value, Failure> {
        Ok(stored.object.value().into_owned())
    }
}

/// What a watch is about.
pub(crate) struct Source {
    pub(crate) kind: Kind,
    pub(crate) collection: Arc<dyn Collection>,
    pub(crate) reader: Arc<dyn Reader>,
    /// What keys start with.
    pub(crate) prefix: String,
    /// Which of the objects are wanted.
    pub(crate) selection: Selection,
    /// With what the watch ends; nothing for resources that are always served in one way.
    pub(crate) life: Option<Life>,
}

impl Source {
    /// Whether an object is wanted.
    pub(crate) fn wants(&self, stored: &Stored) -> bool {
        self.selection.wants(stored, |stored| self.reader.read(stored))
    }
}

/// A stream of events about the objects of a resource. It ends when its time is over, when the resource is no longer served as it
/// was (REST-066), and behind an event of type `ERROR`.
pub struct Watch {
    source: Source,
    options: WatchOptions,
    view: View,
    /// Whether an event was told already.
    has_told: bool,
    writes: Receiver<u64>,
    life_ends: Option<Receiver<bool>>,
    /// Told when all watches of the server end.
    server_ends: Receiver<u64>,
    depth: Arc<Depth>,
    /// Objects that were there at the start and have not been told yet.
    initial: VecDeque<Stored>,
    /// Whether the end of these is to be marked.
    marks_initial_end: bool,
    /// All changes up to this revision have been told.
    after: u64,
    ends_at: Instant,
    next_bookmark: Instant,
    has_ended: bool,
}

impl Watch {
    /// Begins a watch. The objects are those in the collection at `after`, if the options want them told.
    pub(crate) fn new(
        source: Source,
        options: WatchOptions,
        view: View,
        initial: VecDeque<Stored>,
        after: u64,
        server_ends: Receiver<u64>,
        depth: Arc<Depth>,
    ) -> Self {
        let now = Instant::now();
        Self {
            writes: source.collection.writes(),
            life_ends: source.life.as_ref().map(Life::ends),
            server_ends,
            depth,
            marks_initial_end: options.marks_initial_end(),
            initial,
            after,
            ends_at: now + options.timeout,
            next_bookmark: next_bookmark(now, now + options.timeout),
            has_told: false,
            has_ended: false,
            view,
            source,
            options,
        }
    }

    /// The next events, each a line of JSON; `None` when the watch is over. Wants a runtime with a clock.
    ///
    /// Nothing is lost when the future is dropped before it is done.
    pub async fn next(&mut self) -> Option<Bytes> {
        loop {
            if self.has_ended {
                return None;
            }
            if let Some(told) = self.told_at_once() {
                return Some(told);
            }
            // First whether it is over, then what came before that.
            let is_over = self.is_over();
            self.writes.mark_unchanged();
            if self.source.life.as_ref().is_some_and(|life| self.after < life.since) {
                return Some(self.expired());
            }
            match self.source.collection.changes(self.after, BATCH) {
                Err(Compacted) => return Some(self.expired()),
                Ok(changes) => {
                    let any = !changes.changes.is_empty();
                    if let Some(told) = self.tell(changes) {
                        return Some(told);
                    }
                    if any {
                        continue;
                    }
                }
            }
            if is_over {
                self.has_ended = true;
                return None;
            }
            self.wait().await;
        }
    }

    /// What needs no change to be told: objects that were there, and bookmarks.
    fn told_at_once(&mut self) -> Option<Bytes> {
        if !self.initial.is_empty() {
            let count = self.initial.len().min(BATCH);
            let objects: Vec<Stored> = self.initial.drain(..count).collect();
            return Some(self.encoded(|watch, out| {
                objects.into_iter().try_for_each(|stored| watch.put(out, "ADDED", &stored, stored.revision))
            }));
        }
        if std::mem::take(&mut self.marks_initial_end) {
            return Some(self.bookmark(&json!({"k8s.io/initial-events-end": "true"})));
        }
        if self.options.bookmarks && Instant::now() >= self.next_bookmark {
            return Some(self.bookmark(&Value::Null));
        }
        None
    }

    fn tell(&mut self, changes: Changes) -> Option<Bytes> {
        let Changes { changes, until } = changes;
        let told = self.encoded(|watch, out| {
            changes.into_iter().filter(|change| change.key.starts_with(&watch.source.prefix)).try_for_each(|change| {
                match event::of(&change, |stored| watch.source.wants(stored)) {
                    Some((kind, stored)) => watch.put(out, kind, stored, change.revision),
                    None => Ok(()),
                }
            })
        });
        self.after = until;
        (!told.is_empty()).then_some(told)
    }

    /// The events that some work writes; behind what it wrote an error, if it fails.
    fn encoded(&mut self, work: impl FnOnce(&Self, &mut Vec<u8>) -> Result<(), Failure>) -> Bytes {
        let this = &*self;
        let all = || {
            let mut out = Vec::new();
            let done = work(this, &mut out);
            (out, done)
        };
        let done = if this.depth.is_somewhere() { deep::on_deep_stack(all) } else { Some(all()) };
        let (mut out, done) =
            done.unwrap_or_else(|| (Vec::new(), Err(Failure::internal("no memory for a deep value"))));
        if let Err(failure) = done {
            event::write_error(&mut out, &failure);
            self.has_ended = true;
        }
        self.has_told |= !out.is_empty();
        out.into()
    }

    fn put(&self, out: &mut Vec<u8>, kind: &str, stored: &Stored, revision: u64) -> Result<(), Failure> {
        // A removal has a revision of its own.
        let stored = Stored { revision, object: stored.object.clone() };
        let reader = &*self.source.reader;
        self.put_object(out, kind, Shown::of(&stored, reader.reading(), |stored| reader.read(stored))?)
    }

    /// Appends an event in the form that is wanted.
    fn put_object(&self, out: &mut Vec<u8>, kind: &str, object: Shown) -> Result<(), Failure> {
        let is_first = !self.has_told && out.is_empty();
        let object = self.view.shown(object, if is_first { Heads::Told } else { Heads::LeftOut })?;
        event::write(out, kind, |out| object.append_json(out));
        Ok(())
    }

    fn bookmark(&mut self, annotations: &Value) -> Bytes {
        self.next_bookmark = next_bookmark(Instant::now(), self.ends_at);
        let mut metadata = json!({"resourceVersion": self.after.to_string()});
        if !annotations.is_null() {
            metadata["annotations"] = annotations.clone();
        }
        let Kind { api_version, kind, .. } = &self.source.kind;
        let object = json!({"kind": kind, "apiVersion": api_version, "metadata": metadata});
        self.encoded(|watch, out| watch.put_object(out, "BOOKMARK", object.into()))
    }

    /// The last event of a watch whose past is forgotten (REST-065).
    fn expired(&mut self) -> Bytes {
        self.has_ended = true;
        let mut out = Vec::new();
        event::write_error(&mut out, &Failure::expired(format!("too old resource version: {}", self.after)));
        out.into()
    }

    fn is_over(&mut self) -> bool {
        Instant::now() >= self.ends_at
            || self.life_ends.as_ref().is_some_and(|ends| *ends.borrow())
            || self.server_ends.has_changed().unwrap_or(true)
    }

    /// Until something may have to be told, or the watch is over.
    async fn wait(&mut self) {
        let life_ends = async {
            match &mut self.life_ends {
                Some(ends) => drop(ends.wait_for(|ended| *ended).await),
                None => std::future::pending().await,
            }
        };
        let wakes_at = if self.options.bookmarks { self.ends_at.min(self.next_bookmark) } else { self.ends_at };
        tokio::select! {
            written = self.writes.changed() => self.has_ended |= written.is_err(),
            () = life_ends => {}
            _ = self.server_ends.changed() => self.has_ended = true,
            () = sleep_until(wakes_at) => {}
        }
    }
}

/// When a bookmark is due behind one now; after the last one never.
fn next_bookmark(now: Instant, ends_at: Instant) -> Instant {
    match ends_at.checked_sub(LAST_BOOKMARK) {
        Some(last) if now < last => last.min(now + BOOKMARK_EVERY),
        _ => ends_at + BOOKMARK_EVERY,
    }
}

impl Drop for Watch {
    /// Deep values need a deep stack also to go.
    fn drop(&mut self) {
        if self.depth.is_somewhere() {
            let initial = std::mem::take(&mut self.initial);
            deep::on_deep_stack(move || drop(initial));
        }
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("kind", &self.source.kind).field("after", &self.after).finish_non_exhaustive()
    }
}
