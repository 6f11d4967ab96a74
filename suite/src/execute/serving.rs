//! Waiting until a schema is served: by probes, and on as many servers as answer.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{
    Executor,
    definitions::ExecutionError,
    names::Names,
    pool::Slot,
    sentinel::Probe,
    wire::{Incoming, Outgoing},
};
use crate::{
    scenario::{Method, Scope, Version},
    transcript::Answer,
};

/// Between two probes: from this, doubled each time, …
const FIRST_PAUSE: Duration = Duration::from_millis(2);
/// … up to this.
const LONGEST_PAUSE: Duration = Duration::from_millis(200);
/// So many probes at once meet every one of several servers behind one address, as a rule.
const PROBES_AT_ONCE: usize = 12;
/// So many changes of the schema show whether there are several.
const CHANGES_TO_TELL: u64 = 4;

/// How carefully a schema is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Care {
    /// Not at all: nobody sends objects.
    None,
    /// Each served version answers with it once.
    Usual,
    /// Many requests at once are answered with it: also by those of several servers that learn of it late.
    Thorough,
}

impl Executor {
    /// Finds out which probe the target answers truly: a schema that should answer does, and one that should not does not.
    /// Returns an error if none does, or if definitions cannot be made at all.
    pub async fn prepare(&mut self) -> Result<(), ExecutionError> {
        let versions = vec![Version::only(json!({ "type": "object" }))];
        let mut last = None;
        for probe in Probe::CHAIN {
            self.probe = probe;
            let mut slot = self.make(Scope::default(), &versions, Care::None).await?;
            let are_several = match self.await_agreement(&slot, &versions[0]).await {
                Ok(are_several) => are_several,
                Err(error) => {
                    self.remove(&slot.names).await;
                    match error {
                        // No other probe reaches what is not there at all.
                        ExecutionError::NeverServed { is_routed: true, .. } => last = Some(error),
                        _ => return Err(error),
                    }
                    continue;
                }
            };
            if self.shows(&slot.names, &versions, "r0-never").await? {
                self.remove(&slot.names).await;
                continue;
            }
            self.are_several = are_several || self.disagree_after_changes(&mut slot, &versions).await?;
            slot.awaited = Care::Thorough;
            self.pool.put(slot).await;
            return Ok(());
        }
        Err(last.unwrap_or_else(|| ExecutionError::NeverServed {
            what: "no probe tells which schema answers".to_owned(),
            waited: Duration::ZERO,
            is_routed: true,
            last: "every revision is said to be served: enums, defaults and pruning all fail".to_owned(),
        }))
    }

    /// Whether several servers answer at this address, and learn of a changed schema one after the other.
    async fn disagree_after_changes(&self, slot: &mut Slot, versions: &[Version]) -> Result<bool, ExecutionError> {
        let mut disagree = false;
        for _ in 0..CHANGES_TO_TELL {
            self.change(slot, versions, Care::None).await?;
            disagree |= self.await_agreement(slot, &versions[0]).await?;
        }
        Ok(disagree)
    }

    /// Waits until all served versions of a definition answer with its present schemas.
    pub(super) async fn await_served(&self, slot: &mut Slot, care: Care) -> Result<(), ExecutionError> {
        for version in slot.versions.iter().filter(|version| version.served) {
            match care {
                Care::None => return Ok(()),
                Care::Usual => self.await_answer(slot, version).await?,
                Care::Thorough => {
                    self.await_agreement(slot, version).await?;
                }
            }
        }
        slot.awaited = care;
        Ok(())
    }

    /// Waits until one request is answered with the present schema.
    async fn await_answer(&self, slot: &Slot, version: &Version) -> Result<(), ExecutionError> {
        let mut wait = Wait::new(version, self.options.patience);
        loop {
            let answer = self.ask(&slot.names, &version.name, &slot.revision_name()).await?;
            if self.is_from(&slot.revision_name(), &answer) {
                return Ok(());
            }
            wait.pause(&answer).await?;
        }
    }

    /// Waits until many requests at once, over as many connections, are all answered with the present schema. Returns whether
    /// some were answered with an earlier one although others had seen the present one before: then several servers answer.
    async fn await_agreement(&self, slot: &Slot, version: &Version) -> Result<bool, ExecutionError> {
        let mut wait = Wait::new(version, self.options.patience);
        let revision = slot.revision_name();
        let (mut was_seen, mut disagree) = (false, false);
        loop {
            let (mut stale, mut is_seen) = (None, false);
            let probes = (0..PROBES_AT_ONCE).map(|_| self.ask(&slot.names, &version.name, &revision));
            for answer in futures_util::future::join_all(probes).await {
                let answer = answer?;
                if self.is_from(&revision, &answer) { is_seen = true } else { stale = Some(answer) }
            }
            let Some(stale) = stale else { return Ok(disagree) };
            disagree |= was_seen;
            was_seen |= is_seen;
            wait.pause(&stale).await?;
        }
    }

    async fn shows(&self, names: &Names, versions: &[Version], revision: &str) -> Result<bool, ExecutionError> {
        let answer = self.ask(names, &versions[0].name, revision).await?;
        Ok(self.is_from(revision, &answer))
    }

    async fn ask(&self, names: &Names, version: &str, revision: &str) -> Result<Incoming, ExecutionError> {
        let mut body = self.probe.fields(revision);
        body["apiVersion"] = json!(names.api_version(version));
        body["kind"] = json!(names.kind);
        body["metadata"] = json!({ "name": "probe" });
        let path = format!("{}?dryRun=All", names.collection(version));
        Ok(self.send(&Outgoing::new(Method::Post, path).with_body(&body)).await?)
    }

    fn is_from(&self, revision: &str, answer: &Incoming) -> bool {
        let answer = Answer { status: answer.status, body: answer.body.clone(), ..Answer::default() };
        let fields: Vec<String> = answer.causes().into_iter().map(|cause| cause.field).collect();
        self.probe.is_from(revision, answer.status, &answer.body, &fields)
    }
}

/// Waiting with growing pauses, until patience ends.
struct Wait<'a> {
    version: &'a Version,
    patience: Duration,
    started: Instant,
    pause: Duration,
}

impl<'a> Wait<'a> {
    fn new(version: &'a Version, patience: Duration) -> Self {
        Self { version, patience, started: Instant::now(), pause: FIRST_PAUSE }
    }

    async fn pause(&mut self, last: &Incoming) -> Result<(), ExecutionError> {
        let waited = self.started.elapsed();
        if waited > self.patience {
            let what = format!("version {} of a definition was not served with its schema", self.version.name);
            return Err(ExecutionError::NeverServed { what, waited, is_routed: last.status != 404, last: last.told() });
        }
        tokio::time::sleep(self.pause).await;
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        Ok(())
    }
}
