//! The steps of a scenario: one after the other, except those that are sent together; some are repeated.

use std::time::Duration;

use crdible_scenario::{
    Action, Body, Check, Conversion, Definition, Expectation, Method, Request, Resource, Scenario, Step, Until,
    Version,
    expect::{assumptions_hold, holds},
    transcript::{Answer, Refusal, Silence, SilentEnd, Timing, Transcript},
};
use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::time;

use super::{
    avoided::{Avoided, WatchedBy},
    context::{Context, Sent, invalid},
    definitions::{Definitions, InstallError},
    error::ExecutionError,
    execution::{Execution, InstalledDefinition, Record},
    lease::{Afterwards, Lease},
    removals::remove_stored,
    wire::{Exchange, Incoming, Outgoing, record, refused, unanswered},
};
use crate::connection::Stopwatch;

/// The first pause between two tries of a repeated step; it grows by half each time.
const FIRST_PAUSE: Duration = Duration::from_millis(10);
/// The longest such pause. Many workers that poll without a pause delay what they wait for.
const LONGEST_PAUSE: Duration = Duration::from_millis(300);
/// A *settle* step is tried at most this often: once more than the specification needs.
const SETTLING_TRIES: usize = 3;
/// An answer that has not changed for this long counts as the last one: controllers follow a write of a definition
/// within 200 ms, also when many are written at once, unless the machine is busy.
const QUIET: Duration = Duration::from_millis(1200);

/// The steps of a scenario during one execution.
#[derive(Debug)]
pub(super) struct Steps<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) definitions: &'a Definitions,
    /// What is left out.
    pub(super) avoided: Avoided,
    /// The number of the execution.
    pub(super) execution: u64,
    /// Whether the exchanges are recorded.
    pub(super) recording: bool,
}

