//! What is still to be done about definitions, on a server that takes its time for it as the real one does.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use tokio::sync::watch;

use crate::storage::Stored;

/// The steps behind a write of a definition, in order (LIFE-002, LIFE-003).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Names are accepted or not, the content is served, and what is deleted goes.
    Names,
    /// A definition whose names were accepted is established.
    Establishment,
    /// Discovery and `OpenAPI` tell what is served.
    Publication,
}

impl Step {
    pub(super) fn next(self) -> Option<Self> {
        match self {
            Self::Names => Some(Self::Establishment),
            Self::Establishment => Some(Self::Publication),
            Self::Publication => None,
        }
    }
}

/// Steps that wait for their time.
#[derive(Debug)]
pub(super) struct Pending {
    /// How long each step comes behind what it follows from.
    delay: Duration,
    queue: Mutex<Queue>,
    /// When the first of them is due.
    first: watch::Sender<Option<SystemTime>>,
}

#[derive(Debug, Default)]
struct Queue {
    /// By the time when they are due; those of one time in the order in which they came.
    steps: BTreeMap<(SystemTime, u64), Task>,
    count: u64,
}

/// A step, and the definition that it is about.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) step: Step,
    /// As it was when that happened which the step follows from: later writes have steps of their own.
    pub(super) written: Stored,
}

impl Pending {
    pub(super) fn new(delay: Duration) -> Self {
        Self { delay, queue: Mutex::default(), first: watch::Sender::new(None) }
    }

    /// Puts a step behind something that happened at this time.
    pub(super) fn put(&self, after: SystemTime, task: Task) {
        let mut queue = self.queue();
        let number = queue.count;
        queue.count += 1;
        queue.steps.insert((after + self.delay, number), task);
        self.tell_first(&queue);
    }

    /// Takes the first step out, with the time when it is due, if that is not behind this time; any, if there is no time.
    pub(super) fn take(&self, until: Option<SystemTime>) -> Option<(SystemTime, Task)> {
        let mut queue = self.queue();
        let (due, _) = *queue.steps.first_key_value()?.0;
        if until.is_some_and(|until| due > until) {
            return None;
        }
        let (_, task) = queue.steps.pop_first()?;
        self.tell_first(&queue);
        Some((due, task))
    }

    /// When the first step is due; changes with it.
    pub(super) fn first(&self) -> watch::Receiver<Option<SystemTime>> {
        self.first.subscribe()
    }

    pub(super) fn is_due(&self, now: SystemTime) -> bool {
        self.first.borrow().is_some_and(|due| due <= now)
    }

    fn tell_first(&self, queue: &Queue) {
        let first = queue.steps.first_key_value().map(|((due, _), _)| *due);
        self.first.send_if_modified(|told| std::mem::replace(told, first) != first);
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use serde_json::json;

    use super::*;
    use crate::storage::Document;

    fn task(name: &str) -> Task {
        let object = Document::tree(json!({"metadata": {"name": name}}));
        Task { step: Step::Names, written: Stored { revision: 1, object } }
    }

    #[test]
    fn steps_come_in_the_order_of_their_time_and_not_before() {
        let pending = Pending::new(Duration::from_secs(2));
        let at = |seconds| UNIX_EPOCH + Duration::from_secs(seconds);
        pending.put(at(3), task("late"));
        pending.put(at(1), task("first"));
        pending.put(at(1), task("second"));
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
