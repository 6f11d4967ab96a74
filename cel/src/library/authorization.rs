//! The authorizer, which no rule of a definition can name: its functions are declared, and never called.

use super::{Overload, row};
use crate::value::{Evaluated, EvaluationError, Value};

pub(super) const OVERLOADS: &[Overload] = &[
    row(
        "path",
        "authorizer_path",
        "kubernetes.authorization.Authorizer.(string) -> kubernetes.authorization.PathCheck",
        never_called,
    ),
    row(
        "group",
        "authorizer_group",
        "kubernetes.authorization.Authorizer.(string) -> kubernetes.authorization.GroupCheck",
        never_called,
    ),
    row(
        "serviceAccount",
        "authorizer_serviceaccount",
        "kubernetes.authorization.Authorizer.(string, string) -> kubernetes.authorization.Authorizer",
        never_called,
    ),
    row(
        "resource",
        "groupcheck_resource",
        "kubernetes.authorization.GroupCheck.(string) -> kubernetes.authorization.ResourceCheck",
        never_called,
    ),
    row(
        "subresource",
        "resourcecheck_subresource",
        "kubernetes.authorization.ResourceCheck.(string) -> kubernetes.authorization.ResourceCheck",
        never_called,
    ),
    row(
        "namespace",
        "resourcecheck_namespace",
        "kubernetes.authorization.ResourceCheck.(string) -> kubernetes.authorization.ResourceCheck",
        never_called,
    ),
    row(
        "name",
        "resourcecheck_name",
        "kubernetes.authorization.ResourceCheck.(string) -> kubernetes.authorization.ResourceCheck",
        never_called,
    ),
    row(
        "check",
        "pathcheck_check",
        "kubernetes.authorization.PathCheck.(string) -> kubernetes.authorization.Decision",
        never_called,
    ),
    row(
        "check",
        "resourcecheck_check",
        "kubernetes.authorization.ResourceCheck.(string) -> kubernetes.authorization.Decision",
        never_called,
    ),
    row("errored", "decision_errored", "kubernetes.authorization.Decision.() -> bool", never_called),
    row("error", "decision_error", "kubernetes.authorization.Decision.() -> string", never_called),
    row("allowed", "decision_allowed", "kubernetes.authorization.Decision.() -> bool", never_called),
    row("reason", "decision_reason", "kubernetes.authorization.Decision.() -> string", never_called),
    row(
        "fieldSelector",
        "authorizer_fieldselector",
        "kubernetes.authorization.ResourceCheck.(string) -> kubernetes.authorization.ResourceCheck",
        never_called,
    ),
    row(
        "labelSelector",
        "authorizer_labelselector",
        "kubernetes.authorization.ResourceCheck.(string) -> kubernetes.authorization.ResourceCheck",
        never_called,
    ),
];

/// The body of functions of the authorizer. Expressions that use them are checked and estimated as upstream does it, but
/// no value is an authorizer, so they are not called.
fn never_called(_: &[Value]) -> Evaluated {
    Err(EvaluationError::no_such_overload())
}
