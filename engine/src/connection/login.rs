//! How a client comes to its credentials: fixed ones, and those that are renewed during a run.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::credentials::Credentials;
use super::exec::ExecPlugin;
use super::secret::{Secret, Secrets};

/// How long the content of a token file is used before it is read again, as in client-go. The kubelet renews projected
/// tokens in place.
const TOKEN_FILE_LIFE: Duration = Duration::from_secs(60);

/// The source of credentials that expire.
#[derive(Debug, Clone)]
pub(super) enum Renewal {
    TokenFile(PathBuf),
    Exec(Box<ExecPlugin>),
}

/// How the client authenticates.
#[derive(Debug, Clone, Default)]
pub(super) struct Login {
    pub(super) fixed: Credentials,
    pub(super) renewal: Option<Renewal>,
}

impl Login {
    /// The current credentials. Reads the token file or runs the plugin.
    ///
    /// # Errors
    /// A sentence: what cannot be read or run, and what to do.
    pub(super) async fn credentials(&self, secrets: &Secrets) -> Result<Credentials, String> {
        let fixed = self.fixed.clone();
        match &self.renewal {
            None => Ok(fixed),
            Some(Renewal::TokenFile(path)) => {
                let text = std::fs::read_to_string(path)
                    .map_err(|error| format!("cannot read the token file {}: {error}", path.display()))?;
                let token = text.trim();
                if token.is_empty() {
                    return Err(format!("the token file {} is empty: write a token into it", path.display()));
                }
                let mut credentials = fixed.with_token(&Secret::from(token), secrets);
                credentials.valid_until = Some(Instant::now() + TOKEN_FILE_LIFE);
                Ok(credentials)
            }
            Some(Renewal::Exec(plugin)) => {
                let issued = plugin.run().await?;
                let mut credentials = fixed;
                if let Some(token) = &issued.token {
                    credentials = credentials.with_token(token, secrets);
                }
                if let Some(identity) = issued.identity {
                    credentials = credentials.with_identity(identity, secrets);
                }
                credentials.valid_until = issued.valid_until;
                Ok(credentials)
            }
        }
    }
}
