//! What a user says about the target, before anything is read or connected.

use std::path::PathBuf;
use std::time::Duration;

use super::error::TargetError;
use super::secret::Secret;

/// How long one request may take when nothing else is said. The slowest ordinary answer of a real
/// server is the first create under a young definition (2 s); everything else is overload.
pub const DEFAULT_REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// Where a run goes. No option at all means the embedded server, in process: never the current
/// context of a kubeconfig that happens to lie about.
#[derive(Debug, Clone, Default)]
pub struct TargetOptions {
    /// `--server`: base URL of an API server, `http` or `https`, with an optional path.
    pub server: Option<String>,
    /// `--token`: bearer token, with `--server` or `--launch`.
    pub token: Option<Secret>,
    /// `--ca`: file with PEM certificates that are trusted instead of the system's.
    pub ca: Option<PathBuf>,
    /// PEM file with the client's certificate (and its chain).
    pub client_certificate: Option<PathBuf>,
    /// PEM file with the client's key.
    pub client_key: Option<PathBuf>,
    /// `--insecure-skip-tls-verify`: any certificate is believed.
    pub insecure: bool,
    /// `--kubeconfig`: file to take address and credentials from.
    pub kubeconfig: Option<PathBuf>,
    /// `--context`: context of the kubeconfig (of `--kubeconfig`, of `$KUBECONFIG`, or of
    /// `~/.kube/config`).
    pub context: Option<String>,
    /// `--launch`: shell command that starts a server for the run.
    pub launch: Option<String>,
    /// Time allowed for one request; `None` means [`DEFAULT_REQUEST_TIMEOUT`].
    pub request_timeout: Option<Duration>,
}

impl TargetOptions {
    /// Whether they name no target, which means the embedded one.
    ///
    /// Only the options that name a target count; a left-over `--token` is a mistake that
    /// [`Self::check`] reports.
    pub fn is_embedded(&self) -> bool {
        self.server.is_none() && self.kubeconfig.is_none() && self.context.is_none() && self.launch.is_none()
    }

    /// The time allowed for one request.
    pub fn timeout(&self) -> Duration {
        self.request_timeout.unwrap_or(DEFAULT_REQUEST_TIMEOUT)
    }

    /// Finds options that contradict each other or that nothing would use.
    ///
    /// # Errors
    /// [`TargetError::Usage`] with the options' names and what to do.
    pub fn check(&self) -> Result<(), TargetError> {
        let usage = |text: &str| Err(TargetError::Usage(text.to_owned()));
        let from_kubeconfig = self.kubeconfig.is_some() || self.context.is_some();
        if self.server.is_some() && self.launch.is_some() {
            return usage("--server and --launch name two targets: pass one of them");
        }
        if self.server.is_some() && from_kubeconfig {
            return usage("--server and --kubeconfig/--context name two targets: pass one of them");
        }
        if self.launch.is_some() && self.kubeconfig.is_some() {
            return usage(
                "--launch and --kubeconfig name two targets: pass one of them (a launched server prints the path of its own kubeconfig)",
            );
        }
        if let Some(option) = self.first_credential() {
            if from_kubeconfig && self.launch.is_none() {
                return Err(TargetError::Usage(format!(
                    "{option} does not go with --kubeconfig/--context: the kubeconfig holds the credentials"
                )));
            }
            if self.is_embedded() {
                return Err(TargetError::Usage(format!(
                    "{option} needs a server: pass --server URL too (without it the embedded server is used)"
                )));
            }
        }
        if self.client_certificate.is_some() != self.client_key.is_some() {
            return usage("a client certificate and its key go together: pass both files");
        }
        if self.ca.is_some() && self.insecure {
            return usage("--ca and --insecure-skip-tls-verify contradict each other: pass one of them");
        }
        if self.request_timeout.is_some_and(|timeout| timeout.is_zero()) {
            return usage("a request timeout of 0 leaves no time for an answer: pass a longer one");
        }
        Ok(())
    }

    /// The name of the first credential option that is set.
    pub(super) fn first_credential(&self) -> Option<&'static str> {
        [
            (self.token.is_some(), "--token"),
            (self.ca.is_some(), "--ca"),
            (self.client_certificate.is_some(), "--client-certificate"),
            (self.client_key.is_some(), "--client-key"),
            (self.insecure, "--insecure-skip-tls-verify"),
        ]
        .into_iter()
        .find_map(|(set, option)| set.then_some(option))
    }
}
