//! What servers by others lack as a whole: not one wrong function, but an area that nobody wrote.

use http::StatusCode;
use serde_json::{Value, json};

use crate::{
    server::Answer,
    table::{Fault, fault},
};

/// These join other faults in `many.rs`. Each alone is found by the capability that it names.
pub(crate) const FAULTS: &[Fault] = &[
    fault("ignores-dry-runs-of-objects", "a dry run of an object stores it")
        .breaks(&["REST-058"])
        .caught_by(&["capability-object-dry-run"])
        .obvious()
        .requests(|request| {
            if request.uri().path().starts_with("/apis/g") && request.uri().query() == Some("dryRun=All") {
                *request.uri_mut() = request.uri().path().parse().unwrap_or_default();
            }
        }),
    fault("sets-no-conditions", "definitions never get conditions")
        .breaks(&["LIFE-002"])
        .caught_by(&["capability-conditions"])
        .obvious()
        .definition_answers(|_, answer| {
            if let Some(status) = answer.body.get_mut("status").and_then(Value::as_object_mut) {
                status.remove("conditions");
            }
        }),
    fault("lists-no-groups", "discovery does not know the groups of definitions")
        .breaks(&["DISC-003"])
        .caught_by(&["capability-discovery"])
        .obvious()
        .answers(|asked, answer| {
            let path = asked.uri.path();
            if path == "/apis" {
                answer.body["groups"] = json!([]);
                answer.body["items"] = json!([]);
            } else if path.starts_with("/apis/g") && path.matches('/').count() <= 3 {
                not_found(answer);
            }
        }),
    fault("gives-no-causes", "a rejection has no causes")
        .breaks(&["REST-005"])
        .caught_by(&["capability-causes"])
        .obvious()
        .answers(|_, answer| {
            if let Some(details) = answer.body.get_mut("details").and_then(Value::as_object_mut) {
                details.remove("causes");
            }
        }),
    fault("validates-no-objects", "every object is accepted")
        .breaks(&["VALUE-001", "VALUE-018", "VALUE-021"])
        .caught_by(&["capability-validation"])
        .obvious()
        .server(wrong!(Validation {
            fn object_violations(
                &self,
                _: &Value,
                _: &crdible_semantics::Schema,
                _: &mut crdible_semantics::ValidationContext<'_>,
            ) -> Vec<crdible_semantics::Violation> {
                Vec::new()
            }
        })),
    fault("validates-no-definitions", "every definition is accepted")
        .breaks(&["CRDVAL-003", "CRDVAL-014", "STRUCT-002"])
        .caught_by(&["capability-definition-validation"])
        .obvious()
        .server(wrong!(DefinitionRules {
            fn definition_violations(&self, _: &Value) -> Vec<crdible_semantics::Violation> {
                Vec::new()
            }
            fn definition_update_violations(&self, _: &Value, _: &Value) -> Vec<crdible_semantics::Violation> {
                Vec::new()
            }
        })),
];

/// Becomes a 404 without a body.
fn not_found(answer: &mut Answer) {
    answer.head.status = StatusCode::NOT_FOUND;
    answer.body = json!({ "kind": "Status", "status": "Failure", "reason": "NotFound", "code": 404, "message": "no" });
}
