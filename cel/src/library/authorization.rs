//! The authorizer, which no rule of a definition can name: its functions are declared, and never called.

use super::{Overload, row, unavailable};

pub(super) const OVERLOADS: &[Overload] = &[
    row(
        "path",
        "authorizer_path",
        "kubernetes.authorization.Authorizer.(string) -> kubernetes.authorization.PathCheck",
        unavailable,
    ),
    row(
        "group",
        "authorizer_group",
        "kubernetes.authorization.Authorizer.(string) -> kubernetes.authorization.GroupCheck",
        unavailable,
    ),
    row(
        "serviceAccount",
        "authorizer_serviceaccount",
        "kubernetes.authorization.Authorizer.(string, string) -> kubernetes.authorization.Authorizer",
        unavailable,
    ),
    row(
        "resource",
        "groupcheck_resource",
        "kubernetes.authorization.GroupCheck.(string) -> kubernetes.authorization.ResourceCheck",
        unavailable,
    ),
    row(
        "subresource",
        "resourcecheck_subresource",
        "kubernetes.authorization.ResourceCheck.(string) -> kubernetes.authorization.ResourceCheck",
        unavailable,
    ),
    row(
        "namespace",
        "resourcecheck_namespace",
        "kubernetes.authorization.ResourceCheck.(string) -> kubernetes.authorization.ResourceCheck",
        unavailable,
    ),
    row(
        "name",
        "resourcecheck_name",
        "kubernetes.authorization.ResourceCheck.(string) -> kubernetes.authorization.ResourceCheck",
        unavailable,
    ),
    row(
        "check",
        "pathcheck_check",
        "kubernetes.authorization.PathCheck.(string) -> kubernetes.authorization.Decision",
        unavailable,
    ),
    row(
        "check",
        "resourcecheck_check",
        "kubernetes.authorization.ResourceCheck.(string) -> kubernetes.authorization.Decision",
        unavailable,
    ),
    row("errored", "decision_errored", "kubernetes.authorization.Decision.() -> bool", unavailable),
    row("error", "decision_error", "kubernetes.authorization.Decision.() -> string", unavailable),
    row("allowed", "decision_allowed", "kubernetes.authorization.Decision.() -> bool", unavailable),
    row("reason", "decision_reason", "kubernetes.authorization.Decision.() -> string", unavailable),
    row(
        "fieldSelector",
        "authorizer_fieldselector",
        "kubernetes.authorization.ResourceCheck.(string) -> kubernetes.authorization.ResourceCheck",
        unavailable,
    ),
    row(
        "labelSelector",
        "authorizer_labelselector",
        "kubernetes.authorization.ResourceCheck.(string) -> kubernetes.authorization.ResourceCheck",
        unavailable,
    ),
];
