//! Who may ask. Whoever is known may ask for everything; there are no permissions.
//!
//! With authentication on, the server is a kube-apiserver whose configuration lets anonymous clients at the four paths that
//! [`PUBLIC`] lists and nowhere else.

use bytes::Bytes;
use http::header::{AUTHORIZATION, HeaderName, HeaderValue, SEC_WEBSOCKET_PROTOCOL};
use http::{HeaderMap, Method, Request, Response};
use sha2::{Digest as _, Sha256};
use tokio_rustls::rustls::pki_types::CertificateDer;

use crate::answer::{Answer, Content, Refusal, Warnings, respond};
use crate::representation::Format;
use crate::request::Query;
use crate::status::Failure;
use crate::tls::{Clients, TlsError, random_hex};
use crate::websocket::ProtocolToken;

/// What anybody may get: probes have no credentials, and clients ask for the version before they show theirs. Each path as it stands.
const PUBLIC: [&str; 4] = ["/healthz", "/livez", "/readyz", "/version"];

const EXTRA_SPACE: &str =
    "the provided Authorization header contains extra space before the bearer token, and is ignored";

/// By what a server knows its clients.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Authentication {
    /// Not at all: everybody may ask.
    #[default]
    None,
    /// By a bearer token, made when the server starts.
    Token,
    /// By a certificate that the server's own authority signed. Wants TLS.
    ClientCertificate,
}

/// A bearer token. It is never printed.
#[derive(Clone)]
pub(crate) struct Token(String);

impl Token {
    /// A token that nobody can guess.
    pub(crate) fn random() -> Result<Self, TlsError> {
        random_hex::<20>().map(Self)
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

/// What clients are checked against.
#[derive(Clone, Debug, Default)]
pub(crate) struct Access {
    credentials: Option<Credentials>,
}

#[derive(Clone, Debug)]
struct Credentials {
    /// The hash of the token, so that comparing tells nothing by the time it takes.
    token: Option<[u8; 32]>,
    clients: Option<Clients>,
}

impl Credentials {
    fn judge(&self, token: &str) -> Shown {
        if self.token == Some(hash(token)) { Shown::Good } else { Shown::Bad }
    }
}

/// What a credential says of whoever shows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Shown {
    #[default]
    Nothing,
    Good,
    Bad,
}

impl Access {
    pub(crate) fn by_token(token: &Token) -> Self {
        Self { credentials: Some(Credentials { token: Some(hash(token.expose())), clients: None }) }
    }

    pub(crate) fn by_certificate(clients: Clients) -> Self {
        Self { credentials: Some(Credentials { token: None, clients: Some(clients) }) }
    }

    /// What the handshake has to ask of clients, if anything.
    pub(crate) fn clients(&self) -> Option<&Clients> {
        self.credentials.as_ref()?.clients.as_ref()
    }

