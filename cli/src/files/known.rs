//! Files of known failures.

use std::path::Path;

use crdible_reports::{KnownFailures, UnusableKnown};
use crdible_spec::Catalogue;

use crate::error::CliError;

/// Reads a file of known failures, or takes the built-in ones of kube-apiserver; without a file there are none.
pub(crate) fn read(path: Option<&Path>) -> Result<KnownFailures, CliError> {
    let Some(path) = path else { return Ok(KnownFailures::default()) };
    KnownFailures::of_place(path, Catalogue::embedded()).map_err(|unusable| match unusable {
        UnusableKnown::File(error) => CliError::cannot("read", path)(error),
        UnusableKnown::Entries(errors) => CliError::Known(errors.iter().map(ToString::to_string).collect()),
    })
}
