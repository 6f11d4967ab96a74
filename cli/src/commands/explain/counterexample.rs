//! What a counterexample shows: what was promised, what is sent, what came, and what the rules say.

use std::path::Path;

use crdible_reports::{
    ExitCode as Code,
    journal::{Minimal, RecordedFinding, Replay, Reproduced, Request},
    render, shell,
};
use crdible_spec::Catalogue;
use serde_json::Value;

use crate::{
    error::CliError,
    explanations::{self, Answers},
    files::counterexamples,
    output,
};
use crdible::{
    connection::{self, Target, TargetOptions},
    properties, reviews,
    run::{Counterexample, Replayer, Setup, minimal},
};

pub(super) async fn explain(path: &Path) -> Result<u8, CliError> {
    let counterexample = counterexamples::read(path)?;
    let minimal = sent(&counterexample).await?;
    let rules = explanations::of_requests(&minimal.requests, counterexample.release, Answers::Own);
    // The answers are those of the embedded server.
    let unanswered = |request| Request { status: None, response: None, ..request };
    let requests = minimal.requests.into_iter().map(unanswered).collect();
    let property = counterexample.failure.signature.property.as_str();
    let finding = RecordedFinding {
        id: String::new(),
        index: 0,
        promise: promise(property).to_owned(),
        failure: counterexample.failure,
        symptom: String::new(),
        lacks: None,
        minimal: Minimal { requests, ..minimal },
        second_requests: Vec::new(),
        replay: Replay {
            path: None,
            command: format!("crdible replay {}", shell::quoted(&path.display().to_string())),
            scenario: Value::Null,
            tape: Value::Null,
        },
        shrink: None,
        reproduced: Reproduced::default(),
        unconfirmed: false,
        after_ms: None,
    };
    let judged = format!("judged by Kubernetes {}", counterexample.release);
    output::result(&render::counterexample(&finding, rules, &judged, Catalogue::embedded(), output::style()));
    Ok(Code::SUCCESS)
}

fn promise(property: &str) -> &'static str {
    let of_servers = properties::find(property).map(|property| property.title);
    of_servers.or_else(|| reviews::find(property).map(|property| property.title)).unwrap_or_default()
}

/// What a counterexample sends, found out with the embedded server. Of one about a converter nothing is sent.
async fn sent(counterexample: &Counterexample) -> Result<Minimal, CliError> {
    let options = TargetOptions { release: counterexample.release, ..TargetOptions::default() };
    let target = connection::connect(&options).await?;
    let ended = sent_to(&target, counterexample).await;
    target.shutdown().await;
    ended
}

async fn sent_to(target: &Target, counterexample: &Counterexample) -> Result<Minimal, CliError> {
    let mut executor = Setup::of(target).executor(target);
    let replayer = Replayer::prepare(&mut executor, [counterexample]).await?;
    let (_, record) = replayer.replay(counterexample).await?;
    Ok(minimal(&record, &[]))
}
