//! Lists of objects that a webhook converts, or of which some cannot be converted any more: from the view of their
//! version, or, where upstream does so too, from the store with a conversion of each object (CONV-022, VER-018).

use std::sync::Arc;

use crdible_semantics::release::Change;
use http::Method;

use super::Exchange;
use super::page::Position;
use crate::base::status::Failure;
use crate::messages::request::ListOptions;
use crate::messages::selectors::Selection;
use crate::store::{Compacted, Document, ListQuery, Mirror, Page, Stored};
use crate::views::{NotFresh, View};

/// At which revision a list is.
#[derive(Clone, Copy)]
enum At {
    /// At exactly this one.
    Exactly(u64),
    /// At this one or a later one.
    Least(u64),
    /// At the current one.
    Current,
    /// At any.
    Any,
}

impl At {
    fn of(options: &ListOptions, position: &Position) -> Self {
        if position.after.is_some() {
            return position.revision.map_or(Self::Current, Self::Exactly);
        }
        match position.required {
            Some(version) if options.exact => Self::Exactly(version),
            Some(version) => Self::Least(version),
            None if options.takes_any_revision => Self::Any,
            None => Self::Current,
        }
    }
}

impl Exchange<'_> {
    /// A page of a view. Its objects are already at the version of the request.
    pub(super) fn viewed_page(
        &self,
        view: &View,
        options: &ListOptions,
        position: &Position,
        selection: &Selection,
    ) -> Result<Page, Failure> {
        let at = At::of(options, position);
        let limit = options.limit;
        // Upstream deletes a collection page by page.
        let has_pages = limit > 0 || *self.call.method == Method::DELETE;
        let is_servable_by_store = has_pages && selection.is_all();
        let mirror = match view.ready(self.resource.deadline()) {
            Ok(mirror) => mirror,
            Err(failure) if failure.code != 429 || !is_servable_by_store => return Err(failure),
            Err(_) => return self.converted_page(at, position, limit, selection),
        };
        let required = match at {
            At::Exactly(revision) | At::Least(revision) => revision,
            At::Current => self.engine.store.revision(),
            At::Any => 0,
        };
        if let Err(NotFresh { current }) = view.fresh(&mirror, required, self.resource.deadline())? {
            return match at {
                At::Current => self.converted_page(at, position, limit, selection),
                _ => Err(Failure::too_high_revision(required, current)),
            };
        }
        let page = self.page_of_mirror(&mirror, at, position, limit, selection);
        page.or_else(|_| self.converted_page(at, position, limit, selection))
    }

    fn page_of_mirror(
        &self,
        mirror: &Mirror,
        at: At,
        position: &Position,
        limit: usize,
        selection: &Selection,
    ) -> Result<Page, Compacted> {
        let keep = |stored: &Stored| selection.wants(stored, |stored| Ok(stored.object.value().into_owned()));
        let keep = (!selection.is_all()).then_some(&keep as &dyn Fn(&Stored) -> bool);
        let revision = if let At::Exactly(revision) = at { Some(revision) } else { None };
        mirror.list(&ListQuery {
            prefix: &self.selected_prefix(selection),
            after: position.after.as_deref(),
            revision,
            limit,
            keep,
        })
    }

    /// A page of the store, whose objects are converted one by one. One that cannot be converted fails the page,
    /// whether it is selected or not.
    fn converted_page(
        &self,
        at: At,
        position: &Position,
        limit: usize,
        selection: &Selection,
    ) -> Result<Page, Failure> {
        let revision = if let At::Exactly(revision) = at { Some(revision) } else { None };
        let scanned = if selection.is_all() { limit } else { 0 };
        let prefix = self.selected_prefix(selection);
        let query =
            ListQuery { prefix: &prefix, after: position.after.as_deref(), revision, limit: scanned, keep: None };
        let part = self.resource.collection().list(&query).map_err(|_| position.expired(&self.prefix()))?;
        let tries_all = self.engine.semantics.release.has(Change::UnconvertibleIsUnreadable);
        let (mut first, mut unreadable) = (None, Vec::new());
        let (mut items, mut candidates) = (Vec::new(), part.items.into_iter());
        while limit == 0 || items.len() < limit {
            let Some((key, stored)) = candidates.next() else { break };
            let object = match self.resource.read(&stored) {
                Ok(object) => Document::text(&object),
                Err(failure) if tries_all && failure.is_unexplained() => {
                    first = first
                        .or(Some(format!("object not decodable revision={}: {}", stored.revision, failure.message)));
                    unreadable.push(self.key_in_store(&key));
                    continue;
                }
                Err(failure) => return Err(failure),
            };
            let converted = Stored { object, ..stored };
            if selection.wants(&converted, |converted| Ok(converted.object.value().into_owned())) {
                items.push((key, converted));
            }
        }
        if let Some(first) = first {
            let kind = self.resource.kind();
            return Err(Failure::unreadable(&kind.group, &kind.plural, &first, &unreadable));
        }
        Ok(Page { items, behind: candidates.len() + part.behind, revision: part.revision })
    }

    /// The object with this name in a view, for a request that accepts an older state.
    pub(super) fn viewed(&self, view: &View, name: &str, required: u64) -> Result<Option<Stored>, Failure> {
        let Some(mirror) = view.is_ready() else { return Ok(None) };
        if let Err(NotFresh { current }) = view.fresh(&mirror, required, self.resource.deadline())? {
            return Err(Failure::too_high_revision(required, current));
        }
        let seen = mirror.get(&self.key(name)).ok_or_else(|| self.not_found(name))?;
        Ok(Some(seen.stored))
    }

    /// What a view has, complete up to a revision. The inner error is what a watch that requires more shows.
    pub(super) fn watched(&self, view: &View, required: u64) -> Result<Result<Arc<Mirror>, Failure>, Failure> {
        let mirror = view.ready(self.resource.deadline())?;
        Ok(match view.fresh(&mirror, required, self.resource.deadline())? {
            Ok(()) => Ok(mirror),
            Err(NotFresh { current }) => Err(Failure::too_high_revision(required, current)),
        })
    }
}
