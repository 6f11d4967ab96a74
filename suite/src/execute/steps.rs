//! The steps of a scenario, sent one after the other, each again as long as it is to be repeated.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{
    Exchange, Execution, ExecutionError, Executor, Keep, Record, Tenant,
    course::{Course, broken},
    serving::Care,
    wire::{Incoming, Outgoing, record},
};
use crate::{
    judge::{assumptions_hold, holds},
    scenario::{Action, Definition, Method, Request, Scenario, Until, Version},
    target::DEFINITIONS,
    transcript::Answer,
};

/// Between two tries of a repeated step: from this, growing by half each time, …
const FIRST_PAUSE: Duration = Duration::from_millis(10);
/// … up to this. Many workers that ask without pause keep a server from what they wait for.
const LONGEST_PAUSE: Duration = Duration::from_millis(300);
/// A step that settles is tried this often at the most: once more than the specification's *settle* needs.
const SETTLING_TRIES: usize = 3;
/// An answer that stays the same for so long is taken for the last: controllers follow a write of a definition within 200 ms, also
/// when many are written at once, unless the machine is busy.
const QUIET: Duration = Duration::from_millis(1200);

impl Executor {
    /// Runs all steps, and removes the objects that they stored.
    pub(super) async fn run_steps(
        &self,
        scenario: &Scenario,
        tenants: &mut Vec<Tenant>,
        execution: u64,
        recording: bool,
    ) -> Result<Execution, ExecutionError> {
        let mut course = Course::new(tenants, self.run(), execution);
        let mut record = if recording { self.record_definitions(scenario, course.tenants) } else { Record::default() };
        let mut outcome = Ok(());
        for (number, step) in scenario.steps.iter().enumerate() {
            let taken = match &step.action {
                Action::Install { definition, versions } => {
                    if recording && let Some(tenant) = course.tenants.get(*definition) {
                        record.exchanges.push(installation(tenant, versions));
                    }
                    self.install(&mut course, *definition, versions).await.map(|()| None)
                }
                Action::Send(request) => self
                    .repeat(
                        &mut course,
                        number,
                        request,
                        step.until.as_ref(),
                        recording.then_some(&mut record.exchanges),
                    )
                    .await
                    .map(Some),
            };
            match taken {
                Ok(answer) => course.push(answer),
                Err(error) => {
                    outcome = Err(error);
                    break;
                }
            }
            if !assumptions_hold(step, number, &course.transcript) {
                break;
            }
        }
        for (path, definition) in std::mem::take(&mut course.stored) {
            self.remove_object(path, scenario.definitions.get(definition), course.tenants.get_mut(definition)).await;
        }
        let Course { transcript, requests, .. } = course;
        outcome.map(|()| Execution { transcript, requests, record })
    }

    /// Removes a stored object. A server may be unable to remove what it cannot read under the present schema (PRUNE-019); then
    /// neither could the definition be removed, so the object goes under the schema with which the scenario began. Failing is
    /// borne: the clean-up of the run looks again.
    async fn remove_object(&self, path: String, definition: Option<&Definition>, tenant: Option<&mut Tenant>) {
        let removal = Outgoing::new(Method::Delete, path);
        let Ok(removed) = self.send(&removal).await else { return };
        if removed.body.pointer("/metadata/finalizers").is_some() {
            // It waits for somebody who would take them away.
            let patch = json!({ "metadata": { "finalizers": null } });
            let _ = self.send(&Outgoing::new(Method::MergePatch, removal.path.as_str()).with_body(&patch)).await;
        }
        let is_stuck = removed.status >= 500;
        if let (true, Some(definition), Some(tenant)) = (is_stuck, definition, tenant)
            && tenant.slot.versions != definition.versions
            && self.change(&mut tenant.slot, &definition.versions, Care::Usual).await.is_ok()
        {
            let _ = self.send(&removal).await;
        }
    }

