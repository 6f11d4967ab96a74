//! What `run` and `fuzz` have in common: their flags, and how a run goes from the first request to the report.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    time::{Duration, Instant},
};

use clap::Args;
use crdible_reports::{
    KnownFailures, Report,
    journal::{Event, Line, Sent, Shard},
    render,
};

use crate::{
    amount::AmountArgs,
    arguments::{OutputArgs, OutputFormat, TARGET_HEADING, TargetArgs, positive, seconds},
    bench::{Bench, Round, Shown},
    error::CliError,
    night::Night,
    output,
    profile::{CORE, Profile},
    progress::telling,
    ready,
    release::ReleaseChoice,
    renderings::{FileArgs, Files},
    resume::Resumed,
    selection,
    signals::interrupt_runs,
    webhooks::WebhookArgs,
};
use crdible::{
    connection::{Target, TargetOptions},
    doctor::ServerFacts,
    properties::Capability,
    run::{Opening, ScenarioSource, Stop},
};

/// What to test, against what, and what to write.
#[derive(Debug, Args)]
pub(crate) struct TestArgs {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    #[command(flatten)]
    pub(crate) webhooks: WebhookArgs,
    /// Wait up to this time for a target that is not ready yet
    #[arg(long, value_name = "TIME", value_parser = seconds, help_heading = TARGET_HEADING)]
    wait: Option<Duration>,
    /// End the run after this many failures that are not known
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..), help_heading = "How much to test")]
    pub(crate) max_failures: Option<u64>,
    /// Maximum number of requests per second
    #[arg(long, value_name = "NUMBER", value_parser = positive, help_heading = "How much to test")]
    pub(crate) qps: Option<f64>,
    /// Only properties whose ID matches (`*` and `?` are wildcards)
    #[arg(long, value_name = "GLOB", num_args = 1.., help_heading = "What to test")]
    property: Vec<String>,
    /// Only properties that assert a matching requirement or edge, such as PRUNE-004 or DEFAULT-*
    #[arg(long, value_name = "GLOB", num_args = 1.., help_heading = "What to test")]
    requirement: Vec<String>,
    /// What the target claims to be: core, full, quirks, or the path of a TOML file
    #[arg(long, value_name = "NAME|FILE", default_value = CORE, help_heading = "What to test")]
    profile: String,
    /// The Kubernetes release by which to judge, such as 1.34; auto is the one that the target claims
    #[arg(long, value_name = "MINOR|auto", default_value_t, help_heading = "What to test")]
    pub(crate) release: ReleaseChoice,
    /// File of known failures, which are listed separately and not counted
    #[arg(long, value_name = "FILE", help_heading = "What to test")]
    pub(crate) known: Option<PathBuf>,
    /// Fail if a known failure no longer fails
    #[arg(long, requires = "known", help_heading = "What to test")]
    pub(crate) strict_known: bool,
    /// Namespace for namespaced objects; a few properties also use a second one: kube-public, or default if this is kube-public
    #[arg(long, value_name = "NAME", default_value = "default", help_heading = "What to test")]
    pub(crate) namespace: String,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) files: FileArgs,
}

/// A property with fewer judged cases than this is inconclusive, however the run ended; a run that requests fewer does
/// not count as a run of its profile.
pub(crate) const MINIMUM: u64 = 50;

/// What is done before the first case: a server that lacks much keeps it waiting.
pub(crate) const FINDING_OUT: &str = "finding out what the target can do";

/// What is done after the last case.
pub(crate) const REMOVING: &str = "removing what the run created";

impl TestArgs {
    /// Whether profile and patterns select something, for a command that must know before it writes anything.
    pub(crate) fn check_selection(&self, explores: bool) -> Result<(), CliError> {
        Chosen::of(self, explores).map(drop)
    }

    /// Prints the report and writes its files. Returns the exit code.
    pub(crate) fn conclude(&self, report: Report, files: Files) -> Result<u8, CliError> {
        output::result(&self.output.format.of(&report));
        if let (OutputFormat::Json, Some(line)) = (self.output.format, render::blame(&report)) {
            output::remark(&line);
        }
        let code = if self.strict_known { report.exit_code_if_strict() } else { report.exit_code() };
        files.write(&[report])?;
        Ok(code)
    }
}

/// How much of it is run, and in which order.
pub(crate) struct Work<'a> {
    /// The command: `run` or `fuzz`.
    pub(crate) command: &'static str,
    pub(crate) amount: &'a AmountArgs,
    pub(crate) shard: Option<Shard>,
    pub(crate) resumed: Option<Resumed>,
    /// Cases that learn instead of those of the seed.
    pub(crate) night: Option<Night>,
}

