//! What a user sees of the cause of a failure: failures with the same symptom are reported as one entry.
//!
//! A symptom has up to three parts, from the general to the particular. The first one is the *area*: a report of many
//! failures has one entry for each area. These rules decide them; `reports` only groups by what they say.
//!
//! 1. What breaks a promise about every answer ([`GENERAL`]) belongs to that promise, whatever the check was about.
//! 2. Outside of schemas (chapters 8 to 15 of the specification) the area is the section of the first requirement that
//!    is no invariant, and the second part is that requirement: so an entry is about one feature. An invariant stands
//!    for the first requirement that it covers.
//! 3. Inside schemas the area is what the server does wrong: it accepts what is invalid, or fills in no default. Then
//!    come the keywords on the way to the place, and whether it is a write or a read.
//! 4. A missing capability has the area of what its test breaks, by the same rules: what else is wrong there is most
//!    likely a consequence.

use std::collections::BTreeSet;

use crdible_journal::{
    Failure,
    symptom::{SEPARATOR, VALUE_KEYWORDS},
};
use crdible_scenario::{
    Action, AnyScenario, Capability, Expectation, Method, Request, Resource, ReviewScenario, Scenario,
    judge::{FailedCheck, NO_ANSWER},
};
use crdible_semantics::pointer;
use crdible_spec::{Catalogue, Prefix, Reference, Requirement};
use serde_json::{Map, Value};

/// The keywords on the way to a value that decide whether it is pruned, defaulted or kept.
const STRUCTURE_KEYWORDS: &[&str] = &[
    "additionalProperties",
    "default",
    "nullable",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-preserve-unknown-fields",
];

/// The fields of a definition that have a default (CRDVAL-007, CRDVAL-008).
const DEFAULTED_FIELDS: &[&str] = &["conversion", "listKind", "singular", "port", "strategy"];

/// The chapters outside of schemas.
const OUTSIDE_SCHEMAS: std::ops::RangeInclusive<u8> = 8..=15;

/// A promise about every answer: a server that breaks it fails checks of many features.
struct General {
    requirement: &'static str,
    is_broken: fn(&Request, &FailedCheck) -> bool,
}

const GENERAL: &[General] = &[
    // Each code has its reason.
    General { requirement: "REST-073", is_broken: |_, failed| has_other_reason(failed) },
    // A list has an apiVersion and a kind, and so has each of its objects.
    General { requirement: "REST-021", is_broken: |_, failed| is_untyped_item(failed) },
    General { requirement: "REST-021", is_broken: is_untyped_list },
    // A list in a merge patch replaces the list that is stored.
    General { requirement: "REST-034", is_broken: has_appended },
];

/// The symptom of a failed check in its smallest scenario. No part has a generated name.
pub(super) fn symptom(scenario: &AnyScenario, failed: &FailedCheck) -> String {
    match scenario {
        AnyScenario::Server(scenario) => of_server(scenario, failed),
        AnyScenario::Converter(scenario) => of_converter(scenario, failed),
    }
}

/// The symptom of an API server's failure.
fn of_server(scenario: &Scenario, failed: &FailedCheck) -> String {
    let request = failed.step.and_then(|step| match &scenario.steps.get(step)?.action {
        Action::Send(request) => Some(request.as_ref()),
        Action::Install { .. } | Action::Convert { .. } => None,
    });
    let reason = failed.failure.signature.reason.as_str();
    let Some(request) = request else {
        let place = place_in_definition(&failed.place);
        return parts(&["definitions: a legal one is rejected", &place, reason]);
    };
    let general = GENERAL.iter().find(|general| (general.is_broken)(request, failed));
    let promise = match general {
        Some(general) => requirement(general.requirement),
        None => first_promise(&failed.failure.requirements),
    };
    if let Some(symptom) = promise.and_then(of_feature) {
        return symptom;
    }
    let subject = subject(request);
    let act = act(request);
    if reason == NO_ANSWER {
        return parts(&["requests without an answer", subject, &asked(request)]);
    }
    let at = match subject {
        "definitions" => place_in_definition(&failed.place),
        "objects" => place_in_object(scenario, request, &failed.place),
        _ => String::new(),
    };
    if disagrees(scenario, failed) {
        return parts(&[&format!("{subject}: two answers disagree"), &at, act]);
    }
    if let Some(cause) = reason.strip_prefix("missing-") {
        return parts(&[
            &format!("{subject}: what is invalid is rejected for another reason"),
            &format!("{cause} {at}"),
            act,
        ]);
    }
    if let Some(cause) = overlooked(failed, act) {
        return parts(&[&format!("{subject}: what is invalid is accepted"), &format!("{cause} {at}"), act]);
    }
    if let Some(cause) = reason.strip_prefix("unexpected-") {
        return parts(&[&format!("{subject}: what is valid is rejected"), &format!("{cause} {at}"), act]);
    }
    if reason.starts_with("refused") {
        let cause = failed.failure.actual.pointer("/causes/0/reason").and_then(Value::as_str).unwrap_or(reason);
        return parts(&[&format!("{subject}: what is valid is rejected"), &format!("{cause} {at}"), act]);
    }
    if !failed.place.is_empty() {
        let detail = format!("{act}, {reason}");
        return match subject {
            "definitions" if reason == "missing" && DEFAULTED_FIELDS.iter().any(|field| at.ends_with(field)) => {
                parts(&["definitions: defaults", &at, &detail])
            }
            "definitions" => {
                let (area, rest) = at.split_once('.').unwrap_or((&at, ""));
                parts(&[&format!("definitions: {area}"), rest, &detail])
            }
            "objects" => content(failed, &at, &detail),
            _ => parts(&[subject, reason, act]),
        };
    }
    parts(&[&format!("{subject}: answers"), &format!("{act}, {reason}"), &asked(request)])
}

