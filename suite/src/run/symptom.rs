//! What a user sees of the cause of a failure: failures with the same symptom are told together.

use std::collections::BTreeSet;

use crdible_semantics::pointer;
use serde_json::{Map, Value};

use crate::{
    judge::FailedCheck,
    scenario::{Action, Method, Request, Resource, Scenario},
};

/// The keywords that decide whether a scalar or a list is valid: each can be the one that a server overlooks.
const VALUE_KEYWORDS: &[&str] = &[
    "allOf",
    "anyOf",
    "enum",
    "format",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
];

/// The keywords on the way to a value that decide whether it is pruned, defaulted or kept.
const STRUCTURE_KEYWORDS: &[&str] = &[
    "additionalProperties",
    "default",
    "nullable",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-preserve-unknown-fields",
];

/// The symptom of a failed check in its smallest scenario: what was asked of what, what is wrong with the answer, and at which
/// keyword of the schema. It has no generated names.
pub(super) fn symptom(scenario: &Scenario, failed: &FailedCheck) -> String {
    let request = failed.step.and_then(|step| match &scenario.steps.get(step)?.action {
        Action::Send(request) => Some(request.as_ref()),
        Action::Install { .. } => None,
    });
    let (asked, is_definition) = match request {
        Some(request) => (asked(request), is_about_definitions(request)),
        None => ("install a definition".to_owned(), true),
    };
    let reason = failed.failure.signature.reason.as_str();
    let wrong = match failed.failure.actual.pointer("/causes/0/reason").and_then(Value::as_str) {
        // A rejection that was not expected, by its first cause.
        Some(cause) if reason.starts_with("refused-") || reason.starts_with("status-") => format!("{reason} {cause}"),
        _ => match failed.failure.expected.pointer("/causes/0/reason").and_then(Value::as_str) {
            Some(cause) if reason == "accepted" => format!("{reason} instead of {cause}"),
            _ => reason.to_owned(),
        },
    };
    let place = if is_definition {
        place_in_definition(&failed.place)
    } else {
        request.map_or_else(String::new, |request| place_in_object(scenario, request, &failed.place))
    };
    [asked, wrong, place].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// What a request asks for.
fn asked(request: &Request) -> String {
    let act = match request.method {
        Method::Get => "read",
        Method::Post => "create",
        Method::Put => "replace",
        Method::MergePatch | Method::JsonPatch | Method::Apply => "patch",
        Method::Delete => "delete",
    };
    let options = ["fieldValidation", "watch"].into_iter().filter_map(|option| {
        request.query.iter().find(|(name, _)| name == option).map(|(name, value)| format!(" {name}={value}"))
    });
    format!("{act} {}{}", request.resource.kind(), options.collect::<String>())
}

fn is_about_definitions(request: &Request) -> bool {
    matches!(request.resource, Resource::Definitions | Resource::Definition { .. })
}

/// A place in a definition: its fields are not generated, but positions are, and so are the names in schemas.
fn place_in_definition(place: &str) -> String {
    if let Some((_, schema)) = place.split_once("openAPIV3Schema") {
        let keyword = schema.rsplit(['.', '/']).next().unwrap_or_default();
        return format!("schema {}", keyword.split('[').next().unwrap_or_default());
    }
    let is_generated = |segment: &&str| !segment.is_empty() && !segment.bytes().all(|byte| byte.is_ascii_digit());
    let segments: Vec<&str> = place.split(['/', '.', '[', ']']).filter(is_generated).collect();
    segments.join(".")
}

/// A place in an object: its field of the metadata, or the keywords of the schema on the way there.
fn place_in_object(scenario: &Scenario, request: &Request, place: &str) -> String {
    let segments: Vec<String> = match place.strip_prefix('/') {
        Some(_) => pointer::keys(place).map(std::borrow::Cow::into_owned).collect(),
        None => place.split(['.', '[', ']']).filter(|segment| !segment.is_empty()).map(str::to_owned).collect(),
    };
    let segments = match segments.as_slice() {
        // An element of a list of objects.
        [items, number, rest @ ..] if items == "items" && number.bytes().all(|byte| byte.is_ascii_digit()) => rest,
        all => all,
    };
    match segments {
        [] => String::new(),
        [metadata, field, ..] if metadata == "metadata" => format!("metadata.{field}"),
        [only] if matches!(only.as_str(), "apiVersion" | "kind" | "metadata") => only.clone(),
        path => {
            let keywords = schema_of(scenario, request).map(|schema| keywords(schema, path)).unwrap_or_default();
            keywords.into_iter().collect::<Vec<_>>().join(" ")
        }
    }
}

/// The schema of the object that a request is about.
fn schema_of<'a>(scenario: &'a Scenario, request: &Request) -> Option<&'a Value> {
    let (definition, version) = match &request.resource {
        Resource::Objects { definition, version }
        | Resource::Object { definition, version, .. }
        | Resource::Subresource { definition, version, .. } => (*definition, version),
        _ => return None,
    };
    let installed = scenario.steps.iter().filter_map(|step| match &step.action {
        Action::Install { definition: of, versions } if *of == definition => Some(versions),
        _ => None,
    });
    let versions = installed.last().or(scenario.definitions.get(definition).map(|found| &found.versions))?;
    versions.iter().find(|found| found.name == *version).map(|found| &found.schema)
}

/// The keywords on the way through a schema that matter for what becomes of a value, and those of the last node that decide whether
/// it is valid.
fn keywords(schema: &Value, path: &[String]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut node = schema;
    for segment in path {
        note(&mut found, node, STRUCTURE_KEYWORDS);
        let next = match node.pointer("/properties").and_then(|properties| properties.get(segment)) {
            Some(next) => Some(next),
            None if node.get("items").is_some() => {
                found.insert("items".to_owned());
                node.get("items")
            }
            None => node.get("additionalProperties").filter(|next| next.is_object()),
        };
        match next {
            Some(next) => node = next,
            None => {
                found.insert("undeclared".to_owned());
                return found;
            }
        }
    }
    note(&mut found, node, STRUCTURE_KEYWORDS);
    note(&mut found, node, VALUE_KEYWORDS);
    found
}

fn note(found: &mut BTreeSet<String>, node: &Value, keywords: &[&str]) {
    let empty = Map::new();
    let node = node.as_object().unwrap_or(&empty);
    found.extend(keywords.iter().filter(|keyword| node.contains_key(**keyword)).map(ToString::to_string));
}
