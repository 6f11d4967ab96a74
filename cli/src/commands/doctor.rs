//! `crdible doctor`.

use std::{path::PathBuf, time::Duration};

use clap::Args;
use crdible_reports::ExitCode as Code;

use crate::{
    error::CliError,
    flags::{ReleaseChoice, TargetArgs, WebhookArgs, seconds},
    output,
    output::with_notice,
    runs::{Proposal, blame, shut_down},
    signals::{Signals, interrupt_runs},
};
use crdible::{
    connection::{self, Target},
    doctor::{CleanScope, ServerFacts},
    run::Setup,
};

/// What to examine, or to clean up.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    webhooks: WebhookArgs,
    /// Also write: create some definitions, try each capability as a run does, measure
    /// latencies and rates, and remove everything again
    #[arg(long, conflicts_with_all = ["clean", "older_than"])]
    probe: bool,
    /// Write a profile to this file: it leaves out what the target was seen not to do, and says what was seen
    #[arg(long, value_name = "FILE", requires = "probe")]
    write_profile: Option<PathBuf>,
    /// Remove what the run with this ID left on the target, unless the run is still alive
    #[arg(long, value_name = "RUN", conflicts_with = "older_than")]
    clean: Option<String>,
    /// Remove what is left of runs that ended longer ago than this (90s, 10m, 2h)
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    older_than: Option<Duration>,
}

/// How long to wait until everything is removed
const CLEANING: Duration = Duration::from_secs(60);

pub(crate) async fn doctor(arguments: &DoctorArgs) -> Result<u8, CliError> {
    if arguments.webhooks.are_given() && !arguments.probe {
        return Err(CliError::usage("--webhook-listen has no effect without --probe: add it, or remove the flag"));
    }
    let proposal = arguments.write_profile.as_deref().map(Proposal::at).transpose()?;
    let target = connection::connect(&arguments.target.options()).await?;
    output::keep_secret(target.secrets());
    let scope = arguments.clean.clone().map(CleanScope::Run).or(arguments.older_than.map(CleanScope::OlderThan));
    let mut proposed = None;
    let outcome = match scope {
        Some(scope) => {
            crdible::doctor::clean(&target, &scope, CLEANING).await.map(|cleaned| (cleaned.render(), Code::SUCCESS))
        }
        None if arguments.probe => {
            let setup = arguments.webhooks.setup(Setup::of(&target))?;
            let interrupt = interrupt_runs(vec![setup.run.clone()], Signals::listen());
            // Each line as soon as it is known: all of them take half a minute and more.
            let report = |lines: &str| output::result(lines);
            let probing = crdible::doctor::probe(&target, &setup, interrupt, &report);
            with_notice("finding out what the target supports and costs", probing).await.map(|probe| {
                ReleaseChoice::default().judged_aloud(&probe.facts);
                let ended = (with_remark(String::new(), &target, &probe.facts), probe.exit_code());
                proposed = proposal.map(|proposal| (proposal, probe));
                ended
            })
        }
        None => {
            let diagnosis = crdible::doctor::diagnose(&target).await;
            let mut text = diagnosis.render();
            if let Ok(facts) = &diagnosis.facts {
                ReleaseChoice::default().judged_aloud(facts);
                text = with_remark(text, &target, facts);
            }
            Ok((text, diagnosis.exit_code()))
        }
    };
    let outcome = match outcome {
        Ok((text, code)) => {
            if !text.is_empty() {
                output::result(&text);
            }
            match proposed {
                Some((proposal, probe)) if code == Code::SUCCESS => proposal.write(&target, &probe),
                Some(_) | None => Ok(code),
            }
        }
        Err(error) => Err(error.into()),
    };
    shut_down(target).await;
    outcome
}

/// The diagnosis, with a remark about who is to blame for a failure.
fn with_remark(text: String, target: &Target, facts: &ServerFacts) -> String {
    match blame::remark(target.description.kind, facts) {
        Some(remark) => format!("{text}failures    {remark}\n"),
        None => text,
    }
}
