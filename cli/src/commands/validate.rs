//! `crdible report validate`.

mod submission;

use std::{
    fs::File,
    io::BufReader,
    path::{Path, PathBuf},
};

use clap::Args;
use crdible_reports::{
    ExitCode as Code,
    check::{self, Checked},
    render::quoted,
    text::plural,
};
use crdible_spec::Catalogue;

use crate::{error::CliError, output};

/// The examples in the help.
pub(crate) const EXAMPLE: &str = "\
Examples:
  crdible report validate run.ndjson report.json
  crdible report validate --submission results/kube-apiserver";

/// Which files to check.
#[derive(Debug, Args)]
pub(crate) struct ValidateArgs {
    /// Journals (`--journal`), reports, comparisons and sums of soaks (`--output json`), recognised by their content
    #[arg(value_name = "FILE", required_unless_present = "submission", num_args = 1..)]
    files: Vec<PathBuf>,
    /// Folder with submitted results: implementation.toml, README.md, and
    /// complete results of a whole profile; may be repeated
    #[arg(long, value_name = "FOLDER")]
    submission: Vec<PathBuf>,
}

impl ValidateArgs {
    pub(crate) fn validate(&self) -> Result<u8, CliError> {
        let (mut text, mut codes) = (String::new(), Vec::new());
        for file in &self.files {
            let checked = read(file)?;
            let (word, code) = match (&checked.incomplete, checked.is_valid()) {
                (_, false) => ("invalid", Code::FAILURE),
                (Some(_), true) => ("valid, but incomplete", Code::INCOMPLETE),
                (None, true) => ("valid", Code::SUCCESS),
            };
            text.push_str(&format!("{word}: {}: {}\n", file.display(), quoted(&checked.what)));
            for line in messages(&checked) {
                text.push_str(&format!("  {line}\n"));
            }
            codes.push(code);
        }
        for folder in &self.submission {
            let submission = submission::check(folder)?;
            codes.push(if submission.is_acceptable() { Code::SUCCESS } else { Code::FAILURE });
            text.push_str(&submission.to_string());
        }
        output::result(&text);
        // An invalid file outweighs an incomplete one.
        let worst = [Code::FAILURE, Code::INCOMPLETE].into_iter().find(|code| codes.contains(code));
        Ok(worst.unwrap_or(Code::SUCCESS))
    }
}

/// The problems of a file, why it is incomplete, and its notes.
fn messages(checked: &Checked) -> Vec<String> {
    let mut lines: Vec<String> = checked.problems.iter().map(ToString::to_string).collect();
    if checked.more > 0 {
        lines.push(format!("… and {}", plural(checked.more, "other problem")));
    }
    lines.extend(checked.incomplete.iter().chain(&checked.notes).map(|note| quoted(note)));
    lines
}

/// Checks a file. It is an error if crdible did not write it.
fn read(path: &Path) -> Result<Checked, CliError> {
    let failed = CliError::cannot("read", path);
    let file = File::open(path).map_err(&failed)?;
    let input = BufReader::with_capacity(1 << 16, file);
    check::check(input, Catalogue::embedded()).map_err(failed)?.ok_or_else(|| {
        CliError::usage(format!(
            "{}: this is not a journal (`--journal FILE`), a report, a comparison or the sum of a soak (`--output json`)",
            path.display()
        ))
    })
}
