//! A session with one target: opened by finding out what the target can do at all, closed by removing what was made.

use std::{collections::BTreeMap, sync::Arc};

use tokio::sync::mpsc::UnboundedSender;

use super::{
    examine::{Attempt, Finding, Outcome, Shrinking, attempt},
    interrupt::Interrupt,
    schedule::{RunOptions, run},
    state::{Event, Summary},
};
use crate::{
    execute::{ExecutionError, Executor, ExecutorOptions, Freshness, Record},
    judge::Failure,
    properties::{CAPABILITIES, Capability, CapabilityTest, Property},
    scenario::Scenario,
    target::{REFRESH_EVERY, Transport},
};

/// A target that is ready to be judged.
#[derive(Debug)]
pub struct Session {
    executor: Arc<Executor>,
    lacks: BTreeMap<Capability, Option<Box<Finding>>>,
}

/// How the opening of a session ended.
#[derive(Debug)]
pub enum Opening<S, Left> {
    /// It is open.
    Open(S),
    /// It was interrupted, and what was made is removed, but for the definitions that would not go.
    Interrupted(Left),
}

impl Session {
    /// Opens a session: tries each capability with one tiny scenario. A target that lacks some is no error; one that does not
    /// answer is.
    pub async fn open(transport: Arc<dyn Transport>, options: ExecutorOptions) -> Result<Self, ExecutionError> {
        match Self::open_unless(transport, options, Interrupt::never()).await? {
            Opening::Open(session) => Ok(session),
            Opening::Interrupted(_) => Err(ExecutionError::Closing),
        }
    }

    /// As [`Session::open`], unless it is interrupted.
    pub async fn open_unless(
        transport: Arc<dyn Transport>,
        options: ExecutorOptions,
        interrupt: Interrupt,
    ) -> Result<Opening<Self, Vec<String>>, ExecutionError> {
        let mut executor = Executor::new(transport, options);
        let mut lacks = BTreeMap::new();
        let probed = tokio::select! {
            probed = probe_capabilities(&mut executor, &mut lacks) => Some(probed),
            () = interrupt.raised() => None,
        };
        match probed {
            Some(Ok(())) => Ok(Opening::Open(Self { executor: Arc::new(executor), lacks })),
            Some(Err(error)) => {
                executor.clean_up().await;
                Err(error)
            }
            None => Ok(Opening::Interrupted(executor.clean_up().await)),
        }
    }

    /// What the target lacks; with the finding that shows it, unless it only follows from another lack.
    pub fn lacks(&self) -> impl Iterator<Item = (Capability, Option<&Finding>)> {
        self.lacks.iter().map(|(capability, finding)| (*capability, finding.as_deref()))
    }

    /// The first capability that a property needs and the target lacks.
    pub fn missing(&self, property: &Property) -> Option<Capability> {
        property.needs.iter().copied().find(|need| self.lacks.contains_key(need))
    }

    /// The executor of the session.
    pub fn executor(&self) -> &Arc<Executor> {
        &self.executor
    }

    /// Runs cases of properties. Those that need what the target lacks are left out, and the events say so first.
    pub async fn run(&self, mut options: RunOptions, events: UnboundedSender<Event>, interrupt: Interrupt) -> Summary {
        options.leave_out(|property| self.missing(property), &events);
        let running = run(Arc::clone(&self.executor), options, events, interrupt);
        tokio::select! {
            summary = running => summary,
            never = self.stay_alive() => match never {},
        }
    }

    /// Says now and then that the run is alive; never returns.
    pub(crate) async fn stay_alive(&self) -> std::convert::Infallible {
        loop {
            tokio::time::sleep(REFRESH_EVERY).await;
            self.executor.say_alive().await;
        }
    }

    /// Removes everything that was made, and returns the names of definitions that would not go.
    pub async fn close(self) -> Vec<String> {
        self.executor.clean_up().await
    }
}

