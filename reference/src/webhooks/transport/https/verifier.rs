//! Whether a server is the one that is meant.

use std::sync::Arc;

use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::client::{WebPkiServerVerifier, verify_server_name};
use tokio_rustls::rustls::crypto::CryptoProvider;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::server::ParsedCertificate;
use tokio_rustls::rustls::{CertificateError, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

/// Verifies certificates as usual, except that the certificate of a server may be one of the trusted ones itself, as Go,
/// curl and kubectl allow it: `openssl req -x509` makes a certificate of an authority.
#[derive(Debug)]
pub struct AnchorVerifier {
    usual: Arc<WebPkiServerVerifier>,
    anchors: Vec<CertificateDer<'static>>,
    other_name: Option<ServerName<'static>>,
}

impl AnchorVerifier {
    /// A verifier that trusts these authorities; `anchors` are the same as certificates.
    ///
    /// # Errors
    /// A sentence: why nothing can be verified, for instance because there is no authority.
    pub fn new(
        roots: RootCertStore,
        anchors: Vec<CertificateDer<'static>>,
        provider: Arc<CryptoProvider>,
    ) -> Result<Self, String> {
        let usual = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider).build();
        Ok(Self { usual: usual.map_err(|error| error.to_string())?, anchors, other_name: None })
    }

    /// The same, which also accepts a certificate for this name.
    pub(super) fn or_named(self, name: Option<&str>) -> Self {
        Self { other_name: name.and_then(|name| ServerName::try_from(name.to_owned()).ok()), ..self }
    }

    fn verify(
        &self,
        certificate: &CertificateDer<'_>,
        others: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let verified = self.usual.verify_server_cert(certificate, others, name, ocsp, now);
        match &verified {
            Err(Error::InvalidCertificate(CertificateError::Other(problem)))
                // Found out after whether it has expired.
                if problem.to_string().contains("CaUsedAsEndEntity") && self.anchors.contains(certificate) =>
            {
                verify_server_name(&ParsedCertificate::try_from(certificate)?, name)?;
                Ok(ServerCertVerified::assertion())
            }
            _ => verified,
        }
    }
}

impl ServerCertVerifier for AnchorVerifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        others: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let verified = self.verify(certificate, others, name, ocsp, now);
        match &self.other_name {
            Some(other) if verified.is_err() => self.verify(certificate, others, other, ocsp, now),
            _ => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.usual.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.usual.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.usual.supported_verify_schemes()
    }
}
