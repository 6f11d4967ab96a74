//! `crdible doctor`.

use std::time::Duration;

use clap::Args;
use crdible_reports::ExitCode as Code;

use crate::{
    arguments::{TargetArgs, seconds},
    error::CliError,
    output,
    release::ReleaseChoice,
    signals::terminated,
    webhooks::WebhookArgs,
};
use crdible::{connection, doctor::CleanScope, run::Setup};

/// What to examine, or to clean up.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    webhooks: WebhookArgs,
    /// Also write: create some definitions, test for missing features, measure latencies and rates, and remove everything
    /// again
    #[arg(long, conflicts_with_all = ["clean", "older_than"])]
    probe: bool,
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
        return Err(CliError::Usage(
            "--webhook-listen has no effect without --probe: add it, or remove the flag".to_owned(),
        ));
    }
    let target = connection::connect(&arguments.target.options()).await?;
    output::keep_secret(target.secrets());
    let scope = arguments.clean.clone().map(CleanScope::Run).or(arguments.older_than.map(CleanScope::OlderThan));
    let outcome = match scope {
        Some(scope) => {
            crdible::doctor::clean(&target, &scope, CLEANING).await.map(|cleaned| (cleaned.render(), Code::SUCCESS))
        }
        None if arguments.probe => {
            let hooks = arguments.webhooks.setup(Setup::of(&target))?.webhooks;
            crdible::doctor::probe(&target, hooks, terminated()).await.map(|probe| {
                ReleaseChoice::default().judged_aloud(&probe.facts);
                (probe.render(), probe.exit_code())
            })
        }
        None => {
            let diagnosis = crdible::doctor::diagnose(&target).await;
            if let Ok(facts) = &diagnosis.facts {
                ReleaseChoice::default().judged_aloud(facts);
            }
            Ok((diagnosis.render(), diagnosis.exit_code()))
        }
    };
    target.shutdown().await;
    let (text, code) = outcome?;
    output::result(&text);
    Ok(code)
}
