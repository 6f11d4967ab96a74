//! The initial content of a server: definitions and objects from files.
//!
//! ```
//! # use crdible_reference::{Manifests, Server};
//! # use crdible_semantics::Semantics;
//! let server = Server::new(Semantics::UPSTREAM);
//! let manifests = Manifests::parse("in the test", "{apiVersion: v1, kind: Namespace, metadata: {name: mine}}")?;
//! assert_eq!(server.load(&manifests)?.objects, 1);
//! # Ok::<(), crdible_reference::Problems>(())
//! ```

mod documents;
mod files;
mod load;
mod manifest;

use std::path::Path;

use serde_json::Value;

pub use load::Loaded;
pub use manifest::{Problem, Problems};

use crate::wire::yaml;
use manifest::Manifest;

/// Definitions and objects that were read but not created yet.
#[derive(Clone, Debug, Default)]
pub struct Manifests {
    manifests: Vec<Manifest>,
}

impl Manifests {
    /// Reads files, and folders recursively. In folders it reads files that end in `.yaml`, `.yml` or `.json`, in the
    /// order of their names, and skips names that begin with a dot, and the files of kustomize (`kustomization.yaml`).
    /// The path `-` is standard input.
    ///
    /// # Errors
    /// Lists all files that cannot be read and all documents that are not manifests.
    pub fn read(paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Result<Self, Problems> {
        let mut problems = Vec::new();
        let mut manifests = Vec::new();
        for path in paths {
            for found in files::all(path.as_ref()) {
                match found.and_then(|file| files::manifests(&file)) {
                    Ok(read) => split(read, &mut manifests, &mut problems),
                    Err(problem) => problems.push(problem),
                }
            }
        }
        Self::or_problems(manifests, problems)
    }

    /// Reads YAML or JSON documents from a text. Problems name `name` as the file.
    ///
    /// # Errors
    /// Lists all documents that are not manifests.
    pub fn parse(name: &str, text: &str) -> Result<Self, Problems> {
        let (mut problems, mut manifests) = (Vec::new(), Vec::new());
        split(
            documents::read(name, text.as_bytes(), documents::Format::guess(text.as_bytes())),
            &mut manifests,
            &mut problems,
        );
        Self::or_problems(manifests, problems)
    }

    /// The number of objects.
    pub fn len(&self) -> usize {
        self.manifests.len()
    }

    /// The objects as they were written, each with its place: the file, and where in it.
    ///
    /// # Errors
    /// Lists all documents in which a key is repeated, or that are nested too deeply.
    pub fn documents(&self) -> Result<Vec<(String, Value)>, Problems> {
        let (mut documents, mut problems) = (Vec::new(), Vec::new());
        for manifest in &self.manifests {
            match yaml::read(&manifest.body) {
                Ok(document) => documents.push((manifest.place.to_string(), document)),
                Err(invalid) => problems.push(manifest.place.problem(invalid.to_string())),
            }
        }
        if problems.is_empty() { Ok(documents) } else { Err(Problems(problems)) }
    }

    /// Whether there are no objects.
    pub fn is_empty(&self) -> bool {
        self.manifests.is_empty()
    }

    fn or_problems(manifests: Vec<Manifest>, problems: Vec<Problem>) -> Result<Self, Problems> {
        if problems.is_empty() { Ok(Self { manifests }) } else { Err(Problems(problems)) }
    }
}

fn split(read: Vec<Result<Manifest, Problem>>, manifests: &mut Vec<Manifest>, problems: &mut Vec<Problem>) {
    for found in read {
        match found {
            Ok(manifest) => manifests.push(manifest),
            Err(problem) => problems.push(problem),
        }
    }
}