async fn probe_capabilities(
    executor: &mut Executor,
    lacks: &mut BTreeMap<Capability, Option<Box<Finding>>>,
) -> Result<(), ExecutionError> {
    for test in CAPABILITIES {
        if test.stands_on.iter().any(|basis| lacks.contains_key(basis)) {
            lacks.insert(test.capability, None);
            continue;
        }
        if test.capability == Capability::Serving
            && let Err(error) = prepare(executor).await
        {
            if let ExecutionError::Transport(_) | ExecutionError::Forbidden(_) = error {
                return Err(error);
            }
            lacks.insert(test.capability, Some(Box::new(unable(test, &error.to_string()))));
            continue;
        }
        let Attempt { outcome, record, .. } = best_of(executor, &(test.plan)()).await;
        match outcome {
            Outcome::Pass => {}
            Outcome::Fail(failures) => {
                let failure = failures.into_iter().next().unwrap_or_else(|| failure_of(test, test.lack));
                if let Some(code @ (401 | 403)) = failure.actual.get("status").and_then(serde_json::Value::as_u64) {
                    let message = failure.actual.get("message").and_then(serde_json::Value::as_str);
                    return Err(ExecutionError::Forbidden(format!("{code} {}", message.unwrap_or(&failure.summary))));
                }
                lacks.insert(test.capability, Some(Box::new(Finding { record, ..finding(test, failure) })));
            }
            Outcome::Error(error @ (ExecutionError::Transport(_) | ExecutionError::Forbidden(_))) => return Err(error),
            Outcome::Discard(reason) => {
                lacks.insert(test.capability, Some(Box::new(unable(test, &reason))));
            }
            Outcome::Error(error) => {
                lacks.insert(test.capability, Some(Box::new(unable(test, &error.to_string()))));
            }
        }
    }
    Ok(())
}

/// The signature of a capability that could not even be tried.
pub(crate) const UNABLE: &str = "capability::unable";

/// A capability is lacking if so many attempts show it.
const ATTEMPTS: u32 = 3;

/// Tries a capability until it is there, and often enough to say that it is not.
async fn best_of(executor: &Executor, scenario: &Scenario) -> Attempt {
    let mut last = attempt(executor, scenario, Freshness::Pooled, true).await;
    for _ in 1..ATTEMPTS {
        match &last.outcome {
            Outcome::Pass | Outcome::Error(ExecutionError::NeverServed { .. }) => break,
            Outcome::Error(_) if !executor.answers_again().await => break,
            _ => {}
        }
        last = attempt(executor, scenario, Freshness::Pooled, true).await;
    }
    last
}

/// Prepares an executor; once more if the network, or something in front of the server, was in the way.
async fn prepare(executor: &mut Executor) -> Result<(), ExecutionError> {
    match executor.prepare().await {
        Err(ExecutionError::Transport(_) | ExecutionError::DefinitionLost(_)) if executor.answers_again().await => {
            executor.prepare().await
        }
        prepared => prepared,
    }
}

/// A finding for a capability that could not even be tried.
fn unable(test: &CapabilityTest, reason: &str) -> Finding {
    finding(test, failure_of(test, reason))
}

fn failure_of(test: &CapabilityTest, summary: &str) -> Failure {
    Failure {
        check: 0,
        step: None,
        name: "capability".to_owned(),
        requirements: vec![test.requirement.to_owned()],
        expected: serde_json::Value::Null,
        actual: serde_json::Value::Null,
        summary: summary.to_owned(),
        signature: UNABLE.to_owned(),
    }
}

fn finding(test: &CapabilityTest, failure: Failure) -> Finding {
    let summary = if failure.summary == test.lack {
        failure.summary.clone()
    } else {
        format!("{}: {}", test.lack, failure.summary)
    };
    Finding {
        property: test.id,
        index: 0,
        signature: format!("{}:{}", test.id, failure.signature),
        failure: Failure { summary, requirements: vec![test.requirement.to_owned()], ..failure },
        scenario: (test.plan)(),
        tape: None,
        record: Record::default(),
        beside: None,
        attempts: ATTEMPTS,
        reproduced: ATTEMPTS,
        needs_history: false,
        shrinking: Shrinking { stopped_by: "not needed", ..Shrinking::default() },
    }
}
