//! What a server is to begin with: definitions and objects from files.
//!
//! ```
//! # use std::sync::Arc;
//! # use crdible_reference::{Manifests, Server};
//! # use crdible_semantics::Upstream;
//! let server = Server::new(Arc::new(Upstream));
//! let manifests = Manifests::parse("in the test", "{apiVersion: v1, kind: Namespace, metadata: {name: mine}}")?;
//! assert_eq!(server.load(&manifests)?.objects, 1);
//! # Ok::<(), crdible_reference::Problems>(())
//! ```

mod documents;
mod files;
mod load;

use std::fmt;
use std::path::Path;

use bytes::Bytes;
use thiserror::Error;

pub use load::Loaded;

/// Definitions and objects that were read and not created yet.
#[derive(Clone, Debug, Default)]
pub struct Manifests {
    manifests: Vec<Manifest>,
}

/// One object, in the text that describes it.
#[derive(Clone, Debug)]
struct Manifest {
    place: Place,
    api_version: String,
    kind: String,
    /// Empty if it names none.
    namespace: String,
    body: Bytes,
    media_type: &'static str,
}

/// Where something stands.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    file: String,
    /// Counted from 1, empty ones too.
    document: Option<usize>,
    /// In a list; counted from 1.
    item: Option<usize>,
}

/// A file, or a document in it, that cannot be loaded, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    place: Place,
    reason: String,
}

/// All that is wrong, one line for each.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct Problems(pub Vec<Problem>);

impl Manifests {
    /// Reads files, and folders with all that is below them: there files that end in `.yaml`, `.yml` or `.json` count, in the order of
    /// their names, and none whose name begins with a dot.
    ///
    /// # Errors
    /// All files that cannot be read and all documents that are no manifests.
    pub fn read(paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Result<Self, Problems> {
        let mut problems = Vec::new();
        let mut manifests = Vec::new();
        for path in paths {
            for found in files::all(path.as_ref()) {
                match found.and_then(|file| files::manifests(&file)) {
                    Ok(read) => take(read, &mut manifests, &mut problems),
                    Err(problem) => problems.push(problem),
                }
            }
        }
        Self::unless(problems, manifests)
    }

    /// Reads documents of YAML, or of JSON, from a text. Problems in it are told under this name.
    ///
    /// # Errors
    /// All documents that are no manifests.
    pub fn parse(name: &str, text: &str) -> Result<Self, Problems> {
        let (mut problems, mut manifests) = (Vec::new(), Vec::new());
        take(
            documents::read(name, text.as_bytes(), documents::Form::guess(text.as_bytes())),
            &mut manifests,
            &mut problems,
        );
        Self::unless(problems, manifests)
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.manifests.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.manifests.is_empty()
    }

    fn unless(problems: Vec<Problem>, manifests: Vec<Manifest>) -> Result<Self, Problems> {
        if problems.is_empty() { Ok(Self { manifests }) } else { Err(Problems(problems)) }
    }
}

fn take(read: Vec<Result<Manifest, Problem>>, manifests: &mut Vec<Manifest>, problems: &mut Vec<Problem>) {
    for found in read {
        match found {
            Ok(manifest) => manifests.push(manifest),
            Err(problem) => problems.push(problem),
        }
    }
}

impl Place {
    fn of_file(file: impl Into<String>) -> Self {
        Self { file: file.into(), document: None, item: None }
    }

    fn problem(&self, reason: impl Into<String>) -> Problem {
        Problem { place: self.clone(), reason: reason.into() }
    }
}

impl fmt::Display for Place {
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
