//! `crdible report accept`.

use std::path::PathBuf;

use clap::{Args, builder::NonEmptyStringValueParser};
use crdible_reports::{Acceptance, ExitCode as Code, accept};
use jiff::civil::Date;

use crate::{
    error::CliError,
    files::{known, saved},
    output,
};

/// Which failures are accepted, and why.
#[derive(Debug, Args)]
pub(crate) struct AcceptArgs {
    /// The run: a file that `crdible run --output json` or `--journal` wrote
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// File of known failures, for a journal; a report names its own
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
    /// Why they are accepted [default: the summary of each failure]
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    reason: Option<String>,
    /// Where they are tracked
    #[arg(long, value_name = "URL", value_parser = NonEmptyStringValueParser::new())]
    issue: Option<String>,
    /// The last day on which they are accepted, such as 2027-06-30
    #[arg(long, value_name = "DATE", value_parser = date)]
    expires: Option<Date>,
}

impl AcceptArgs {
    pub(crate) fn accept(&self) -> Result<u8, CliError> {
        let known = known::read(self.known.as_deref())?;
        let report = saved::read(&self.file, &known)?;
        let acceptance = Acceptance { reason: self.reason.clone(), issue: self.issue.clone(), expires: self.expires };
        let entries = accept(&report, &acceptance);
        if entries.is_empty() {
            output::remark("the run has no failure that is not known");
        } else {
            output::result(&entries);
        }
        Ok(Code::SUCCESS)
    }
}

/// `2027-06-30`.
fn date(text: &str) -> Result<Date, String> {
    let date: Option<Date> = text.parse().ok();
    date.filter(|date| date.to_string() == text).ok_or_else(|| "it must be a date, such as 2027-06-30".to_owned())
}
