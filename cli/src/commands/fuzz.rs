//! `crdible fuzz`.

use std::{path::PathBuf, time::Duration};

use clap::Args;

use crate::{
    error::CliError,
    files::{Corpus, known},
    flags::{AmountArgs, TestArgs, seconds, seed},
    runs::{FuzzRun, Work, on_target},
};

/// What to test, on which target, and for how long.
#[derive(Debug, Args)]
pub(crate) struct FuzzArgs {
    #[command(flatten)]
    test: TestArgs,
    #[command(flatten)]
    search: SearchArgs,
}

/// How long to run, and what is kept.
#[derive(Debug, Args)]
#[command(next_help_heading = "How much to test")]
struct SearchArgs {
    /// Folder of the corpus, which is read and extended; it is created when needed
    #[arg(long, value_name = "FOLDER", default_value = "crdible-corpus")]
    corpus: PathBuf,
    /// Stop after this time, in seconds or with a unit (90, 5m, 8h)
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = seconds)]
    time: Duration,
    /// Stop early when nothing new was reached for this long
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    until_quiet: Option<Duration>,
    /// Seed of all random choices [default: what `CRDIBLE_SEED` says, or a random one; it is printed]
    #[arg(long, value_name = "NUMBER", value_parser = seed)]
    seed: Option<u64>,
    /// Scenarios in flight at once [default: 8 for each core in process, 24 over HTTP]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=1024))]
    workers: Option<u16>,
    /// How long to wait for asynchronous changes, such as a new schema being served
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = seconds)]
    patience: Duration,
}

pub(crate) async fn fuzz(arguments: &FuzzArgs) -> Result<u8, CliError> {
    let FuzzArgs { test, search } = arguments;
    let SearchArgs { corpus, time, until_quiet, seed, workers, patience } = search;
    test.output.check()?;
    let known = known::read(test.known.as_deref())?;
    test.check_selection(true)?;
    let files = test.files.open(&[])?;
    let (corpus, entries) = Corpus::open(corpus)?;
    let failure = corpus.failure();
    let amount = AmountArgs { seed: *seed, cases: None, time: Some(*time), workers: *workers, patience: *patience };
    let fuzz_run = Some(FuzzRun::new(corpus, entries, *until_quiet));
    let work = Work { command: "fuzz", amount: &amount, shard: None, resumed: None, fuzz_run };
    let report = on_target(test, work, &known).await?;
    let code = test.conclude(report, files)?;
    // The report is printed first: its findings count even if the corpus could not be written.
    failure.take().map_or(Ok(code), Err)
}