    fn record_definitions(&self, scenario: &Scenario, tenants: &[Tenant]) -> Record {
        let installed = scenario.definitions.iter().zip(tenants).filter(|(_, tenant)| tenant.keep != Keep::Unborn);
        let document = |(definition, tenant): (&Definition, &Tenant)| {
            let versions: Vec<Value> = definition.versions.iter().map(Version::document).collect();
            tenant.slot.names.document(self.run(), None, &versions)
        };
        Record { definitions: installed.map(document).collect(), exchanges: Vec::new() }
    }

    async fn install(
        &self,
        course: &mut Course<'_>,
        definition: usize,
        versions: &[Version],
    ) -> Result<(), ExecutionError> {
        let tenant = course
            .tenants
            .get_mut(definition)
            .ok_or_else(|| broken("a step installs a definition that is not there"))?;
        self.change(&mut tenant.slot, versions, tenant.care).await
    }

    /// Sends a request until its condition holds; the last answer counts, whether it holds or not.
    async fn repeat(
        &self,
        course: &mut Course<'_>,
        number: usize,
        request: &Request,
        until: Option<&Until>,
        mut exchanges: Option<&mut Vec<Exchange>>,
    ) -> Result<(Answer, Value), ExecutionError> {
        let started = Instant::now();
        let mut pause = FIRST_PAUSE;
        let mut changed = started;
        let mut last: Option<(Answer, Value)> = None;
        for tries in 1.. {
            let outgoing = course.outgoing(request, last.as_ref().map(|(_, raw)| raw))?;
            let incoming = match course.made_by(request) {
                Some(names) => self.send_making(outgoing.clone(), names).await?,
                None => self.send(&outgoing).await?,
            };
            if incoming.is_unauthorized() {
                return Err(ExecutionError::Forbidden(incoming.told()));
            }
            course.requests += 1;
            course.note_stored(request, &outgoing, &incoming);
            self.note_definition(request, &incoming);
            if let Some(exchanges) = &mut exchanges {
                exchanges.push(record(&outgoing, &incoming));
            }
            let (answer, raw) = course.answer(request, incoming);
            let done = match until {
                None => true,
                Some(Until::Settled) => {
                    let before = last.as_ref().map(|(answer, _)| answer).or_else(|| course.source_of(request));
                    let same = before.is_some_and(|before| before.revision() == answer.revision());
                    same || !answer.is_accepted() || tries >= SETTLING_TRIES
                }
                Some(Until::Quiet) => {
                    let is_same = last.as_ref().is_some_and(|last| last.0.status == answer.status && last.1 == raw);
                    if !is_same || is_being_installed(&answer) {
                        changed = Instant::now();
                    }
                    changed.elapsed() >= QUIET || started.elapsed() > self.options.patience
                }
                Some(Until::Holds(condition)) => {
                    holds(condition, &answer, &course.transcript).is_ok() || started.elapsed() > self.options.patience
                }
            };
            last = Some((answer, raw));
            if done {
                break;
            }
            if matches!(until, Some(Until::Holds(_) | Until::Quiet)) {
                tokio::time::sleep(pause).await;
                pause = (pause * 3 / 2).min(LONGEST_PAUSE);
            }
        }
        last.ok_or_else(|| broken(&format!("step {number} was never tried")))
    }
}

/// Whether an answer shows a definition of which controllers have not said yet whether it is established (LIFE-002).
fn is_being_installed(answer: &Answer) -> bool {
    let conditions = answer.body.pointer("/status/conditions").and_then(Value::as_array);
    answer.body.get("kind").is_some_and(|kind| kind == "CustomResourceDefinition")
        && !conditions
            .into_iter()
            .flatten()
            .any(|condition| condition["type"] == "Established" && condition["reason"] != "Installing")
}

/// Another schema, as a person would install it.
fn installation(tenant: &Tenant, versions: &[Version]) -> Exchange {
    let versions: Vec<Value> = versions.iter().map(Version::document).collect();
    let path = format!("{DEFINITIONS}/{}", tenant.slot.names.definition());
    let patch = Outgoing::new(Method::MergePatch, path).with_body(&json!({ "spec": { "versions": versions } }));
    record(&patch, &Incoming { status: 200, warnings: Vec::new(), body: Value::Null })
}
