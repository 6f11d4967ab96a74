//! The steps behind a write of a definition, on a server that takes its time for them: each when it is due, and about what was written
//! then.

use std::convert::Infallible;
use std::sync::PoisonError;
use std::time::SystemTime;

use crdible_semantics::definition::Status;

use super::live::is_installing;
use super::pending::{Step, Task};
use super::settle::{Establish, Registry, is_of_same, with_status};
use crate::deep;
use crate::storage::{Document, Stored};

impl Registry {
    /// Does what is due.
    pub(crate) fn catch_up(&self) {
        if let Some(pending) = &self.pending {
            let now = self.engine.clock.now();
            if pending.is_due(now) {
                self.work_off(|| pending.take(Some(now)));
            }
        }
    }

    /// Does all that is to be done, due or not.
    pub(crate) fn settle_all(&self) {
        if let Some(pending) = &self.pending {
            self.work_off(|| pending.take(None));
        }
    }

    /// Does what is due, when it is due.
    pub(crate) async fn settle_in_time(&self) -> Infallible {
        let Some(pending) = &self.pending else {
            return std::future::pending().await;
        };
        let mut first = pending.first();
        loop {
            let due = *first.borrow_and_update();
            let time_comes = async {
                match due {
                    Some(due) => {
                        let left = due.duration_since(self.engine.clock.now()).unwrap_or_default();
                        tokio::time::sleep(left).await;
                    }
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                // Its sender is in this registry.
                _ = first.changed() => {}
                () = time_comes => self.catch_up(),
            }
        }
    }

    /// Does the steps that are given until there are no more.
    fn work_off(&self, next: impl Fn() -> Option<(SystemTime, Task)>) {
        let work = || {
            let _alone = self.settling.lock().unwrap_or_else(PoisonError::into_inner);
            while let Some((due, task)) = next() {
                let next_step = task.step.next();
                for written in self.take_step(task) {
                    if let (Some(pending), Some(step)) = (&self.pending, next_step) {
                        pending.put(due, Task { step, written });
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

    /// Takes one step; these definitions are ready for the next one.
    fn take_step(&self, Task { step, written }: Task) -> Vec<Stored> {
        match step {
            Step::Names => self.settle_names(written, Establish::Later),
            Step::Establishment => vec![self.establish(written)],
            Step::Publication => {
                self.publish(&written);
                Vec::new()
            }
        }
    }

    /// Establishes a definition that waits for nothing else. What is in force by now may be a later one than that which is due.
    fn establish(&self, written: Stored) -> Stored {
        let in_force = self.in_force(written.object.name());
        match in_force.filter(|in_force| is_installing(&Status::of(&in_force.source.object.value()))) {
            Some(in_force) => {
                let is_due = in_force.source.revision == written.revision;
                let established = self.settle_names(in_force.source.clone(), Establish::Now);
                established.into_iter().next().filter(|_| is_due).unwrap_or(written)
            }
            None => written,
        }
    }

    /// Makes known what was served when this was in force.
    fn publish(&self, written: &Stored) {
        let name = written.object.name();
        let Some((plural, group)) = name.split_once('.') else {
            return;
        };
        let told =
            self.collection.get(name).filter(|stored| is_of_same(&stored.object, &written.object)).map(|stored| {
                let in_force = self.in_force(name);
                match in_force {
                    Some(in_force) if in_force.source.revision == written.revision => in_force,
                    in_force => {
                        let object = with_status(&written.object, &stored.object.value());
                        let source = Stored { revision: written.revision, object: Document::tree(object) };
                        self.compile(name, source, in_force.as_deref())
                    }
                }
            });
        let mut published = self.published.write().unwrap_or_else(PoisonError::into_inner);
        if published.find(group, plural).is_some_and(|known| known.source.revision > written.revision) {
            return;
        }
        match told {
            Some(definition) => published.put(definition),
            None => published.remove(group, plural),
        };
    }
}
