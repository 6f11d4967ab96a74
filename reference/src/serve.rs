//! The server on a socket: HTTP/1.1 and HTTP/2 without TLS.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{self, Stream};
use http::{HeaderValue, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Either, Full, LengthLimitError, Limited, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;

use crate::answer::Content;
use crate::server::Server;
use crate::watch::Watch;

/// How many bytes the head of a request may have.
const MAX_HEAD: u32 = 64 << 10;
/// How many streams a connection of HTTP/2 may have open.
const MAX_STREAMS: u32 = 256;
/// How long the head of a request may take.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// How long open requests may take when the server ends.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);
/// How long to wait when no connection can be accepted, for want of file descriptors above all.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Serves connections until `shutdown` is done, then lets open requests end, for a few seconds at most.
///
/// One task per connection; keep-alive; bodies above [`Server::max_body`] are answered with 413.
///
/// # Errors
/// Those of the listener that make further accepting pointless. Errors of one connection end that connection alone.
pub async fn serve(listener: TcpListener, server: Server, shutdown: impl Future<Output = ()> + Send) -> io::Result<()> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT).max_buf_size(MAX_HEAD as usize);
    builder.http2().timer(TokioTimer::new()).max_concurrent_streams(MAX_STREAMS).max_header_list_size(MAX_HEAD);
    let open = GracefulShutdown::new();
    let mut shutdown = pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut shutdown => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) if is_passing(&error) => {
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
            Err(error) => return Err(error),
        };
        // Small answers must not wait for acknowledgements; a connection that cannot be told so works all the same.
        let _ = stream.set_nodelay(true);
        let served = server.clone();
        let service = service_fn(move |request| {
            let server = served.clone();
            async move { Ok::<_, Infallible>(answer(&server, request).await) }
        });
        let connection = builder.serve_connection(TokioIo::new(stream), service).into_owned();
        let connection = open.watch(connection);
        tokio::spawn(async move {
            // What goes wrong with one connection concerns its client alone.
            let _ = connection.await;
        });
    }
    drop(listener);
    server.end_watches();
    let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, open.shutdown()).await;
    Ok(())
}

/// What goes over the wire: one piece, or the events of a watch.
type Body = Either<Full<Bytes>, Pin<Box<dyn hyper::body::Body<Data = Bytes, Error = Infallible> + Send>>>;

/// Reads the body, within its limit, and answers.
async fn answer(server: &Server, request: Request<Incoming>) -> Response<Body> {
    let (head, body) = request.into_parts();
    match Limited::new(body, server.max_body()).collect().await {
        Ok(body) => server.open(Request::from_parts(head, body.to_bytes())).map(wire_form),
        Err(error) => {
            let too_large = error.downcast_ref::<LengthLimitError>().is_some();
            let code = if too_large { StatusCode::PAYLOAD_TOO_LARGE } else { StatusCode::BAD_REQUEST };
            unread(code).map(Either::Left)
        }
    }
}

fn wire_form(content: Content) -> Body {
    match content {
        Content::Whole(bytes) => Either::Left(Full::new(bytes)),
        Content::Events(watch) => Either::Right(Box::pin(StreamBody::new(events(watch)))),
    }
}

fn events(watch: Box<Watch>) -> impl Stream<Item = Result<Frame<Bytes>, Infallible>> {
    stream::unfold(watch, |mut watch| async {
        let told = watch.next().await?;
        Some((Ok(Frame::data(told)), watch))
    })
}

/// The answer to a body that was not read to its end.
fn unread(code: StatusCode) -> Response<Full<Bytes>> {
    let (reason, message) = match code {
        StatusCode::PAYLOAD_TOO_LARGE => ("RequestEntityTooLarge", "the body is too large"),
        _ => ("BadRequest", "the body could not be read"),
    };
    let status = serde_json::json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": message, "reason": reason, "code": code.as_u16(),
    });
    let mut response = Response::new(Full::new(Bytes::from(status.to_string())));
    *response.status_mut() = code;
    response.headers_mut().insert(http::header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// Whether accepting may work again later.
fn is_passing(error: &io::Error) -> bool {
    !matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported)
}
