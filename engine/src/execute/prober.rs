//! Waiting until a schema is served: by probes, and by every replica that answers.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use crdible_scenario::{Method, Scope, Version, transcript::Answer};
use serde_json::{Value, json};

use super::{
    changes::Changes,
    error::ExecutionError,
    names::Names,
    readiness_probes::ReadinessProbes,
    sender::Sender,
    sentinel::{PROBE_PREFIX, Probe, Seen},
    slot::{Converting, Readiness, Slot},
    waits::Waits,
    wire::{Incoming, Outgoing, record},
};
use crate::connection::Stopwatch;

/// The first pause between two probes; it doubles each time.
const FIRST_PAUSE: Duration = Duration::from_millis(2);
/// The longest pause between two probes.
pub(super) const LONGEST_PAUSE: Duration = Duration::from_millis(200);
/// This many concurrent probes usually reach every replica behind one address.
const CONCURRENT_PROBES: usize = 12;
/// How often a probe on which the whole run depends is sent again after a failure of the server.
pub(super) const SAMPLES: usize = 3;

/// Finds out whether a schema is served, and waits until it is.
#[derive(Debug)]
pub(super) struct Prober {
    sender: Arc<Sender>,
    waits: Arc<Waits>,
    /// How the target shows it.
    pub(super) readiness_probes: ReadinessProbes,
    /// How long the target takes for it.
    pub(super) changes: Changes,
    /// Numbers probes, for the names of their objects.
    probes: AtomicU64,
}

impl Prober {
    /// A prober of a target of which nothing is known yet.
    pub(super) fn new(sender: Arc<Sender>, waits: Arc<Waits>) -> Self {
        Self {
            sender,
            waits,
            readiness_probes: ReadinessProbes::default(),
            changes: Changes::default(),
            probes: AtomicU64::new(0),
        }
    }

    /// Waits until all served versions of a definition answer with its present schemas.
    pub(super) async fn await_served(&self, slot: &mut Slot, readiness: Readiness) -> Result<(), ExecutionError> {
        for version in slot.versions.iter().filter(|version| version.served && slot.shows(version)) {
            match readiness {
                Readiness::Unknown => return Ok(()),
                Readiness::Answered => self.await_answer(slot, version).await?,
                Readiness::Agreed => {
                    // One probe until it is served: the first create of a new definition sleeps 2 s in the real server.
                    self.await_answer(slot, version).await?;
                    self.await_agreement(slot, version).await?;
                }
            }
        }
        slot.readiness = readiness;
        Ok(())
    }

    /// Waits until one request is answered with the present schema.
    async fn await_answer(&self, slot: &Slot, version: &Version) -> Result<(), ExecutionError> {
        let mut wait = Wait::new(version, slot.names.scope, &self.waits);
        let revision = slot.revision_name();
        let is_changed = slot.revision > 1;
        if is_changed {
            let usual = self.changes.usual();
            wait = wait.of_change(usual);
            // An immediate probe would only cost the server time, unless it serves a change immediately.
            let first = usual * 2 / 3;
            match self.readiness_probes.probe {
                Some(_) if first < FIRST_PAUSE => {}
                Some(_) => tokio::time::sleep(first).await,
                None => tokio::time::sleep(self.changes.longest_usual()).await,
            }
        }
        let mut failed_conversions = 0;
        loop {
            let probed = self.ask(&slot.names, &version.name, &revision).await?;
            if is_failed_conversion(slot, &probed.answer) {
                // The version is served. The steps will find that its conversion fails.
                failed_conversions += 1;
                if failed_conversions >= SAMPLES {
                    return Ok(());
                }
            }
            match self.shown(&revision, &probed.answer) {
                Seen::This => {
                    wait.came();
                    // Without a probe this shows only how long it was waited for.
                    if is_changed && self.readiness_probes.probe.is_some() {
                        self.changes.took(wait.watch.elapsed());
                    }
                    return Ok(());
                }
                seen if self.is_late_enough(seen, probed.answer.is_accepted(), &wait) => return Ok(()),
                Seen::Unclear | Seen::Another => wait.pause(&probed).await?,
            }
        }
    }

