//! The flags of `run` and `fuzz`, and what they choose.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use clap::Args;
use crdible_reports::{Report, render};

use crate::{
    error::CliError,
    flags::{
        arguments::{OutputArgs, OutputFormat, TARGET_HEADING, TargetArgs, namespace, positive, seconds},
        profile::Profile,
        release::ReleaseChoice,
        selection,
        webhooks::WebhookArgs,
    },
    output::{self, FileArgs, Files},
};
use crdible::{profile::CORE, properties::Capability, run::ScenarioSource};

/// What to test, against what, and what to write.
#[derive(Debug, Args)]
pub(crate) struct TestArgs {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    #[command(flatten)]
    pub(crate) webhooks: WebhookArgs,
    /// Wait up to this time for a target that is not ready yet
    #[arg(long, value_name = "TIME", value_parser = seconds, help_heading = TARGET_HEADING)]
    pub(crate) wait: Option<Duration>,
    /// End the run after this many failures that are not known
    #[arg(
        long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..),
        help_heading = "How much to test"
    )]
    pub(crate) max_failures: Option<u64>,
    /// Maximum number of requests per second
    #[arg(long, value_name = "NUMBER", value_parser = positive, help_heading = "How much to test")]
    pub(crate) qps: Option<f64>,
    /// Only properties whose ID matches (`*` and `?` are wildcards)
    #[arg(long, value_name = "GLOB", num_args = 1.., help_heading = "What to test")]
    pub(crate) property: Vec<String>,
    /// Only properties that assert a matching requirement or edge, such as PRUNE-004 or DEFAULT-*
    #[arg(long, value_name = "GLOB", num_args = 1.., help_heading = "What to test")]
    pub(crate) requirement: Vec<String>,
    /// Leave out properties whose ID matches
    #[arg(long, value_name = "GLOB", num_args = 1.., help_heading = "What to test")]
    pub(crate) exclude: Vec<String>,
    /// What the target claims to be: core, full, quirks, or the path of a TOML file
    #[arg(long, value_name = "NAME|FILE", default_value = CORE, help_heading = "What to test")]
    pub(crate) profile: String,
    /// The Kubernetes release by which to judge, such as 1.34; auto is the one that the target claims
    #[arg(long, value_name = "MINOR|auto", default_value_t, help_heading = "What to test")]
    pub(crate) release: ReleaseChoice,
    /// File of known failures, which are listed separately and not counted; or kube-apiserver for its known defects
    #[arg(long, value_name = "FILE|kube-apiserver", help_heading = "What to test")]
    pub(crate) known: Option<PathBuf>,
    /// Fail if a known failure no longer fails
    #[arg(long, requires = "known", help_heading = "What to test")]
    pub(crate) strict_known: bool,
    /// Namespace for namespaced objects; a few properties also use a second one:
    /// kube-public, or default if this is kube-public
    #[arg(
        long, value_name = "NAME", value_parser = namespace, default_value = "default",
        help_heading = "What to test"
    )]
    pub(crate) namespace: String,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) files: FileArgs,
}

/// A property with fewer judged cases than this is inconclusive, however the run ended; a run that requests fewer does
/// not count as a run of its profile.
pub(crate) const MINIMUM: u64 = 50;

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

/// What is run, and by which release it is judged.
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
        let sources = selection::without(sources, &arguments.exclude)?;
        let (sources, unclaimed) = selection::claimed(sources, &profile)?;
        let selects_all = [&arguments.property, &arguments.requirement, &arguments.exclude]
            .iter()
            .all(|patterns| patterns.is_empty());
        Ok(Self { profile: profile.name, sources, release: arguments.release, selects_all, unclaimed })
    }
}
