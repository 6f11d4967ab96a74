//! Requests for which `Plan` has no method, and checks of their answers.

use crate::prelude::*;

/// DELETE of an object that the plan created. The options have the group of the definition.
pub(in super::super) fn delete(plan: &mut Plan, created: StepId, options: impl Into<Content>) -> StepId {
    let resource = plan.object_of(created);
    let body = match resource.clone() {
        Resource::Object { definition, version, object } => {
            Body::Object { definition, version, object, fields: options.into() }
        }
        _ => Body::None,
    };
    plan.send(Request::delete_with(resource, body))
}

/// Checks that the only item of a list has the content `left`, for each key that was sent.
pub(in super::super) fn check_only_item(plan: &mut Plan, asserts: &[&str], list: StepId, sent: &Value, left: &Value) {
    for key in sent.as_object().into_iter().flat_map(Map::keys) {
        let pointer = pointer::join("/items/0", key);
        plan.check("listed", asserts, list, Expectation::At { pointer, value: left.get(key).cloned() });
    }
}
