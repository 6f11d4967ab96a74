//! Credentials: fixed ones, and those that are renewed during a run.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use base64::Engine;

use super::exec::ExecPlugin;
use super::secret::{Secret, Secrets};

/// How long the content of a token file is used before it is read again, as in client-go. The kubelet renews projected
/// tokens in place.
const TOKEN_FILE_LIFE: Duration = Duration::from_secs(60);

/// A client certificate with its chain, and its key, both in PEM.
#[derive(Debug, Clone)]
pub(super) struct ClientIdentity {
    pub(super) certificate: Vec<u8>,
    pub(super) key: Secret,
}

/// The credentials of requests and connections.
#[derive(Debug, Clone, Default)]
pub(super) struct Credentials {
    /// The value of the `Authorization` header.
    pub(super) authorization: Option<Secret>,
    pub(super) identity: Option<ClientIdentity>,
    /// When they expire; `None` means never.
    pub(super) valid_until: Option<Instant>,
}

impl Credentials {
    pub(super) fn with_token(mut self, token: &Secret, secrets: &Secrets) -> Self {
        secrets.add(token.expose());
        self.authorization = Some(Secret::from(format!("Bearer {}", token.expose())));
        self
    }

    pub(super) fn with_password(mut self, user: &str, password: &Secret, secrets: &Secrets) -> Self {
        let encoded = base64::engine::general_purpose::STANDARD.encode(format!("{user}:{}", password.expose()));
        secrets.add(password.expose());
        secrets.add(&encoded);
        self.authorization = Some(Secret::from(format!("Basic {encoded}")));
        self
    }

    pub(super) fn with_identity(mut self, identity: ClientIdentity, secrets: &Secrets) -> Self {
        secrets.add(identity.key.expose());
        self.identity = Some(identity);
        self
    }
}

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
