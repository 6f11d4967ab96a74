//! Files of known failures.

use std::path::Path;

use crdible_reports::{KUBE_APISERVER, KnownFailures};
use crdible_spec::Catalogue;

use crate::error::CliError;

/// Reads a file of known failures, or takes the built-in ones of kube-apiserver; without a file there are none.
pub(crate) fn read(path: Option<&Path>) -> Result<KnownFailures, CliError> {
    let Some(path) = path else { return Ok(KnownFailures::default()) };
    let catalogue = Catalogue::embedded();
    let known = if is_built_in(path) {
        KnownFailures::of_kube_apiserver(catalogue)
    } else {
        let text = std::fs::read_to_string(path).map_err(CliError::cannot("read", path))?;
        KnownFailures::parse(&text, &path.display().to_string(), catalogue)
    };
    known.map_err(|errors| CliError::Known(errors.iter().map(ToString::to_string).collect()))
}

/// Whether it is a name and not a path. A file of that name is a file.
fn is_built_in(path: &Path) -> bool {
    path == Path::new(KUBE_APISERVER) && !path.exists()
}
