//! One connection to a webhook.

use std::future::Future;
use std::io::Read as _;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use flate2::read::GzDecoder;
use http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HOST, USER_AGENT};
use http::{HeaderValue, Method, Request, Response};
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::ClientConfig;
use tokio_rustls::rustls::pki_types::ServerName;

use super::address::Address;
use super::problem::{self, Problem};
use super::unannounced::UnannouncedEnd;
use crate::webhooks::transport::{WebhookCall, WebhookError};

/// The largest answer: upstream has no limit, but this server shares its memory with a test.
const LARGEST: usize = 256 << 20;
/// The time limit of a TLS handshake.
const HANDSHAKE_LIMIT: Duration = Duration::from_secs(10);
/// What upstream calls itself to webhooks.
const AGENT: &str = "kube-apiserver-admission";

/// Bytes in both directions.
trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Stream for T {}

type Http = http1::Connection<TokioIo<Box<dyn Stream>>, Full<Bytes>>;

/// A connection to a webhook. Nothing happens on it except during an exchange.
pub(super) struct Connection {
    sender: http1::SendRequest<Full<Bytes>>,
    /// `None` once it has ended.
    http: Option<Pin<Box<Http>>>,
}

impl Connection {
    /// Connects.
    pub(super) async fn open(address: &Address, trust: Arc<ClientConfig>) -> Result<Self, WebhookError> {
        let stream = connect(address).await?;
        let stream: Box<dyn Stream> =
            if address.is_secure { secured(address, stream, trust).await? } else { Box::new(stream) };
        let handshake = http1::handshake(TokioIo::new(stream)).await;
        let (sender, http) = handshake.map_err(|error| problem::of_exchange(&error))?;
        Ok(Self { sender, http: Some(Box::pin(http)) })
    }

    /// Whether another request can be sent.
    pub(super) fn is_open(&self) -> bool {
        self.http.is_some() && !self.sender.is_closed()
    }

    /// Sends a request and receives the whole answer.
    pub(super) async fn exchange(
        &mut self,
        call: &WebhookCall<'_>,
        address: &Address,
    ) -> Result<Response<Bytes>, Problem> {
        let Self { sender, http } = self;
        // Shows whether the webhook has closed the connection meanwhile.
        let unused = |error| Problem { is_unused: true, error: problem::of_exchange(&error) };
        driven(http, sender.ready()).await.map_err(unused)?;
        let request = request(call, address).map_err(Problem::of)?;
        let answered = driven(http, sender.send_request(request)).await;
        let failed =
            |error: hyper::Error| Problem { is_unused: error.is_canceled(), error: problem::of_exchange(&error) };
        let (mut head, body) = answered.map_err(failed)?.into_parts();
        let body = driven(http, Limited::new(body, LARGEST).collect()).await.map_err(|error| {
            let cause = match error.downcast::<LengthLimitError>() {
                Ok(_) => format!("it has more than {LARGEST} bytes"),
                Err(error) => problem::of_body(&*error),
            };
            Problem::of(WebhookError::BrokenAnswer(cause))
        })?;
        // Whether the connection stays open shows only now.
        driven(http, std::future::ready(())).await;
        let is_compressed = head.headers.remove(CONTENT_ENCODING).is_some_and(|encoding| encoding == "gzip");
        let body = if is_compressed { unzipped(&body.to_bytes())? } else { body.to_bytes() };
        Ok(Response::from_parts(head, body))
    }
}

async fn connect(address: &Address) -> Result<TcpStream, WebhookError> {
    let Address { host, port, .. } = address;
    let found = tokio::net::lookup_host((host.as_str(), *port)).await.map(Iterator::collect::<Vec<SocketAddr>>);
    let addresses = match found {
        Ok(addresses) if !addresses.is_empty() => addresses,
        _ => return Err(WebhookError::NoAnswer(format!("dial tcp: lookup {host}: no such host"))),
    };
    let mut failure = String::new();
    for address in addresses {
        match TcpStream::connect(address).await {
            Ok(stream) => {
                // Works without it, too.
                let _ = stream.set_nodelay(true);
                return Ok(stream);
            }
            Err(error) => failure = format!("dial tcp {address}: connect: {}", problem::of_system(&error)),
        }
    }
    Err(WebhookError::NoAnswer(failure))
}

async fn secured(
    address: &Address,
    stream: TcpStream,
    trust: Arc<ClientConfig>,
) -> Result<Box<dyn Stream>, WebhookError> {
    let name = ServerName::try_from(address.name.clone())
        .map_err(|_| WebhookError::NoAnswer(format!("{:?} is no host name", address.name)))?;
    let handshake = TlsConnector::from(trust).connect(name, stream);
    match tokio::time::timeout(HANDSHAKE_LIMIT, handshake).await {
        Err(_) => Err(WebhookError::NoAnswer("net/http: TLS handshake timeout".to_owned())),
        Ok(Err(error)) => Err(WebhookError::NoAnswer(problem::of_handshake(&error, &address.name))),
        Ok(Ok(stream)) => Ok(Box::new(UnannouncedEnd(stream))),
    }
}

fn request(call: &WebhookCall<'_>, address: &Address) -> Result<Request<Full<Bytes>>, WebhookError> {
    let mut request = Request::new(Full::new(Bytes::copy_from_slice(call.body)));
    let invalid = |what: &str| WebhookError::NoAnswer(format!("{what} cannot be sent"));
    *request.uri_mut() = address.path.parse().map_err(|_| invalid(&address.path))?;
    *request.method_mut() = call.method.clone();
    let headers = request.headers_mut();
    headers.insert(HOST, address.authority.parse().map_err(|_| invalid(&address.authority))?);
    headers.insert(USER_AGENT, HeaderValue::from_static(AGENT));
    headers.insert(ACCEPT, HeaderValue::from_static("application/json, */*"));
    if call.method == Method::POST {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
    Ok(request)
}

/// Waits for something while the connection goes on.
async fn driven<T>(http: &mut Option<Pin<Box<Http>>>, work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    std::future::poll_fn(|context| {
        if let Some(connection) = http
            && connection.as_mut().poll(context).is_ready()
        {
            *http = None;
        }
        match work.as_mut().poll(context) {
            Poll::Pending if http.is_some() => {
                // The work may have given the connection something to do.
                if let Some(connection) = http
                    && connection.as_mut().poll(context).is_ready()
                {
                    *http = None;
                    context.waker().wake_by_ref();
                }
                Poll::Pending
            }
            poll => poll,
        }
    })
    .await
}

fn unzipped(body: &[u8]) -> Result<Bytes, Problem> {
    let mut plain = Vec::new();
    let mut limited = GzDecoder::new(body).take(LARGEST as u64 + 1);
    let broken = |cause: String| Problem::of(WebhookError::BrokenAnswer(cause));
    limited.read_to_end(&mut plain).map_err(|error| broken(format!("gzip: {error}")))?;
    if plain.len() > LARGEST {
        return Err(broken(format!("it has more than {LARGEST} bytes")));
    }
    Ok(plain.into())
}