    /// Waits until many concurrent requests, over as many connections, are all answered with the present
    /// schema. Returns whether some were answered with an earlier one although others had seen the
    /// present one before: then there are several replicas.
    pub(super) async fn await_agreement(&self, slot: &Slot, version: &Version) -> Result<bool, ExecutionError> {
        let mut wait = Wait::new(version, slot.names.scope, &self.waits);
        let revision = slot.revision_name();
        let (mut was_seen, mut disagree) = (false, false);
        loop {
            let (mut stale, mut is_seen) = (None, false);
            let probes = (0..CONCURRENT_PROBES).map(|_| self.ask_steadily(slot, version, &revision));
            for answered in futures_util::future::join_all(probes).await {
                let probed = answered?;
                match self.shown(&revision, &probed.answer) {
                    Seen::This => is_seen = true,
                    seen if self.is_late_enough(seen, probed.answer.is_accepted(), &wait) => {}
                    Seen::Unclear | Seen::Another => stale = Some(probed),
                }
            }
            let Some(stale) = stale else {
                wait.came();
                return Ok(disagree);
            };
            disagree |= was_seen;
            was_seen |= is_seen;
            wait.pause(&stale).await?;
        }
    }

    /// Sends a probe again if the server fails: many at once would always meet a server that fails now and then.
    async fn ask_steadily(&self, slot: &Slot, version: &Version, revision: &str) -> Result<Probed, ExecutionError> {
        let mut probed = self.ask(&slot.names, &version.name, revision).await?;
        for _ in 1..SAMPLES {
            if probed.answer.status < 500 || is_failed_conversion(slot, &probed.answer) {
                break;
            }
            probed = self.ask(&slot.names, &version.name, revision).await?;
        }
        Ok(probed)
    }

    /// Whether a changed schema must be served by now, although the probe does not show it.
    fn is_late_enough(&self, seen: Seen, is_accepted: bool, wait: &Wait<'_>) -> bool {
        // Before patience ends: that would be an error.
        let within = |time: Duration| time.min(self.waits.patience() / 2);
        match (seen, self.readiness_probes.probe) {
            (Seen::Unclear, _) => wait.is_longer_than(within(self.changes.longest_usual())),
            // Another probe is used only on a server without enums, and it may fail under some schemas.
            (Seen::Another, Some(Probe::Default | Probe::Pruning | Probe::Type)) => {
                let is_late = is_accepted && wait.is_longer_than(within(self.changes.longest_unseen()));
                if is_late {
                    self.changes.missed();
                }
                is_late
            }
            (Seen::This, _) | (Seen::Another, Some(Probe::Enum) | None) => false,
        }
    }

    /// Sends a probe; what it stores is removed again.
    pub(super) async fn ask(&self, names: &Names, version: &str, revision: &str) -> Result<Probed, ExecutionError> {
        let probed = self.create_probe(names, version, revision).await?;
        if probed.answer.is_accepted() && !self.readiness_probes.are_dry {
            self.sender.send(&Outgoing::new(Method::Delete, probed.object.as_str())).await?;
        }
        Ok(probed)
    }

    pub(super) async fn create_probe(
        &self,
        names: &Names,
        version: &str,
        revision: &str,
    ) -> Result<Probed, ExecutionError> {
        // A new name each time: a target that ignores dry runs has stored the earlier probes.
        let name = format!("{PROBE_PREFIX}{}", self.probes.fetch_add(1, Ordering::Relaxed));
        let collection = names.collection(version);
        let mut body = self.readiness_probes.probe.map_or_else(|| json!({}), |probe| probe.fields(revision));
        body["apiVersion"] = json!(names.api_version(version));
        body["kind"] = json!(names.kind);
        body["metadata"] = json!({ "name": name });
        let query = if self.readiness_probes.are_dry { "?dryRun=All" } else { "" };
        let outgoing = Outgoing::new(Method::Post, format!("{collection}{query}")).with_body(&body);
        // A repeated dry run has no further effect.
        let answer = if self.readiness_probes.are_dry {
            self.sender.send_harmless(&outgoing).await
        } else {
            self.sender.send(&outgoing).await
        }?;
        if answer.is_unauthorized() {
            return Err(ExecutionError::forbidden(&record(&outgoing, &answer)));
        }
        Ok(Probed { object: format!("{collection}/{name}"), outgoing, answer })
    }

