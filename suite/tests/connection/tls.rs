//! TLS: whom the client trusts, whom the server trusts, and what is said if they do not.

use std::path::PathBuf;
use std::sync::Arc;

use crate::support::{Fake, good, serve_over};
use crdible::connection::{TargetOptions, connect};
use crdible::doctor::preflight;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tempfile::TempDir;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

/// A certificate authority in a folder, and what it signed.
struct Authority {
    folder: TempDir,
    issuer: CertifiedIssuer<'static, KeyPair>,
}

impl Authority {
    fn new() -> Self {
        let mut parameters = CertificateParams::new(Vec::new()).unwrap();
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(parameters, KeyPair::generate().unwrap()).unwrap();
        let folder = TempDir::new().unwrap();
        std::fs::write(folder.path().join("ca.pem"), issuer.pem()).unwrap();
        Self { folder, issuer }
    }

    fn ca(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    /// Certificate and key in PEM.
    fn sign(&self, names: &[&str]) -> (String, String) {
        let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
        let key = KeyPair::generate().unwrap();
        let certificate = CertificateParams::new(names).unwrap().signed_by(&key, &self.issuer).unwrap();
        (certificate.pem(), key.serialize_pem())
    }

    async fn serve(&self, names: &[&str], wants_client: bool) -> Fake {
        let (certificate, key) = self.sign(names);
        let builder = ServerConfig::builder();
        let builder = if wants_client {
            let mut roots = RootCertStore::empty();
            roots.add(self.issuer.der().clone()).unwrap();
            builder.with_client_cert_verifier(WebPkiClientVerifier::builder(Arc::new(roots)).build().unwrap())
        } else {
            builder.with_no_client_auth()
        };
        let chain = vec![CertificateDer::from_pem_slice(certificate.as_bytes()).unwrap()];
        let key = PrivateKeyDer::from_pem_slice(key.as_bytes()).unwrap();
        let config = builder.with_single_cert(chain, key).unwrap();
        serve_over(good, Some(TlsAcceptor::from(Arc::new(config)))).await
    }
}

fn at(fake: &Fake) -> TargetOptions {
    TargetOptions { server: Some(format!("https://{}", fake.address)), ..TargetOptions::default() }
}

#[tokio::test]
async fn the_right_authority() {
    let authority = Authority::new();
    let fake = authority.serve(&["127.0.0.1"], false).await;
    let options = TargetOptions { ca: Some(authority.ca()), ..at(&fake) };
    preflight(&connect(&options).await.unwrap()).await.unwrap();
}

#[tokio::test]
async fn a_wrong_authority() {
    let authority = Authority::new();
    let other = Authority::new();
    let fake = authority.serve(&["127.0.0.1"], false).await;
    let options = TargetOptions { ca: Some(other.ca()), ..at(&fake) };
    let error = preflight(&connect(&options).await.unwrap()).await.unwrap_err();
    assert!(error.to_string().contains("authority that is not trusted"), "{error}");
    assert!(error.to_string().contains("--ca"), "{error}");
    assert_eq!(error.exit_code(), 3);
    assert!(fake.requests().is_empty(), "nothing is sent to a server that is not trusted");
}

#[tokio::test]
async fn any_certificate_if_told_so() {
    let authority = Authority::new();
    let fake = authority.serve(&["elsewhere.example"], false).await;
    let options = TargetOptions { insecure: true, ..at(&fake) };
    preflight(&connect(&options).await.unwrap()).await.unwrap();
}

#[tokio::test]
async fn another_name() {
    let authority = Authority::new();
    let fake = authority.serve(&["elsewhere.example"], false).await;
    let options = TargetOptions { ca: Some(authority.ca()), ..at(&fake) };
    let error = preflight(&connect(&options).await.unwrap()).await.unwrap_err();
    assert!(error.to_string().contains("tls-server-name"), "{error}");
}

#[tokio::test]
async fn http_to_a_tls_server() {
    let authority = Authority::new();
    let fake = authority.serve(&["127.0.0.1"], false).await;
    let options = TargetOptions { server: Some(fake.url()), ..TargetOptions::default() };
    let error = preflight(&connect(&options).await.unwrap()).await.unwrap_err();
    assert!(error.to_string().contains("write https://"), "{error}");
}

#[tokio::test]
async fn a_client_certificate() {
    let authority = Authority::new();
    let fake = authority.serve(&["127.0.0.1"], true).await;
    let (certificate, key) = authority.sign(&["client"]);
    let (certificate_file, key_file) = (authority.folder.path().join("c.pem"), authority.folder.path().join("k.pem"));
    std::fs::write(&certificate_file, certificate).unwrap();
    std::fs::write(&key_file, &key).unwrap();
    let options = TargetOptions {
        ca: Some(authority.ca()),
        client_certificate: Some(certificate_file),
        client_key: Some(key_file),
        ..at(&fake)
    };
    let target = connect(&options).await.unwrap();
    preflight(&target).await.unwrap();
    assert_eq!(target.secrets().all(), [key]);
}

#[tokio::test]
async fn a_missing_client_certificate() {
    let authority = Authority::new();
    let fake = authority.serve(&["127.0.0.1"], true).await;
    let options = TargetOptions { ca: Some(authority.ca()), ..at(&fake) };
    let error = preflight(&connect(&options).await.unwrap()).await.unwrap_err();
    assert!(error.to_string().contains("refuses the client's certificate"), "{error}");
}

#[tokio::test]
async fn files_that_hold_no_certificate() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("ca.pem");
    std::fs::write(&file, "hello").unwrap();
    let options =
        TargetOptions { server: Some("https://127.0.0.1:1".to_owned()), ca: Some(file), ..TargetOptions::default() };
    let error = connect(&options).await.unwrap_err();
    assert!(error.to_string().contains("no PEM certificate"), "{error}");
    assert_eq!(error.exit_code(), 3);

    let options = TargetOptions { ca: Some(folder.path().join("absent")), ..options };
    let error = connect(&options).await.unwrap_err();
    assert!(error.to_string().contains("absent (--ca)"), "{error}");
}

#[tokio::test]
async fn a_kubeconfig_with_another_server_name() {
    let authority = Authority::new();
    let fake = authority.serve(&["kubernetes.example"], false).await;
    let file = authority.folder.path().join("config");
    let text = format!(
        "current-context: a\nclusters: [{{name: c, cluster: {{server: 'https://localhost:{}', certificate-authority: ca.pem, tls-server-name: kubernetes.example}}}}]\ncontexts: [{{name: a, context: {{cluster: c}}}}]\n",
        fake.address.port()
    );
    std::fs::write(&file, text).unwrap();
    let options = TargetOptions { kubeconfig: Some(file), ..TargetOptions::default() };
    preflight(&connect(&options).await.unwrap()).await.unwrap();
    let host = format!("localhost:{}", fake.address.port());
    assert_eq!(fake.requests()[0].header("host"), Some(host.as_str()));
}
