//! Formats by name.

use super::{Overload, row};

pub(super) const OVERLOADS: &[Overload] = &[
    row("validate", "format-validate", "kubernetes.NamedFormat.(string) -> optional(list(string))"),
    row("format.named", "format-named", "(string) -> optional(kubernetes.NamedFormat)"),
    row("format.dns1123Label", "format.dns1123Label", "() -> kubernetes.NamedFormat"),
    row("format.dns1123Subdomain", "format.dns1123Subdomain", "() -> kubernetes.NamedFormat"),
    row("format.dns1035Label", "format.dns1035Label", "() -> kubernetes.NamedFormat"),
    row("format.qualifiedName", "format.qualifiedName", "() -> kubernetes.NamedFormat"),
    row("format.dns1123LabelPrefix", "format.dns1123LabelPrefix", "() -> kubernetes.NamedFormat"),
    row("format.dns1123SubdomainPrefix", "format.dns1123SubdomainPrefix", "() -> kubernetes.NamedFormat"),
    row("format.dns1035LabelPrefix", "format.dns1035LabelPrefix", "() -> kubernetes.NamedFormat"),
    row("format.labelValue", "format.labelValue", "() -> kubernetes.NamedFormat"),
    row("format.uri", "format.uri", "() -> kubernetes.NamedFormat"),
    row("format.uuid", "format.uuid", "() -> kubernetes.NamedFormat"),
    row("format.byte", "format.byte", "() -> kubernetes.NamedFormat"),
    row("format.date", "format.date", "() -> kubernetes.NamedFormat"),
    row("format.datetime", "format.datetime", "() -> kubernetes.NamedFormat"),
];
