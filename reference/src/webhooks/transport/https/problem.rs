//! What went wrong, in the words of upstream's client.

use std::error::Error;
use std::io;

use tokio_rustls::rustls::{self, CertificateError};

use crate::webhooks::transport::WebhookError;

/// Why an exchange failed.
pub(super) struct Problem {
    pub(super) error: WebhookError,
    /// Whether the request was not sent, because the connection had been closed.
    pub(super) is_unused: bool,
}

impl Problem {
    pub(super) fn of(error: WebhookError) -> Self {
        Self { error, is_unused: false }
    }
}

/// Why no answer was received.
pub(super) fn of_exchange(error: &hyper::Error) -> WebhookError {
    let system = source::<io::Error>(error);
    let text = match system {
        Some(system) if system.kind() == io::ErrorKind::ConnectionReset => {
            format!("read: {}", of_system(system))
        }
        Some(system) if system.kind() == io::ErrorKind::UnexpectedEof => "EOF".to_owned(),
        Some(system) => of_handshake(system, ""),
        None if error.is_parse() => {
            "net/http: HTTP/1.x transport connection broken: malformed HTTP response".to_owned()
        }
        None if error.is_incomplete_message() || error.is_canceled() || error.is_closed() => "EOF".to_owned(),
        None => error.to_string(),
    };
    WebhookError::NoAnswer(text)
}

/// Why an answer ended early.
pub(super) fn of_body(error: &(dyn Error + 'static)) -> String {
    match source::<io::Error>(error) {
        Some(system) if system.kind() != io::ErrorKind::UnexpectedEof => format!("read: {}", of_system(system)),
        _ => "unexpected EOF".to_owned(),
    }
}

/// What the system says.
pub(super) fn of_system(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => "connection refused".to_owned(),
        io::ErrorKind::ConnectionReset => "connection reset by peer".to_owned(),
        io::ErrorKind::TimedOut => "connection timed out".to_owned(),
        io::ErrorKind::HostUnreachable => "no route to host".to_owned(),
        io::ErrorKind::NetworkUnreachable => "network is unreachable".to_owned(),
        _ => {
            let text = error.to_string();
            // Without the number.
            text.split(" (os error").next().unwrap_or_default().to_lowercase()
        }
    }
}

/// Why TLS cannot be spoken with a host.
pub(super) fn of_handshake(error: &io::Error, host: &str) -> String {
    let Some(tls) = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) else {
        return match error.kind() {
            io::ErrorKind::UnexpectedEof => "EOF".to_owned(),
            _ => format!("read: {}", of_system(error)),
        };
    };
    let unverified = |cause: &str| format!("tls: failed to verify certificate: x509: {cause}");
    match tls {
        rustls::Error::InvalidCertificate(problem) => match problem {
            CertificateError::UnknownIssuer | CertificateError::BadSignature => {
                unverified("certificate signed by unknown authority")
            }
            CertificateError::Expired
            | CertificateError::ExpiredContext { .. }
            | CertificateError::NotValidYet
            | CertificateError::NotValidYetContext { .. } => unverified("certificate has expired or is not yet valid"),
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                unverified(&format!("certificate is not valid for {host}"))
            }
            // Only if it is not trusted itself.
            CertificateError::Other(other) if other.to_string().contains("CaUsedAsEndEntity") => {
                unverified("certificate signed by unknown authority")
            }
            other => unverified(&other.to_string()),
        },
        rustls::Error::InvalidMessage(_) | rustls::Error::InappropriateMessage { .. } => {
            "tls: first record does not look like a TLS handshake".to_owned()
        }
        rustls::Error::AlertReceived(alert) => format!("remote error: tls: {alert:?}"),
        other => format!("tls: {other}"),
    }
}

/// The first cause of a type.
fn source<'e, E: Error + 'static>(error: &'e (dyn Error + 'static)) -> Option<&'e E> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(found) = error.downcast_ref::<E>() {
            return Some(found);
        }
        cause = error.source();
    }
    None
}
