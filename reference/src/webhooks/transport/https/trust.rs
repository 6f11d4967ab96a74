//! Whom to trust: the authorities of a definition, or those of the system.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::address::Address;
use super::verifier::AnchorVerifier;
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
        let verifier = AnchorVerifier::new(roots, anchors, provider)?.or_named(other_name);
        builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth()
    };
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}
