//! Watches (section 11.7): the changes of a collection as a stream of events.
//!
//! A watch stores only a revision, and reads later changes from the history of the collection. A client that reads too
//! slowly costs no memory; it gets a 410 once the history does not go back far enough.

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

use crate::base::status::Failure;
use crate::kinds::Kind;
use crate::messages::representation::{ClientView, ColumnDefinitions, Shown};
use crate::messages::selectors::Selection;
use crate::store::{Changes, Collection, Compacted, Life, ListQuery, Mirror, Page, Reading, Stored};
use crate::wire::deep::{self, Depth};

pub(crate) use event::Framing;
pub(crate) use options::{Start, WatchOptions};

/// The maximum number of objects or changes in a chunk of the stream.
const BATCH: usize = 100;
/// The interval of bookmarks, if the client requests them, …
const BOOKMARK_EVERY: Duration = Duration::from_secs(60);
/// … and the time before the timeout at which the last one is sent.
const LAST_BOOKMARK: Duration = Duration::from_secs(2);

/// Reads the stored objects of a resource at a version, while a watch is open.
pub(crate) trait Reader: Send + Sync {
    /// Reads a stored object at the version, without its `resourceVersion`.
    fn read(&self, stored: &Stored) -> Result<Value, Failure>;

    /// Identifies how objects are read, if the result depends on nothing else than the stored object.
    fn reading(&self) -> Option<Reading> {
        None
    }
}

/// The only event of a watch that cannot begin.
pub(crate) fn refusal(framing: Framing, failure: &Failure) -> Bytes {
    let mut out = Vec::new();
    framing.write_error(&mut out, failure);
    out.into()
}

/// Reads objects of resources with a single version.
pub(crate) struct AsStored;

impl Reader for AsStored {
    fn read(&self, stored: &Stored) -> Result<Value, Failure> {
        Ok(stored.object.value().into_owned())
    }
}

/// Reads objects of a view, which are as clients see them.
pub(crate) struct AsViewed(pub(crate) Reading);

impl Reader for AsViewed {
    fn read(&self, stored: &Stored) -> Result<Value, Failure> {
        Ok(stored.object.value().into_owned())
    }

    fn reading(&self) -> Option<Reading> {
        Some(self.0)
    }
}

/// Where changes are read.
pub(crate) enum Log {
    /// In the store.
    Store(Arc<dyn Collection>),
    /// In a view, whose objects a webhook has converted.
    View(Arc<Mirror>),
}

impl Log {
    /// Lists a part of the objects.
    pub(crate) fn list(&self, query: &ListQuery<'_>) -> Result<Page, Compacted> {
        match self {
            Self::Store(collection) => collection.list(query),
            Self::View(mirror) => mirror.list(query),
        }
    }

    fn changes(&self, after: u64, limit: usize) -> Result<Changes, Compacted> {
        match self {
            Self::Store(collection) => collection.changes(after, limit),
            Self::View(mirror) => mirror.changes(after, limit),
        }
    }

    fn writes(&self) -> Receiver<u64> {
        match self {
            Self::Store(collection) => collection.writes(),
            Self::View(mirror) => mirror.writes(),
        }
    }
}

/// The objects that a watch observes.
pub(crate) struct Source {
    pub(crate) kind: Kind,
    pub(crate) log: Log,
    pub(crate) reader: Arc<dyn Reader>,
    /// The prefix of their keys.
    pub(crate) prefix: String,
    /// Selects the objects.
    pub(crate) selection: Selection,
    /// The lifetime that ends the watch; `None` for resources that never change.
    pub(crate) life: Option<Life>,
}

impl Source {
    /// Whether an object is selected.
    pub(crate) fn wants(&self, stored: &Stored) -> bool {
        self.selection.wants(stored, |stored| self.reader.read(stored))
    }
}

/// A stream of watch events of a resource. It ends after its timeout, when the resource is no longer served in the same
/// way (REST-066), and after an event of type `ERROR`.
pub struct Watch {
    source: Source,
    options: WatchOptions,
    view: ClientView,
    /// Whether an event was sent already.
    has_sent: bool,
    writes: Receiver<u64>,
    life_ends: Option<Receiver<bool>>,
    /// Notified when all watches of the server end.
    server_ends: Receiver<u64>,
    depth: Arc<Depth>,
    /// Existing objects that have not been sent yet.
    initial: VecDeque<Stored>,
    /// Whether a bookmark follows the existing objects.
    marks_initial_end: bool,
    /// All changes up to this revision have been sent.
    after: u64,
    ends_at: Instant,
    /// `None` after the last one.
    next_bookmark: Option<Instant>,
    has_ended: bool,
}

impl Watch {
    /// Starts a watch. `initial` are the objects of the collection at `after`, if the options request them.
    pub(crate) fn new(
        source: Source,
        options: WatchOptions,
        view: ClientView,
        initial: VecDeque<Stored>,
        after: u64,
        server_ends: Receiver<u64>,
        depth: Arc<Depth>,
    ) -> Self {
        let now = Instant::now();
        Self {
            writes: source.log.writes(),
            life_ends: source.life.as_ref().map(Life::ends),
            server_ends,
            depth,
            marks_initial_end: options.marks_initial_end(),
            initial,
            after,
            ends_at: now + options.timeout,
            next_bookmark: next_bookmark(now, now + options.timeout),
            has_sent: false,
            has_ended: false,
            view,
            source,
            options,
        }
    }

