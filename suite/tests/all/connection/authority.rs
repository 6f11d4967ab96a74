//! Certificates for servers and clients.

use std::path::PathBuf;
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tempfile::TempDir;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

use crate::support::{Fake, good, serve_over};

/// A certificate authority in a folder, and what it signed.
pub(crate) struct Authority {
    pub(crate) folder: TempDir,
    issuer: CertifiedIssuer<'static, KeyPair>,
}

impl Authority {
    pub(crate) fn new() -> Self {
        Self::named(&[])
    }

    /// One whose certificate is for these names.
    pub(crate) fn named(names: &[&str]) -> Self {
        let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut parameters = CertificateParams::new(names).unwrap();
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(parameters, KeyPair::generate().unwrap()).unwrap();
        let folder = TempDir::new().unwrap();
        std::fs::write(folder.path().join("ca.pem"), issuer.pem()).unwrap();
        Self { folder, issuer }
    }

    pub(crate) fn ca(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    /// Certificate and key in PEM.
    pub(crate) fn sign(&self, names: &[&str]) -> (String, String) {
        let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
        let key = KeyPair::generate().unwrap();
        let certificate = CertificateParams::new(names).unwrap().signed_by(&key, &self.issuer).unwrap();
        (certificate.pem(), key.serialize_pem())
    }

    /// Starts a good server with a certificate for these names.
    pub(crate) async fn serve(&self, names: &[&str], wants_client: bool) -> Fake {
        serve_over(good, Some(self.acceptor(names, wants_client))).await
    }

    /// TLS with a certificate for these names, and for clients with a certificate only if `wants_client`.
    pub(crate) fn acceptor(&self, names: &[&str], wants_client: bool) -> TlsAcceptor {
        self.acceptor_with(self.sign(names), wants_client)
    }

    /// The authority itself as a server: what `openssl req -x509` makes is the certificate of an authority.
    pub(crate) fn own_acceptor(&self) -> TlsAcceptor {
        self.acceptor_with((self.issuer.pem(), self.issuer.key().serialize_pem()), false)
    }

    fn acceptor_with(&self, (certificate, key): (String, String), wants_client: bool) -> TlsAcceptor {
        let provider = Arc::new(default_provider());
        let builder =
            ServerConfig::builder_with_provider(Arc::clone(&provider)).with_safe_default_protocol_versions().unwrap();
        let builder = if wants_client {
            let mut roots = RootCertStore::empty();
            roots.add(self.issuer.der().clone()).unwrap();
            builder.with_client_cert_verifier(
                WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build().unwrap(),
            )
        } else {
            builder.with_no_client_auth()
        };
        let chain = vec![CertificateDer::from_pem_slice(certificate.as_bytes()).unwrap()];
        let key = PrivateKeyDer::from_pem_slice(key.as_bytes()).unwrap();
        let config = builder.with_single_cert(chain, key).unwrap();
        TlsAcceptor::from(Arc::new(config))
    }
}
