//! Manifests, their places, and what is wrong with them.

use std::fmt;

use bytes::Bytes;
use thiserror::Error;

/// One object, as the text of its manifest.
#[derive(Clone, Debug)]
pub(super) struct Manifest {
    pub(super) place: ManifestPlace,
    pub(super) api_version: String,
    pub(super) kind: String,
    /// Empty if the manifest has none.
    pub(super) namespace: String,
    pub(super) body: Bytes,
    pub(super) media_type: &'static str,
}

/// The place of a manifest or a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ManifestPlace {
    pub(super) file: String,
    /// Counted from 1, including empty documents.
    pub(super) document: Option<usize>,
    /// The item of a list, counted from 1.
    pub(super) item: Option<usize>,
}

/// Why a file, or a document in it, cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    place: ManifestPlace,
    reason: String,
}

/// All problems, displayed one per line.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct Problems(pub Vec<Problem>);

impl ManifestPlace {
    pub(super) fn of_file(file: impl Into<String>) -> Self {
        Self { file: file.into(), document: None, item: None }
    }

    pub(super) fn problem(&self, reason: impl Into<String>) -> Problem {
        Problem { place: self.clone(), reason: reason.into() }
    }
}

impl fmt::Display for ManifestPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(document) = self.document {
            write!(f, ", document {document}")?;
        }
        self.item.map_or(Ok(()), |item| write!(f, ", item {item}"))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.reason)
    }
}
