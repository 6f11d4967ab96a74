//! Starting a watch (REST-061, REST-077).

use std::collections::VecDeque;
use std::sync::Arc;

use crdible_semantics::release::Change;

use super::Exchange;
use crate::messages::answer::{Answer, Refusal};
use crate::messages::representation::Representation;
use crate::messages::watch::{AsViewed, Log, Reader, Source, Start, Watch, WatchOptions};
use crate::store::{ListQuery, Stored};

impl Exchange<'_> {
    pub(super) fn watch(&self) -> Result<Answer, Refusal> {
        let release = self.engine.semantics.release;
        if !release.has(Change::FormBeforeOptions) {
            WatchOptions::check(self.call.query, release)?;
        }
        let wanted = self.negotiated()?;
        let options = WatchOptions::parse(self.call.query, release)?;
        let mut selection = self.selection(&options.selectors)?;
        if let Some(name) = &self.path.name {
            selection = selection.of_one(name)?;
        }
        let begin = match options.start {
            Start::Present(not_older) => {
                self.refuse_future(not_older)?;
                Some(not_older)
            }
            Start::Current => Some(self.engine.store.revision()),
            Start::Now | Start::Behind(_) => None,
        };
        let shown = self.view(Representation { form: wanted.of_events()?, ..wanted })?;
        let (log, reader, life): (Log, Arc<dyn Reader>, _) = match self.resource.view() {
            None => {
                let log = Log::Store(Arc::clone(self.resource.collection()));
                (log, self.resource.reader(), self.resource.life())
            }
            Some(view) => match self.watched(view, begin.unwrap_or(0))? {
                Ok(mirror) => {
                    let life = mirror.life().clone();
                    (Log::View(mirror), Arc::new(AsViewed(view.reading())), Some(life))
                }
                Err(failure) => return Ok(Answer::refused_watch(wanted.format, &failure)),
            },
        };
        let (kind, prefix) = (self.resource.kind().clone(), self.prefix());
        let source = Source { kind, log, reader, prefix, selection, life };
        let (initial, after) = match options.start {
            Start::Present(_) | Start::Current => self.current_objects(&source),
            Start::Now => (VecDeque::new(), self.engine.store.revision()),
            Start::Behind(revision) => (VecDeque::new(), revision),
        };
        let (ends, depth) = (self.engine.watches_end.subscribe(), Arc::clone(&self.engine.depth));
        Ok(Answer::events(Watch::new(source, options, shown, initial, after, ends, depth)))
    }

    /// The current objects, and their revision.
    fn current_objects(&self, source: &Source) -> (VecDeque<Stored>, u64) {
        let keep = |stored: &Stored| source.wants(stored);
        let query = ListQuery { prefix: &source.prefix, after: None, revision: None, limit: 0, keep: Some(&keep) };
        // The current revision is never compacted.
        source.log.list(&query).map_or_else(
            |_| (VecDeque::new(), self.engine.store.revision()),
            |page| (page.items.into_iter().map(|(_, stored)| stored).collect(), page.revision),
        )
    }
}
