//! `Status` objects: the answers to refused requests (REST-005, REST-073).

use crdible_semantics::{Reason, Violation, message};
use serde_json::{Map, Value, json};

/// At most this many unreadable objects are listed (CONV-022).
const MOST_UNREADABLE: usize = 100;

/// The refusal of a request that was routed.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) code: u16,
    pub(crate) reason: &'static str,
    pub(crate) message: String,
    pub(crate) details: Option<Box<Details>>,
    /// A token to continue an expired list inconsistently (REST-025).
    pub(crate) continue_token: Option<String>,
    /// After how many seconds to try again.
    pub(crate) retry_after: Option<u64>,
}

/// The object that a refusal is about. Empty strings are omitted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Details {
    pub(crate) name: String,
    pub(crate) group: String,
    pub(crate) kind: String,
    pub(crate) causes: Vec<Cause>,
}

/// One entry of `details.causes`.
#[derive(Clone, Debug)]
pub(crate) struct Cause {
    pub(crate) reason: &'static str,
    pub(crate) message: String,
    pub(crate) field: String,
}

impl From<&Violation> for Cause {
    fn from(violation: &Violation) -> Self {
        Self { reason: violation.reason.on_the_wire(), message: violation.message(), field: violation.field.clone() }
    }
}

impl Failure {
    fn new(code: u16, reason: &'static str, message: impl Into<String>) -> Self {
        Self { code, reason, message: message.into(), details: None, continue_token: None, retry_after: None }
    }

    fn about(mut self, group: &str, kind: &str, name: &str) -> Self {
        self.details =
            Some(Box::new(Details { name: name.into(), group: group.into(), kind: kind.into(), causes: Vec::new() }));
        self
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(400, "BadRequest", message)
    }

    pub(crate) fn not_found(group: &str, resource: &str, name: &str) -> Self {
        let message = format!("{} \"{name}\" not found", qualified(resource, group));
        Self::new(404, "NotFound", message).about(group, resource, name)
    }

    pub(crate) fn already_exists(group: &str, resource: &str, name: &str, being_deleted: bool) -> Self {
        let resource_name = qualified(resource, group);
        let message = if being_deleted {
            format!("object is being deleted: {resource_name} \"{name}\" already exists")
        } else {
            format!("{resource_name} \"{name}\" already exists")
        };
        Self::new(409, "AlreadyExists", message).about(group, resource, name)
    }

    pub(crate) fn conflict(group: &str, resource: &str, name: &str, why: &str) -> Self {
        let resource_name = qualified(resource, group);
        let message = format!("Operation cannot be fulfilled on {resource_name} \"{name}\": {why}");
        Self::new(409, "Conflict", message).about(group, resource, name)
    }

    pub(crate) fn forbidden(group: &str, resource: &str, name: &str, why: &str) -> Self {
        let message = format!("{} \"{name}\" is forbidden: {why}", qualified(resource, group));
        Self::new(403, "Forbidden", message).about(group, resource, name)
    }

    /// 403 for a path that is not a resource.
    #[cfg(feature = "serve")]
    pub(crate) fn forbidden_path(why: impl std::fmt::Display) -> Self {
        Self::new(403, "Forbidden", format!("forbidden: {why}")).about("", "", "")
    }

    /// 401: the client is not authenticated; the message reveals nothing more.
    #[cfg(feature = "serve")]
    pub(crate) fn unauthorized() -> Self {
        Self::new(401, "Unauthorized", "Unauthorized")
    }

    /// 422 with one cause per violation (REST-005: `details.kind` is the Kind).
    pub(crate) fn invalid(group: &str, kind: &str, name: &str, violations: &[Violation]) -> Self {
        let list = message::list_of(violations).unwrap_or_default();
        let message = format!("{} \"{name}\" is invalid: {list}", qualified(kind, group));
        let mut failure = Self::new(422, "Invalid", message).about(group, kind, name);
        if let Some(details) = &mut failure.details {
            details.causes = violations.iter().map(Cause::from).collect();
        }
        failure
    }