impl Steps<'_> {
    /// Runs all of them, and removes the objects that they stored.
    pub(super) async fn run(&self, leases: &mut Vec<Lease>) -> Result<Execution, ExecutionError> {
        let (scenario, hooks) = (self.scenario, &self.definitions.hooks);
        let mut context = Context::new(leases, self.definitions.run(), self.execution);
        let mut record = if self.recording { self.record_definitions(context.leases) } else { Record::default() };
        hooks.begin_calls(context.leases);
        let mut outcome = Ok(());
        let mut next = 0;
        while next < scenario.steps.len() {
            let group = scenario.group_of(next);
            if group.clone().any(|step| self.is_left_out(step, &context.transcript)) {
                group.clone().for_each(|_| context.add_silent());
                next = group.end;
                continue;
            }
            let exchanges = match self.run_group(group.clone(), &mut context).await {
                Ok(exchanges) => exchanges,
                Err(error) => {
                    outcome = Err(error);
                    break;
                }
            };
            record.exchanges.extend(exchanges);
            hooks.mark_calls(context.leases, context.transcript.answers.len());
            let assumed = |number: usize| assumptions_hold(&scenario.steps[number], number, &context.transcript);
            if context.transcript.refusal.is_some() || !group.clone().all(assumed) {
                break;
            }
            next = group.end;
        }
        context.transcript.calls = hooks.end_calls(context.leases, self.execution);
        if scenario.checks.iter().any(|check| matches!(check.expect, Expectation::AnsweredAtOnce(_))) {
            context.transcript.elsewhere = self.definitions.sender.ended_elsewhere();
        }
        remove_stored(self.definitions, scenario, &mut context).await;
        let Context { transcript, requests, .. } = context;
        match outcome {
            Ok(()) => Ok(Execution { transcript, requests, record }),
            Err(ExecutionError::NoAnswer(mut silent)) => {
                record.exchanges.extend(silent.execution.record.exchanges);
                silent.execution = Execution { transcript, requests, record };
                Err(ExecutionError::NoAnswer(silent))
            }
            Err(error) => Err(error),
        }
    }

    /// Whether a step cannot show anything: it would send back an answer that is not an object, is a watch and the
    /// target has none, or is a dry run that the target ignores and whose effect others would see.
    fn is_left_out(&self, step: usize, transcript: &Transcript) -> bool {
        let Action::Send(request) = &self.scenario.steps[step].action else { return false };
        let has_no_body = match request.body {
            Body::Answer { step: from, .. } => !transcript.answer(from).is_some_and(Answer::is_accepted),
            Body::None | Body::Object { .. } | Body::Definition { .. } | Body::Json(_) | Body::Text { .. } => false,
        };
        has_no_body
            || (request.is_watch() && self.avoided.watches == WatchedBy::Nothing)
            || (self.ignores_dry_run(request) && !self.scenario.can_be_stored(step))
    }

    /// Whether the request is a dry run that the target is known to ignore.
    fn ignores_dry_run(&self, request: &Request) -> bool {
        request.dry_run
            && match request.resource {
                Resource::Definitions | Resource::Definition { .. } => self.avoided.dry_runs_of_definitions,
                _ => self.avoided.dry_runs_of_objects,
            }
    }

    /// Runs one step, or several that are sent together. Returns their exchanges, if they are recorded.
    async fn run_group(
        &self,
        group: std::ops::Range<usize>,
        context: &mut Context<'_>,
    ) -> Result<Vec<Exchange>, ExecutionError> {
        let (scenario, hooks) = (self.scenario, &self.definitions.hooks);
        if let Action::Convert { definition, converter } = &scenario.steps[group.start].action {
            let lease = context.leases.get(*definition);
            let lease = lease.ok_or_else(|| invalid("a step is about a missing definition"))?;
            hooks.convert_like(&lease.slot, converter);
            context.add_silent();
            return Ok(Vec::new());
        }
        if let Action::Install { definition, versions, conversion } = &scenario.steps[group.start].action {
            let lease = context.leases.get_mut(*definition);
            let lease = lease.ok_or_else(|| invalid("a step installs a missing definition"))?;
            if let Some(conversion) = conversion {
                hooks.convert_by(&mut lease.slot, conversion)?;
            }
            let outgoing = installation(lease, versions, conversion.is_some());
            let exchange = match self.definitions.change(&mut lease.slot, versions, lease.readiness).await {
                Ok(()) => {
                    if let Some(Conversion::Webhook(webhook)) = conversion {
                        hooks.convert_like(&lease.slot, &webhook.converter);
                    }
                    context.add_silent();
                    record(&outgoing, &Incoming { status: 200, ..Incoming::default() })
                }
                Err(InstallError::Refused(refusal)) => {
                    let exchange = refused(&outgoing, &refusal);
                    context.transcript.refusal = Some(Refusal { step: Some(group.start), ..*refusal });
                    exchange
                }
                Err(InstallError::Failed(error)) => return Err(error),
            };
            return Ok(if self.recording { vec![exchange] } else { Vec::new() });
        }
        let send = |number: usize| self.send_step(context, number);
        let sent = if group.len() == 1 { vec![send(group.start).await] } else { join_all(group.map(send)).await };
        let mut exchanges = Vec::new();
        for sent in sent {
            match sent {
                Ok(sent) => exchanges.extend(context.add(sent)),
                Err(ExecutionError::NoAnswer(silent)) if self.counts_end(silent.silence) => {
                    exchanges.extend(silent.execution.record.exchanges);
                    context.add_end();
                }
                Err(error) => return Err(error.after(exchanges)),
            }
        }
        Ok(exchanges)
    }

    /// Whether a check counts that the connection ended, so that the execution goes on.
    fn counts_end(&self, silence: Silence) -> bool {
        let counts = |check: &Check| match &check.expect {
            Expectation::AnsweredAtOnce(reads) => reads.contains(&silence.step),
            _ => false,
        };
        silence.end == SilentEnd::Closed && self.scenario.checks.iter().any(counts)
    }

    /// Sends the request of a step until its condition holds; the last answer counts, even if it does not hold.
    async fn send_step(&self, context: &Context<'_>, number: usize) -> Result<Sent, ExecutionError> {
        let step: &Step = &self.scenario.steps[number];
        let Action::Send(request) = &step.action else {
            return Err(invalid("an installation is sent together with a request"));
        };
        let (sender, waits) = (&self.definitions.sender, &self.definitions.waits);
        let stored = self.ignores_dry_run(request).then(|| Request { dry_run: false, ..(**request).clone() });
        let request = stored.as_ref().unwrap_or(request);
        let awaited = step.until.as_ref().map(|until| awaited(request, until));
        // Read each time, since another execution may have learned that it never
        // comes. It is not waited for twice in one execution.
        let was_missed = awaited.as_ref().is_some_and(|awaited| context.has_missed(awaited));
        let must_come = matches!(&step.until, Some(Until::Holds(condition)) if condition.is_only_a_matter_of_time());
        let limit = || match &awaited {
            Some(awaited) if !was_missed && must_come => waits.limit_of_what_must_come(awaited),
            Some(awaited) if !was_missed => waits.limit(awaited),
            Some(_) | None => Duration::ZERO,
        };
        let mut watch = Stopwatch::start();
        // When the answer last changed, and for how long it was quiet since.
        let (mut changed, mut quiet) = (Duration::ZERO, Duration::ZERO);
        let mut pause = FIRST_PAUSE;
        let mut exchanges = Vec::new();
        let mut last: Option<(Answer, Value)> = None;
        for requests in 1.. {
            let upgrade = self.avoided.watches == WatchedBy::WebSocket && request.is_watch() && !request.plain;
            let outgoing = context.outgoing(request, last.as_ref().map(|(_, raw)| raw))?;
            let outgoing = Outgoing { upgrade, ..outgoing };
            let turn = sender.turn(request).await;
            let (sent, before) = (context.clock.now(), watch.lap());
            let answered = match context.created_by(request) {
                Some(names) => self.definitions.created.create(outgoing.clone(), names.definition()).await,
                // A repeated dry run has no further effect.
                None if request.dry_run => sender.send_harmless(&outgoing).await.map_err(ExecutionError::from),
                None => sender.send(&outgoing).await.map_err(ExecutionError::from),
            };
            drop(turn);
            let incoming = match answered {
                Ok(incoming) => incoming,
                Err(ExecutionError::Transport(error)) => {
                    exchanges.extend(self.recording.then(|| unanswered(&outgoing, &error)));
                    return Err(ExecutionError::of_step(number, error, exchanges));
                }
                Err(error) => return Err(error),
            };
            let timing = Timing { sent, received: context.clock.now() };
            let (incoming, publication) = context.own_part(request, incoming);
            if incoming.is_unauthorized() {
                return Err(ExecutionError::forbidden(&record(&outgoing, &incoming)));
            }
            // What a dry run creates on a server that is known to ignore it is removed, too.
            if !request.dry_run || !self.definitions.readiness_probes().are_dry {
                context.note_stored(request, &outgoing, &incoming);
            }
            self.definitions.note_definition(request, &incoming);
            if self.recording {
                exchanges.push(record(&outgoing, &incoming));
            }
            let (answer, raw) = context.answer(request, incoming, publication);
            let answer = Answer { timing, ..answer };
            let is_done = match &step.until {
                None => true,
                Some(Until::Settled) => {
                    let before = last.as_ref().map(|(answer, _)| answer).or_else(|| context.source_of(request));
                    let is_same = before.is_some_and(|before| before.revision() == answer.revision());
                    is_same || !answer.is_accepted() || requests >= SETTLING_TRIES
                }
                Some(Until::Quiet) => {
                    let is_same = last.as_ref().is_some_and(|last| last.0.status == answer.status && last.1 == raw);
                    if !is_same || is_being_handled(&answer) && watch.elapsed() <= limit() {
                        (changed, quiet) = (watch.elapsed(), Duration::ZERO);
                    }
                    quiet >= QUIET || watch.elapsed() > waits.patience()
                }
                Some(Until::Holds(condition)) => {
                    holds(condition, &answer, &context.transcript).is_ok() || before >= limit()
                }
            };
            if is_done {
                let came = match &step.until {
                    Some(Until::Holds(condition)) => holds(condition, &answer, &context.transcript).is_ok(),
                    Some(Until::Quiet) => !is_being_handled(&answer),
                    Some(Until::Settled) | None => true,
                };
                // The quiet time afterwards was no wait for the target, nor was
                // the time of the last request, such as a watch.
                let took = match &step.until {
                    Some(Until::Quiet) => changed,
                    Some(Until::Settled | Until::Holds(_)) | None => before,
                };
                match &awaited {
                    Some(awaited) if came => waits.came(awaited, took),
                    Some(awaited) => {
                        waits.missed(awaited);
                        context.note_missed(awaited.clone());
                    }
                    None => {}
                }
                return Ok(Sent { answer, raw, exchanges, requests: requests as u64 });
            }
            last = Some((answer, raw));
            if matches!(step.until, Some(Until::Holds(_) | Until::Quiet)) {
                time::sleep(pause).await;
                quiet += pause;
                pause = (pause * 3 / 2).min(LONGEST_PAUSE);
            }
        }
        Err(invalid("a step was never sent"))
    }

    fn record_definitions(&self, leases: &[Lease]) -> Record {
        let pairs = self.scenario.definitions.iter().zip(leases);
        let installed = pairs.filter(|(_, lease)| lease.afterwards != Afterwards::Nothing);
        let document = |(definition, lease): (&Definition, &Lease)| {
            let conversion = lease.slot.converting.document();
            lease.slot.names.document(self.definitions.run(), None, conversion, &definition.versions)
        };
        let installed =
            installed.map(|pair| InstalledDefinition { document: document(pair), status: pair.1.slot.created_with });
        Record { definitions: installed.collect(), exchanges: Vec::new() }
    }
}

