//! How much is run: flags that `run` and `compare` share.

use std::{collections::BTreeSet, time::Duration};

use clap::Args;

use super::arguments::seconds;
use crate::{
    properties::Property,
    run::{ExamineOptions, Known, RunOptions, random_seed},
};

/// How much to run.
#[derive(Debug, Args)]
#[command(next_help_heading = "How much")]
pub(super) struct AmountArgs {
    /// The seed of all choices; without it a random one, which is printed
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// Cases for each property: generated objects, updates or version lists that are judged [default: 200]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    cases: Option<u64>,
    /// End after this time, in seconds or with a unit (90, 5m, 2h); without --cases as many cases as fit
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    time: Option<Duration>,
    /// Scenarios in flight; without it one per core in process, 16 over HTTP
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=1024))]
    workers: Option<u16>,
    /// How long a target may take for anything asynchronous, such as serving a changed schema
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = seconds)]
    pub(super) patience: Duration,
}

/// Cases for each property where nothing else is said.
const CASES: u64 = 200;

/// How many cases a time budget alone asks for: more than any budget lasts.
const AS_MANY_AS_FIT: u64 = u64::MAX / 4;

impl AmountArgs {
    /// The run that these flags ask for; what they leave open is decided here, so this is asked once.
    pub(super) fn options(&self, properties: &[&'static Property], embedded: bool) -> RunOptions {
        let unsaid = if self.time.is_some() { AS_MANY_AS_FIT } else { CASES };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        RunOptions {
            properties: properties.to_vec(),
            seed: self.seed.unwrap_or_else(random_seed),
            cases: self.cases.unwrap_or(unsaid),
            time: self.time,
            workers: self.workers.map_or(if embedded { cores } else { 16 }, usize::from),
            examine: ExamineOptions { batch: if embedded { 1 } else { 8 }, ..ExamineOptions::default() },
            known: Known::default(),
            finished: BTreeSet::new(),
        }
    }
}
