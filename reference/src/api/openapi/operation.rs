//! Operations, and the path items that contain them.

use crdible_semantics::Release;
use serde_json::{Map, Value, json};

use super::parameters::Parameter;
use crate::kinds::{Dialect, group_version_kind};

/// The media types that upstream publishes for objects.
const OBJECTS: &[&str] = &["application/json", "application/yaml"];
/// The same for responses that may be a watch.
const STREAMS: &[&str] = &["application/json", "application/yaml", "application/json;stream=watch"];
const PATCHES: &[&str] =
    &["application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml"];
const BUILT_IN_PATCHES: &[&str] = &[
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
    "application/apply-patch+yaml",
];
const ANYTHING: &[&str] = &["*/*"];

/// An operation, independent of the dialect.
pub(super) struct Operation<'a> {
    /// The prefix of the operation ID.
    pub(super) verb: &'static str,
    /// `x-kubernetes-action`.
    pub(super) action: &'static str,
    /// The suffix of the operation ID.
    pub(super) suffix: String,
    pub(super) description: String,
    pub(super) group: &'a str,
    pub(super) version: &'a str,
    pub(super) kind: &'a str,
    pub(super) built_in: bool,
    /// Whether the response may be a watch.
    pub(super) streams: bool,
    pub(super) parameters: &'static [Parameter],
    pub(super) body: Body<'a>,
    pub(super) codes: &'static [u16],
    /// The model of the response.
    pub(super) answer: &'a str,
}

/// The model of the request body.
#[derive(Clone, Copy)]
pub(super) enum Body<'a> {
    None,
    Optional(&'a str),
    Required(&'a str),
}

impl<'a> Operation<'a> {
    pub(super) fn with(self, parameters: &'static [Parameter]) -> Self {
        Self { parameters, ..self }
    }

    pub(super) fn takes(self, model: &'a str) -> Self {
        Self { body: Body::Required(model), ..self }
    }

    pub(super) fn may_take(self, model: &'a str) -> Self {
        Self { body: Body::Optional(model), ..self }
    }

    pub(super) fn answers(self, codes: &'static [u16], answer: &'a str) -> Self {
        Self { codes, answer, ..self }
    }

    fn consumes(&self) -> &'static [&'static str] {
        match (self.action, self.built_in) {
            ("patch", true) => BUILT_IN_PATCHES,
            ("patch", false) => PATCHES,
            (_, true) => ANYTHING,
            (_, false) => OBJECTS,
        }
    }

    fn produces(&self) -> &'static [&'static str] {
        if self.streams { STREAMS } else { OBJECTS }
    }

    /// The operation ID, which is unique.
    fn id(&self) -> String {
        let group = identifier(group_word(self.group), true);
        format!("{}{group}{}{}", self.verb, identifier(self.version, true), identifier(&self.suffix, true))
    }

    fn tag(&self) -> String {
        format!("{}_{}", identifier(group_word(self.group), false), identifier(self.version, false))
    }

    /// Encodes the operation with these parameters only.
    fn to_json(&self, parameters: &[Parameter], dialect: Dialect) -> Value {
        let mut parameters: Vec<Value> = parameters.iter().map(|parameter| parameter.to_json(dialect)).collect();
        let mut operation = json!({
            "description": self.description,
            "operationId": self.id(),
            "tags": [self.tag()],
            "responses": self.responses(dialect),
            "x-kubernetes-action": self.action,
            "x-kubernetes-group-version-kind": group_version_kind(self.group, self.version, self.kind),
        });
        let body = match self.body {
            Body::None => None,
            Body::Optional(model) => Some((model, false)),
            Body::Required(model) => Some((model, true)),
        };
        match dialect {
            Dialect::V2 => {
                operation["consumes"] = self.consumes().into();
                operation["produces"] = self.produces().into();
                operation["schemes"] = json!(["https"]);
                if let Some((model, required)) = body {
                    let mut body = json!({"name": "body", "in": "body", "schema": schema(model, dialect)});
                    mark_required(&mut body, required);
                    parameters.insert(0, body);
                }
            }
            Dialect::V3 => {
                if let Some((model, required)) = body {
                    let mut body = json!({"content": content(self.consumes(), model, dialect)});
                    mark_required(&mut body, required);
                    operation["requestBody"] = body;
                }
            }
        }
        if !parameters.is_empty() {
            operation["parameters"] = parameters.into();
        }
        operation
    }

    fn responses(&self, dialect: Dialect) -> Value {
        let answers = self.codes.iter().map(|code| {
            let description = match code {
                201 => "Created",
                202 => "Accepted",
                _ => "OK",
            };
            let response = match dialect {
                Dialect::V2 => json!({"description": description, "schema": schema(self.answer, dialect)}),
                Dialect::V3 => {
                    json!({"description": description, "content": content(self.produces(), self.answer, dialect)})
                }
            };
            (code.to_string(), response)
        });
        let unauthorized = ("401".to_owned(), json!({"description": "Unauthorized"}));
        Value::Object(answers.chain([unauthorized]).collect())
    }
}

