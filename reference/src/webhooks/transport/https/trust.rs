//! Whom to trust: the authorities of a definition, or those of the system.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::client::{WebPkiServerVerifier, verify_server_name};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::server::ParsedCertificate;
use tokio_rustls::rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};

use super::address::Address;
use crate::base::locks::lock;

/// How many configurations are kept.
const MOST: usize = 200;

/// The authorities and the other name of a configuration.
type Key = (Vec<u8>, Option<String>);

/// TLS configurations, by authorities.
#[derive(Default)]
pub(super) struct Trusts {
    configs: Mutex<HashMap<Key, Arc<ClientConfig>>>,
    system: OnceLock<Vec<CertificateDer<'static>>>,
}

impl Trusts {
    /// The configuration for connections to an address that must have a certificate of these authorities.
    pub(super) fn of(&self, ca_bundle: &[u8], address: &Address) -> Result<Arc<ClientConfig>, String> {
        let key = (ca_bundle.to_vec(), address.other_name.clone());
        let mut configs = lock(&self.configs);
        if let Some(known) = configs.get(&key) {
            return Ok(Arc::clone(known));
        }
        let anchors = if ca_bundle.is_empty() { self.system() } else { bundled(ca_bundle) };
        let config = Arc::new(config(anchors, address.other_name.as_deref())?);
        if configs.len() >= MOST {
            configs.clear();
        }
        configs.insert(key, Arc::clone(&config));
        Ok(config)
    }

    /// The authorities that the system trusts. What cannot be read of them is skipped, as by other programs.
    fn system(&self) -> Vec<CertificateDer<'static>> {
        self.system.get_or_init(|| rustls_native_certs::load_native_certs().certs).clone()
    }
}

fn bundled(ca_bundle: &[u8]) -> Vec<CertificateDer<'static>> {
    CertificateDer::pem_slice_iter(ca_bundle).filter_map(Result::ok).collect()
}

fn config(anchors: Vec<CertificateDer<'static>>, other_name: Option<&str>) -> Result<ClientConfig, String> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(anchors.iter().cloned());
    let mut config = if roots.is_empty() {
        // No authority is trusted.
        builder.with_root_certificates(roots).with_no_client_auth()
    } else {
        let usual = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider).build();
        let usual = usual.map_err(|error| error.to_string())?;
        let other_name = other_name.and_then(|name| ServerName::try_from(name.to_owned()).ok());
        let verifier = Arc::new(Verifier { usual, anchors, other_name });
        builder.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth()
    };
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

/// Verifies certificates as usual, except that a certificate that is itself trusted may be that of an authority, as Go
/// allows it, and that there may be another name.
#[derive(Debug)]
struct Verifier {
    usual: Arc<WebPkiServerVerifier>,
    anchors: Vec<CertificateDer<'static>>,
    other_name: Option<ServerName<'static>>,
}

impl Verifier {
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

impl ServerCertVerifier for Verifier {
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
