//! Errors of the HTTP client as [`TransportError`]s, which say what to do.

use std::error::Error;
use std::io;

use hyper_util::client::legacy;
use rustls::{AlertDescription, CertificateError};

use super::dial::{DialError, Peer};
use crate::connection::transport::{RequestSummary, TransportError};

/// Why a request got no response.
pub(super) fn of_request(error: &legacy::Error, place: RequestSummary) -> TransportError {
    if let Some(error) = find::<DialError>(error) {
        return of_connection(error, place);
    }
    if let Some(tls) = find::<rustls::Error>(error) {
        return of_tls(tls, Peer::Server, place);
    }
    let Some(cause) = find::<hyper::Error>(error) else {
        let detail = error.to_string();
        return if detail.contains("User") {
            TransportError::Unsendable { place, detail }
        } else {
            closed(detail, place)
        };
    };
    let detail = chain(cause);
    let is_closed = cause.is_incomplete_message()
        || cause.is_canceled()
        || cause.is_closed()
        || find::<io::Error>(cause).is_some_and(|error| is_end(error.kind()));
    if is_closed {
        return closed(detail, place);
    }
    // hyper has a method for it in servers only.
    let advice = if detail.contains("too large") {
        "its head has more headers than this client accepts"
    } else if is_plain(&place) {
        "check the port, and write https:// if the server uses TLS"
    } else {
        "check that this is the port of the API server"
    };
    TransportError::Protocol { place, detail, advice }
}

/// Why the body of a response could not be read.
pub(super) fn of_body(error: &(dyn Error + 'static), place: RequestSummary) -> TransportError {
    match find::<rustls::Error>(error) {
        Some(tls) => of_tls(tls, Peer::Server, place),
        None => closed(chain(error), place),
    }
}

pub(super) fn of_connection(error: &DialError, place: RequestSummary) -> TransportError {
    let detail = match error {
        DialError::Lookup(error) => return TransportError::UnknownHost { place, detail: error.to_string() },
        DialError::Tls { peer, error } => {
            if let Some(tls) = find::<rustls::Error>(error) {
                return of_tls(tls, *peer, place);
            }
            if is_end(error.kind()) {
                return TransportError::Closed {
                    place,
                    detail: format!("during the TLS handshake: {error}"),
                    advice: ", or check that this is the port of the API server",
                    is_received: false,
                };
            }
            error.to_string()
        }
        DialError::Refused(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
            "connection refused, nothing listens there".to_owned()
        }
        other => other.to_string(),
    };
    TransportError::Unreachable { place, detail }
}

fn of_tls(error: &rustls::Error, peer: Peer, place: RequestSummary) -> TransportError {
    use AlertDescription as Alert;
    use CertificateError as Certificate;
    use rustls::Error;

    let is_nameless = is_nameless(error);
    let peer = peer.as_str();
    let (detail, advice) = match error {
        _ if is_nameless => (
            format!("the certificate of the {peer} names no host as subject alternative name"),
            "add the host, such as subjectAltName=DNS:localhost,IP:127.0.0.1; no client looks at the common name",
        ),
        Error::InvalidCertificate(Certificate::UnknownIssuer | Certificate::BadSignature) => (
            format!("the certificate of the {peer} is signed by an authority that is not trusted"),
            "pass the certificate of the authority with --ca, or check that the kubeconfig is for this server",
        ),
        Error::InvalidCertificate(Certificate::NotValidForName | Certificate::NotValidForNameContext { .. }) => (
            format!("the certificate of the {peer} is for another name ({error})"),
            "use an address that is in the certificate, or set tls-server-name in the kubeconfig",
        ),
        Error::InvalidCertificate(
            Certificate::Expired
            | Certificate::ExpiredContext { .. }
            | Certificate::NotValidYet
            | Certificate::NotValidYetContext { .. },
        ) => (
            format!("the certificate of the {peer} is expired or not valid yet ({error})"),
            "renew it, or check the clock of this machine",
        ),
        Error::InvalidCertificate(Certificate::Other(other)) if other.to_string().contains("CaUsedAsEndEntity") => (
            format!("the certificate of the {peer} is that of an authority, and is not trusted itself"),
            "pass this certificate with --ca",
        ),
        Error::InvalidCertificate(_) => (
            format!("the certificate of the {peer} is invalid ({error})"),
            "pass the right --ca, or renew the certificate",
        ),
        Error::InvalidMessage(_) => {
            (format!("the {peer} does not use TLS ({error})"), "write http:// if it uses plain HTTP, or check the port")
        }
        Error::AlertReceived(
            Alert::CertificateRequired
            | Alert::BadCertificate
            | Alert::UnknownCA
            | Alert::CertificateUnknown
            | Alert::CertificateExpired
            | Alert::AccessDenied,
        ) => (
            format!("the {peer} refuses the client's certificate ({error})"),
            "use a client certificate that the authority of this server has signed and that has not expired",
        ),
        other => (format!("the TLS handshake failed ({other})"), "check the TLS settings of the server, and the port"),
    };
    TransportError::Tls { place, detail, advice, is_nameless }
}

/// Whether a certificate is refused because it names no host as subject alternative name.
fn is_nameless(error: &rustls::Error) -> bool {
    let rustls::Error::InvalidCertificate(problem) = error else { return false };
    matches!(problem, CertificateError::NotValidForNameContext { presented, .. } if presented.is_empty())
}

/// The connection was closed before the response was complete.
pub(super) fn closed(detail: String, place: RequestSummary) -> TransportError {
    let advice = if is_plain(&place) { ", or write https:// if the server uses TLS" } else { "" };
    TransportError::Closed { place, detail, advice, is_received: false }
}

fn is_plain(place: &RequestSummary) -> bool {
    place.address.starts_with("http://")
}

/// Whether the other end closed the connection.
fn is_end(kind: io::ErrorKind) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, NotConnected, UnexpectedEof};
    matches!(kind, BrokenPipe | ConnectionAborted | ConnectionReset | NotConnected | UnexpectedEof)
}

/// The first cause of type `T`. The errors inside of an `io::Error` count, too: TLS errors are there.
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

/// All causes, the outermost first, without repetitions.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let message = cause.to_string();
        if !text.contains(&message) {
            text.push_str(": ");
            text.push_str(&message);
        }
        next = cause.source();
    }
    text
}
