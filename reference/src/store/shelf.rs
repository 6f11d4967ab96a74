//! Objects by key, with a bounded history of their changes.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound;
use std::sync::Arc;

use super::{Change, Changes, Compacted, ListQuery, Page, Stored};

/// Objects by key, and their latest changes, from which earlier states can be reconstructed.
#[derive(Debug)]
pub(crate) struct Shelf {
    objects: BTreeMap<Arc<str>, Stored>,
    /// The latest changes, oldest first, each with the object that it replaced.
    history: VecDeque<Change>,
    /// The longest history.
    limit: usize,
    /// The revision at which the shelf was set up; it has no changes before that.
    begin: u64,
    /// States before this revision cannot be reconstructed.
    compacted: u64,
}

impl Shelf {
    /// A shelf with these objects, which is set up at the revision `begin`.
    pub(crate) fn new(objects: BTreeMap<Arc<str>, Stored>, limit: usize, begin: u64, compacted: u64) -> Self {
        Self { objects, history: VecDeque::new(), limit, begin, compacted }
    }

    pub(crate) fn len(&self) -> usize {
        self.objects.len()
    }

    /// The object under a key, with the key itself.
    pub(crate) fn get(&self, key: &str) -> Option<(&Arc<str>, &Stored)> {
        self.objects.get_key_value(key)
    }

    /// Makes a change.
    pub(crate) fn change(&mut self, change: Change) {
        match &change.after {
            Some(after) => self.objects.insert(Arc::clone(&change.key), after.clone()),
            None => self.objects.remove(&change.key),
        };
        self.history.push_back(change);
        while self.history.len() > self.limit {
            if let Some(forgotten) = self.history.pop_front() {
                self.compacted = forgotten.revision;
            }
        }
    }

    /// The part of the objects that a query is about, at its revision; `now` is the current one. What has to be
    /// selected is not yet: see [`selected`].
    pub(crate) fn part(&self, query: &ListQuery<'_>, now: u64) -> Result<Page, Compacted> {
        let Some(revision) = query.revision else {
            return Ok(part(&self.objects, query, now));
        };
        if revision < self.compacted {
            return Err(Compacted { oldest: self.compacted });
        }
        if self.history.back().is_none_or(|latest| latest.revision <= revision) {
            return Ok(part(&self.objects, query, revision));
        }
        let mut objects = self.objects.clone();
        for change in self.history.iter().rev().take_while(|change| change.revision > revision) {
            match &change.before {
                Some(before) => objects.insert(Arc::clone(&change.key), before.clone()),
                None => objects.remove(&change.key),
            };
        }
        Ok(part(&objects, query, revision))
    }

    /// The changes after a revision; `now` is the current one.
    pub(crate) fn changes(&self, after: u64, limit: usize, now: u64) -> Result<Changes, Compacted> {
        let oldest = self.compacted.max(self.begin);
        if after < oldest {
            return Err(Compacted { oldest });
        }
        let first = self.history.partition_point(|change| change.revision <= after);
        let changes: Vec<Change> = self.history.range(first..).take(limit).cloned().collect();
        let is_all = first + changes.len() == self.history.len();
        let until = match changes.last() {
            Some(last) if !is_all => last.revision,
            _ => now.max(after),
        };
        Ok(Changes { changes, until })
    }
}

fn part(objects: &BTreeMap<Arc<str>, Stored>, query: &ListQuery<'_>, revision: u64) -> Page {
    let from = match query.after {
        Some(after) if after >= query.prefix => Bound::Excluded(after),
        _ => Bound::Included(query.prefix),
    };
    let mut range =
        objects.range::<str, _>((from, Bound::Unbounded)).take_while(|(key, _)| key.starts_with(query.prefix));
    let wanted = if query.limit == 0 || query.keep.is_some() { usize::MAX } else { query.limit };
    let items = range.by_ref().take(wanted).map(|(key, stored)| (Arc::clone(key), stored.clone())).collect();
    Page { items, behind: range.count(), revision }
}

/// The selected objects of a part, at most as many as the query wants. What selects them may take its time: nothing is
/// locked here.
pub(crate) fn selected(part: Page, query: &ListQuery<'_>) -> Page {
    let Some(keep) = query.keep else { return part };
    let wanted = if query.limit == 0 { usize::MAX } else { query.limit };
    let mut candidates = part.items.into_iter();
    let mut items = Vec::new();
    while items.len() < wanted {
        let Some(candidate) = candidates.next() else { break };
        if keep(&candidate.1) {
            items.push(candidate);
        }
    }
    Page { items, behind: candidates.len() + part.behind, ..part }
}