    /// `422(patch,Invalid)` without kind and name, for an invalid result of a patch (REST-055).
    pub(crate) fn of_patch(result: &Value, fault: &str) -> Self {
        let result = serde_json::to_string(result).unwrap_or_default();
        let violation = Violation {
            field: "patch".into(),
            reason: Reason::Invalid,
            requirement: "REST-055",
            detail: message::about_text(&result, fault),
        };
        Self::invalid("", "", "", &[violation])
    }

    /// 422 with only a message: the patch cannot be applied (REST-033).
    pub(crate) fn unprocessable(message: impl Into<String>) -> Self {
        Self::new(422, "Invalid", message).about("", "", "")
    }

    pub(crate) fn method_not_allowed(group: &str, resource: &str, message: impl Into<String>) -> Self {
        Self::new(405, "MethodNotAllowed", message).about(group, resource, "")
    }

    pub(crate) fn not_acceptable(accepted: &str) -> Self {
        Self::new(406, "NotAcceptable", format!("only the following media types are accepted: {accepted}"))
    }

    /// 406 for a route with a fixed list of media types.
    pub(crate) fn unlisted(listed: &str) -> Self {
        let message = format!("406: Not Acceptable\n\nAvailable representations: {listed}");
        Self::new(406, "NotAcceptable", message).about("", "", "")
    }

    /// 406 for a form in which the response is not available.
    pub(crate) fn unacceptable_form(message: impl Into<String>) -> Self {
        Self::new(406, "NotAcceptable", message)
    }

    pub(crate) fn unsupported_media_type(message: impl Into<String>) -> Self {
        Self::new(415, "UnsupportedMediaType", message)
    }

    /// 415 of a route with a fixed list of media types.
    pub(crate) fn unlisted_media_type() -> Self {
        Self::new(415, "UnsupportedMediaType", "415: Unsupported Media Type").about("", "", "")
    }

    pub(crate) fn too_large(message: impl Into<String>) -> Self {
        Self::new(413, "RequestEntityTooLarge", message)
    }

    /// 500 for an object that is too large for the store; it has no reason (REST-007 `[Q]`).
    pub(crate) fn too_large_to_store() -> Self {
        Self::new(500, "", "etcdserver: request is too large")
    }

    pub(crate) fn expired(message: impl Into<String>) -> Self {
        Self::new(410, "Expired", message)
    }

    /// 500 without reason and details, as upstream answers to errors that it does not expect (CONV-021).
    pub(crate) fn unexplained(message: impl Into<String>) -> Self {
        Self::new(500, "", message)
    }

    /// Whether it is one of [`Failure::unexplained`].
    pub(crate) fn is_unexplained(&self) -> bool {
        self.code == 500 && self.reason.is_empty() && self.details.is_none()
    }

    /// 500 for a list with objects that cannot be read: why the first one cannot, and the key of each, of which the
    /// first hundred are listed (CONV-022).
    pub(crate) fn unreadable(group: &str, plural: &str, first: &str, keys: &[String]) -> Self {
        let more = if keys.len() > 1 { format!(" (and {} more)", keys.len() - 1) } else { String::new() };
        let message =
            format!("failed to read one or more {} from the storage: {first}{more}", qualified(plural, group));
        let cause = |key: &String| Cause {
            reason: "UnexpectedServerResponse",
            message: format!("StorageError: corrupt object, Code: 7, Key: {key}"),
            field: key.clone(),
        };
        let mut causes: Vec<Cause> = keys.iter().take(MOST_UNREADABLE).map(cause).collect();
        if keys.len() > MOST_UNREADABLE {
            causes.push(Cause {
                reason: "FieldValueTooMany",
                message: "too many errors, the list is truncated".to_owned(),
                field: String::new(),
            });
        }
        let prefix = format!("/registry/{group}/{plural}");
        let mut failure = Self::new(500, "StorageReadError", message).about(group, plural, &prefix);
        if let Some(details) = &mut failure.details {
            details.causes = causes;
        }
        failure
    }

