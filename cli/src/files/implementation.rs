//! `implementation.toml` of a submission: what was tested.

use std::{fs, path::Path};

use serde::Deserialize;

/// The file that says what was tested.
pub(crate) const IMPLEMENTATION: &str = "implementation.toml";

/// What [`IMPLEMENTATION`] says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Implementation {
    pub(crate) organization: String,
    pub(crate) project: String,
    pub(crate) url: String,
    pub(crate) contact: String,
    #[serde(default)]
    pub(crate) result: Vec<Entry>,
}

/// One result.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    pub(crate) file: String,
    pub(crate) version: String,
    /// The file of known failures, for a journal: a report names its own.
    pub(crate) known: Option<String>,
}

/// The implementation that a result in a submission is about: the name of its folder, and the version. `None` for a
/// file elsewhere, or if the folder does not state it.
pub(crate) fn implementation_of(result: &Path) -> Option<String> {
    let folder = result.parent()?;
    let text = fs::read_to_string(folder.join(IMPLEMENTATION)).ok()?;
    let implementation: Implementation = toml::from_str(&text).ok()?;
    let name = result.file_name()?;
    let entry = implementation.result.into_iter().find(|entry| *entry.file == *name)?;
    let folder = folder.canonicalize().ok()?;
    Some(format!("{} {}", folder.file_name()?.to_string_lossy(), entry.version))
}
