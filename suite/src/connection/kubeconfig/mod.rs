//! Kubeconfig files: found, read, merged, and resolved to one server with one user.
//!
//! The rules are those of `kubectl`: `$KUBECONFIG` is a list of files of which the first to name a
//! thing wins, paths are relative to the file that holds them, and inline `*-data` wins over the
//! path to a file.

mod document;
mod fields;
mod load;
mod resolve;

pub(super) use document::ExecConfig;
pub(super) use load::load;
pub(super) use resolve::resolve;

use std::path::{Path, PathBuf};

/// The variables of the process that say where kubeconfigs lie.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// `$KUBECONFIG`: paths separated as in `$PATH`.
    pub kubeconfig: Option<std::ffi::OsString>,
    /// The home folder, below which `.kube/config` is looked for.
    pub home: Option<PathBuf>,
}

impl Environment {
    /// What this process has been given.
    pub fn of_process() -> Self {
        Self { kubeconfig: std::env::var_os("KUBECONFIG"), home: std::env::home_dir() }
    }
}

/// Why a kubeconfig cannot be used: which file, which context or user, what, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KubeconfigError {
    /// There is no file to read.
    #[error("there is no kubeconfig ({looked}): pass one with --kubeconfig, or set KUBECONFIG")]
    Missing {
        /// Where was looked.
        looked: String,
    },
    /// The file cannot be read.
    #[error("cannot read the kubeconfig {file}: {detail}; check the path and its permissions")]
    Unreadable {
        /// The path.
        file: String,
        /// What the system said.
        detail: String,
    },
    /// The file is not what a kubeconfig should be.
    #[error("{file} is no kubeconfig: {detail}; mend it, or compare with the output of `kubectl config view`")]
    Malformed {
        /// The path.
        file: String,
        /// What is wrong, with line and column where known.
        detail: String,
    },
    /// No context was asked for, and the file has none that is current.
    #[error("{file} has no current-context: pass --context; {known}")]
    NoContext {
        /// The path or paths.
        file: String,
        /// The contexts that are there.
        known: String,
    },
    /// A name leads nowhere.
    #[error("{file} has no {what} {name:?}{wanted_by}: {advice}")]
    Unknown {
        /// The path or paths.
        file: String,
        /// `context`, `cluster` or `user`.
        what: &'static str,
        /// The missing name.
        name: String,
        /// Who refers to it, beginning with a comma (or nothing).
        wanted_by: String,
        /// What to do.
        advice: String,
    },
    /// A cluster's entry cannot be used.
    #[error("{file}, cluster {cluster:?}: {detail}")]
    Cluster {
        /// The path.
        file: String,
        /// The cluster's name.
        cluster: String,
        /// What is wrong, and what to do.
        detail: String,
    },
    /// A user's entry cannot be used.
    #[error("{file}, user {user:?}: {detail}")]
    User {
        /// The path.
        file: String,
        /// The user's name.
        user: String,
        /// What is wrong, and what to do.
        detail: String,
    },
}

/// A path for messages.
fn shown(path: &Path) -> String {
    path.display().to_string()
}