/// What a repeated step waits for, the same for all steps that wait for the same kind of thing.
fn awaited(request: &Request, until: &Until) -> String {
    let condition = match until {
        Until::Settled => "to settle".to_owned(),
        Until::Quiet => "to be handled".to_owned(),
        // The same for all requests: a version is known to be deprecated or not.
        Until::Holds(condition) if condition.is_about_warnings() => return condition.kind(),
        Until::Holds(condition) => condition.kind(),
    };
    format!("{:?} {}: {condition}", request.method, request.resource.kind())
}

/// Whether an answer shows a definition that its controllers have not looked at yet: to decide whether it is
/// established (LIFE-002), or to clean up after its deletion (LIFE-014).
fn is_being_handled(answer: &Answer) -> bool {
    let conditions = answer.body.pointer("/status/conditions").and_then(Value::as_array);
    let has = |is_meant: fn(&Value) -> bool| conditions.into_iter().flatten().any(is_meant);
    answer.body["kind"] == "CustomResourceDefinition"
        && (!has(|one| one["type"] == "Established" && one["reason"] != "Installing")
            || has(|one| one["type"] == "Terminating" && one["reason"] == "InstanceDeletionPending"))
}

/// A changed schema, as a user would install it.
fn installation(lease: &Lease, versions: &[Version], changes_conversion: bool) -> Outgoing {
    let versions: Vec<Value> = versions.iter().map(Version::document).collect();
    let mut spec = json!({ "versions": versions });
    if changes_conversion {
        spec["conversion"] = lease.slot.converting.document().cloned().unwrap_or_default();
    }
    Outgoing::new(Method::MergePatch, lease.slot.names.definition().path()).with_body(&json!({ "spec": spec }))
}