    /// 504 for a request whose own time limit has passed.
    pub(crate) fn late() -> Self {
        Self::new(504, "Timeout", "Timeout: request did not complete within the allotted timeout").about("", "", "")
    }

    /// 429: try again after this number of seconds.
    pub(crate) fn busy(message: impl Into<String>, seconds: u64) -> Self {
        Self { retry_after: Some(seconds), ..Self::new(429, "TooManyRequests", message).about("", "", "") }
    }

    /// 504 for a revision that the server has not reached yet: try again after a second.
    pub(crate) fn too_high_revision(required: u64, current: u64) -> Self {
        let message = format!("Timeout: Too large resource version: {required}, current: {current}");
        let cause = Cause {
            reason: "ResourceVersionTooLarge",
            message: "Too large resource version".into(),
            field: String::new(),
        };
        let details = Details { causes: vec![cause], ..Details::default() };
        Self { details: Some(Box::new(details)), retry_after: Some(1), ..Self::new(504, "Timeout", message) }
    }

    /// An error that upstream does not classify.
    pub(crate) fn without_reason(message: impl Into<String>) -> Self {
        Self::new(500, "", message)
    }

    pub(crate) fn internal(message: impl Into<String>) -> Self {
        let message = message.into();
        let cause = Cause { reason: "", message: message.clone(), field: String::new() };
        let details = Details { causes: vec![cause], ..Details::default() };
        let failure = Self::new(500, "InternalError", format!("Internal error occurred: {message}"));
        Self { details: Some(Box::new(details)), ..failure }
    }

    /// The `v1` `Status` in JSON.
    pub(crate) fn to_json(&self) -> Value {
        let mut metadata = Map::new();
        if let Some(token) = &self.continue_token {
            metadata.insert("continue".into(), Value::from(token.as_str()));
        }
        let mut status = json!({
            "kind": "Status", "apiVersion": "v1", "metadata": metadata, "status": "Failure",
            "message": self.message, "code": self.code,
        });
        if !self.reason.is_empty() {
            status["reason"] = self.reason.into();
        }
        if let Some(details) = &self.details {
            status["details"] = details.to_json();
        }
        if let Some(seconds) = self.retry_after {
            status["details"]["retryAfterSeconds"] = seconds.into();
        }
        status
    }
}

impl Details {
    fn to_json(&self) -> Value {
        let mut out = Map::new();
        for (key, text) in [("name", &self.name), ("group", &self.group), ("kind", &self.kind)] {
            if !text.is_empty() {
                out.insert(key.into(), Value::from(text.as_str()));
            }
        }
        if !self.causes.is_empty() {
            out.insert("causes".into(), self.causes.iter().map(Cause::to_json).collect());
        }
        Value::Object(out)
    }
}

impl Cause {
    fn to_json(&self) -> Value {
        let texts = [("reason", self.reason), ("message", &self.message), ("field", &self.field)];
        texts.into_iter().filter(|(_, text)| !text.is_empty()).map(|(key, text)| (key, Value::from(text))).collect()
    }
}

/// The `Status` of a completed deletion (REST-043).
pub(crate) fn deleted(group: &str, resource: &str, name: &str, uid: &str) -> Value {
    let mut details = Map::new();
    for (key, text) in [("name", name), ("group", group), ("kind", resource), ("uid", uid)] {
        if !text.is_empty() {
            details.insert(key.into(), Value::from(text));
        }
    }
    json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "details": details})
}

fn qualified(resource: &str, group: &str) -> String {
    if group.is_empty() { resource.to_owned() } else { format!("{resource}.{group}") }
}