/// The symptom of a converter's failure: how it answers, or at which field.
fn of_converter(scenario: &ReviewScenario, failed: &FailedCheck) -> String {
    let check = failed.check.and_then(|check| scenario.checks.get(check));
    let is_of_protocol = check.is_some_and(|check| check.expect.demand.is_about_the_protocol());
    let signature = &failed.failure.signature;
    if is_of_protocol {
        return parts(&["converter: answers", &signature.reason]);
    }
    parts(&["converter: objects", &signature.place, &signature.reason, &signature.check])
}

/// The symptom of a missing capability, whose test breaks these requirements.
pub(super) fn of_missing(capability: Capability, requirements: &[String]) -> String {
    let row = capability.row();
    let outside = first_promise(requirements).and_then(of_feature);
    outside.unwrap_or_else(|| parts(&[row.area, row.words]))
}

/// The symptom of what breaks a requirement outside of schemas. What a section has that is called *Other* is of no one
/// feature: there each requirement is an area of its own.
fn of_feature(promise: &Requirement) -> Option<String> {
    let Requirement { id, chapter, section, title, .. } = promise;
    let area = match section.strip_suffix(" Other") {
        Some(number) => format!("{number} {title}"),
        None => section.clone(),
    };
    OUTSIDE_SCHEMAS.contains(chapter).then(|| parts(&[&area, &id.to_string()]))
}

/// The first of these requirements that is no invariant; else the first one that the first invariant covers.
fn first_promise(references: &[String]) -> Option<&'static Requirement> {
    let mut promises = references.iter().filter_map(|reference| requirement(reference));
    let first = promises.clone().next()?;
    promises.find(|promise| promise.id.prefix() != Prefix::Inv).or_else(|| {
        let covered = first.invariant.as_ref()?.covers.first()?;
        Catalogue::embedded().get(*covered)
    })
}

/// The requirement of a reference to it or to one of its edges.
fn requirement(reference: &str) -> Option<&'static Requirement> {
    let reference: Reference = reference.parse().ok()?;
    Catalogue::embedded().get(reference.requirement)
}

/// Whether an error has the code that was expected, and another reason or none.
fn has_other_reason(failed: &FailedCheck) -> bool {
    let Failure { signature, expected, actual, .. } = &failed.failure;
    let is_as_expected = |field: &str| expected.get(field).is_some() && expected.get(field) == actual.get(field);
    let has_reason = expected.get("reason").is_some_and(Value::is_string);
    // A conversion that fails is a 500, whose reason is InternalError or none.
    let is_failed_conversion = signature.reason == "other-failure";
    let reason = actual.get("reason").and_then(Value::as_str).unwrap_or_default();
    signature.reason == "other-reason"
        || has_reason && is_as_expected("status") && !is_as_expected("reason")
        || is_failed_conversion && !matches!(reason, "" | "InternalError")
}

/// Whether an object of a list lacks its apiVersion or its kind, also if that is seen in comparison with a table.
fn is_untyped_item(failed: &FailedCheck) -> bool {
    let mut segments = failed.place.trim_start_matches('/').split('/');
    let (first, last) = (segments.next(), segments.next_back());
    let is_lacking = match first {
        Some("items") => matches!(failed.failure.signature.reason.as_str(), "missing" | "null-instead"),
        Some("rows") => failed.failure.signature.reason == "unexpected",
        _ => false,
    };
    is_lacking && matches!(last, Some("apiVersion" | "kind"))
}

/// Whether a list of objects lacks its own apiVersion or kind.
fn is_untyped_list(request: &Request, failed: &FailedCheck) -> bool {
    let is_list = request.method == Method::Get && matches!(request.resource, Resource::Objects { .. });
    is_list && failed.failure.signature.reason == "missing" && matches!(failed.place.as_str(), "/apiVersion" | "/kind")
}

