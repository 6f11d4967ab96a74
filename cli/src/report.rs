//! `crdible report`.

use std::{
    fs::File,
    io::BufReader,
    path::{Path, PathBuf},
};

use clap::{Args, Subcommand, ValueEnum};
use crdible_reports::{
    ExitCode as Code, KnownFailures, Report,
    across::{self, Change, Changes, Matrix},
    render::{self, Form},
};
use crdible_spec::Catalogue;

use crate::{accept::AcceptArgs, error::CliError, exit_codes, known, merge::MergeArgs, output};

/// What to report.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    #[command(subcommand)]
    command: ReportCommand,
}

#[derive(Debug, Subcommand)]
enum ReportCommand {
    /// Several runs side by side: their results by chapter, and the requirements in which they differ
    #[command(after_help = exit_codes::table(exit_codes::REPORT_MATRIX))]
    Matrix {
        /// The runs: files that `crdible run --output json` or `--journal` wrote, one column for each
        #[arg(value_name = "FILE", required = true, num_args = 1..)]
        files: Vec<PathBuf>,
        #[command(flatten)]
        form: FormArgs,
    },
    /// What changed from one run to another: two versions of a server, two releases of Kubernetes, or two implementations
    #[command(after_help = exit_codes::table(exit_codes::REPORT_DIFF))]
    Diff {
        /// The first run: a file that `crdible run --output json` or `--journal` wrote
        #[arg(value_name = "BEFORE")]
        before: PathBuf,
        /// The second run
        #[arg(value_name = "AFTER")]
        after: PathBuf,
        #[command(flatten)]
        form: FormArgs,
    },
    /// Put the parts of a divided run together: one report, and one journal
    #[command(after_help = exit_codes::table(exit_codes::REPORT_MERGE))]
    Merge(MergeArgs),
    /// Print entries for a file of known failures: one for each failure of a run that is not known yet
    #[command(after_help = exit_codes::table(exit_codes::REPORT_ACCEPT))]
    Accept(AcceptArgs),
}

/// How a report is made and written.
#[derive(Debug, Args)]
struct FormArgs {
    /// File of known failures for journals; reports name theirs
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
    /// Output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ReportFormat::Human)]
    output: ReportFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    /// Human-readable text
    Human,
    /// Markdown
    Markdown,
}

impl FormArgs {
    fn form(&self) -> Form {
        match self.output {
            ReportFormat::Human => Form::Text(output::style()),
            ReportFormat::Markdown => Form::Markdown,
        }
    }
}

pub(crate) fn report(arguments: &ReportArgs) -> Result<u8, CliError> {
    let catalogue = Catalogue::embedded();
    match &arguments.command {
        ReportCommand::Matrix { files, form } => {
            let known = known::read(form.known.as_deref())?;
            let reports = files.iter().map(|file| read(file, &known)).collect::<Result<Vec<_>, _>>()?;
            output::result(&render::matrix(&Matrix::of(&reports), catalogue, form.form()));
            Ok(Code::SUCCESS)
        }
        ReportCommand::Diff { before, after, form } => {
            let known = known::read(form.known.as_deref())?;
            let changes = Changes::between(&read(before, &known)?, &read(after, &known)?);
            output::result(&render::changes(&changes, catalogue, form.form()));
            let fails = changes.changed.iter().any(|changed| changed.change == Change::Fails);
            Ok(if fails { Code::FAILURE } else { Code::SUCCESS })
        }
        ReportCommand::Merge(arguments) => arguments.merge(),
        ReportCommand::Accept(arguments) => arguments.accept(),
    }
}

/// The report in a file.
pub(crate) fn read(path: &Path, known: &KnownFailures) -> Result<Report, CliError> {
    let file = File::open(path).map_err(|source| CliError::File { what: "read", path: path.to_owned(), source })?;
    across::read(BufReader::new(file), known, Catalogue::embedded(), jiff::Zoned::now().date())
        .map_err(|source| CliError::Saved { path: path.to_owned(), source })
}
