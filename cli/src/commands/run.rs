//! `crdible run`.

use std::path::PathBuf;

use clap::Args;
use crdible_reports::{fold, journal::Shard};
use crdible_spec::Catalogue;

use crate::{
    commands::soak::{self, Amount, amount},
    error::CliError,
    explanations::explained,
    files::known,
    flags::{AmountArgs, TestArgs, shard},
    output,
    runs::{Resumed, Work, on_target},
};

/// What to run, against what.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    test: TestArgs,
    #[command(flatten)]
    amount: AmountArgs,
    /// Run only this part of the cases, such as 3/16; `crdible report merge` merges all parts
    #[arg(long, value_name = "PART/PARTS", value_parser = shard, requires = "seed", help_heading = "How much to test")]
    shard: Option<Shard>,
    /// Resume a run that was killed or interrupted: this is its journal, which says what to run
    #[arg(long, value_name = "JOURNAL", conflicts_with_all = GIVEN_BY_JOURNALS, help_heading = "How much to test")]
    resume: Option<PathBuf>,
    /// Repeat runs with new seeds until this many cases are judged (1000000) or this time is over (90s,
    /// 5m, 2h): each runs --cases for each property, and the first has --seed. With --journal FOLDER
    /// each has a journal there. The sum names all seeds
    #[arg(
        long, value_name = "CASES|TIME", value_parser = amount, conflicts_with_all = OF_ONE_RUN,
        help_heading = "How much to test"
    )]
    soak: Option<Amount>,
}

/// The flags whose values a resumed journal states.
const GIVEN_BY_JOURNALS: [&str; 9] =
    ["seed", "cases", "shard", "property", "requirement", "exclude", "profile", "release", "journal"];

/// The flags that make no sense for a series of runs.
const OF_ONE_RUN: [&str; 11] =
    ["resume", "shard", "time", "json", "html", "junit", "markdown", "sarif", "badge", "badge_json", "step_summary"];

pub(crate) async fn run(arguments: &RunArgs) -> Result<u8, CliError> {
    let RunArgs { test, amount, shard, resume, soak } = arguments;
    test.output.check()?;
    let known = known::read(test.known.as_deref())?;
    if let Some(asked) = soak {
        return soak::soak(test, amount, *asked, &known).await;
    }
    let files = test.files.open(resume.as_slice())?;
    let resumed = resume.as_deref().map(Resumed::read).transpose()?;
    let report = match &resumed {
        Some(resumed) if resumed.is_finished() => {
            output::remark(&format!(
                "{} is the journal of a run that has ended: this is its report",
                resumed.path.display()
            ));
            explained(fold(&resumed.journal, &known, Catalogue::embedded(), jiff::Zoned::now().date()))
        }
        _ => {
            let work = Work { command: "run", amount, shard: *shard, resumed, fuzz_run: None };
            on_target(test, work, &known).await?
        }
    };
    test.conclude(report, files)
}
