//! The certificates of webhooks.

use std::sync::Arc;

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose,
};
use rustls::{
    ServerConfig,
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
};

/// A certificate authority in memory, for the listeners of one run.
pub(crate) struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
}

impl Authority {
    /// A new authority. The error says what cannot be generated.
    pub(crate) fn new() -> Result<Self, String> {
        let mut parameters = parameters("crdible-webhooks", &[])?;
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        parameters.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
        let key = KeyPair::generate().map_err(said)?;
        Ok(Self { issuer: CertifiedIssuer::self_signed(parameters, key).map_err(said)? })
    }

    /// Its certificate in PEM, which the server must trust.
    pub(crate) fn pem(&self) -> String {
        self.issuer.pem()
    }

    /// The TLS configuration of a listener with these names and addresses.
    pub(crate) fn server_config(&self, names: &[String]) -> Result<ServerConfig, String> {
        let mut parameters = parameters("crdible-webhook", names)?;
        parameters.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        parameters.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        parameters.use_authority_key_identifier_extension = true;
        let key = KeyPair::generate().map_err(said)?;
        let certificate = parameters.signed_by(&key, &*self.issuer).map_err(said)?;
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
        ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(said)?
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .map_err(said)
    }
}

fn parameters(name: &str, names: &[String]) -> Result<CertificateParams, String> {
    let mut parameters = CertificateParams::new(names.to_vec()).map_err(said)?;
    parameters.distinguished_name = rcgen::DistinguishedName::new();
    parameters.distinguished_name.push(DnType::CommonName, name);
    Ok(parameters)
}

fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}
