//! Files of known failures.

use std::path::Path;

use crdible_reports::KnownFailures;
use crdible_spec::Catalogue;

use crate::error::CliError;

/// Reads a file of known failures; without a file there are none.
pub(crate) fn read(path: Option<&Path>) -> Result<KnownFailures, CliError> {
    let Some(path) = path else { return Ok(KnownFailures::default()) };
    let text = std::fs::read_to_string(path).map_err(CliError::cannot("read", path))?;
    KnownFailures::parse(&text, &path.display().to_string(), Catalogue::embedded())
        .map_err(|errors| CliError::Known(errors.iter().map(ToString::to_string).collect()))
}
