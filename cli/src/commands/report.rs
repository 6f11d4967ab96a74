//! `crdible report`.
#![allow(clippy::doc_markdown, reason = "the help shows these comments as they are")]

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use crdible_reports::{
    ExitCode as Code,
    across::{Change, Changes, Matrix, Saved},
    render::{self, Form},
};
use crdible_spec::Catalogue;

use crate::{
    commands::{
        accept::AcceptArgs,
        merge::MergeArgs,
        validate::{self, ValidateArgs},
    },
    error::CliError,
    exit_codes,
    files::{known, saved},
    output::{self, FileArgs, Files, Rendering, rendered, rendered_comparison, rendered_soak},
};

/// What to report.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    #[command(subcommand)]
    command: ReportCommand,
}

/// How CI servers use it.
const EXAMPLE: &str = "\
Example:
  crdible run --server URL --journal run.ndjson
  crdible report render run.ndjson --html report.html --junit junit.xml";

#[derive(Debug, Subcommand)]
enum ReportCommand {
    /// A run or a comparison in other formats: a web page, JUnit XML, Markdown, and, of a run,
    /// SARIF, annotations, a badge; or the sum of a soak
    #[command(after_help = format!("{EXAMPLE}\n\n{}", exit_codes::table(exit_codes::REPORT_RENDER)))]
    Render {
        /// The run: a file that `--output json` or `--journal` of `run`, `check-webhook` or `compare` wrote, even of
        /// one that was killed; several runs become the columns of an HTML page
        #[arg(value_name = "FILE", required = true, num_args = 1..)]
        files: Vec<PathBuf>,
        /// File of known failures for journals; reports name theirs
        #[arg(long, value_name = "FILE")]
        known: Option<PathBuf>,
        /// Format of what is printed [default: human, or nothing if there is a flag for a file]
        #[arg(long, value_name = "FORMAT", value_enum, help_heading = "Output", hide_default_value = true)]
        output: Option<Rendering>,
        #[command(flatten)]
        to: FileArgs,
    },
    /// Several runs side by side: their results by chapter, and the requirements in which they differ
    #[command(after_help = exit_codes::table(exit_codes::REPORT_MATRIX))]
    Matrix {
        /// The runs: files that `crdible run --output json` or `--journal` wrote, one column for each
        #[arg(value_name = "FILE", required = true, num_args = 1..)]
        files: Vec<PathBuf>,
        #[command(flatten)]
        form: FormArgs,
    },
    /// What changed from one run to another: two versions of a server, two
    /// releases of Kubernetes, or two implementations
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
    /// Print a badge that says how many requirements hold, as an SVG picture
    #[command(after_help = exit_codes::table(exit_codes::REPORT_RENDER))]
    Badge {
        /// The run: a file that `crdible run --output json` or `--journal` wrote
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// File of known failures for a journal; a report names its own
        #[arg(long, value_name = "FILE")]
        known: Option<PathBuf>,
        /// Print JSON for the endpoint of a badge service instead
        #[arg(long)]
        json: bool,
    },
    /// Merge the parts of a divided run: one report, and one journal
    #[command(after_help = exit_codes::table(exit_codes::REPORT_MERGE))]
    Merge(MergeArgs),
    /// Print entries for a file of known failures: one for each failure of a run that is not known yet
    #[command(after_help = exit_codes::table(exit_codes::REPORT_ACCEPT))]
    Accept(AcceptArgs),
    /// Check journals and reports: valid under the published schemas, lines in order, sums
    /// right, unchanged; and folders of submitted results
    #[command(after_help = format!("{}\n\n{}", validate::EXAMPLE, exit_codes::table(exit_codes::REPORT_VALIDATE)))]
    Validate(ValidateArgs),
}

/// How a report is rendered and written.
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
        ReportCommand::Render { files, known, output, to } => {
            let known = known::read(known.as_deref())?;
            let to = to.open(files)?;
            let rendering = output.or_else(|| to.is_empty().then_some(Rendering::Human));
            let saved = files.iter().map(|file| saved::read_any(file, &known)).collect::<Result<Vec<_>, _>>()?;
            if let [Saved::Comparison(comparison)] = &saved[..] {
                show(rendering, to, |rendering| rendered_comparison(comparison, rendering))
            } else if let [Saved::Soak(soak)] = &saved[..] {
                show(rendering, to, |rendering| rendered_soak(soak, rendering))
            } else {
                let of_run = |(saved, path): (Saved, &PathBuf)| saved::report_of(saved, path);
                let reports = saved.into_iter().zip(files).map(of_run).collect::<Result<Vec<_>, _>>()?;
                show(rendering, to, |rendering| rendered(&reports, rendering))
            }
        }
        ReportCommand::Badge { file, known, json } => {
            let report = saved::read(file, &known::read(known.as_deref())?)?;
            let rendering = if *json { Rendering::BadgeJson } else { Rendering::Badge };
            output::result(&rendered(&[report], rendering)?);
            Ok(Code::SUCCESS)
        }
        ReportCommand::Matrix { files, form } => {
            let known = known::read(form.known.as_deref())?;
            let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
            let reports = saved::read_several(&files, &known)?;
            output::result(&render::matrix(&Matrix::of(&reports), catalogue, form.form()));
            Ok(Code::SUCCESS)
        }
        ReportCommand::Diff { before, after, form } => {
            let known = known::read(form.known.as_deref())?;
            let reports = saved::read_several(&[before, after], &known)?;
            let changes = Changes::between(&reports[0], &reports[1]);
            output::result(&render::changes(&changes, catalogue, form.form()));
            let fails = changes.changed.iter().any(|changed| changed.change == Change::Fails);
            Ok(if fails { Code::FAILURE } else { Code::SUCCESS })
        }
        ReportCommand::Merge(arguments) => arguments.merge(),
        ReportCommand::Accept(arguments) => arguments.accept(),
        ReportCommand::Validate(arguments) => arguments.validate(),
    }
}

/// Prints the rendering in one format, and writes the files.
fn show(
    printed: Option<Rendering>,
    to: Files,
    make: impl Fn(Rendering) -> Result<String, CliError>,
) -> Result<u8, CliError> {
    let printed = printed.map(&make).transpose()?;
    to.write_as(make)?;
    if let Some(text) = printed {
        output::result(&text);
    }
    Ok(Code::SUCCESS)
}
