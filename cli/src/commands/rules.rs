//! `crdible rules`.

mod asking;
mod differences;
mod findings;
mod human;
mod inputs;

use std::{path::PathBuf, str::FromStr, thread};

use clap::Args;
use crdible_reports::ExitCode as Code;
use crdible_semantics::{Release, Semantics, release::VersionError};

use self::{asking::Asked, findings::Findings};
use crate::{
    error::CliError,
    flags::{OutputFormat, ReleaseChoice},
    output,
};

/// The examples in the help.
pub(crate) const EXAMPLES: &str = "\
Examples:
  crdible rules crd.yaml                                      # what each rule can cost, and what is wrong with it
  crdible rules crd.yaml object.yaml                          # which rules refuse an object, and why
  crdible rules crd.yaml new.yaml --old old.yaml              # the same for an update
  crdible rules crd.yaml --release all                        # what differs between releases
  crdible rules crd.yaml object.yaml --at spec.hosts[0] --expression 'self.size() < 64'";

/// The definition, and what to ask of its rules.
#[derive(Debug, Args)]
pub(crate) struct RulesArgs {
    /// File with the CustomResourceDefinition, as YAML or JSON
    #[arg(value_name = "DEFINITION")]
    definition: PathBuf,
    /// File with an object of it, or several
    ///
    /// It is read as a server does: fields that the schema does not declare are removed, and defaults are set.
    /// A `status` counts, as in a write of /status.
    #[arg(value_name = "OBJECT")]
    object: Option<PathBuf>,
    /// File with the object before: rules that use `oldSelf` compare with it
    #[arg(long, value_name = "FILE", requires = "object")]
    old: Option<PathBuf>,
    /// The definition of this name, if the file has several [default: that of the object, or the first]
    #[arg(long, value_name = "PLURAL.GROUP")]
    name: Option<String>,
    /// The Kubernetes release whose rules count, such as 1.34; auto is the one that the specification describes, and all
    /// compares those that crdible knows
    #[arg(long, value_name = "MINOR|auto|all", default_value = "auto")]
    release: Releases,
    /// Evaluate this expression instead of the rules
    #[arg(long, value_name = "TEXT")]
    expression: Option<String>,
    /// Where `self` of the expression is, such as `spec.hosts[0]` or `spec.labels[key]` [default: the whole object]
    #[arg(long, value_name = "PATH", requires = "expression")]
    at: Option<String>,
    /// Also list rules that hold
    #[arg(long)]
    all: bool,
    /// Output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = OutputFormat::Human)]
    output: OutputFormat,
}

/// The releases to ask.
#[derive(Clone, Copy, Debug)]
enum Releases {
    All,
    One(ReleaseChoice),
}

impl FromStr for Releases {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, VersionError> {
        if text == "all" { Ok(Self::All) } else { text.parse().map(Self::One) }
    }
}

/// Deeply nested values of files need more than the usual stack.
const STACK: usize = 64 * 1024 * 1024;

pub(crate) fn rules(arguments: &RulesArgs) -> Result<u8, CliError> {
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || asked(arguments));
        match worker.map_err(CliError::Runtime)?.join() {
            Ok(ended) => ended,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

fn asked(arguments: &RulesArgs) -> Result<u8, CliError> {
    let inputs = inputs::read(
        &arguments.definition,
        arguments.object.as_deref(),
        arguments.old.as_deref(),
        arguments.name.as_deref(),
    )?;
    let releases: Vec<Release> = match arguments.release {
        Releases::All => Release::all().collect(),
        Releases::One(choice) => vec![choice.emulated_aloud(Release::BASELINE)],
    };
    let asked = match &arguments.expression {
        Some(text) => Asked::Expression { text, at: arguments.at.as_deref().unwrap_or_default() },
        None => Asked::Rules,
    };
    let each = releases.iter().map(|release| asking::of_release(&Semantics::at(*release), &inputs, &asked));
    let releases: Vec<_> = each.collect::<Result<_, CliError>>()?;
    let differences = differences::differences(&releases);
    let findings = Findings { definition: inputs.definition.name().to_owned(), releases, differences };
    output::result(&match arguments.output {
        OutputFormat::Human => human::text(&findings, arguments.all),
        OutputFormat::Json => serde_json::to_string_pretty(&findings).unwrap_or_default(),
    });
    Ok(if findings.is_fine() { Code::SUCCESS } else { Code::FAILURE })
}
