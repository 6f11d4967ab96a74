//! The queue of pending steps for definitions, on a server that settles with a delay, as the real one does.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, SystemTime};

use tokio::sync::watch;

use crate::base::locks::lock;
use crate::store::Stored;

/// The steps that follow a write of a definition, in order (LIFE-002, LIFE-003).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SettlingStep {
    /// Names are accepted or rejected, the new content is served, and a deletion proceeds.
    Names,
    /// A definition with accepted names is established.
    Establishment,
    /// Discovery and `OpenAPI` show what is served.
    Publication,
}

impl SettlingStep {
    pub(super) fn next(self) -> Option<Self> {
        match self {
            Self::Names => Some(Self::Establishment),
            Self::Establishment => Some(Self::Publication),
            Self::Publication => None,
        }
    }
}

/// Steps that are not due yet.
#[derive(Debug)]
pub(super) struct Pending {
    /// How long after its cause a step is due.
    delay: Duration,
    queue: Mutex<Queue>,
    /// When the first step is due.
    first: watch::Sender<Option<SystemTime>>,
}

#[derive(Debug, Default)]
struct Queue {
    /// By due time; steps that are due at the same time stay in insertion order.
    steps: BTreeMap<(SystemTime, u64), Task>,
    count: u64,
}

/// A step and its definition.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) step: SettlingStep,
    /// The definition as of the write that caused the step; later writes cause their own steps.
    pub(super) written: Stored,
}

impl Pending {
    pub(super) fn new(delay: Duration) -> Self {
        Self { delay, queue: Mutex::default(), first: watch::Sender::new(None) }
    }

    /// Schedules a step whose cause happened at the time `after`.
    pub(super) fn schedule(&self, after: SystemTime, task: Task) {
        let mut queue = self.queue();
        let number = queue.count;
        queue.count += 1;
        queue.steps.insert((after + self.delay, number), task);
        self.update_first(&queue);
    }

    /// Removes the first step and returns it with its due time, unless it is due after `until`. Without `until`, the
    /// time does not matter.
    pub(super) fn take(&self, until: Option<SystemTime>) -> Option<(SystemTime, Task)> {
        let mut queue = self.queue();
        let (due, _) = *queue.steps.first_key_value()?.0;
        if until.is_some_and(|until| due > until) {
            return None;
        }
        let (_, task) = queue.steps.pop_first()?;
        self.update_first(&queue);
        Some((due, task))
    }

    /// Returns a receiver of the time when the first step is due.
    pub(super) fn first(&self) -> watch::Receiver<Option<SystemTime>> {
        self.first.subscribe()
    }

    pub(super) fn is_due(&self, now: SystemTime) -> bool {
        self.first.borrow().is_some_and(|due| due <= now)
    }

    fn update_first(&self, queue: &Queue) {
        let first = queue.steps.first_key_value().map(|((due, _), _)| *due);
        self.first.send_if_modified(|known| std::mem::replace(known, first) != first);
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        lock(&self.queue)
    }
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use serde_json::json;

    use super::*;
    use crate::store::Document;

    fn task(name: &str) -> Task {
        let object = Document::tree(json!({"metadata": {"name": name}}));
        Task { step: SettlingStep::Names, written: Stored { revision: 1, object } }
    }

    #[test]
    fn steps_are_taken_in_order_and_only_when_due() {
        let pending = Pending::new(Duration::from_secs(2));
        let at = |seconds| UNIX_EPOCH + Duration::from_secs(seconds);
        pending.schedule(at(3), task("late"));
        pending.schedule(at(1), task("first"));
        pending.schedule(at(1), task("second"));
        assert_eq!(*pending.first().borrow(), Some(at(3)));
        assert!(!pending.is_due(at(2)) && pending.is_due(at(3)));
        let taken = |until| pending.take(until).map(|(due, task)| (due, task.written.object.name().to_owned()));
        assert_eq!(taken(Some(at(2))), None);
        assert_eq!(taken(Some(at(3))), Some((at(3), "first".to_owned())));
        assert_eq!(taken(Some(at(3))), Some((at(3), "second".to_owned())));
        assert_eq!(taken(Some(at(3))), None);
        assert_eq!(taken(None), Some((at(5), "late".to_owned())));
        assert_eq!(*pending.first().borrow(), None);
    }
}
