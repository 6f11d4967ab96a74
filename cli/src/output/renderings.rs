//! The formats of a report, and the files to which they are written.
#![allow(clippy::doc_markdown, reason = "the help shows these comments as they are")]

use std::{
    fs::{self, File, OpenOptions},
    io::{Seek as _, SeekFrom, Write as _},
    path::PathBuf,
};

use clap::{Args, ValueEnum};
use crdible_reports::{Comparison, Report, Soak, render};
use crdible_spec::Catalogue;

use crate::{error::CliError, output};

/// A format of the report of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rendering {
    /// Human-readable text
    Human,
    /// One JSON document
    Json,
    /// One HTML page, which needs no network and no script
    Html,
    /// JUnit XML, for CI servers
    Junit,
    /// Markdown, for the summary of a CI job or a comment
    Markdown,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands of GitHub Actions, which become annotations
    Github,
    /// Badge as an SVG picture
    Badge,
    /// Badge as JSON for the endpoint of a badge service
    BadgeJson,
}

/// Files to which the report is written in other formats. An existing file is replaced.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct FileArgs {
    /// Write the report as one JSON document
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    json: Option<PathBuf>,
    /// Write the report as one HTML page, which needs no network and no script
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    html: Option<PathBuf>,
    /// Write the report as JUnit XML, for CI servers
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    junit: Option<PathBuf>,
    /// Write the report as Markdown
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    markdown: Option<PathBuf>,
    /// Write the report as SARIF 2.1.0, for code scanning
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    sarif: Option<PathBuf>,
    /// Write a badge as an SVG picture
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    badge: Option<PathBuf>,
    /// Write a badge as JSON for the endpoint of a badge service
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    badge_json: Option<PathBuf>,
    /// Append the report as Markdown to the file that GITHUB_STEP_SUMMARY names, as GitHub Actions sets it
    #[arg(long, help_heading = "Output")]
    step_summary: bool,
}

/// Open files, so that one that cannot be written is an error before anything else is done.
#[derive(Debug, Default)]
pub(crate) struct Files(Vec<OpenFile>);

#[derive(Debug)]
struct OpenFile {
    rendering: Rendering,
    path: PathBuf,
    file: File,
    /// Whether it is extended, not replaced.
    appends: bool,
    /// Whether it was created when it was opened and nothing has been written to it.
    is_new: bool,
}

impl FileArgs {
    /// Opens the files. None of them may be one of the inputs, or two of them the same.
    pub(crate) fn open(&self, inputs: &[PathBuf]) -> Result<Files, CliError> {
        let named = [
            (Rendering::Json, &self.json),
            (Rendering::Html, &self.html),
            (Rendering::Junit, &self.junit),
            (Rendering::Markdown, &self.markdown),
            (Rendering::Sarif, &self.sarif),
            (Rendering::Badge, &self.badge),
            (Rendering::BadgeJson, &self.badge_json),
        ];
        let named = named.into_iter().filter_map(|(rendering, path)| Some((rendering, path.clone()?, false)));
        let summary = if self.step_summary { Some((Rendering::Markdown, step_summary()?, true)) } else { None };
        let mut taken: Vec<PathBuf> = inputs.iter().filter_map(|input| fs::canonicalize(input).ok()).collect();
        let mut files = Files::default();
        for (rendering, path, appends) in named.chain(summary) {
            let file = OpenFile::open(rendering, path, appends)?;
            let place = fs::canonicalize(&file.path).unwrap_or_else(|_| file.path.clone());
            // Pipes and terminals can be written to by turns.
            if place.is_file() && taken.contains(&place) {
                let path = file.path.display();
                return Err(CliError::usage(format!("{path} is named twice: each format needs a file of its own")));
            }
            taken.push(place);
            files.0.push(file);
        }
        Ok(files)
    }
}

/// The file that GitHub Actions shows with the job.
fn step_summary() -> Result<PathBuf, CliError> {
    let path = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty());
    path.map(PathBuf::from).ok_or_else(|| {
        CliError::usage(
            "--step-summary: GITHUB_STEP_SUMMARY is not set, which names the file; elsewhere use --markdown FILE",
        )
    })
}

