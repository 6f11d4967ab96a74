//! TLS with generated certificates: nothing is read from the machine or stored on it.

mod authority;
mod clients;

use std::sync::Arc;

use thiserror::Error;
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};

pub use authority::Authority;
pub(crate) use authority::ClientIdentity;
pub(crate) use clients::Clients;

/// A certificate could not be generated, or TLS cannot be set up with it.
#[derive(Debug, Error)]
#[error("cannot set up TLS: {0}")]
pub struct TlsError(#[source] Box<dyn std::error::Error + Send + Sync>);

impl TlsError {
    pub(crate) fn new(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self(source.into())
    }
}

/// The cryptography provider. Passed explicitly, because a library must not choose one for the whole process.
pub(crate) fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

/// `BYTES` random bytes, as hexadecimal digits.
pub(crate) fn random_hex<const BYTES: usize>() -> Result<String, TlsError> {
    let mut bytes = [0; BYTES];
    provider()
        .secure_random
        .fill(&mut bytes)
        .map_err(|_| TlsError::new("the operating system provides no random numbers"))?;
    let mut text = String::with_capacity(2 * BYTES);
    for byte in bytes {
        text.push_str(&format!("{byte:02x}"));
    }
    Ok(text)
}
