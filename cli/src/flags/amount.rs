//! How much to run: flags that `run` and `compare` share.

use std::time::Duration;

use clap::Args;

use crate::{
    error::CliError,
    flags::arguments::{seconds, seed, seed_or_drawn},
};
use crdible::run::{RunOptions, ScenarioSource, Setup};

/// How much to run.
#[derive(Debug, Args)]
#[command(next_help_heading = "How much to test")]
pub(crate) struct AmountArgs {
    /// Seed of all random choices [default: what `CRDIBLE_SEED` says, or a random one; it is printed]
    #[arg(long, value_name = "NUMBER", value_parser = seed)]
    pub(crate) seed: Option<u64>,
    /// Cases for each property: generated objects, updates or version lists [default: 200]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) cases: Option<u64>,
    /// Stop after this time, in seconds or with a unit (90, 5m, 2h); without --cases, run as many cases as possible
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    pub(crate) time: Option<Duration>,
    /// Scenarios in flight at once [default: 8 for each core in process, 24 over HTTP]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) workers: Option<u16>,
    /// How long to wait for asynchronous changes, such as a new schema being served
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = seconds)]
    pub(crate) patience: Duration,
}

/// The default number of cases for each property.
const CASES: u64 = 200;

/// The number of cases if only a time is given: more than any time allows.
const AS_MANY_AS_POSSIBLE: u64 = u64::MAX / 4;

impl AmountArgs {
    /// Applies these flags to the defaults for a target.
    pub(crate) fn setup(&self, setup: Setup, namespace: &str) -> Setup {
        Setup {
            namespace: namespace.to_owned(),
            patience: self.patience,
            workers: self.workers.map_or(setup.workers, usize::from),
            ..setup
        }
    }

    /// The run of these sources. A random seed is chosen here, so this is called once.
    ///
    /// # Errors
    /// `CRDIBLE_SEED` is used, but is not a seed.
    pub(crate) fn options(&self, sources: Vec<ScenarioSource>, setup: &Setup) -> Result<RunOptions, CliError> {
        let cases = if self.time.is_some() { AS_MANY_AS_POSSIBLE } else { CASES };
        Ok(RunOptions {
            seed: seed_or_drawn(self.seed)?,
            time: self.time,
            workers: setup.workers,
            shrink: setup.shrink(),
            ..RunOptions::new(sources, self.cases.unwrap_or(cases))
        })
    }
}
