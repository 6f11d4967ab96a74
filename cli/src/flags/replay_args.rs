//! The flags of `replay`.

use std::{path::PathBuf, time::Duration};

use clap::Args;

use crate::{
    error::CliError,
    files::ReproductionArgs,
    flags::{
        arguments::{TargetArgs, namespace, seconds},
        release::ReleaseChoice,
        webhooks::WebhookArgs,
    },
};
use crdible::{
    connection::{Target, TargetOptions},
    run::Setup,
};

/// What to run again.
#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// Counterexamples: files that `crdible run` wrote, or folders of them. For one file the output shows how it fails;
    /// for several, or for a folder, which ones are fixed
    #[arg(value_name = "FILE|FOLDER", required = true, num_args = 1..)]
    pub(crate) paths: Vec<PathBuf>,
    /// How often to run each of several counterexamples: one that fails only sometimes is flaky
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) times: u32,
    /// Find out what matters: run it again with each part of its definition and objects
    /// generated again, and show which parts may be anything
    #[arg(long)]
    pub(crate) vary: bool,
    #[command(flatten)]
    pub(crate) reproduction: ReproductionArgs,
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    /// The Kubernetes release that the embedded server emulates, such as 1.34;
    /// auto is the one by which the failure was found
    #[arg(long, value_name = "MINOR|auto", default_value_t)]
    pub(crate) release: ReleaseChoice,
    #[command(flatten)]
    webhooks: WebhookArgs,
    /// Namespace for namespaced objects; a few properties also use a second one:
    /// kube-public, or default if this is kube-public
    #[arg(long, value_name = "NAME", value_parser = namespace, default_value = "default")]
    namespace: String,
    /// How long to wait for asynchronous changes, such as a new schema being served
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = seconds)]
    patience: Duration,
}

impl ReplayArgs {
    /// The target, if it is the embedded server as this release.
    pub(crate) fn options(&self, release: crdible_semantics::Release) -> TargetOptions {
        TargetOptions { release: self.release.emulated_aloud(release), ..self.target.options() }
    }

    /// How to use a target, with this many scenarios at once.
    pub(crate) fn setup(&self, target: &Target, workers: impl FnOnce(usize) -> usize) -> Result<Setup, CliError> {
        let usual = Setup::of(target);
        let workers = workers(usual.workers);
        let setup = Setup { namespace: self.namespace.clone(), patience: self.patience, workers, ..usual };
        self.webhooks.setup(setup)
    }
}
