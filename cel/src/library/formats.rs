//! Formats by name.

use std::sync::Arc;

use crdible_text::name::{
    dns1035_label_faults, dns1123_label_faults, dns1123_subdomain_faults, label_value_faults, prefix_to_check,
    qualified_name_faults,
};
use crdible_text::{Format, url};

use super::arguments::{opaque, string};
use super::{Overload, row};
use crate::value::{Evaluated, EvaluationError, Opaque, Value};

pub(super) const OVERLOADS: &[Overload] = &[
    row("validate", "format-validate", "kubernetes.NamedFormat.(string) -> optional(list(string))", validate),
    row("format.named", "format-named", "(string) -> optional(kubernetes.NamedFormat)", named),
    row("format.dns1123Label", "format.dns1123Label", "() -> kubernetes.NamedFormat", |_| constant("dns1123Label")),
    row("format.dns1123Subdomain", "format.dns1123Subdomain", "() -> kubernetes.NamedFormat", |_| {
        constant("dns1123Subdomain")
    }),
    row("format.dns1035Label", "format.dns1035Label", "() -> kubernetes.NamedFormat", |_| constant("dns1035Label")),
    row("format.qualifiedName", "format.qualifiedName", "() -> kubernetes.NamedFormat", |_| constant("qualifiedName")),
    row("format.dns1123LabelPrefix", "format.dns1123LabelPrefix", "() -> kubernetes.NamedFormat", |_| {
        constant("dns1123LabelPrefix")
    }),
    row("format.dns1123SubdomainPrefix", "format.dns1123SubdomainPrefix", "() -> kubernetes.NamedFormat", |_| {
        constant("dns1123SubdomainPrefix")
    }),
    row("format.dns1035LabelPrefix", "format.dns1035LabelPrefix", "() -> kubernetes.NamedFormat", |_| {
        constant("dns1035LabelPrefix")
    }),
    row("format.labelValue", "format.labelValue", "() -> kubernetes.NamedFormat", |_| constant("labelValue")),
    row("format.uri", "format.uri", "() -> kubernetes.NamedFormat", |_| constant("uri")),
    row("format.uuid", "format.uuid", "() -> kubernetes.NamedFormat", |_| constant("uuid")),
    row("format.byte", "format.byte", "() -> kubernetes.NamedFormat", |_| constant("byte")),
    row("format.date", "format.date", "() -> kubernetes.NamedFormat", |_| constant("date")),
    row("format.datetime", "format.datetime", "() -> kubernetes.NamedFormat", |_| constant("datetime")),
];

/// A format that a text may have.
#[derive(Debug)]
pub(super) struct NamedFormat {
    /// As rules name it.
    name: &'static str,
    /// How long the expression is that stands for its cost.
    pub(super) expression: u64,
    /// What is wrong with a text.
    faults: fn(&str) -> Vec<String>,
}

/// All formats. The length of an expression is that of upstream's.
static FORMATS: [NamedFormat; 13] = [
    NamedFormat { name: "dns1123Label", expression: 30, faults: |text| owned(dns1123_label_faults(text)) },
    NamedFormat { name: "dns1123Subdomain", expression: 60, faults: |text| owned(dns1123_subdomain_faults(text)) },
    NamedFormat { name: "dns1035Label", expression: 30, faults: |text| owned(dns1035_label_faults(text)) },
    NamedFormat { name: "qualifiedName", expression: 60, faults: |text| owned(qualified_name_faults(text)) },
    NamedFormat {
        name: "dns1123LabelPrefix",
        expression: 30,
        faults: |text| owned(dns1123_label_faults(&prefix_to_check(text))),
    },
    NamedFormat {
        name: "dns1123SubdomainPrefix",
        expression: 60,
        faults: |text| owned(dns1123_subdomain_faults(&prefix_to_check(text))),
    },
    NamedFormat {
        name: "dns1035LabelPrefix",
        expression: 30,
        faults: |text| owned(dns1035_label_faults(&prefix_to_check(text))),
    },
    NamedFormat { name: "labelValue", expression: 40, faults: |text| owned(label_value_faults(text)) },
    NamedFormat {
        name: "uri",
        expression: 1104,
        faults: |text| {
            let fault = url::fault_of_request_uri(text);
            fault.map(|why| format!("parse {}: {why}", crdible_text::quoted(text))).into_iter().collect()
        },
    },
    NamedFormat {
        name: "uuid",
        expression: 72,
        faults: |text| of_format("uuid", text, "does not match the UUID format"),
    },
    NamedFormat { name: "byte", expression: 84, faults: |text| of_format("byte", text, "invalid base64") },
    NamedFormat { name: "date", expression: 72, faults: |text| of_format("date", text, "invalid date") },
    NamedFormat { name: "datetime", expression: 72, faults: |text| of_format("date-time", text, "invalid datetime") },
];

/// Rules read the words: `format.dns1123Label().validate(self).value()[0]`.
fn owned(faults: Vec<&'static str>) -> Vec<String> {
    faults.into_iter().map(str::to_owned).collect()
}

fn unless(is_right: bool, fault: &str) -> Vec<String> {
    if is_right { Vec::new() } else { vec![fault.to_owned()] }
}

fn of_format(format: &str, text: &str, fault: &str) -> Vec<String> {
    unless(Format::named(format).is_none_or(|format| format.accepts(text)), fault)
}

impl Opaque for &'static NamedFormat {
    fn type_name(&self) -> &'static str {
        "kubernetes.NamedFormat"
    }

    fn is_equal(&self, other: &Value) -> Result<bool, EvaluationError> {
        format_of(other).map(|other| self.name == other.name)
    }

    fn print(&self) -> String {
        self.name.to_owned()
    }
}

pub(super) fn format_of(value: &Value) -> Result<&'static NamedFormat, EvaluationError> {
    opaque::<&'static NamedFormat>(value).copied()
}

fn format_named(name: &str) -> Option<Value> {
    let format = FORMATS.iter().find(|format| format.name == name)?;
    Some(Value::Opaque(Arc::new(format)))
}

fn named(arguments: &[Value]) -> Evaluated {
    let format = format_named(string(&arguments[0])?);
    Ok(format.map_or(Value::Optional(None), Value::some))
}

fn validate(arguments: &[Value]) -> Evaluated {
    let (format, text) = (format_of(&arguments[0])?, string(&arguments[1])?);
    let faults: Vec<Value> = (format.faults)(text).into_iter().map(Value::from).collect();
    Ok(if faults.is_empty() { Value::Optional(None) } else { Value::some(Value::list(faults)) })
}

fn constant(name: &str) -> Evaluated {
    format_named(name).ok_or_else(EvaluationError::no_such_overload)
}