/// What is run, and by what it is judged.
pub(crate) struct Chosen {
    pub(crate) profile: String,
    pub(crate) sources: Vec<ScenarioSource>,
    pub(crate) release: ReleaseChoice,
    /// Whether nothing is left out.
    pub(crate) selects_all: bool,
    /// What the target does not claim, and how many properties are left out because of it.
    pub(crate) unclaimed: BTreeMap<Capability, u64>,
}

impl Chosen {
    /// What the flags choose. `explores` says whether explorations can be chosen, too.
    pub(crate) fn of(arguments: &TestArgs, explores: bool) -> Result<Self, CliError> {
        let profile = Profile::find(&arguments.profile)?;
        let sources = selection::select(&profile, &arguments.property, &arguments.requirement, explores)?;
        let (sources, unclaimed) = selection::claimed(sources, &profile)?;
        let selects_all = arguments.property.is_empty() && arguments.requirement.is_empty();
        Ok(Self { profile: profile.name, sources, release: arguments.release, selects_all, unclaimed })
    }

    /// What the journal of a run names that goes on.
    fn again(resumed: &Resumed) -> Result<Self, CliError> {
        let sources = resumed.properties()?.into_iter().map(Into::into).collect();
        let (profile, release) = (resumed.journal.header.profile.clone(), resumed.release()?);
        let unclaimed = resumed.unclaimed().map(|capability| (capability, 0)).collect();
        Ok(Self { profile, sources, release, selects_all: false, unclaimed })
    }
}

/// The target of the flags, once it answers.
pub(crate) async fn reach(arguments: &TestArgs, chosen: &Chosen) -> Result<(Target, ServerFacts), CliError> {
    let options = TargetOptions { release: chosen.release.emulated(), ..arguments.target.options() };
    Ok(ready::connect(&options, arguments.wait).await?)
}

/// Runs it on the target of the flags.
pub(crate) async fn on_target(arguments: &TestArgs, work: Work<'_>, known: &KnownFailures) -> Result<Report, CliError> {
    let chosen = match &work.resumed {
        Some(resumed) => Chosen::again(resumed)?,
        None => Chosen::of(arguments, work.night.is_some())?,
    };
    let (target, facts) = reach(arguments, &chosen).await?;
    let judged = match Bench::new((arguments, work.command), work.amount, chosen, (&target, &facts), known) {
        Ok(bench) => judge(bench, arguments, work).await,
        Err(error) => Err(error),
    };
    target.shutdown().await;
    judged
}

async fn judge(mut bench: Bench<'_>, arguments: &TestArgs, work: Work<'_>) -> Result<Report, CliError> {
    let begun = Instant::now();
    let Work { shard, resumed, mut night, .. } = work;
    if let Some(resumed) = &resumed {
        resumed.check(&bench.described)?;
    }
    bench.options.shard = shard;
    if let Some(night) = &mut night {
        night.begin(&mut bench.options);
    }
    let mut recorder = match &resumed {
        Some(resumed) => {
            resumed.apply(&mut bench.options);
            bench.recorder_again(resumed)?
        }
        None => bench.recorder(arguments.output.journal.as_deref(), bench.header(&bench.options, None))?,
    };
    let interrupt = interrupt_runs(vec![bench.setup.run.clone()]);
    let session = match bench.open(interrupt.clone()).await? {
        Opening::Open(session) => session,
        Opening::Interrupted(left) => {
            output::warn_left_behind(&left, &bench.setup.run);
            return Ok(bench.conclude(recorder, &Stop::Interrupted, 0, Sent::default()));
        }
    };
    // The time that it took to find out what the target lacks counts, too.
    bench.options.time = bench.options.time.map(|time| time.saturating_sub(begun.elapsed()));
    let round = Round { resumed: resumed.as_ref(), night: night.as_mut(), ..Round::default() };
    let options = bench.options.clone();
    let summary = bench.run(&session, options, &mut recorder, interrupt, round, &mut Shown::default()).await;
    let left = telling(REMOVING, session.close()).await;
    for name in &left {
        recorder.write(Line::Event(Event::new("left-behind", name)));
    }
    output::warn_left_behind(&left, &bench.setup.run);
    Ok(bench.conclude(recorder, &summary.stop, summary.requests, summary.sent))
}
