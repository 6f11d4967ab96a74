//! Whether a request was accepted or refused, and how.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use serde_json::{Value, json};

use super::mismatch::{Mismatch, first_field, shown, summary};
use crate::transcript::Answer;

/// 2xx with a Kubernetes object, or with a list. That a list has a kind is a promise of its own (REST-021): one without a
/// kind still shows what else was asked.
pub fn accepted(answer: &Answer) -> Result<(), Mismatch> {
    if answer.is_accepted() {
        let has = |field: &str, is_of_type: fn(&Value) -> bool| answer.body.get(field).is_some_and(is_of_type);
        if has("kind", Value::is_string) || has("items", Value::is_array) {
            return Ok(());
        }
        let summary = "the request is accepted, but the answer is not a Kubernetes object".to_owned();
        return Err(Mismatch::new(json!("an object with a kind"), answer.body.clone(), "", "no-object", summary));
    }
    let summary = format!("{}, expected 2xx", summary(answer));
    Err(Mismatch::new(
        json!("2xx"),
        shown(answer),
        &first_field(answer),
        &format!("refused-{}", answer.status),
        summary,
    ))
}

/// What is wrong with an answer that should be an object. A rejection is shown by its code and its reason, not by what
/// its body lacks.
pub(super) fn shown_by_code(found: Result<(), Mismatch>, answer: &Answer) -> Result<(), Mismatch> {
    found.map_err(|found| if answer.is_accepted() { found } else { accepted(answer).err().unwrap_or(found) })
}

/// This status code, with any body.
pub(super) fn status(code: u16, answer: &Answer) -> Result<(), Mismatch> {
    if answer.status == code {
        return Ok(());
    }
    let summary = format!("{}, expected {code}", summary(answer));
    Err(Mismatch::new(json!(code), shown(answer), "", &format!("status-{}", answer.status), summary))
}

/// 4xx with a `Status`.
pub(super) fn refused(answer: &Answer) -> Result<(), Mismatch> {
    let is_status = answer.body.get("kind").and_then(Value::as_str) == Some("Status");
    if (400..500).contains(&answer.status) && is_status {
        return Ok(());
    }
    let summary = format!("{}, expected 4xx with a Status", summary(answer));
    Err(Mismatch::new(json!("4xx with a Status"), shown(answer), "", &format!("status-{}", answer.status), summary))
}

/// 400 with the reason `BadRequest` and no causes.
pub(super) fn bad_request(answer: &Answer) -> Result<(), Mismatch> {
    status(400, answer)?;
    let causes = answer.causes();
    if answer.reason() == "BadRequest" && causes.is_empty() {
        return Ok(());
    }
    let summary = format!("{}, expected 400 BadRequest without causes", summary(answer));
    let actual = json!({ "reason": answer.reason(), "causes": causes });
    Err(Mismatch::new(json!({ "reason": "BadRequest", "causes": [] }), actual, "", "other-reason", summary))
}