impl OpenFile {
    fn open(rendering: Rendering, path: PathBuf, appends: bool) -> Result<Self, CliError> {
        let is_new = fs::symlink_metadata(&path).is_err();
        // The old content stays until the new one is ready.
        let file = OpenOptions::new().create(true).append(appends).write(true).truncate(false).open(&path);
        let file = file.map_err(CliError::cannot("write", &path))?;
        Ok(Self { rendering, path, file, appends, is_new })
    }

    fn write(&mut self, text: &str) -> Result<(), CliError> {
        self.is_new = false;
        self.replace(text).map_err(CliError::cannot("write", &self.path))
    }

    fn replace(&mut self, text: &str) -> std::io::Result<()> {
        if !self.appends && self.file.metadata()?.is_file() {
            self.file.set_len(0)?;
            self.file.seek(SeekFrom::Start(0))?;
        }
        self.file.write_all(text.as_bytes())?;
        self.file.flush()
    }
}

impl Drop for OpenFile {
    fn drop(&mut self) {
        // An empty file would look like a report.
        if self.is_new {
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl Files {
    /// Whether no file was named.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes all of them, without secrets.
    pub(crate) fn write(self, reports: &[Report]) -> Result<(), CliError> {
        self.write_as(|rendering| rendered(reports, rendering))
    }

    /// Writes the result of `render` for each format, without secrets.
    pub(crate) fn write_as(self, render: impl Fn(Rendering) -> Result<String, CliError>) -> Result<(), CliError> {
        // All are rendered before one is written, so that an error leaves no partial set.
        let texts = self.0.iter().map(|file| render(file.rendering)).collect::<Result<Vec<_>, _>>()?;
        for (mut file, text) in self.0.into_iter().zip(texts) {
            file.write(&output::without_secrets(&text))?;
        }
        Ok(())
    }
}

/// The report in this format; HTML puts several side by side.
pub(crate) fn rendered(reports: &[Report], rendering: Rendering) -> Result<String, CliError> {
    let catalogue = Catalogue::embedded();
    if rendering == Rendering::Html {
        return Ok(render::html(reports, catalogue)?);
    }
    let [report] = reports else {
        return Err(CliError::usage(
            "only HTML puts several runs side by side: render each FILE alone, or use `crdible report matrix`",
        ));
    };
    Ok(match rendering {
        Rendering::Human => render::human(report, catalogue, output::style()),
        Rendering::Json => render::json(report),
        Rendering::Html => render::html(reports, catalogue)?,
        Rendering::Junit => render::junit(report, catalogue),
        Rendering::Markdown => render::markdown(report, catalogue),
        Rendering::Sarif => render::sarif(report, catalogue),
        Rendering::Github => render::github(report, catalogue),
        Rendering::Badge => render::badge_svg(report),
        Rendering::BadgeJson => render::badge_json(report),
    })
}

/// The comparison in this format, if it is one for comparisons.
pub(crate) fn rendered_comparison(comparison: &Comparison, rendering: Rendering) -> Result<String, CliError> {
    let catalogue = Catalogue::embedded();
    Ok(match rendering {
        Rendering::Human => render::comparison(comparison, catalogue, output::style()),
        Rendering::Json => render::comparison_json(comparison),
        Rendering::Html => render::comparison_html(comparison, catalogue)?,
        Rendering::Junit => render::comparison_junit(comparison, catalogue),
        Rendering::Markdown => render::comparison_markdown(comparison, catalogue),
        Rendering::Sarif | Rendering::Github | Rendering::Badge | Rendering::BadgeJson => {
            return Err(CliError::usage(
                "this format is about one server: a comparison is shown as human, json, html, junit or markdown",
            ));
        }
    })
}

/// The sum of a soak in this format, if it is one for sums.
pub(crate) fn rendered_soak(soak: &Soak, rendering: Rendering) -> Result<String, CliError> {
    match rendering {
        Rendering::Human => Ok(render::soak(soak, output::style())),
        Rendering::Json => Ok(render::soak_json(soak)),
        _ => Err(CliError::usage(
            "this format is about one run: the sum of a soak is shown as human or json, and \
             the journal of each of its rounds in all formats",
        )),
    }
}
