//! Kubeconfig files: finding, parsing and merging them, and selecting a server and a user.
//!
//! As in `kubectl`, `$KUBECONFIG` is a list of files in which the first to define a name has precedence, paths are
//! relative to the file that contains them, and inline `*-data` has precedence over the path of a file.

mod document;
mod fields;
mod load;
mod resolve;

pub(super) use document::ExecConfig;
pub(super) use load::load;
pub(super) use resolve::resolve;

use std::path::{Path, PathBuf};

/// The environment variables that say where kubeconfigs are.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// `$KUBECONFIG`: paths separated as in `$PATH`.
    pub kubeconfig: Option<std::ffi::OsString>,
    /// The home folder, which may contain `.kube/config`.
    pub home: Option<PathBuf>,
}

impl Environment {
    /// The environment of this process.
    pub fn of_process() -> Self {
        Self { kubeconfig: std::env::var_os("KUBECONFIG"), home: std::env::home_dir() }
    }
}

/// Why a kubeconfig cannot be used: the file, the context or user, the problem, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KubeconfigError {
    /// There is no file.
    #[error("there is no kubeconfig ({looked}): pass one with --kubeconfig, or set KUBECONFIG")]
    Missing {
        /// The paths that were tried.
        looked: String,
    },
    /// The file cannot be read.
    #[error("cannot read the kubeconfig {file}: {detail}; check the path and its permissions")]
    Unreadable {
        /// The path.
        file: String,
        /// The message of the system.
        detail: String,
    },
    /// The file is not a valid kubeconfig.
    #[error(
        "{file} is not a valid kubeconfig: {detail}; fix it, or compare it with the output of `kubectl config view`"
    )]
    Malformed {
        /// The path.
        file: String,
        /// The problem, with the line if it is known.
        detail: String,
    },
    /// No context was specified, and the file has no current one.
    #[error("{file} has no current-context: pass --context; {known}")]
    NoContext {
        /// The path or paths.
        file: String,
        /// The contexts that exist.
        known: String,
    },
    /// A name is not defined.
    #[error("{file} has no {what} {name:?}{wanted_by}: {advice}")]
    Unknown {
        /// The path or paths.
        file: String,
        /// `context`, `cluster` or `user`.
        what: &'static str,
        /// The missing name.
        name: String,
        /// What refers to it, beginning with a comma; or empty.
        wanted_by: String,
        /// What to do.
        advice: String,
    },
    /// The entry of a cluster cannot be used.
    #[error("{file}, cluster {cluster:?}: {detail}")]
    Cluster {
        /// The path.
        file: String,
        /// The name of the cluster.
        cluster: String,
        /// The problem, and what to do.
        detail: String,
    },
    /// The entry of a user cannot be used.
    #[error("{file}, user {user:?}: {detail}")]
    User {
        /// The path.
        file: String,
        /// The name of the user.
        user: String,
        /// The problem, and what to do.
        detail: String,
    },
}

/// A path for messages.
fn shown(path: &Path) -> String {
    path.display().to_string()
}
