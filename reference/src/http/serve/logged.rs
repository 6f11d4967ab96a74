//! Requests in the log.

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use http::{Method, Request, StatusCode, Uri};

use crate::http::request_log::{Answered, LogEntry, RequestLog};
use crate::messages::error_message::message;

/// A request that will be logged.
pub(super) struct LoggedRequest {
    log: Arc<RequestLog>,
    method: Method,
    uri: Uri,
    since: Instant,
}

impl LoggedRequest {
    pub(super) fn begin<B>(log: &Arc<RequestLog>, request: &Request<B>) -> Self {
        Self {
            log: Arc::clone(log),
            method: request.method().clone(),
            uri: request.uri().clone(),
            since: Instant::now(),
        }
    }

    pub(super) fn log_response(&self, code: StatusCode, body: &Bytes) {
        let message = if code.as_u16() >= 400 { message(body) } else { None };
        (self.log)(&LogEntry::Answered(self.entry(code, body.len() as u64, message.as_deref())));
    }

    fn entry<'a>(&'a self, code: StatusCode, bytes: u64, message: Option<&'a str>) -> Answered<'a> {
        Answered {
            method: &self.method,
            uri: &self.uri,
            code: code.as_u16(),
            bytes,
            duration: self.since.elapsed(),
            message,
        }
    }
}

/// Logs the start and the end of a watch. The end is logged on drop, since the client may disconnect at any time.
pub(super) struct WatchLog {
    logged: LoggedRequest,
    code: StatusCode,
    pub(super) bytes: u64,
}

impl WatchLog {
    pub(super) fn begin(logged: LoggedRequest, code: StatusCode) -> Self {
        (logged.log)(&LogEntry::WatchBegan(logged.entry(code, 0, None)));
        Self { logged, code, bytes: 0 }
    }
}

impl Drop for WatchLog {
    fn drop(&mut self) {
        (self.logged.log)(&LogEntry::WatchEnded(self.logged.entry(self.code, self.bytes, None)));
    }
}
