//! The settings of a connection.

use std::time::Duration;

use http::HeaderMap;

use super::proxy::Proxy;
use crate::connection::address::Address;
use crate::connection::login::Login;
use crate::connection::secret::Secrets;

/// The limit of a response body, in bytes. The largest ordinary response, a complete list of a large collection, is far
/// below it.
pub const LONGEST_BODY: u64 = 64 << 20;

/// The settings of a connection.
#[derive(Debug, Clone)]
pub(in crate::connection) struct Settings {
    pub(in crate::connection) address: Address,
    pub(in crate::connection) login: Login,
    /// PEM certificates to trust instead of those of the system.
    pub(in crate::connection) ca: Option<Vec<u8>>,
    pub(in crate::connection) insecure: bool,
    /// The name that the certificate must contain, if it is not the host of the address.
    pub(in crate::connection) server_name: Option<String>,
    pub(in crate::connection) proxy: Option<Proxy>,
    /// Additional headers of every request (impersonation).
    pub(in crate::connection) headers: HeaderMap,
    pub(in crate::connection) timeout: Duration,
    pub(in crate::connection) longest_body: u64,
    pub(in crate::connection) secrets: Secrets,
}

impl Settings {
    /// Settings for an anonymous client of `address`.
    pub(in crate::connection) fn new(address: Address, timeout: Duration, secrets: Secrets) -> Self {
        Self {
            address,
            login: Login::default(),
            ca: None,
            insecure: false,
            server_name: None,
            proxy: None,
            headers: HeaderMap::new(),
            timeout,
            longest_body: LONGEST_BODY,
            secrets,
        }
    }
}
