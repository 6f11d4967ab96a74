//! `crdible report merge`.

use std::{
    fs::File,
    io::BufWriter,
    path::{Path, PathBuf},
};

use clap::Args;
use crdible_reports::{
    fold,
    journal::{Journal, JournalWriter},
    merge,
    redact::Redactor,
};
use crdible_spec::Catalogue;

use crate::{
    error::CliError,
    explanations::explained,
    files::{journal, known},
    flags::OutputFormat,
    output::{self, FileArgs},
};

/// The parts to merge.
#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// The journals of all parts: files that `crdible run --shard PART/PARTS --journal FILE` wrote
    #[arg(value_name = "JOURNAL", required = true, num_args = 1..)]
    files: Vec<PathBuf>,
    /// Write the journal of the whole run to this file
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// File of known failures, which are listed separately and not counted
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
    /// Output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = OutputFormat::Human)]
    output: OutputFormat,
    #[command(flatten)]
    renderings: FileArgs,
}

impl MergeArgs {
    pub(crate) fn merge(&self) -> Result<u8, CliError> {
        let renderings = self.renderings.open(&self.files)?;
        let known = known::read(self.known.as_deref())?;
        let parts = self.files.iter().map(|file| journal::read(file)).collect::<Result<Vec<_>, _>>()?;
        let whole = merge(parts)?;
        let report = explained(fold(&whole, &known, Catalogue::embedded(), jiff::Zoned::now().date()));
        if let Some(path) = &self.journal {
            write(path, whole)?;
        }
        output::result(&self.output.of(&report));
        let code = report.exit_code();
        renderings.write(&[report])?;
        Ok(code)
    }
}

/// Writes a journal. An existing file is never overwritten.
fn write(path: &Path, journal: Journal) -> Result<(), CliError> {
    let failed = CliError::cannot("write the journal", path);
    let file = File::create_new(path).map_err(&failed)?;
    // Secrets were removed when the parts were written.
    let mut writer = JournalWriter::new(BufWriter::new(file), Redactor::default());
    for line in journal.into_lines() {
        writer.write(line).map_err(&failed)?;
    }
    Ok(())
}
