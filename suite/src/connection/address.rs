//! Addresses of servers: reading them, and writing them without secrets.

use reqwest::Url;

/// The base URL of a server: scheme, host, port, and a path that is put before every request's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    base: Url,
}

impl Address {
    /// Reads a base URL.
    ///
    /// # Errors
    /// A sentence without the address's user information: no scheme, another scheme than `http`
    /// and `https`, no host, user information, a query or a fragment.
    pub fn parse(text: &str) -> Result<Self, String> {
        let shown = redact(text);
        let url = Url::parse(text).map_err(|error| {
            format!("{shown} is no URL ({error}): write it as https://HOST:PORT or http://HOST:PORT")
        })?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(format!("{shown} is no HTTP address: write it as https://HOST:PORT or http://HOST:PORT"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(format!(
                "{shown} holds a user name or password, which API servers do not take from a URL: use --token, a client certificate or a kubeconfig"
            ));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(format!("{shown} has a query or a fragment: give only scheme, host, port and path"));
        }
        Ok(Self { base: url })
    }

    /// The address for messages; it holds no secrets.
    pub fn shown(&self) -> String {
        self.base.as_str().trim_end_matches('/').to_owned()
    }

    /// Whether TLS is spoken.
    pub fn is_tls(&self) -> bool {
        self.base.scheme() == "https"
    }

    /// Host as it stands in the URL (IPv6 in brackets).
    pub fn host(&self) -> &str {
        self.base.host_str().unwrap_or_default()
    }

    /// Port, the scheme's default included.
    pub fn port(&self) -> u16 {
        self.base.port_or_known_default().unwrap_or(443)
    }

    /// Host and, unless it is the scheme's default, port: what the `Host` header holds.
    pub fn authority(&self) -> String {
        match self.base.port() {
            Some(port) => format!("{}:{port}", self.host()),
            None => self.host().to_owned(),
        }
    }

    /// The same address under another host name.
    ///
    /// # Errors
    /// A sentence if `host` is no DNS name.
    pub fn with_host(&self, host: &str) -> Result<Self, String> {
        let mut base = self.base.clone();
        let is_name = host.parse::<std::net::IpAddr>().is_err() && !host.starts_with('[');
        if !is_name || base.set_host(Some(host)).is_err() {
            return Err(format!("the server name {host:?} is no DNS name"));
        }
        Ok(Self { base })
    }

    /// The absolute URL of a request for `path_and_query`.
    ///
    /// # Errors
    /// What the URL parser said.
    pub(super) fn url(&self, path_and_query: &str) -> Result<Url, String> {
        let base = self.base.as_str().trim_end_matches('/');
        let mut whole = String::with_capacity(base.len() + path_and_query.len());
        whole.push_str(base);
        whole.push_str(path_and_query);
        Url::parse(&whole).map_err(|error| error.to_string())
    }
}

/// `text` without user information, query and fragment, also if it is no URL.
///
/// Whatever stands before the last `@` is taken for a password: better too little is shown.
pub fn redact(text: &str) -> String {
    let (scheme, rest) = text.split_once("://").unwrap_or(("", text));
    let rest = rest.rsplit_once('@').map_or(rest, |(_, behind)| behind);
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    if scheme.is_empty() || !scheme.chars().all(|letter| letter.is_ascii_alphanumeric()) {
        rest.to_owned()
    } else {
        format!("{scheme}://{rest}")
    }
}
