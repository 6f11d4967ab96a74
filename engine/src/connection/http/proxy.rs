//! Proxies: requests over `http` are sent to the proxy, and for `https` the proxy opens a tunnel (`CONNECT`).

use std::error::Error as _;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{HeaderValue, Request, StatusCode, header};
use http_body_util::Empty;
use hyper::client::conn::http1;
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use percent_encoding::percent_decode_str;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::connection::address::{self, Invalid, Origin, redact};
use crate::connection::secret::Secrets;
use crate::marks::USER_AGENT;

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

    /// Asks the proxy at the other end of `stream` to connect to `target`, and returns the connection to it.
    ///
    /// hyper-util has a connector for this, `Tunnel`, but its errors do not contain the status of a refusal.
    ///
    /// # Errors
    /// A sentence: the proxy refuses, closes the connection, or does not speak HTTP.
    pub(super) async fn open_tunnel(
        &self,
        stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
        target: &Origin,
    ) -> Result<TokioIo<Upgraded>, String> {
        let place = format!("{}:{}", target.host(), target.port());
        let mut request = Request::connect(place.as_str())
            .header(header::HOST, &place)
            .header(header::USER_AGENT, USER_AGENT)
            .body(Empty::<Bytes>::new())
            .map_err(|error| error.to_string())?;
        if let Some(authorization) = &self.authorization {
            request.headers_mut().insert(header::PROXY_AUTHORIZATION, authorization.clone());
        }
        let handshake = http1::Builder::new().title_case_headers(true).handshake(TokioIo::new(stream)).await;
        let (mut sender, connection) = handshake.map_err(|error| problem(&error))?;
        // It ends when the proxy has answered.
        tokio::spawn(connection.with_upgrades());
        let response = sender.send_request(request).await.map_err(|error| problem(&error))?;
        match response.status() {
            status if status.is_success() => {
                hyper::upgrade::on(response).await.map(TokioIo::new).map_err(|error| problem(&error))
            }
            StatusCode::PROXY_AUTHENTICATION_REQUIRED => {
                Err("it requires a user name and password (407): add them to the proxy's URL".to_owned())
            }
            status => Err(format!("it refuses to connect to the server ({})", status.as_u16())),
        }
    }
}

fn percent_decoded(text: &str) -> Vec<u8> {
    percent_decode_str(text).collect()
}

/// Why the proxy did not answer.
fn problem(error: &hyper::Error) -> String {
    // hyper has a method for it in servers only.
    if error.is_parse() && error.to_string().contains("too large") {
        "its response is too large".to_owned()
    } else if error.is_parse() {
        format!("it does not speak HTTP ({error})")
    } else if error.is_incomplete_message() || error.is_canceled() || error.is_closed() {
        "it closed the connection".to_owned()
    } else {
        let cause = error.source().map_or_else(|| error.to_string(), ToString::to_string);
        format!("the connection to the proxy failed: {cause}")
    }
}

impl fmt::Debug for Proxy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Proxy({})", self.origin.shown())
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    #[test]
    fn user_information_is_decoded() {
        assert_eq!(percent_decoded("a%40b%2"), b"a@b%2");
        assert_eq!(percent_decoded("%zz%+1é"), "%zz%+1é".as_bytes());
    }

    /// What the tunnel delivers after the proxy has sent `response`.
    async fn opened(response: &str) -> Result<String, String> {
        let secrets = Secrets::default();
        let proxy = Proxy::parse("http://joe:hunter2@proxy.example", &secrets).expect("a proxy");
        let target = address::split("https://[::1]").unwrap_or_else(|_| panic!("a URL")).origin;
        let (near, mut far) = tokio::io::duplex(1 << 20);
        let answer = async {
            let mut head = vec![0; 512];
            let length = far.read(&mut head).await.expect("a request");
            far.write_all(response.as_bytes()).await.expect("room for the response");
            far.shutdown().await.expect("an end");
            String::from_utf8_lossy(&head[..length]).into_owned()
        };
        let (opened, head) = tokio::join!(proxy.open_tunnel(near, &target), answer);
        assert!(head.starts_with("CONNECT [::1]:443 HTTP/1.1\r\nHost: [::1]:443\r\n"), "{head}");
        assert!(head.contains(&format!("Proxy-Authorization: Basic {}\r\n", STANDARD.encode("joe:hunter2"))), "{head}");
        let mut behind = String::new();
        opened?.read_to_string(&mut behind).await.expect("what follows the response");
        Ok(behind)
    }

    #[tokio::test]
    async fn responses_to_connect() {
        for head in ["HTTP/1.0 200", "HTTP/1.1 200 Connection established\r\nvia: x", "HTTP/1.1 201 x"] {
            assert_eq!(opened(&format!("{head}\r\n\r\nhello")).await.as_deref(), Ok("hello"), "{head}");
        }
        for (response, why) in [
            ("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", "user name and password"),
            ("HTTP/1.1 403 Forbidden\r\n\r\n", "refuses to connect to the server (403)"),
            ("220 smtp.example.com\r\n\r\n", "does not speak HTTP"),
            (&format!("HTTP/1.1 200 OK\r\nx: {}\r\n\r\n", "y".repeat(1 << 19)), "its response is too large"),
        ] {
            let error = opened(response).await.expect_err("no tunnel");
            assert!(error.contains(why), "{error}");
        }
    }
}
