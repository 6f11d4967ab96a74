//! From an error of the HTTP client to a [`TransportError`] that tells what to do.

use std::error::Error;
use std::io;
use std::time::Duration;

use super::transport::{RequestSummary, TransportError};

/// What `error` means for a request at `place` that was allowed to take `after`.
pub(super) fn explain(error: reqwest::Error, place: RequestSummary, after: Duration) -> TransportError {
    // The URL stands in `place` already, and there it is redacted.
    let error = error.without_url();
    if let Some(tls) = find::<rustls::Error>(&error) {
        let (detail, advice) = explain_tls(tls);
        return TransportError::Tls { place, detail, advice };
    }
    let detail = chain(&error);
    if error.is_builder() {
        TransportError::Unsendable { place, detail }
    } else if error.is_timeout() && !error.is_connect() {
        TransportError::Timeout { place, after }
    } else if error.is_dns() {
        TransportError::UnknownHost { place, detail }
    } else if error.is_connect() {
        explain_connect(&error, place, detail)
    } else if is_closed(&error, &detail) {
        let advice = if speaks_plain(&place) { ", or write https:// if the server speaks TLS" } else { "" };
        TransportError::Closed { place, detail, advice }
    } else {
        let advice = if detail.contains("too large") {
            "the head of the answer has more headers than this client takes"
        } else if speaks_plain(&place) {
            "check the port, and write https:// if the server speaks TLS"
        } else {
            "check that the port is the API server's"
        };
        TransportError::Protocol { place, detail, advice }
    }
}

fn explain_connect(error: &reqwest::Error, place: RequestSummary, detail: String) -> TransportError {
    let detail = match find::<io::Error>(error).map(io::Error::kind) {
        Some(io::ErrorKind::ConnectionRefused) => "connection refused, nothing listens there".to_owned(),
        // The connection stood, and ended in the middle of the handshake.
        Some(io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset) => {
            return TransportError::Closed {
                place,
                detail: format!("during the connection's set-up: {detail}"),
                advice: ", or check that the port is the API server's",
            };
        }
        _ if error.is_timeout() => "no connection in time".to_owned(),
        _ => detail,
    };
    TransportError::Unreachable { place, detail }
}

fn explain_tls(error: &rustls::Error) -> (String, &'static str) {
    use rustls::CertificateError as Certificate;
    use rustls::{AlertDescription as Alert, Error};

    match error {
        Error::InvalidCertificate(Certificate::UnknownIssuer | Certificate::BadSignature) => (
            "the server's certificate is signed by an authority that is not trusted".to_owned(),
            "pass the authority's certificate with --ca, or check that the kubeconfig belongs to this server",
        ),
        Error::InvalidCertificate(Certificate::NotValidForName | Certificate::NotValidForNameContext { .. }) => (
            format!("the server's certificate is for another name ({error})"),
            "use an address that the certificate names, or set tls-server-name in the kubeconfig",
        ),
        Error::InvalidCertificate(
            Certificate::Expired
            | Certificate::ExpiredContext { .. }
            | Certificate::NotValidYet
            | Certificate::NotValidYetContext { .. },
        ) => {
            (format!("the server's certificate is not valid now ({error})"), "renew it, or check this machine's clock")
        }
        Error::InvalidCertificate(_) => (
            format!("the server's certificate is not acceptable ({error})"),
            "pass the right --ca, or renew the certificate",
        ),
        Error::InvalidMessage(_) => (
            format!("the server does not speak TLS ({error})"),
            "write http:// if it speaks plain HTTP, or check the port",
        ),
        Error::AlertReceived(
            Alert::CertificateRequired
            | Alert::BadCertificate
            | Alert::UnknownCA
            | Alert::CertificateUnknown
            | Alert::CertificateExpired
            | Alert::AccessDenied,
        ) => (
            format!("the server refuses the client's certificate ({error})"),
            "use a client certificate that this server's authority signed and that has not expired",
        ),
        other => (
            format!("the TLS handshake failed ({other})"),
            "check the server's TLS settings and that the port is right",
        ),
    }
}

fn speaks_plain(place: &RequestSummary) -> bool {
    place.address.starts_with("http://")
}

/// hyper's own error type is not a dependency here, so its texts are read: "connection closed
/// before message completed", "connection error", "channel closed", "error reading a body".
fn is_closed(error: &reqwest::Error, detail: &str) -> bool {
    let ended = |kind| {
        matches!(
            kind,
            io::ErrorKind::ConnectionReset
                | io::ErrorKind::ConnectionAborted
                | io::ErrorKind::BrokenPipe
                | io::ErrorKind::UnexpectedEof
                | io::ErrorKind::NotConnected
        )
    };
    find::<io::Error>(error).is_some_and(|io| ended(io.kind()))
        || ["closed", "end of file", "unexpected EOF", "error reading a body"].iter().any(|text| detail.contains(text))
}

/// The first cause of type `T`; an `io::Error` is opened too, since TLS errors hide inside.
fn find<'a, T: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a T> {
    let mut next = Some(error);
    while let Some(cause) = next {
        if let Some(found) = cause.downcast_ref::<T>() {
            return Some(found);
        }
        let inside = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        if let Some(found) = inside.and_then(|inner| find::<T>(inner)) {
            return Some(found);
        }
        next = cause.source();
    }
    None
}

/// All causes, outermost first, without those that only repeat what was said.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let said = cause.to_string();
        if !text.contains(&said) {
            text.push_str(": ");
            text.push_str(&said);
        }
        next = cause.source();
    }
    text
}
