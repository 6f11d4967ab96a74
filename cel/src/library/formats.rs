//! Formats by name.

use super::{Overload, row, unavailable};

pub(super) const OVERLOADS: &[Overload] = &[
    row("validate", "format-validate", "kubernetes.NamedFormat.(string) -> optional(list(string))", unavailable),
    row("format.named", "format-named", "(string) -> optional(kubernetes.NamedFormat)", unavailable),
    row("format.dns1123Label", "format.dns1123Label", "() -> kubernetes.NamedFormat", unavailable),
    row("format.dns1123Subdomain", "format.dns1123Subdomain", "() -> kubernetes.NamedFormat", unavailable),
    row("format.dns1035Label", "format.dns1035Label", "() -> kubernetes.NamedFormat", unavailable),
    row("format.qualifiedName", "format.qualifiedName", "() -> kubernetes.NamedFormat", unavailable),
    row("format.dns1123LabelPrefix", "format.dns1123LabelPrefix", "() -> kubernetes.NamedFormat", unavailable),
    row("format.dns1123SubdomainPrefix", "format.dns1123SubdomainPrefix", "() -> kubernetes.NamedFormat", unavailable),
    row("format.dns1035LabelPrefix", "format.dns1035LabelPrefix", "() -> kubernetes.NamedFormat", unavailable),
    row("format.labelValue", "format.labelValue", "() -> kubernetes.NamedFormat", unavailable),
    row("format.uri", "format.uri", "() -> kubernetes.NamedFormat", unavailable),
    row("format.uuid", "format.uuid", "() -> kubernetes.NamedFormat", unavailable),
    row("format.byte", "format.byte", "() -> kubernetes.NamedFormat", unavailable),
    row("format.date", "format.date", "() -> kubernetes.NamedFormat", unavailable),
    row("format.datetime", "format.datetime", "() -> kubernetes.NamedFormat", unavailable),
];
