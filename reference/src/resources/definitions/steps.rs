//! The delayed steps after a write of a definition. Each runs when it is due, on the definition as it was written.

use std::convert::Infallible;
use std::time::SystemTime;

use crdible_semantics::definition::Status;

use super::live::is_installing;
use super::pending::{SettlingStep, Task};
use super::settle::{Establish, Registry, is_same_definition, with_status};
use super::unfinished::RETRY;
use crate::base::locks::{lock, write};
use crate::store::{Document, Stored};
use crate::wire::deep;

impl Registry {
    /// Runs all steps that are due.
    pub(crate) fn catch_up(&self) {
        self.retry_deletions();
        if let Some(pending) = &self.pending {
            let now = self.engine.clock.now();
            if pending.is_due(now) {
                self.run_steps(|| pending.take(Some(now)));
            }
        }
    }

    /// Runs all pending steps, due or not.
    pub(crate) fn settle_all(&self) {
        if let Some(pending) = &self.pending {
            self.run_steps(|| pending.take(None));
        }
    }

    /// Runs each step when it is due, and tries again what could not be deleted; never returns.
    pub(crate) async fn settle_in_time(&self) -> Infallible {
        tokio::select! {
            never = self.take_steps_in_time() => never,
            never = self.retry_in_time() => never,
        }
    }

    async fn retry_in_time(&self) -> Infallible {
        loop {
            tokio::time::sleep(RETRY).await;
            self.retry_deletions();
        }
    }

    async fn take_steps_in_time(&self) -> Infallible {
        let Some(pending) = &self.pending else {
            return std::future::pending().await;
        };
        let mut first = pending.first();
        loop {
            let due = *first.borrow_and_update();
            let until_due = async {
                match due {
                    Some(due) => {
                        let left = due.duration_since(self.engine.clock.now()).unwrap_or_default();
                        tokio::time::sleep(left).await;
                    }
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                // Cannot fail: this registry owns the sender.
                _ = first.changed() => {}
                () = until_due => self.catch_up(),
            }
        }
    }

    /// Runs the steps that `next` returns, until it returns none.
    fn run_steps(&self, next: impl Fn() -> Option<(SystemTime, Task)>) {
        let work = || {
            let _alone = lock(&self.settling);
            while let Some((due, task)) = next() {
                let next_step = task.step.next();
                for written in self.run_step(task) {
                    if let (Some(pending), Some(step)) = (&self.pending, next_step) {
                        pending.schedule(due, Task { step, written });
                    }
                }
            }
        };
        if self.engine.depth.is_somewhere() {
            deep::on_deep_stack(work);
        } else {
            work();
        }
    }

    /// Runs one step, and returns the definitions that are ready for the next one.
    fn run_step(&self, Task { step, written }: Task) -> Vec<Stored> {
        match step {
            SettlingStep::Names => self.settle_names(written, Establish::Later),
            SettlingStep::Establishment => vec![self.establish(written)],
            SettlingStep::Publication => {
                self.publish(&written);
                Vec::new()
            }
        }
    }

    /// Establishes a definition if nothing else is missing. The definition served by now may be newer than the one that
    /// is due.
    fn establish(&self, written: Stored) -> Stored {
        let current = self.find_by_name(written.object.name());
        match current.filter(|current| is_installing(&Status::of(&current.source.object.value()))) {
            Some(current) => {
                let is_due = current.source.revision == written.revision;
                let established = self.settle_names(current.source.clone(), Establish::Now);
                established.into_iter().next().filter(|_| is_due).unwrap_or(written)
            }
            None => written,
        }
    }

    /// Publishes what was served once this write had settled.
    fn publish(&self, written: &Stored) {
        let name = written.object.name();
        let Some((plural, group)) = name.split_once('.') else {
            return;
        };
        let is_same = |stored: &Stored| is_same_definition(&stored.object, &written.object);
        let served = self.collection.get(name).filter(is_same).map(|stored| match self.find_by_name(name) {
            Some(current) if current.source.revision == written.revision => current,
            current => {
                let object = with_status(&written.object, &stored.object.value());
                let source = Stored { revision: written.revision, object: Document::tree(object) };
                self.compile(name, source, current.as_deref())
            }
        });
        let mut published = write(&self.published);
        if published.find(group, plural).is_some_and(|known| known.source.revision > written.revision) {
            return;
        }
        match served {
            Some(definition) => published.insert(definition),
            None => published.remove(group, plural),
        };
    }
}