    /// Returns the next events, each as a line of JSON, or, if the client accepts protobuf, as a message behind its
    /// length in four bytes; `None` when the watch has ended. Requires a Tokio runtime with time enabled.
    ///
    /// Cancel safe: no event is lost if the future is dropped.
    pub async fn next(&mut self) -> Option<Bytes> {
        loop {
            if self.has_ended {
                return None;
            }
            if let Some(events) = self.pending_events() {
                return Some(events);
            }
            // Check the end first, so that changes before it are still sent.
            let is_over = self.is_over();
            self.writes.mark_unchanged();
            if let Some(life) = self.source.life.as_ref().filter(|life| self.after < life.since) {
                return Some(self.expired(life.since));
            }
            match self.source.log.changes(self.after, BATCH) {
                Err(Compacted { oldest }) => return Some(self.expired(oldest)),
                Ok(changes) => {
                    let any = !changes.changes.is_empty();
                    if let Some(events) = self.encode_changes(changes) {
                        return Some(events);
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

    /// How its events follow each other.
    pub(crate) fn framing(&self) -> Framing {
        Framing::of(self.view.format())
    }

    /// Events that are due without a change: existing objects and bookmarks.
    fn pending_events(&mut self) -> Option<Bytes> {
        if !self.initial.is_empty() {
            let count = self.initial.len().min(BATCH);
            let objects: Vec<Stored> = self.initial.drain(..count).collect();
            return Some(self.encode(|watch, out| {
                objects.into_iter().try_for_each(|stored| watch.put(out, "ADDED", &stored, stored.revision))
            }));
        }
        if std::mem::take(&mut self.marks_initial_end) {
            return Some(self.bookmark(&json!({"k8s.io/initial-events-end": "true"})));
        }
        if self.options.bookmarks && self.next_bookmark.is_some_and(|at| Instant::now() >= at) {
            return Some(self.bookmark(&Value::Null));
        }
        None
    }

    fn encode_changes(&mut self, changes: Changes) -> Option<Bytes> {
        let Changes { changes, until } = changes;
        let events = self.encode(|watch, out| {
            changes.into_iter().filter(|change| change.key.starts_with(&watch.source.prefix)).try_for_each(|change| {
                match event::of(&change, |stored| watch.source.wants(stored)) {
                    Some((kind, stored)) => watch.put(out, kind, stored, change.revision),
                    None => Ok(()),
                }
            })
        });
        self.after = until;
        (!events.is_empty()).then_some(events)
    }

    /// The events that `work` appends, followed by an error event if it fails.
    fn encode(&mut self, work: impl FnOnce(&Self, &mut Vec<u8>) -> Result<(), Failure>) -> Bytes {
        let this = &*self;
        let run = || {
            let mut out = Vec::new();
            let result = work(this, &mut out);
            (out, result)
        };
        let result = if this.depth.is_somewhere() { deep::on_deep_stack(run) } else { Some(run()) };
        let (mut out, result) =
            result.unwrap_or_else(|| (Vec::new(), Err(Failure::internal("processing a deeply nested value failed"))));
        if let Err(failure) = result {
            self.framing().write_error(&mut out, &failure);
            self.has_ended = true;
        }
        self.has_sent |= !out.is_empty();
        out.into()
    }

    fn put(&self, out: &mut Vec<u8>, kind: &str, stored: &Stored, revision: u64) -> Result<(), Failure> {
        // The event of a removal has the revision of the removal.
        let stored = Stored { revision, object: stored.object.clone() };
        let reader = &*self.source.reader;
        self.put_object(out, kind, Shown::of(&stored, reader.reading(), |stored| reader.read(stored))?)
    }

    /// Appends an event in the requested form.
    fn put_object(&self, out: &mut Vec<u8>, kind: &str, object: Shown) -> Result<(), Failure> {
        let is_first = !self.has_sent && out.is_empty();
        let object =
            self.view.shown(object, if is_first { ColumnDefinitions::Included } else { ColumnDefinitions::Omitted })?;
        self.framing().write(out, kind, object);
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
        self.encode(|watch, out| watch.put_object(out, "BOOKMARK", object.into()))
    }

    /// The last event of a watch whose history is no longer available (REST-065).
    fn expired(&mut self, oldest: u64) -> Bytes {
        self.has_ended = true;
        let mut out = Vec::new();
        let failure = Failure::expired(format!("too old resource version: {} ({oldest})", self.after));
        self.framing().write_error(&mut out, &failure);
        out.into()
    }

    fn is_over(&mut self) -> bool {
        Instant::now() >= self.ends_at
            || self.life_ends.as_ref().is_some_and(|ends| *ends.borrow())
            || self.server_ends.has_changed().unwrap_or(true)
    }

    /// Waits until there may be new events, or the watch ends.
    async fn wait(&mut self) {
        let life_ends = async {
            match &mut self.life_ends {
                Some(ends) => drop(ends.wait_for(|ended| *ended).await),
                None => std::future::pending().await,
            }
        };
        let next_bookmark = self.next_bookmark.filter(|_| self.options.bookmarks);
        let wakes_at = next_bookmark.map_or(self.ends_at, |at| at.min(self.ends_at));
        tokio::select! {
            written = self.writes.changed() => self.has_ended |= written.is_err(),
            () = life_ends => {}
            _ = self.server_ends.changed() => self.has_ended = true,
            () = sleep_until(wakes_at) => {}
        }
    }
}

/// The time of the next bookmark after one at `now`; `None` after the last one, however late its watch is read.
fn next_bookmark(now: Instant, ends_at: Instant) -> Option<Instant> {
    let last = ends_at.checked_sub(LAST_BOOKMARK).filter(|last| now < *last)?;
    Some(last.min(now + BOOKMARK_EVERY))
}

impl Drop for Watch {
    /// Dropping deeply nested values requires a large stack, too.
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
