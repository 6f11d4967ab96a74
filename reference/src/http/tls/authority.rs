//! A certificate authority and the certificates that it signs.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose, SanType, date_time_ymd,
};
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::server::WantsServerCert;
use tokio_rustls::rustls::{ConfigBuilder, RootCertStore, WantsVerifier};

use super::clients::Clients;
use super::{TlsError, provider, random_hex};
use crate::base::clock::civil_date;

/// The names and addresses of a server for clients on the same machine.
const LOCAL_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "::1"];
/// How long before its creation a certificate becomes valid, because clocks differ.
const BEFORE: Duration = Duration::from_secs(24 * 60 * 60);
/// How long a certificate is valid; some clients reject certificates that are valid for more than about two years.
const AFTER: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// A certificate authority in memory. Clones share it, and several servers can use it: clients that trust it trust the
/// certificates of all of them.
#[derive(Clone)]
pub struct Authority {
    issuer: Arc<CertifiedIssuer<'static, KeyPair>>,
}

/// The certificate and the key of a client, both in PEM.
pub(crate) struct ClientIdentity {
    pub(crate) certificate: String,
    pub(crate) key: String,
}

impl Authority {
    /// Creates an authority with a new key.
    ///
    /// # Errors
    /// The key or the certificate cannot be generated.
    pub fn new() -> Result<Self, TlsError> {
        // Clients identify an authority by its name, so each has a different one.
        let mut parameters = parameters(&format!("crdible-{}", random_hex::<8>()?))?;
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        parameters.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
        let key = KeyPair::generate().map_err(TlsError::new)?;
        let issuer = CertifiedIssuer::self_signed(parameters, key).map_err(TlsError::new)?;
        Ok(Self { issuer: Arc::new(issuer) })
    }

    /// The certificate of the authority in PEM, which clients must trust.
    pub fn pem(&self) -> String {
        self.issuer.pem()
    }

    /// The TLS configuration of a server at this address. With `clients`, it requests a client certificate.
    pub(crate) fn server_config(&self, address: IpAddr, clients: Option<&Clients>) -> Result<ServerConfig, TlsError> {
        let mut parameters = parameters("crdible-server")?;
        parameters.subject_alt_names = names(address)?;
        parameters.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        let (certificate, key) = self.sign(parameters)?;
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let mut config =
            config_builder(clients)?.with_single_cert(vec![certificate.der().clone()], key).map_err(TlsError::new)?;
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(config)
    }

    /// A client certificate with the user and group that `kubeadm` gives an administrator.
    pub(crate) fn client_identity(&self) -> Result<ClientIdentity, TlsError> {
        let mut parameters = parameters("kubernetes-admin")?;
        parameters.distinguished_name.push(DnType::OrganizationName, "system:masters");
        parameters.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        let (certificate, key) = self.sign(parameters)?;
        Ok(ClientIdentity { certificate: certificate.pem(), key: key.serialize_pem() })
    }

    /// A verifier for the client certificates that this authority signed.
    pub(crate) fn clients(&self) -> Result<Clients, TlsError> {
        let mut roots = RootCertStore::empty();
        let own: CertificateDer<'static> = self.issuer.der().clone();
        roots.add(own).map_err(TlsError::new)?;
        Clients::signed_by(roots)
    }

    fn sign(&self, mut parameters: CertificateParams) -> Result<(rcgen::Certificate, KeyPair), TlsError> {
        parameters.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        parameters.use_authority_key_identifier_extension = true;
        let key = KeyPair::generate().map_err(TlsError::new)?;
        let certificate = parameters.signed_by(&key, &*self.issuer).map_err(TlsError::new)?;
        Ok((certificate, key))
    }
}

impl fmt::Debug for Authority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authority").finish_non_exhaustive()
    }
}

fn config_builder(clients: Option<&Clients>) -> Result<ConfigBuilder<ServerConfig, WantsServerCert>, TlsError> {
    let builder: ConfigBuilder<ServerConfig, WantsVerifier> =
        ServerConfig::builder_with_provider(provider()).with_safe_default_protocol_versions().map_err(TlsError::new)?;
    Ok(match clients {
        Some(clients) => builder.with_client_cert_verifier(clients.handshake_verifier()),
        None => builder.with_no_client_auth(),
    })
}

fn names(address: IpAddr) -> Result<Vec<SanType>, TlsError> {
    let mut names: Vec<String> = LOCAL_NAMES.iter().map(|name| (*name).to_owned()).collect();
    let own = address.to_string();
    if !address.is_unspecified() && !names.contains(&own) {
        names.push(own);
    }
    CertificateParams::new(names).map(|parameters| parameters.subject_alt_names).map_err(TlsError::new)
}

fn parameters(name: &str) -> Result<CertificateParams, TlsError> {
    let mut parameters = CertificateParams::new(Vec::new()).map_err(TlsError::new)?;
    parameters.distinguished_name = rcgen::DistinguishedName::new();
    parameters.distinguished_name.push(DnType::CommonName, name);
    let day = |time: SystemTime| {
        let (year, month, day) = civil_date(time);
        let small = |number: i64| u8::try_from(number).unwrap_or(1);
        date_time_ymd(i32::try_from(year).unwrap_or(i32::MAX), small(month), small(day))
    };
    // The clock of the machine instead of that of the server, because clients compare with their own clock.
    let now = SystemTime::now();
    parameters.not_before = day(now.checked_sub(BEFORE).unwrap_or(now));
    parameters.not_after = day(now + AFTER);
    Ok(parameters)
}
