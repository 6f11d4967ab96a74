//! Why a command ends without doing its work: one sentence, and an exit code.

use std::{io, path::PathBuf};

use crdible_reference::Problems;
use crdible_reports::ExitCode as Code;
use thiserror::Error;

use crate::{execute::ExecutionError, run::CounterexampleError, target::TargetError};

/// Everything that can be wrong around a run. Each message says what, where and what to do.
#[derive(Debug, Error)]
pub(super) enum CliError {
    /// A flag whose value fits nothing.
    #[error("{0}")]
    Usage(String),
    /// A file that cannot be read or written.
    #[error("cannot {what} {path}: {source}")]
    File { what: &'static str, path: PathBuf, source: io::Error },
    /// A file of known failures with mistakes in it.
    #[error("{}", .0.join("\n"))]
    Known(Vec<String>),
    /// A file that is no counterexample.
    #[error("{path}: {source}")]
    Counterexample { path: PathBuf, source: CounterexampleError },
    /// A target that cannot be used.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// A target that stopped answering.
    #[error("the target cannot be judged: {0}")]
    Execution(#[from] ExecutionError),
    /// Manifests that are none, or that the embedded server refused.
    #[error(transparent)]
    Manifests(#[from] Problems),
    /// A port that cannot be had.
    #[error("cannot listen on {address}: {source}; `--listen 127.0.0.1:0` takes a free port")]
    Listen { address: String, source: io::Error },
    /// The machine gives no threads.
    #[error("cannot start: {0}")]
    Runtime(io::Error),
}

impl CliError {
    /// The documented exit code.
    pub(super) fn code(&self) -> u8 {
        match self {
            Self::Usage(_)
            | Self::File { .. }
            | Self::Known(_)
            | Self::Counterexample { .. }
            | Self::Manifests(_)
            | Self::Listen { .. } => Code::USAGE,
            Self::Target(error) => error.exit_code(),
            Self::Execution(_) | Self::Runtime(_) => Code::UNUSABLE,
        }
    }
}
