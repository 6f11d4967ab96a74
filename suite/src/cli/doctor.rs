//! `crdible doctor`.

use std::time::Duration;

use clap::Args;
use crdible_reports::ExitCode as Code;

use super::{
    arguments::{TargetArgs, seconds},
    failure::CliError,
    output,
    signals::terminated,
};
use crate::target::{self, Which};

/// What to find out, or to clean.
#[derive(Debug, Args)]
pub(super) struct DoctorArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Write, too: make one definition, measure what things cost, see what the target lacks, and remove it again
    #[arg(long, conflicts_with_all = ["clean", "older_than"])]
    probe: bool,
    /// Remove what this run left on the target; refused while the run is alive
    #[arg(long, value_name = "RUN", conflicts_with = "older_than")]
    clean: Option<String>,
    /// Remove what all runs left that ended longer ago than this (90s, 10m, 2h)
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    older_than: Option<Duration>,
}

/// How long to wait until what was removed is gone.
const CLEANING: Duration = Duration::from_secs(60);

pub(super) async fn doctor(arguments: &DoctorArgs) -> Result<u8, CliError> {
    let target = target::connect(&arguments.target.options()).await?;
    output::keep_secret(target.secrets());
    let which = arguments.clean.clone().map(Which::Run).or(arguments.older_than.map(Which::OlderThan));
    let outcome = match which {
        Some(which) => {
            target::clean(&target, &which, CLEANING).await.map(|cleaned| (cleaned.render(), Code::CONFORMANT))
        }
        None if arguments.probe => {
            target::probe(&target, terminated()).await.map(|probe| (probe.render(), probe.exit_code()))
        }
        None => {
            let diagnosis = target::examine(&target).await;
            Ok((diagnosis.render(), diagnosis.exit_code()))
        }
    };
    target.shutdown().await;
    let (text, code) = outcome?;
    output::result(&text);
    Ok(code)
}
