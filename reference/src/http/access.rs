//! Authentication. An authenticated client may do everything: there are no permissions.
//!
//! With authentication on, the server behaves as a kube-apiserver that is configured to admit anonymous clients at the
//! four paths of [`PUBLIC`] only.

use bytes::Bytes;
use http::header::{AUTHORIZATION, HeaderName, HeaderValue, SEC_WEBSOCKET_PROTOCOL};
use http::{HeaderMap, Method, Request, Response};
use sha2::{Digest as _, Sha256};
use tokio_rustls::rustls::pki_types::CertificateDer;

use crate::base::status::Failure;
use crate::http::tls::{Clients, TlsError, random_hex};
use crate::http::websocket::ProtocolToken;
use crate::messages::answer::{Answer, Content, Refusal, Warnings, respond};
use crate::messages::representation::Format;
use crate::messages::request::Query;

/// The paths that anonymous clients may get: probes have no credentials, and clients ask for the version before they
/// authenticate. Compared exactly.
const PUBLIC: [&str; 4] = ["/healthz", "/livez", "/readyz", "/version"];

const EXTRA_SPACE: &str =
    "the provided Authorization header contains extra space before the bearer token, and is ignored";

/// How a server authenticates its clients.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Authentication {
    /// No authentication: every client is admitted.
    #[default]
    None,
    /// By a bearer token that is generated for the endpoint.
    Token,
    /// By a certificate that the [`Authority`](crate::Authority) of the endpoint signed. Requires TLS.
    ClientCertificate,
}

/// A bearer token. It has no `Debug`, so that it is never printed.
#[derive(Clone)]
pub(crate) struct Token(String);

impl Token {
    /// A random, unguessable token.
    pub(crate) fn random() -> Result<Self, TlsError> {
        random_hex::<20>().map(Self)
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

/// What requests are authenticated against; nothing by default.
#[derive(Clone, Debug, Default)]
pub(crate) struct Access {
    credentials: Option<Credentials>,
}

#[derive(Clone, Debug)]
struct Credentials {
    /// The hash of the token, so that the time of a comparison reveals nothing about it.
    token: Option<[u8; 32]>,
    clients: Option<Clients>,
}

impl Credentials {
    fn check(&self, token: &str) -> CredentialState {
        if self.token == Some(hash(token)) { CredentialState::Valid } else { CredentialState::Invalid }
    }
}

/// The result of checking one kind of credential.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CredentialState {
    #[default]
    Missing,
    Valid,
    Invalid,
}

impl Access {
    pub(crate) fn by_token(token: &Token) -> Self {
        Self { credentials: Some(Credentials { token: Some(hash(token.expose())), clients: None }) }
    }

    pub(crate) fn by_certificate(clients: Clients) -> Self {
        Self { credentials: Some(Credentials { token: None, clients: Some(clients) }) }
    }

    /// What the TLS handshake requires of clients, if anything.
    pub(crate) fn clients(&self) -> Option<&Clients> {
        self.credentials.as_ref()?.clients.as_ref()
    }

    /// Checks the certificate chain that a connection presented.
    pub(crate) fn certificate(&self, chain: Option<&[CertificateDer<'_>]>) -> CredentialState {
        match (self.clients(), chain) {
            (Some(clients), Some(chain)) if !chain.is_empty() => {
                if clients.accept(chain) {
                    CredentialState::Valid
                } else {
                    CredentialState::Invalid
                }
            }
            _ => CredentialState::Missing,
        }
    }

    /// Admits a request, with a warning to add to its response if there is one; or returns the refusal. `certificate`
    /// is the state of the connection's certificate.
    ///
    /// A token among the WebSocket subprotocols is removed from them if it is the credential that admits the client
    /// (REST-076).
    pub(crate) fn admit<B>(
        &self,
        request: &mut Request<B>,
        certificate: CredentialState,
    ) -> Result<Option<&'static str>, Box<Response<Content>>> {
        let Some(credentials) = &self.credentials else {
            return Ok(None);
        };
        let (token, warning) = match bearer(request.headers()) {
            Bearer::None => (CredentialState::Missing, None),
            Bearer::Misplaced => (CredentialState::Missing, Some(EXTRA_SPACE)),
            Bearer::Token(token) => (credentials.check(token), None),
        };
        // One valid credential is enough; an invalid one without a valid one is refused, never treated as anonymous.
        if [certificate, token].contains(&CredentialState::Valid) {
            return Ok(None);
        }
        let protocol = match ProtocolToken::of(request.headers()) {
            ProtocolToken::None => CredentialState::Missing,
            ProtocolToken::Unreadable => CredentialState::Invalid,
            ProtocolToken::Token { token, others } => {
                let state = credentials.check(&token);
                if state == CredentialState::Valid {
                    request.headers_mut().insert(SEC_WEBSOCKET_PROTOCOL, others);
                    return Ok(None);
                }
                state
            }
        };
        let states = [certificate, token, protocol];
        let path = request.uri().path();
        if states.contains(&CredentialState::Invalid) || !PUBLIC.contains(&path) {
            return Err(Box::new(refusal(Failure::unauthorized(), request, warning)));
        }
        if request.method() != Method::GET {
            return Err(Box::new(forbidden(request, path, warning)));
        }
        Ok(warning)
    }
}

/// The content of the `Authorization` header.
#[derive(Debug, PartialEq, Eq)]
enum Bearer<'a> {
    /// No bearer token.
    None,
    /// A token after a second space, which is ignored.
    Misplaced,
    Token(&'a str),
}

/// Reads the first `Authorization` header as upstream does: other schemes are ignored, and so is anything after the
/// token.
fn bearer(headers: &HeaderMap) -> Bearer<'_> {
    let value = headers.get(AUTHORIZATION).map(|value| value.to_str().unwrap_or("bearer ?")).unwrap_or_default();
    let mut parts = value.trim().splitn(3, ' ');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(scheme), Some(token), rest) if scheme.eq_ignore_ascii_case("bearer") => match (token, rest) {
            ("", Some(_)) => Bearer::Misplaced,
            ("", None) => Bearer::None,
            (token, _) => Bearer::Token(token),
        },
        _ => Bearer::None,
    }
}

fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}

/// 403 for an anonymous client whose method is not GET.
fn forbidden<B>(request: &Request<B>, path: &str, warning: Option<&'static str>) -> Response<Content> {
    let verb = request.method().as_str().to_ascii_lowercase().replace('&', "&amp;");
    let failure = Failure::forbidden_path(format!("User \"system:anonymous\" cannot {verb} path \"{path}\""));
    let mut response = refusal(failure, request, warning);
    let nosniff = HeaderValue::from_static("nosniff");
    response.headers_mut().insert(HeaderName::from_static("x-content-type-options"), nosniff);
    response
}

/// The response that refuses a request.
pub(crate) fn refusal<B>(failure: Failure, request: &Request<B>, warning: Option<&'static str>) -> Response<Content> {
    let mut warnings = Warnings::default();
    warning.into_iter().for_each(|text| warnings.add(text));
    let query = Query::parse(request.uri().query().unwrap_or_default());
    let format = Format::of_refusal(request.headers(), &query);
    let refused: Result<Answer, Refusal> = Err(failure.into());
    let mut response = respond(refused, warnings, format);
    if request.method() == Method::HEAD {
        *response.body_mut() = Content::Whole(Bytes::new());
    }
    response
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::prelude::BASE64_URL_SAFE_NO_PAD;
    use rstest::rstest;

    use super::*;
    use crate::http::tls::Authority;

    fn request(method: &str, path: &str, authorization: Option<&str>) -> Request<()> {
        let mut request = Request::builder().method(method).uri(path);
        if let Some(authorization) = authorization {
            request = request.header(AUTHORIZATION, authorization);
        }
        request.body(()).expect("a well-formed request")
    }

    // As kube-apiserver 1.36.3 answers with anonymous clients allowed at the public paths.
    #[rstest]
    #[case::probe("GET", "/readyz", None, None)]
    #[case::probe_with_a_query("GET", "/livez?verbose", None, None)]
    #[case::old_probe("GET", "/healthz", None, None)]
    #[case::version("GET", "/version", None, None)]
    #[case::path_below_a_probe("GET", "/readyz/ping", None, Some(401))]
    #[case::trailing_slash("GET", "/version/", None, Some(401))]
    #[case::double_slash("GET", "//readyz", None, Some(401))]
    #[case::other_verb("POST", "/readyz", None, Some(403))]
    #[case::head("HEAD", "/readyz", None, Some(403))]
    #[case::anything_else("GET", "/api", None, Some(401))]
    #[case::nowhere("GET", "/nowhere", None, Some(401))]
    #[case::bad_token("GET", "/readyz", Some("Bearer wrong"), Some(401))]
    #[case::other_scheme("GET", "/readyz", Some("Basic YTpi"), None)]
    #[case::other_scheme_elsewhere("GET", "/api", Some("Basic YTpi"), Some(401))]
    #[case::no_token("GET", "/readyz", Some("Bearer"), None)]
    #[case::good_token("GET", "/api", Some("Bearer TOKEN"), None)]
    #[case::scheme_in_lower_case("GET", "/api", Some("bearer TOKEN"), None)]
    #[case::text_after_the_token("GET", "/api", Some("Bearer TOKEN x"), None)]
    #[case::two_spaces("GET", "/readyz", Some("Bearer  wrong"), None)]
    #[case::two_spaces_elsewhere("GET", "/api", Some("Bearer  TOKEN"), Some(401))]
    fn requests_are_authenticated_by_token(
        #[case] method: &str,
        #[case] path: &str,
        #[case] authorization: Option<&str>,
        #[case] refused: Option<u16>,
    ) {
        let token = Token::random().expect("a token");
        let authorization = authorization.map(|text| text.replace("TOKEN", token.expose()));
        let mut request = request(method, path, authorization.as_deref());
        let answer = Access::by_token(&token).admit(&mut request, CredentialState::Missing).err();
        assert_eq!(answer.map(|answer| answer.status().as_u16()), refused);
        assert!(Access::default().admit(&mut request, CredentialState::Missing).is_ok(), "without authentication");
    }

    #[rstest]
    #[case::good(CredentialState::Valid, None, None)]
    #[case::good_with_a_bad_token(CredentialState::Valid, Some("Bearer wrong"), None)]
    #[case::none(CredentialState::Missing, None, None)]
    #[case::bad(CredentialState::Invalid, None, Some(401))]
    #[case::token_is_ignored(CredentialState::Missing, Some("Bearer wrong"), Some(401))]
    fn requests_are_authenticated_by_certificate(
        #[case] certificate: CredentialState,
        #[case] authorization: Option<&str>,
        #[case] refused: Option<u16>,
    ) {
        let clients = Authority::new().and_then(|authority| authority.clients()).expect("an authority");
        let answer = Access::by_certificate(clients).admit(&mut request("GET", "/readyz", authorization), certificate);
        assert_eq!(answer.err().map(|answer| answer.status().as_u16()), refused);
    }

    #[test]
    fn a_refusal_is_a_status_and_warns_about_an_ignored_token() {
        let token = Token::random().expect("a token");
        let mut request = request("GET", "/api", Some(&format!("Bearer  {}", token.expose())));
        let answer = Access::by_token(&token).admit(&mut request, CredentialState::Missing).expect_err("a refusal");
        let warning = format!("299 - \"{EXTRA_SPACE}\"");
        assert_eq!(answer.headers()["warning"], warning.as_str());
        let status: serde_json::Value = serde_json::from_slice(&answer.into_body().whole()).expect("a Status");
        let expected = serde_json::json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
            "message": "Unauthorized", "reason": "Unauthorized", "code": 401,
        });
        assert_eq!(status, expected);
    }

    #[test]
    fn an_admitted_request_also_warns_about_an_ignored_token() {
        let token = Token::random().expect("a token");
        let access = Access::by_token(&token);
        let warning = |path, header| {
            access.admit(&mut request("GET", path, Some(header)), CredentialState::Missing).expect("no refusal")
        };
        assert_eq!(warning("/readyz", "Bearer  x"), Some(EXTRA_SPACE));
        assert_eq!(warning("/readyz", "Basic x"), None);
    }

    // As kube-apiserver 1.36.3 answers; `expected` is the remaining subprotocols.
    #[rstest]
    #[case::good(CredentialState::Missing, None, "PROTOCOL, x", Ok("x"))]
    #[case::good_with_a_bad_header(CredentialState::Missing, Some("Bearer wrong"), "PROTOCOL, x", Ok("x"))]
    #[case::valid_with_a_valid_header(CredentialState::Missing, Some("Bearer TOKEN"), "PROTOCOL, x", Ok("PROTOCOL, x"))]
    #[case::valid_with_a_certificate(CredentialState::Valid, None, "PROTOCOL, x", Ok("PROTOCOL, x"))]
    #[case::bad(CredentialState::Missing, None, "base64url.bearer.authorization.k8s.io.YWJj, x", Err(401))]
    #[case::unreadable(CredentialState::Missing, None, "base64url.bearer.authorization.k8s.io.!!, x", Err(401))]
    #[case::only_the_token(CredentialState::Missing, None, "PROTOCOL", Err(401))]
    #[case::none(CredentialState::Missing, None, "x", Err(401))]
    fn rest_076_a_token_among_the_subprotocols_authenticates(
        #[case] certificate: CredentialState,
        #[case] authorization: Option<&str>,
        #[case] protocols: &str,
        #[case] expected: Result<&str, u16>,
    ) {
        let token = Token::random().expect("a token");
        let protocol =
            format!("base64url.bearer.authorization.k8s.io.{}", BASE64_URL_SAFE_NO_PAD.encode(token.expose()));
        let authorization = authorization.map(|text| text.replace("TOKEN", token.expose()));
        let mut request = request("GET", "/api", authorization.as_deref());
        let protocols = protocols.replace("PROTOCOL", &protocol);
        for (name, value) in
            [("upgrade", "websocket"), ("connection", "Upgrade"), ("sec-websocket-protocol", &protocols)]
        {
            request.headers_mut().insert(name, HeaderValue::from_str(value).expect("a value"));
        }
        let answer =
            Access::by_token(&token).admit(&mut request, certificate).map_err(|answer| answer.status().as_u16());
        let left = answer.map(|_| request.headers()[SEC_WEBSOCKET_PROTOCOL].to_str().expect("a text"));
        assert_eq!(left.map(str::to_owned), expected.map(|left| left.replace("PROTOCOL", &protocol)));
    }

    #[test]
    fn tokens_differ() {
        let tokens = [Token::random(), Token::random()].map(|token| token.expect("a token").expose().to_owned());
        assert!(tokens[0] != tokens[1] && tokens.iter().all(|token| token.len() == 40));
    }
}
