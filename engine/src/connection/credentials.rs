//! The credentials of a client: a token or a password, and a certificate.

use std::time::Instant;

use base64::Engine;

use super::secret::{Secret, Secrets};

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
