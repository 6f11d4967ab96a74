//! Proxies: requests over `http` are sent to the proxy, and for `https` the proxy opens a tunnel (`CONNECT`).

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderValue;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

use crate::connection::address::{self, Invalid, Origin, redact};
use crate::connection::secret::Secrets;
use crate::marks::USER_AGENT;

/// The limit of a proxy's response to `CONNECT`, in bytes.
const MAX_RESPONSE: usize = 8 << 10;

/// A proxy and the credentials for it.
#[derive(Clone)]
pub(in crate::connection) struct Proxy {
    pub(super) origin: Origin,
    /// The value of `Proxy-Authorization`.
    pub(super) authorization: Option<HeaderValue>,
}

impl Proxy {
    /// Parses the URL of a proxy, and adds its credentials to `secrets`.
    ///
    /// # Errors
    /// A sentence that does not show the credentials.
    pub(in crate::connection) fn parse(text: &str, secrets: &Secrets) -> Result<Self, String> {
        let shown = redact(text);
        let parts = address::split(text).map_err(|error| match error {
            Invalid::Scheme => format!(
                "{shown} is not supported: use an http or https proxy, \
                 or forward a port to the server and pass --server"
            ),
            Invalid::Part(why) => format!("{shown} is not a valid URL ({why})"),
        })?;
        let Some(info) = parts.user_info.filter(|info| !info.is_empty()) else {
            return Ok(Self { origin: parts.origin, authorization: None });
        };
        let (user, password) = info.split_once(':').unwrap_or((info, ""));
        let decoded = percent_decoded(password);
        secrets.add(password);
        secrets.add(&String::from_utf8_lossy(&decoded));
        let mut pair = percent_decoded(user);
        pair.push(b':');
        pair.extend(decoded);
        let pair = STANDARD.encode(pair);
        secrets.add(&pair);
        let mut value = HeaderValue::try_from(format!("Basic {pair}")).map_err(|error| error.to_string())?;
        value.set_sensitive(true);
        Ok(Self { origin: parts.origin, authorization: Some(value) })
    }

    /// Asks the proxy at the other end of `stream` to connect to `target`.
    ///
    /// # Errors
    /// A sentence: the proxy refuses, closes the connection, or does not speak HTTP.
    pub(super) async fn open_tunnel(
        &self,
        stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
        target: &Origin,
    ) -> Result<(), String> {
        let place = format!("{}:{}", target.host(), target.port());
        let mut head =
            format!("CONNECT {place} HTTP/1.1\r\nHost: {place}\r\nUser-Agent: {USER_AGENT}\r\n").into_bytes();
        if let Some(authorization) = &self.authorization {
            head.extend_from_slice(b"Proxy-Authorization: ");
            head.extend_from_slice(authorization.as_bytes());
            head.extend_from_slice(b"\r\n");
        }
        head.extend_from_slice(b"\r\n");
        let failed = |error: std::io::Error| format!("the connection to the proxy failed: {error}");
        stream.write_all(&head).await.map_err(failed)?;
        stream.flush().await.map_err(failed)?;

        let mut response = Vec::new();
        while !response.ends_with(b"\r\n\r\n") {
            // Byte by byte: what follows the head belongs to the server. The stream is read once for each connection.
            match stream.read_u8().await {
                Ok(_) if response.len() == MAX_RESPONSE => return Err("its response is too large".to_owned()),
                Ok(byte) => response.push(byte),
                Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
                    return Err("it closed the connection".to_owned());
                }
                Err(error) => return Err(failed(error)),
            }
        }
        judge(&response)
    }
}

/// Whether the response to `CONNECT` grants it.
fn judge(response: &[u8]) -> Result<(), String> {
    let line = response.split(|byte| *byte == b'\r').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    let code = line
        .strip_prefix("HTTP/1.")
        .and_then(|rest| rest.split(' ').nth(1))
        .and_then(|code| code.parse::<u16>().ok())
        .ok_or("it does not speak HTTP")?;
    match code {
        200..=299 => Ok(()),
        407 => Err("it requires a user name and password (407): add them to the proxy's URL".to_owned()),
        code => Err(format!("it refuses to connect to the server ({code})")),
    }
}

fn percent_decoded(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        let digits = escaped.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                decoded.push(byte);
                at += 3;
            }
            None => {
                decoded.push(bytes[at]);
                at += 1;
            }
        }
    }
    decoded
}

impl fmt::Debug for Proxy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Proxy({})", self.origin.shown())
    }
}

#[cfg(test)]
mod tests {
    use super::{judge, percent_decoded};

    #[test]
    fn user_information_is_decoded() {
        assert_eq!(percent_decoded("a%40b%2"), b"a@b%2");
        assert_eq!(percent_decoded("%zz%+1é"), "%zz%+1é".as_bytes());
    }

    #[test]
    fn responses_to_connect() {
        let error = |head: &str| judge(head.as_bytes()).err().unwrap_or_default();
        assert_eq!(error("HTTP/1.0 200\r\n\r\n"), "");
        assert!(error("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n").contains("user name and password"));
        assert!(error("HTTP/1.1 403 Forbidden\r\n\r\n").contains("refuses"));
        assert!(error("220 smtp.example.com\r\n\r\n").contains("does not speak HTTP"));
    }
}
