//! An HTTP client with keep-alive.

use bytes::Bytes;
use http::{HeaderValue, Method, Request, Response, header};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper_util::{
    client::legacy::{self, connect::HttpConnector},
    rt::TokioExecutor,
};

/// Cheap to clone; clones share their connections.
#[derive(Clone)]
pub(crate) struct Client(legacy::Client<HttpConnector, Full<Bytes>>);

impl Client {
    /// A client that keeps at most this many idle connections.
    pub(crate) fn new(idle: usize) -> Self {
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        Self(legacy::Client::builder(TokioExecutor::new()).pool_max_idle_per_host(idle).build(connector))
    }

    /// Sends a request; the body of the response is still to be read.
    pub(crate) async fn send(&self, request: Request<Full<Bytes>>) -> Response<Incoming> {
        self.0.request(request).await.expect("an answer")
    }
}

/// The whole body of a response.
pub(crate) async fn body(response: Response<Incoming>) -> Bytes {
    response.into_body().collect().await.expect("a body").to_bytes()
}

pub(crate) fn get(url: &str) -> Request<Full<Bytes>> {
    Request::get(url).body(Full::default()).expect("a request")
}

/// Posts JSON.
pub(crate) fn post(url: &str, json: String) -> Request<Full<Bytes>> {
    let mut request = Request::new(Full::from(json));
    *request.method_mut() = Method::POST;
    *request.uri_mut() = url.parse().expect("a URL");
    request.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    request
}
