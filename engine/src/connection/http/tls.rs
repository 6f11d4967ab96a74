//! The TLS configuration of a client.

use std::sync::Arc;

use crdible_reference::AnchorVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

use super::settings::Settings;
use crate::connection::credentials::ClientIdentity;

/// The certificates of authorities and the certificate of the client, parsed.
pub(super) struct Certificates {
    /// `None` means the authorities of the system.
    authorities: Option<Vec<CertificateDer<'static>>>,
    client: Option<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>)>,
}

impl Certificates {
    /// Parses what the settings and the credentials contain.
    ///
    /// # Errors
    /// A sentence: what cannot be parsed.
    pub(super) fn parse(settings: &Settings, identity: Option<&ClientIdentity>) -> Result<Self, String> {
        Ok(Self {
            authorities: settings.ca.as_deref().map(authorities).transpose()?,
            client: identity.map(client).transpose()?,
        })
    }

    /// The configuration of connections.
    ///
    /// # Errors
    /// A sentence: the client's key does not match its certificate.
    pub(super) fn config(self, insecure: bool) -> Result<ClientConfig, String> {
        // Passed explicitly: a library must not install a provider for the whole process.
        let provider = Arc::new(ring::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?;
        let builder = if insecure {
            builder.dangerous().with_custom_certificate_verifier(Arc::new(NoVerification { provider }))
        } else if let Some(anchors) = self.authorities {
            let verifier = AnchorVerifier::new(store(&anchors)?, anchors, provider)?;
            builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier))
        } else {
            builder.with_root_certificates(system_authorities())
        };
        let mut config = match self.client {
            None => builder.with_no_client_auth(),
            Some((chain, key)) => builder
                .with_client_auth_cert(chain, key)
                .map_err(|error| format!("the client's certificate and key cannot be used: {error}"))?,
        };
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(config)
    }
}

fn authorities(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, String> {
    let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    let anchors = read.map_err(|error| unreadable(&error.to_string()))?;
    if anchors.is_empty() {
        return Err("the authority has no PEM certificate (-----BEGIN CERTIFICATE-----)".to_owned());
    }
    store(&anchors)?;
    Ok(anchors)
}

fn store(anchors: &[CertificateDer<'static>]) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    for anchor in anchors {
        roots.add(anchor.clone()).map_err(|error| unreadable(&error.to_string()))?;
    }
    Ok(roots)
}

fn unreadable(error: &str) -> String {
    format!("cannot read the certificates of the authority: {error}")
}

/// The authorities that the system trusts. Certificates that cannot be read are skipped, as by other programs.
fn system_authorities() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    roots
}

fn client(identity: &ClientIdentity) -> Result<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>), String> {
    let cannot = |error: String| format!("the client's certificate and key cannot be read as PEM: {error}");
    let chain: Vec<_> = CertificateDer::pem_slice_iter(&identity.certificate)
        .collect::<Result<_, _>>()
        .map_err(|error| cannot(error.to_string()))?;
    if chain.is_empty() {
        return Err(cannot("no certificate (-----BEGIN CERTIFICATE-----)".to_owned()));
    }
    // The error is not shown, because it may quote the key.
    let key = PrivateKeyDer::from_pem_slice(identity.key.expose().as_bytes())
        .map_err(|_| cannot("no private key (-----BEGIN PRIVATE KEY-----)".to_owned()))?;
    Ok((chain, key))
}

/// Accepts every certificate.
#[derive(Debug)]
struct NoVerification {
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for NoVerification {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
