//! Counterexamples as files: written by runs and comparisons, read by replays.

use std::path::Path;

use crate::{error::CliError, output};
use crdible::run::{ConfirmedFinding, Counterexample};
use crdible_semantics::Release;

/// Reads a counterexample.
pub(crate) fn read(path: &Path) -> Result<Counterexample, CliError> {
    let text = std::fs::read_to_string(path).map_err(CliError::cannot("read", path))?;
    Counterexample::parse(&text).map_err(|source| CliError::Counterexample { path: path.to_owned(), source })
}

/// Writes the counterexample of a finding by this release to a file in a folder, which is created if missing. Returns
/// the path; if it cannot be written, prints a warning and returns nothing.
pub(crate) fn write(folder: &Path, name: &str, finding: &ConfirmedFinding, release: Release) -> Option<String> {
    let path = folder.join(name);
    let text = Counterexample::of(finding, release).to_text();
    let written =
        std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, output::without_secrets(&text).as_bytes()));
    match written {
        Ok(()) => Some(path.display().to_string()),
        Err(error) => {
            output::warn(&format!("cannot write the counterexample {}: {error}", path.display()));
            None
        }
    }
}
