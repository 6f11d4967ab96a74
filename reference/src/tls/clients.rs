//! The certificates of clients.

use std::sync::Arc;

use tokio_rustls::rustls::client::danger::HandshakeSignatureValid;
use tokio_rustls::rustls::pki_types::{CertificateDer, UnixTime};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use tokio_rustls::rustls::{DigitallySignedStruct, DistinguishedName, Error, RootCertStore, SignatureScheme};

use super::{TlsError, provider};

/// Tells which certificates of clients are good.
#[derive(Clone, Debug)]
pub(crate) struct Clients {
    verifier: Arc<dyn ClientCertVerifier>,
}

impl Clients {
    pub(super) fn signed_by(roots: RootCertStore) -> Result<Self, TlsError> {
        let builder = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider());
        Ok(Self { verifier: builder.build().map_err(TlsError::new)? })
    }

    /// Whether a chain, the client's own certificate first, is good now.
    pub(crate) fn know(&self, chain: &[CertificateDer<'_>]) -> bool {
        chain
            .split_first()
            .is_some_and(|(own, others)| self.verifier.verify_client_cert(own, others, UnixTime::now()).is_ok())
    }

    /// For the handshake: asks for a certificate, and takes any.
    pub(super) fn asked(&self) -> Arc<dyn ClientCertVerifier> {
        Arc::new(Asked(Arc::clone(&self.verifier)))
    }
}

/// Takes every certificate whose key the client has. Like upstream, whose handshake judges none: a client with a bad one is
/// told so by a `Status`, which he can read, and may be known by his token all the same.
#[derive(Debug)]
struct Asked(Arc<dyn ClientCertVerifier>);

impl ClientCertVerifier for Asked {
    fn client_auth_mandatory(&self) -> bool {
        false
    }

    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        self.0.root_hint_subjects()
    }

    fn verify_client_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        Ok(ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}