    pub(super) fn shown(&self, revision: &str, answer: &Incoming) -> Seen {
        match self.readiness_probes.probe {
            Some(probe) => {
                let answer = Answer { status: answer.status, body: answer.body.clone(), ..Answer::default() };
                probe.is_from(revision, &answer)
            }
            // Schemas cannot be distinguished, so any answer that is not a 404 or a failure is enough.
            None if answer.status == 404 || answer.status >= 500 => Seen::Another,
            None => Seen::This,
        }
    }
}

/// A probe that was sent.
pub(super) struct Probed {
    /// The path of the object that it creates, or would create.
    pub(super) object: String,
    outgoing: Outgoing,
    pub(super) answer: Incoming,
}

/// Whether an answer says that the webhook of the definition failed, although it
/// converts correctly while schemas are awaited.
fn is_failed_conversion(slot: &Slot, answer: &Incoming) -> bool {
    let message = answer.body.get("message").and_then(Value::as_str).unwrap_or_default();
    matches!(slot.converting, Converting::Hooked { .. })
        && answer.status == 500
        && message.contains("conversion webhook")
}

/// Waits with growing pauses until a schema is served, or until the usual time is over.
pub(super) struct Wait<'a> {
    version: &'a Version,
    waits: Arc<Waits>,
    what: &'static str,
    watch: Stopwatch,
    pause: Duration,
    /// The pauses grow up to this.
    longest_pause: Duration,
}

impl<'a> Wait<'a> {
    pub(super) fn new(version: &'a Version, scope: Scope, waits: &Arc<Waits>) -> Self {
        // A server may serve only some of these.
        let what = match (scope, version.storage) {
            (Scope::Cluster, true) => "a schema of a cluster-scoped definition is served",
            (Scope::Cluster, false) => "a version of a cluster-scoped definition is served that is not stored",
            (Scope::Namespaced, true) => "a schema of a namespaced definition is served",
            (Scope::Namespaced, false) => "a version of a namespaced definition is served that is not stored",
        };
        Self {
            version,
            waits: Arc::clone(waits),
            what,
            watch: Stopwatch::start(),
            pause: FIRST_PAUSE,
            longest_pause: LONGEST_PAUSE,
        }
    }

    /// The same for a change that usually takes this long.
    fn of_change(self, usual: Duration) -> Self {
        let longest_pause = (usual / 4).clamp(FIRST_PAUSE, LONGEST_PAUSE);
        Self { pause: longest_pause, longest_pause, ..self }
    }

    fn is_longer_than(&self, time: Duration) -> bool {
        self.watch.elapsed() >= time
    }

    pub(super) fn came(&self) {
        self.waits.came(self.what, self.watch.elapsed());
    }

    pub(super) async fn pause(&mut self, last: &Probed) -> Result<(), ExecutionError> {
        let waited = self.watch.lap();
        if waited > self.waits.limit_of_what_must_come(self.what) {
            self.waits.missed(self.what);
            return Err(ExecutionError::NeverServed {
                what: format!(
                    "no object of version {} of a definition is accepted with its present schema",
                    self.version.name
                ),
                waited,
                last: last.answer.summary(),
                exchanges: vec![record(&last.outgoing, &last.answer)],
            });
        }
        tokio::time::sleep(self.pause).await;
        self.pause = (self.pause * 2).min(self.longest_pause);
        Ok(())
    }
}
