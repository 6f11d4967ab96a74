//! Why a command failed: one sentence, and an exit code.

use std::{
    io,
    path::{Path, PathBuf},
};

use crdible_reference::Problems;
use crdible_reports::{ExitCode as Code, MergeError, across::SavedError, journal::ResumeError, render::HtmlError};
use thiserror::Error;

use crdible::{
    compare::PairError, connection::TargetError, converter::Unanswered, execute::ExecutionError,
    run::CounterexampleError, webhook::ListenerError,
};

/// Why a command failed. Each message says what is wrong, where, and what to do.
#[derive(Debug, Error)]
pub(crate) enum CliError {
    /// An invalid flag.
    #[error("{0}")]
    Usage(String),
    /// A file that cannot be read or written.
    #[error("cannot {what} {path}: {source}")]
    File { what: &'static str, path: PathBuf, source: io::Error },
    /// A file of known failures with errors in it.
    #[error("{}", .0.join("\n"))]
    Known(Vec<String>),
    /// A file that is not a counterexample.
    #[error("{path}: {source}")]
    Counterexample { path: PathBuf, source: CounterexampleError },
    /// A file that holds no report of a run.
    #[error("{path}: {source}")]
    Saved { path: PathBuf, source: SavedError },
    /// A journal that cannot be resumed.
    #[error(transparent)]
    Resume(#[from] ResumeError),
    /// Journals that are not the parts of one run.
    #[error(transparent)]
    Merge(#[from] MergeError),
    /// A page that cannot be rendered.
    #[error(transparent)]
    Html(#[from] HtmlError),
    /// An address on which webhooks cannot be served.
    #[error(transparent)]
    Webhook(#[from] ListenerError),
    /// A converter that does not answer.
    #[error("the webhook cannot be asked: {0}")]
    Converter(#[from] Unanswered),
    /// A signal ended the command before the first request that creates something.
    #[error("interrupted before the target answered; nothing was created")]
    Interrupted,
    /// A target that cannot be used.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// A target that stopped responding.
    #[error("the target cannot be judged: {0}")]
    Execution(#[from] ExecutionError),
    /// One of two targets that stopped responding.
    #[error("the targets cannot be compared: {0}")]
    Pair(#[from] PairError),
    /// Manifests that are invalid, or that the embedded server rejected.
    #[error(transparent)]
    Manifests(#[from] Problems),
    /// An address that is not available.
    #[error("cannot listen on {address}: {source}; `--listen 127.0.0.1:0` uses a free port")]
    Listen { address: String, source: io::Error },
    /// The operating system provides no threads.
    #[error("cannot start: {0}")]
    Runtime(io::Error),
}

impl CliError {
    /// An invalid flag, or another reason in one sentence.
    pub(crate) fn usage(text: impl Into<String>) -> Self {
        Self::Usage(text.into())
    }

    /// What cannot be done with the file or folder at this path, as a function of the error.
    pub(crate) fn cannot(what: &'static str, path: &Path) -> impl Fn(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::File { what, path: path.clone(), source }
    }

    /// The documented exit code.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Usage(_)
            | Self::File { .. }
            | Self::Known(_)
            | Self::Counterexample { .. }
            | Self::Saved { .. }
            | Self::Resume(_)
            | Self::Merge(_)
            | Self::Html(_)
            | Self::Webhook(_)
            | Self::Manifests(_)
            | Self::Listen { .. } => Code::USAGE,
            Self::Interrupted => Code::INTERRUPTED,
            Self::Target(error) => error.exit_code(),
            Self::Execution(_) | Self::Pair(_) | Self::Runtime(_) | Self::Converter(_) => Code::UNUSABLE,
        }
    }
}