    /// What the certificates of a connection say.
    pub(crate) fn certificate(&self, chain: Option<&[CertificateDer<'_>]>) -> Shown {
        match (self.clients(), chain) {
            (Some(clients), Some(chain)) if !chain.is_empty() => {
                if clients.know(chain) {
                    Shown::Good
                } else {
                    Shown::Bad
                }
            }
            _ => Shown::Nothing,
        }
    }

    /// Lets a request in, perhaps with a warning that goes with its answer; or answers it. `certificate`: what its connection showed.
    ///
    /// A token among the subprotocols of WebSocket is taken out of them, if it is what the client is let in by (REST-076).
    pub(crate) fn admit<B>(
        &self,
        request: &mut Request<B>,
        certificate: Shown,
    ) -> Result<Option<&'static str>, Box<Response<Content>>> {
        let Some(credentials) = &self.credentials else {
            return Ok(None);
        };
        let (token, warning) = match bearer(request.headers()) {
            Bearer::None => (Shown::Nothing, None),
            Bearer::Misplaced => (Shown::Nothing, Some(EXTRA_SPACE)),
            Bearer::Token(token) => (credentials.judge(token), None),
        };
        // One good credential is enough, whatever else is shown; with a bad one nobody is anonymous.
        if [certificate, token].contains(&Shown::Good) {
            return Ok(None);
        }
        let protocol = match ProtocolToken::of(request.headers()) {
            ProtocolToken::None => Shown::Nothing,
            ProtocolToken::Unreadable => Shown::Bad,
            ProtocolToken::Shown { token, others } => {
                let judged = credentials.judge(&token);
                if judged == Shown::Good {
                    request.headers_mut().insert(SEC_WEBSOCKET_PROTOCOL, others);
                    return Ok(None);
                }
                judged
            }
        };
        let shown = [certificate, token, protocol];
        let path = request.uri().path();
        if shown.contains(&Shown::Bad) || !PUBLIC.contains(&path) {
            return Err(Box::new(answer(Failure::unauthorized(), request, warning)));
        }
        if request.method() != Method::GET {
            return Err(Box::new(forbidden(request, path, warning)));
        }
        Ok(warning)
    }
}

/// What stands in the header of the credentials.
#[derive(Debug, PartialEq, Eq)]
enum Bearer<'a> {
    /// No bearer token.
    None,
    /// One behind a second space, which does not count.
    Misplaced,
    Token(&'a str),
}

/// Reads the first of the headers as upstream does: other schemes are ignored, and so is what follows the token.
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

/// 403 to an anonymous client who wants to do more than get.
fn forbidden<B>(request: &Request<B>, path: &str, warning: Option<&'static str>) -> Response<Content> {
    let verb = request.method().as_str().to_ascii_lowercase().replace('&', "&amp;");
    let failure = Failure::forbidden_path(format!("User \"system:anonymous\" cannot {verb} path \"{path}\""));
    let mut response = answer(failure, request, warning);
    let nosniff = HeaderValue::from_static("nosniff");
    response.headers_mut().insert(HeaderName::from_static("x-content-type-options"), nosniff);
    response
}

fn answer<B>(failure: Failure, request: &Request<B>, warning: Option<&'static str>) -> Response<Content> {
    let mut warnings = Warnings::default();
    warning.into_iter().for_each(|text| warnings.add(text));
    let query = Query::parse(request.uri().query().unwrap_or_default());
    let format = Format::of_refusal(request.headers(), &query);
    let refusal: Result<Answer, Refusal> = Err(failure.into());
    let mut response = respond(refusal, warnings, format);
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
    use crate::tls::Authority;

    fn request(method: &str, path: &str, authorization: Option<&str>) -> Request<()> {
        let mut request = Request::builder().method(method).uri(path);
        if let Some(authorization) = authorization {
            request = request.header(AUTHORIZATION, authorization);
        }
        request.body(()).expect("a well-formed request")
    }

    // What kube-apiserver 1.36.3 answered, with anonymous clients allowed at the public paths.
    #[rstest]
    #[case::probe("GET", "/readyz", None, None)]
    #[case::probe_with_a_query("GET", "/livez?verbose", None, None)]
    #[case::old_probe("GET", "/healthz", None, None)]
    #[case::version("GET", "/version", None, None)]
    #[case::below_a_probe("GET", "/readyz/ping", None, Some(401))]
    #[case::with_a_slash("GET", "/version/", None, Some(401))]
    #[case::with_two_slashes("GET", "//readyz", None, Some(401))]
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
    #[case::more_behind_it("GET", "/api", Some("Bearer TOKEN x"), None)]
    #[case::misplaced("GET", "/readyz", Some("Bearer  wrong"), None)]
    #[case::misplaced_elsewhere("GET", "/api", Some("Bearer  TOKEN"), Some(401))]
    fn by_token(
        #[case] method: &str,
        #[case] path: &str,
        #[case] authorization: Option<&str>,
        #[case] refused: Option<u16>,
    ) {
        let token = Token::random().expect("a token");
        let authorization = authorization.map(|text| text.replace("TOKEN", token.expose()));
        let mut request = request(method, path, authorization.as_deref());
        let answer = Access::by_token(&token).admit(&mut request, Shown::Nothing).err();
        assert_eq!(answer.map(|answer| answer.status().as_u16()), refused);
        assert!(Access::default().admit(&mut request, Shown::Nothing).is_ok(), "without authentication");
    }

    #[rstest]
    #[case::good(Shown::Good, None, None)]
    #[case::good_with_a_bad_token(Shown::Good, Some("Bearer wrong"), None)]
    #[case::none(Shown::Nothing, None, None)]
    #[case::bad(Shown::Bad, None, Some(401))]
    #[case::a_token_is_not_known(Shown::Nothing, Some("Bearer wrong"), Some(401))]
    fn by_certificate(#[case] shown: Shown, #[case] authorization: Option<&str>, #[case] refused: Option<u16>) {
        let clients = Authority::new().and_then(|authority| authority.clients()).expect("an authority");
        let answer = Access::by_certificate(clients).admit(&mut request("GET", "/readyz", authorization), shown);
        assert_eq!(answer.err().map(|answer| answer.status().as_u16()), refused);
    }

    #[test]
    fn the_refusal_is_a_status_and_says_what_was_ignored() {
        let token = Token::random().expect("a token");
        let mut request = request("GET", "/api", Some(&format!("Bearer  {}", token.expose())));
        let answer = Access::by_token(&token).admit(&mut request, Shown::Nothing).expect_err("a refusal");
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
    fn what_was_ignored_is_also_said_to_whom_is_let_in() {
        let token = Token::random().expect("a token");
        let access = Access::by_token(&token);
        let told =
            |path, header| access.admit(&mut request("GET", path, Some(header)), Shown::Nothing).expect("no refusal");
        assert_eq!(told("/readyz", "Bearer  x"), Some(EXTRA_SPACE));
        assert_eq!(told("/readyz", "Basic x"), None);
    }

    // What kube-apiserver 1.36.3 answered, and what was left of the subprotocols.
    #[rstest]
    #[case::good(Shown::Nothing, None, "PROTOCOL, x", Ok("x"))]
    #[case::good_with_a_bad_header(Shown::Nothing, Some("Bearer wrong"), "PROTOCOL, x", Ok("x"))]
    #[case::good_beside_a_good_header(Shown::Nothing, Some("Bearer TOKEN"), "PROTOCOL, x", Ok("PROTOCOL, x"))]
    #[case::good_beside_a_certificate(Shown::Good, None, "PROTOCOL, x", Ok("PROTOCOL, x"))]
    #[case::bad(Shown::Nothing, None, "base64url.bearer.authorization.k8s.io.YWJj, x", Err(401))]
    #[case::unreadable(Shown::Nothing, None, "base64url.bearer.authorization.k8s.io.!!, x", Err(401))]
    #[case::nothing_beside_it(Shown::Nothing, None, "PROTOCOL", Err(401))]
    #[case::none(Shown::Nothing, None, "x", Err(401))]
    fn rest_076_by_a_token_among_the_subprotocols(
        #[case] certificate: Shown,
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
