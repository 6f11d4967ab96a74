//! One rule, as a definition writes it.

use serde_json::Value;

use crate::{Reason, Schema};

/// An entry of `x-kubernetes-validations`. What is empty is not set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    /// `rule`.
    pub expression: String,
    /// `message`.
    pub message: String,
    /// `messageExpression`.
    pub message_expression: String,
    /// `reason`, which may be none that a rule may have.
    pub reason: Option<String>,
    /// `fieldPath`.
    pub field_path: String,
    /// `optionalOldSelf`.
    pub optional_old_self: Option<bool>,
}

/// The reasons that a rule may have (CEL-004).
pub(crate) const REASONS: [&str; 4] =
    ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

impl Rule {
    pub(crate) fn read(json: &Value) -> Self {
        let text = |name: &str| json[name].as_str().unwrap_or_default().to_owned();
        Self {
            expression: text("rule"),
            message: text("message"),
            message_expression: text("messageExpression"),
            reason: json["reason"].as_str().map(str::to_owned),
            field_path: text("fieldPath"),
            optional_old_self: json["optionalOldSelf"].as_bool(),
        }
    }

    /// The reason of its cause (CEL-036).
    pub fn reason_of_cause(&self) -> Reason {
        match self.reason.as_deref() {
            Some("FieldValueForbidden") => Reason::Forbidden,
            Some("FieldValueRequired") => Reason::Required,
            Some("FieldValueDuplicate") => Reason::Duplicate,
            _ => Reason::Invalid,
        }
    }

    /// How messages name it: by its message, or by its text.
    pub(crate) fn shown(&self) -> &str {
        if self.message.is_empty() { self.expression.trim() } else { self.message.trim() }
    }

    /// The message of its cause, if no expression makes one (CEL-035).
    pub fn default_message(&self) -> String {
        if self.message.is_empty() {
            format!("failed rule: {}", self.expression.trim())
        } else {
            self.message.trim().to_owned()
        }
    }
}

/// The message of a cause: what the expression of the rule made, or what the rule says (CEL-035).
pub(crate) fn message_of_rule(rule: &Rule, made: Option<String>) -> String {
    made.unwrap_or_else(|| rule.default_message())
}

/// Where a path below a node leads, as causes write it; `None` if the schema has no such path (CEL-005).
pub(crate) fn field_path(path: &str, schema: &Schema) -> Option<String> {
    let mut written = String::new();
    let mut node = Some(schema);
    let mut rest = path;
    while !rest.is_empty() {
        let schema = node?;
        let name;
        if let Some(after) = rest.strip_prefix("['") {
            let end = end_of_quoted(after)?;
            name = unquoted(&after[..end])?;
            rest = after[end + 1..].strip_prefix(']')?;
        } else {
            let after = rest.strip_prefix('.')?;
            // As upstream's scanner does, which takes one of these signs for a name.
            let end = match after.chars().next()? {
                '.' | '[' | ']' => 1,
                '\'' => end_of_quoted(&after[1..]).map_or(after.len(), |end| end + 2),
                _ => after.find(['.', '[', ']']).unwrap_or(after.len()),
            };
            name = after[..end].to_owned();
            rest = &after[end..];
        }
        if !schema.properties.is_empty() {
            if !written.is_empty() {
                written.push('.');
            }
            written.push_str(&name);
            node = Some(schema.properties.get(&name)?);
        } else if schema.additional_properties.is_some() {
            written.push_str(&format!("[{name}]"));
            node = schema.value_schema();
        } else {
            return None;
        }
    }
    Some(written)
}

/// Where the closing quote is.
fn end_of_quoted(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    (0..bytes.len()).find(|place| bytes[*place] == b'\'' && (*place == 0 || bytes[place - 1] != b'\\'))
}

fn unquoted(text: &str) -> Option<String> {
    let mut unquoted = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        unquoted.push(match character {
            '\\' => match characters.next() {
                Some('a') => '\u{7}',
                Some('b') => '\u{8}',
                Some('f') => '\u{c}',
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some('v') => '\u{b}',
                Some(other @ ('\'' | '\\')) => other,
                Some(_) => return None,
                None => '\\',
            },
            other => other,
        });
    }
    Some(unquoted)
}