/// A path item. Parameters that all operations have are listed once, sorted by name; `shared` are further ones of
/// them.
pub(super) fn path_item(
    shared: &[Parameter],
    operations: Vec<(&'static str, Operation<'_>)>,
    dialect: Dialect,
    release: Release,
) -> Value {
    let everywhere = |parameter: &&Parameter| operations.iter().all(|(_, other)| other.parameters.contains(parameter));
    let first = operations.first().map(|(_, operation)| operation.parameters).unwrap_or_default();
    let mut shared: Vec<Parameter> = shared.iter().chain(first.iter().filter(everywhere)).copied().collect();
    shared.retain(|parameter| parameter.is_in(release));
    shared.sort_by_key(|parameter| parameter.name);
    let mut item: Map<String, Value> = operations
        .iter()
        .map(|(method, operation)| {
            let own = operation.parameters.iter().filter(|parameter| !shared.contains(parameter)).copied();
            let own = own.filter(|parameter| parameter.is_in(release));
            ((*method).to_owned(), operation.to_json(&own.collect::<Vec<_>>(), dialect))
        })
        .collect();
    let shared: Vec<Value> = shared.iter().map(|parameter| parameter.to_json(dialect)).collect();
    item.insert("parameters".into(), shared.into());
    item.into()
}

fn schema(model: &str, dialect: Dialect) -> Value {
    json!({"$ref": dialect.address(model)})
}

fn content(media_types: &[&str], model: &str, dialect: Dialect) -> Value {
    let entry = |media_type: &&str| ((*media_type).to_owned(), json!({"schema": schema(model, dialect)}));
    Value::Object(media_types.iter().map(entry).collect())
}

fn mark_required(body: &mut Value, required: bool) {
    if required {
        body["required"] = true.into();
    }
}

/// The word for a group in IDs and tags.
fn group_word(group: &str) -> &str {
    match group.strip_suffix(".k8s.io").unwrap_or(group) {
        "" => "core",
        word => word,
    }
}

/// A name in camel case, as in upstream's IDs: other characters are dropped, and the next one is capitalised. A leading
/// digit is dropped.
fn identifier(name: &str, capitalised: bool) -> String {
    let mut capitalise = capitalised;
    let mut out = String::with_capacity(name.len());
    for (at, letter) in name.chars().enumerate() {
        if letter.is_alphabetic() || letter == '_' || (at > 0 && letter.is_ascii_digit()) {
            if std::mem::take(&mut capitalise) {
                out.extend(letter.to_uppercase());
            } else {
                out.push(letter);
            }
        } else {
            capitalise = true;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    // As published by kube-apiserver 1.36.3.
    #[rstest]
    #[case("look.example.com", true, "LookExampleCom")]
    #[case("look.example.com", false, "lookExampleCom")]
    #[case("apiextensions", true, "Apiextensions")]
    #[case("my-group.7up.io", false, "myGroup7upIo")]
    #[case("1st.io", true, "StIo")]
    fn identifiers(#[case] name: &str, #[case] capitalised: bool, #[case] expected: &str) {
        assert_eq!(identifier(name, capitalised), expected);
    }
}