/// Whether a merge patch has appended a list of its body to what is stored. Of the metadata, some lists are merged in
/// other ways.
fn has_appended(request: &Request, failed: &FailedCheck) -> bool {
    request.method == Method::MergePatch
        && ["/spec", "/status"].iter().any(|field| failed.place.starts_with(field))
        && is_longer_at_its_start(&failed.failure.expected, &failed.failure.actual)
}

/// Whether a list anywhere in what was seen ends with all that is expected of it, and has more before.
fn is_longer_at_its_start(expected: &Value, seen: &Value) -> bool {
    match (expected, seen) {
        (Value::Array(expected), Value::Array(seen)) => seen.len() > expected.len() && seen.ends_with(expected),
        (Value::Object(expected), Value::Object(seen)) => expected
            .iter()
            .any(|(name, expected)| seen.get(name).is_some_and(|seen| is_longer_at_its_start(expected, seen))),
        _ => false,
    }
}

/// The first part of a symptom.
pub(super) fn area(symptom: &str) -> &str {
    symptom.split(SEPARATOR).next().unwrap_or(symptom)
}

fn parts(parts: &[&str]) -> String {
    let parts: Vec<&str> = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()).collect();
    parts.join(SEPARATOR)
}

/// A difference in the content of an object: what the server should have done with it.
fn content(failed: &FailedCheck, at: &str, detail: &str) -> String {
    let at_place = |side: &Value| {
        let base = if failed.place.starts_with('/') { side.pointer(&failed.place) } else { None };
        base.cloned()
    };
    let is_null = matches!(failed.failure.signature.reason.as_str(), "null-instead" | "value-instead-of-null")
        || at_place(&failed.failure.actual).is_some_and(|actual| actual.is_null());
    let has = |keyword: &str| at.split(' ').any(|other| other == keyword);
    let is_missing = failed.failure.signature.reason == "missing";
    let area = if at.starts_with("metadata") || at == "apiVersion" || at == "kind" {
        "objects: metadata"
    } else if is_null {
        "objects: nulls"
    } else if has("default") && is_missing {
        "objects: defaults"
    } else if has("undeclared") {
        "objects: unknown fields"
    } else {
        "objects: values"
    };
    parts(&[area, at, detail])
}

/// Whether one of two requests was accepted and the other rejected, so that either answer may be wrong.
fn disagrees(scenario: &Scenario, failed: &FailedCheck) -> bool {
    let check = failed.check.and_then(|check| scenario.checks.get(check));
    check.is_some_and(|check| matches!(check.expect, Expectation::SameAcceptance { .. }))
}

/// The reason of the first cause that is expected of a request that was accepted; empty if none is.
fn overlooked<'a>(failed: &'a FailedCheck, act: &str) -> Option<&'a str> {
    let Failure { signature, expected, actual, .. } = &failed.failure;
    let code = |side: &Value| side.get("status").unwrap_or(side).as_u64();
    let is_rejection_expected = act == "write" && matches!(code(expected), Some(400 | 422));
    let is_accepted = code(actual).is_some_and(|code| (200..300).contains(&code));
    let cause = expected.pointer("/causes/0/reason").and_then(Value::as_str).unwrap_or("");
    (signature.reason == "accepted" || is_rejection_expected && is_accepted).then_some(cause)
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

/// What a request is about.
fn subject(request: &Request) -> &'static str {
    match request.resource {
        Resource::Definitions | Resource::Definition { .. } => "definitions",
        Resource::Objects { .. } | Resource::Object { .. } | Resource::Path { .. } => "objects",
        Resource::Subresource { .. } => "subresources",
        Resource::Groups { .. } | Resource::Group { .. } | Resource::GroupVersion { .. } => "discovery",
        Resource::Published { .. } => "openapi",
    }
}

/// Whether it writes, reads or deletes.
fn act(request: &Request) -> &'static str {
    match request.method {
        Method::Get => "read",
        Method::Delete => "delete",
        Method::Post | Method::Put | Method::MergePatch | Method::JsonPatch | Method::Apply => "write",
    }
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
    let mut installed = scenario.steps.iter().filter_map(|step| match &step.action {
        Action::Install { definition: of, versions, .. } if *of == definition => Some(versions),
        _ => None,
    });
    let versions = installed.next_back().or(scenario.definitions.get(definition).map(|found| &found.versions))?;
    versions.iter().find(|found| found.name == *version).map(|found| &found.schema)
}

/// The keywords on the way through a schema that matter for what becomes of a value, and those of
/// the last node that decide whether it is valid.
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
    note(&mut found, node, &VALUE_KEYWORDS);
    found
}

fn note(found: &mut BTreeSet<String>, node: &Value, keywords: &[&str]) {
    let empty = Map::new();
    let node = node.as_object().unwrap_or(&empty);
    found.extend(keywords.iter().filter(|keyword| node.contains_key(**keyword)).map(ToString::to_string));
}

#[cfg(test)]
mod tests;
