//! Client certificates.

use std::sync::Arc;

use tokio_rustls::rustls::client::danger::HandshakeSignatureValid;
use tokio_rustls::rustls::pki_types::{CertificateDer, UnixTime};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use tokio_rustls::rustls::{DigitallySignedStruct, DistinguishedName, Error, RootCertStore, SignatureScheme};

use super::{TlsError, provider};

/// Verifies client certificates.
#[derive(Clone, Debug)]
pub(crate) struct Clients {
    verifier: Arc<dyn ClientCertVerifier>,
}

impl Clients {
    pub(super) fn signed_by(roots: RootCertStore) -> Result<Self, TlsError> {
        let builder = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider());
        Ok(Self { verifier: builder.build().map_err(TlsError::new)? })
    }

    /// Whether a certificate chain, which starts with the client's own certificate, is valid now.
    pub(crate) fn accept(&self, chain: &[CertificateDer<'_>]) -> bool {
        chain
            .split_first()
            .is_some_and(|(own, others)| self.verifier.verify_client_cert(own, others, UnixTime::now()).is_ok())
    }

    /// The verifier for the handshake: requests a certificate, and accepts any.
    pub(super) fn handshake_verifier(&self) -> Arc<dyn ClientCertVerifier> {
        Arc::new(AnyCertificate(Arc::clone(&self.verifier)))
    }
}

/// Accepts every certificate whose key the client has. As upstream, the handshake rejects none: a client with an
/// invalid certificate gets a readable `Status`, and may still be authenticated by a token.
#[derive(Debug)]
struct AnyCertificate(Arc<dyn ClientCertVerifier>);

impl ClientCertVerifier for AnyCertificate {
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
