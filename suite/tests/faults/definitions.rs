//! Faults in the rules of definitions (chapter 1).

use std::sync::Arc;

use bytes::Bytes;
use crdible::target::{Exchange, InProcess, Kind, Sending, Target, TargetDescription, Transport};
use crdible_reference::{Controllers, Options, Server};
use crdible_semantics::{
    Reason, Schema, SchemaContext, Upstream, Violation,
    definition::{
        Names, Spec, Status, Version,
        model::{Column, Conversion, Scale, SelectableField, Service},
    },
    structural::{DefaultNode, Node, Position},
};
use http::{HeaderValue, Method, header};
use serde_json::{Value, json};

use crate::{
    servers::{behind, is_about_definitions},
    structural::but,
    table::{Fault, Finder},
};

/// A fault that chance finds.
const fn fault(
    name: &'static str,
    wrong: &'static str,
    target: fn() -> Target,
    requirements: &'static [&'static str],
    properties: &'static [&'static str],
    subtle: bool,
) -> Fault {
    Fault { name, wrong, target, requirements, properties, largest: LARGEST, subtle, finder: Finder::Choices }
}

/// A whole definition is some fifteen lines, and what is wrong a few more.
const LARGEST: usize = 40;

fn is_of(violation: &Violation, requirement: &str, reason: Reason) -> bool {
    violation.requirement == requirement && violation.reason == reason
}

pub(crate) const FAULTS: &[Fault] = &[
    fault(
        "takes-any-name",
        "a definition may be called anything",
        wrong! {
            fn check_definition_name(&self, _: &Value, _: &Spec, _: &mut Vec<Violation>) {}
        },
        &["CRDVAL-001"],
        &["crdval-001-object-name"],
        false,
    ),
    fault(
        "overlooks-generated-names",
        "a generateName of a definition is not looked at",
        wrong! {
            fn check_definition_name(&self, definition: &Value, spec: &Spec, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_definition_name(definition, spec, found), |violation| violation.field.contains("generateName"));
            }
        },
        &["CRDVAL-001"],
        &["crdval-001-object-name"],
        true,
    ),
    fault(
        "takes-groups-without-a-dot",
        "a group needs no dot",
        wrong! {
            fn check_group(&self, group: &str, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_group(group, found), |_| group == group.to_lowercase() && !group.is_empty() && !group.contains('.'));
            }
        },
        &["CRDVAL-002", "INV-095"],
        &["crdval-002-group"],
        true,
    ),
    fault(
        "takes-scopes-in-any-case",
        "a scope in lower case is accepted",
        wrong! {
            fn check_scope(&self, scope: &str, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_scope(scope, found), |_| ["cluster", "namespaced"].contains(&scope));
            }
        },
        &["CRDVAL-003"],
        &["crdval-003-scope"],
        true,
    ),
    fault(
        "needs-no-list-kind",
        "listKind may be missing",
        wrong! {
            fn check_names(&self, names: &Names, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_names(names, found), |violation| violation.field.ends_with("listKind") && violation.reason == Reason::Required);
            }
        },
        &["CRDVAL-004"],
        &["crdval-004-required-names"],
        true,
    ),
    fault(
        "checks-the-first-short-name-only",
        "short names behind the first are not looked at",
        wrong! {
            fn check_names(&self, names: &Names, found: &mut Vec<Violation>) {
                let first = Names { short_names: names.short_names.iter().take(1).cloned().collect(), ..names.clone() };
                Upstream.check_names(&first, found);
            }
        },
        &["CRDVAL-005", "INV-095"],
        &["crdval-005-name-syntax"],
        true,
    ),
    fault(
        "refuses-short-names-twice",
        "a short name must not stand there twice",
        wrong! {
            fn check_names(&self, names: &Names, found: &mut Vec<Violation>) {
                Upstream.check_names(names, found);
                for (index, name) in names.short_names.iter().enumerate() {
                    if names.short_names[..index].contains(name) {
                        found.push(violation(format!("spec.names.shortNames[{index}]"), Reason::Duplicate));
                    }
                }
            }
        },
        &["CRDVAL-005", "CRDVAL-006", "CRDVAL-001"],
        &["crdval-005-name-syntax"],
        true,
    ),
    fault(
        "takes-kind-as-list-kind",
        "kind and listKind may be equal",
        wrong! {
            fn check_names(&self, names: &Names, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_names(names, found), |violation| violation.requirement == "CRDVAL-006");
            }
        },
        &["CRDVAL-006", "INV-095"],
        &["crdval-005-name-syntax", "inv-095-one-broken-rule"],
        false,
    ),
    fault(
        "leaves-singular-as-it-is",
        "singular defaults to kind as it is written",
        || behind(|server| Answering { server, alter: with_kind_as_singular }),
        &["CRDVAL-007", "CRDVAL-008", "INV-095"],
        &["crdval-007-stated-defaults", "inv-095-one-broken-rule"],
        false,
    ),
    fault(
        "takes-versions-of-64-characters",
        "a name of a version may be one character longer than a label",
        wrong! {
            fn check_version_names(&self, versions: &[Version], found: &mut Vec<Violation>) {
                let shorter: Vec<Version> = versions
                    .iter()
                    .map(|version| match version.name.len() {
                        64 => Version { name: version.name[1..].to_owned(), ..version.clone() },
                        _ => version.clone(),
                    })
                    .collect();
                Upstream.check_version_names(&shorter, found);
            }
        },
        &["CRDVAL-012"],
        &["crdval-012-version-names"],
        true,
    ),
    fault(
        "takes-versions-twice",
        "two versions may have one name",
        wrong! {
            fn check_version_names(&self, versions: &[Version], found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_version_names(versions, found), |violation| violation.requirement == "CRDVAL-013");
            }
        },
        &["CRDVAL-013", "INV-095"],
        &["crdval-012-version-names"],
        false,
    ),
    fault(
        "takes-two-storage-versions",
        "two versions may be marked as stored",
        wrong! {
            fn check_one_storage_version(&self, versions: &[Version], found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_one_storage_version(versions, found), |_| versions.iter().any(|version| version.storage));
            }
        },
        &["CRDVAL-014", "CRDVAL-017"],
        &["crdval-014-one-storage-version", "crdval-017-stored-versions"],
        false,
    ),
    fault(
        "lists-groups-that-serve-nothing",
        "a group without a served version is there, and empty",
        || behind(EmptyGroups),
        &["CRDVAL-015"],
        &["crdval-015-nothing-served"],
        false,
    ),
    fault(
        "counts-letters-of-warnings",
        "the length of a deprecation warning is counted in characters",
        wrong! {
            fn check_deprecation(&self, version: &Version, field: &str, found: &mut Vec<Violation>) {
                let letters = version.deprecation_warning.as_ref().map(|text| text.chars().map(|letter| if letter.is_ascii() { letter } else { 'x' }).collect());
                let is_long = version.deprecation_warning.as_ref().is_some_and(|text| text.len() > 256);
                if is_long {
                    Upstream.check_deprecation(&Version { deprecation_warning: letters, ..version.clone() }, field, found);
                } else {
                    Upstream.check_deprecation(version, field, found);
                }
            }
        },
        &["CRDVAL-016"],
        &["crdval-016-deprecation"],
        true,
    ),
    fault(
        "takes-warnings-of-versions-in-use",
        "a version that is not deprecated may have an empty warning",
        wrong! {
            fn check_deprecation(&self, version: &Version, field: &str, found: &mut Vec<Violation>) {
                if version.deprecated || version.deprecation_warning.as_deref() != Some("") {
                    Upstream.check_deprecation(version, field, found);
                }
            }
        },
        &["CRDVAL-016"],
        &["crdval-016-deprecation"],
        true,
    ),
    fault(
        "forgets-stored-versions",
        "storedVersions lists the present storage version alone",
        || controlled(Forgetful),
        &["CRDVAL-017", "CRDVAL-018", "CRDVAL-014", "INV-047"],
        &["crdval-017-stored-versions"],
        false,
    ),
    fault(
        "lists-new-stored-versions-first",
        "a new storage version is put in front of storedVersions",
        || controlled(InFront),
        &["CRDVAL-017", "CRDVAL-018", "CRDVAL-014", "INV-047"],
        &["crdval-017-stored-versions"],
        true,
    ),
    fault(
        "lets-stored-versions-go",
        "a version that is listed in storedVersions may be removed",
        wrong! {
            fn check_stored_versions(&self, spec: &Spec, status: &Status, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_stored_versions(spec, status, found), |violation| violation.field.ends_with(']'));
            }
        },
        &["CRDVAL-017", "CRDVAL-014"],
        &["crdval-017-stored-versions"],
        false,
    ),
    fault(
        "keeps-the-status-of-clients",
        "a new definition is shown with the conditions that it was sent with",
        || behind(KeepingStatus),
        &["CRDVAL-018"],
        &["crdval-018-client-status"],
        false,
    ),
    fault(
        "counts-metadata-as-content",
        "generation grows with every update that changes nothing of the spec",
        || controlled(Counting),
        &["CRDVAL-021", "CRDVAL-020", "CRDVAL-060"],
        &["crdval-021-generation", "crdval-022-resource-version"],
        true,
    ),
    fault(
        "lets-scopes-change",
        "the scope of an established definition can be changed",
        wrong! {
            fn check_unchanged(&self, spec: &Spec, before: &Spec, established: bool, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_unchanged(spec, before, established, found), |violation| violation.field == "spec.scope");
            }
        },
        &["CRDVAL-009", "CRDVAL-010"],
        &["crdval-009-immutable-fields"],
        false,
    ),
    fault(
        "lets-one-field-change-only",
        "of several fields that must not change only the first is told",
        wrong! {
            fn check_unchanged(&self, spec: &Spec, before: &Spec, established: bool, found: &mut Vec<Violation>) {
                let mut all = Vec::new();
                Upstream.check_unchanged(spec, before, established, &mut all);
                found.extend(all.into_iter().take(1));
            }
        },
        &["CRDVAL-009", "CRDVAL-010"],
        &["crdval-009-immutable-fields"],
        true,
    ),
    fault(
        "keeps-list-kinds",
        "listKind of an established definition cannot be changed",
        wrong! {
            fn check_unchanged(&self, spec: &Spec, before: &Spec, established: bool, found: &mut Vec<Violation>) {
                Upstream.check_unchanged(spec, before, established, found);
                if established && spec.names.list_kind != before.names.list_kind {
                    found.push(violation("spec.names.listKind".to_owned(), Reason::Invalid));
                }
            }
        },
        &["CRDVAL-011", "CRDVAL-007"],
        &["crdval-011-mutable-names"],
        true,
    ),
    fault(
        "replaces-without-a-revision",
        "a PUT of a definition needs no resourceVersion",
        || behind(Unconditional),
        &["CRDVAL-022"],
        &["crdval-022-resource-version"],
        false,
    ),
    fault(
        "tells-the-first-area-only",
        "of what is wrong with a new definition only the first cause is told",
        wrong! {
            fn definition_violations(&self, definition: &Value) -> Vec<Violation> {
                Upstream.definition_violations(definition).into_iter().take(1).collect()
            }
        },
        &["CRDVAL-025", "INV-095", "CRDVAL-014", "CRDVAL-013"],
        &["crdval-025-all-areas-at-once"],
        false,
    ),
    fault(
        "judges-no-columns-beside-a-wrong-conversion",
        "columns are not judged where the conversion is wrong",
        wrong! {
            fn check_definition(&self, spec: &Spec, status: &Status, found: &mut Vec<Violation>) {
                let mut all = Vec::new();
                Upstream.check_definition(spec, status, &mut all);
                let is_wrong = all.iter().any(|violation| violation.field.starts_with("spec.conversion"));
                found.extend(all.into_iter().filter(|violation| !(is_wrong && violation.requirement == "CRDVAL-042")));
            }
        },
        &["CRDVAL-025"],
        &["crdval-025-all-areas-at-once"],
        true,
    ),
    fault(
        "takes-versions-without-a-schema",
        "a version behind the first needs no schema",
        wrong! {
            fn check_schemas(&self, spec: &Spec, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_schemas(spec, found), |violation| violation.requirement == "CRDVAL-026" && !violation.field.contains("[0]"));
            }
        },
        &["CRDVAL-026", "INV-095"],
        &["crdval-026-schema-required"],
        true,
    ),
    fault(
        "takes-null-as-a-type",
        "the type null is unknown, but not forbidden",
        wrong! {
            fn rule_type_names(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.rule_type_names(node, found), |violation| violation.reason == Reason::Forbidden);
            }
        },
        &["CRDVAL-029", "CRDVAL-024"],
        &["crdval-029-types"],
        true,
    ),
    fault(
        "takes-unique-items-in-branches",
        "uniqueItems may stand in quantifiers",
        wrong! {
            fn rule_unique_items(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                if node.position != Position::Branch {
                    Upstream.rule_unique_items(node, found);
                }
            }
        },
        &["CRDVAL-032"],
        &["crdval-030-forbidden-keywords"],
        true,
    ),
    fault(
        "says-nothing-of-unknown-keywords",
        "an unknown field below spec.versions is dropped in silence",
        || behind(|server| Answering { server, alter: without_warnings_of_versions }),
        &["CRDVAL-031", "CRDVAL-058"],
        &["crdval-031-unmodelled-keywords", "crdval-058-field-validation"],
        true,
    ),
    fault(
        "takes-false-beside-properties",
        "additionalProperties: false may stand beside properties",
        wrong! {
            fn rule_properties_or_additional(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                if node.schema.value_schema().is_some() {
                    Upstream.rule_properties_or_additional(node, found);
                }
            }
        },
        &["CRDVAL-033"],
        &["crdval-033-properties-or-additional"],
        true,
    ),
    fault(
        "takes-any-pattern-for-numbers",
        "patterns are looked at where the type is string",
        wrong! {
            fn rule_pattern(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                if node.schema.type_name == "string" {
                    Upstream.rule_pattern(node, found);
                }
            }
        },
        &["CRDVAL-034"],
        &["crdval-034-patterns"],
        true,
    ),
    Fault {
        largest: 260,
        ..fault(
            "limits-the-number-of-properties",
            "a root has at most a hundred properties",
            wrong! {
                fn schema_violations(&self, root: &Schema, context: &SchemaContext) -> Vec<Violation> {
                    let mut found = Upstream.schema_violations(root, context);
                    if root.properties.len() > 100 {
                        found.push(violation("openAPIV3Schema.properties".to_owned(), Reason::TooMany));
                    }
                    found
                }
            },
            &["CRDVAL-039"],
            &["crdval-039-no-depth-limit"],
            true,
        )
    },
    fault(
        "takes-counts-of-keys-under-status",
        "maxProperties may stand at the root under the status subresource",
        wrong! {
            fn rule_root_keywords_under_status(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                if node.schema.values.max_properties.is_none() {
                    Upstream.rule_root_keywords_under_status(node, found);
                }
            }
        },
        &["CRDVAL-040"],
        &["crdval-040-root-keywords-under-status"],
        true,
    ),
    fault(
        "takes-paths-of-longer-words",
        "the path of a scale need only begin with .spec",
        wrong! {
            fn check_scale(&self, scale: &Scale, field: &str, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_scale(scale, field, found), |violation| {
                    violation.field.ends_with("specReplicasPath") && scale.spec_replicas_path.starts_with(".spec")
                });
            }
        },
        &["CRDVAL-041"],
        &["crdval-041-scale-paths"],
        true,
    ),
    fault(
        "takes-columns-of-any-type",
        "the type of a printer column is not looked at",
        wrong! {
            fn check_column(&self, column: &Column, field: &str, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_column(column, field, found), |violation| violation.field.ends_with(".type") && violation.reason == Reason::Invalid);
            }
        },
        &["CRDVAL-042", "INV-095"],
        &["crdval-042-printer-columns", "inv-095-one-broken-rule"],
        false,
    ),
    fault(
        "takes-nine-selectable-fields",
        "one selectable field more than eight is accepted",
        wrong! {
            fn check_selectable_fields(&self, wanted: &[SelectableField], schema: &Schema, field: &str, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_selectable_fields(wanted, schema, field, found), |violation| violation.reason == Reason::TooMany && wanted.len() == 9);
            }
        },
        &["CRDVAL-043"],
        &["crdval-043-selectable-fields"],
        true,
    ),
    fault(
        "defaults-empty-strategies",
        "a conversion without a strategy is None",
        wrong! {
            fn check_conversion(&self, spec: &Spec, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_conversion(spec, found), |violation| is_of(violation, "CRDVAL-044", Reason::Required));
            }
        },
        &["CRDVAL-044", "CRDVAL-008", "INV-095"],
        &["crdval-044-strategy"],
        false,
    ),
    fault(
        "takes-ports-one-too-large",
        "the port 65536 of a webhook's service is accepted",
        wrong! {
            fn check_webhook_service(&self, service: &Service, field: &str, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_webhook_service(service, field, found), |_| service.port == Some(65_536));
            }
        },
        &["CRDVAL-047"],
        &["crdval-045-webhook-block"],
        true,
    ),
    fault(
        "takes-review-versions-twice",
        "a review version may stand there twice",
        wrong! {
            fn check_webhook(&self, conversion: &Conversion, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_webhook(conversion, found), |violation| violation.detail.contains("is there before"));
            }
        },
        &["CRDVAL-049"],
        &["crdval-045-webhook-block"],
        true,
    ),
    fault(
        "takes-unpruned-defaults",
        "a default may hold what pruning takes",
        wrong! {
            fn default_value_violations(&self, at: &DefaultNode<'_>, default: &Value, path: &crdible_semantics::FieldPath<'_>, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.default_value_violations(at, default, path, found), |violation| violation.requirement == "CRDVAL-052");
            }
        },
        &["CRDVAL-052"],
        &["crdval-051-defaults"],
        false,
    ),
    fault(
        "protects-subdomains-only",
        "the groups k8s.io and kubernetes.io themselves need no approval",
        wrong! {
            fn is_protected_group(&self, group: &str) -> bool {
                Upstream.is_protected_group(group) && group.matches('.').count() > 1
            }
        },
        &["CRDVAL-055"],
        &["crdval-055-protected-groups"],
        true,
    ),
    fault(
        "judges-columns-once",
        "printer columns are judged when a definition is created, not when it is updated",
        wrong! {
            fn definition_update_violations(&self, definition: &Value, old: &Value) -> Vec<Violation> {
                let mut found = Upstream.definition_update_violations(definition, old);
                found.retain(|violation| violation.requirement != "CRDVAL-042");
                found
            }
        },
        &["CRDVAL-056"],
        &["crdval-056-updates-in-full"],
        true,
    ),
    fault(
        "knows-formats-of-any-type",
        "a format that some type knows is known",
        wrong! {
            fn is_known_format(&self, _: &str, format: &str) -> bool {
                ["string", "integer", "number"].iter().any(|type_name| Upstream.is_known_format(type_name, format))
            }
        },
        &["CRDVAL-057"],
        &["crdval-057-unrecognized-formats"],
        true,
    ),
];

fn violation(field: String, reason: Reason) -> Violation {
    Violation { field, reason, requirement: "CRDVAL-005", detail: "this server is wrong".to_owned() }
}

/// A right server with other rules of keeping definitions.
fn controlled(controllers: impl Controllers + 'static) -> Target {
    let options = Options { controllers: Arc::new(controllers), ..Options::default() };
    let server = InProcess::over(Server::with_options(Arc::new(Upstream), options));
    Target::over(Arc::new(server), TargetDescription { kind: Kind::Embedded, address: None, version: None })
}

/// Lists the present storage version alone.
struct Forgetful;

impl Controllers for Forgetful {
    fn stored_versions(&self, _: &[String], storage: &str) -> Vec<String> {
        vec![storage.to_owned()]
    }
}

/// Lists a new storage version before the others.
struct InFront;

impl Controllers for InFront {
    fn stored_versions(&self, listed: &[String], storage: &str) -> Vec<String> {
        let mut versions = listed.to_vec();
        if !versions.iter().any(|version| version == storage) {
            versions.insert(0, storage.to_owned());
        }
        versions
    }
}

/// Counts every update.
struct Counting;

impl Controllers for Counting {
    fn next_generation(&self, present: i64, _: bool) -> i64 {
        present + 1
    }
}

/// Changes what is shown of definitions.
struct Answering {
    server: InProcess,
    alter: fn(&mut http::response::Parts, &mut Value),
}

impl std::fmt::Debug for Answering {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Answering").finish_non_exhaustive()
    }
}

impl Transport for Answering {
    fn send(&self, request: Exchange) -> Sending<'_> {
        if !is_about_definitions(&request) {
            return self.server.send(request);
        }
        Box::pin(async move {
            let (mut head, body) = self.server.send(request).await?.into_parts();
            let mut shown: Value = serde_json::from_slice(&body).unwrap_or_default();
            (self.alter)(&mut head, &mut shown);
            Ok(http::Response::from_parts(head, Bytes::from(shown.to_string())))
        })
    }
}

fn with_kind_as_singular(_: &mut http::response::Parts, body: &mut Value) {
    let Some(names) = body.pointer_mut("/spec/names") else { return };
    let kind = names["kind"].as_str().unwrap_or_default().to_owned();
    if names["singular"] == json!(kind.to_lowercase()) {
        names["singular"] = json!(kind);
    }
}

fn without_warnings_of_versions(head: &mut http::response::Parts, _: &mut Value) {
    let warnings: Vec<HeaderValue> = head.headers.get_all(header::WARNING).iter().cloned().collect();
    head.headers.remove(header::WARNING);
    for warning in warnings {
        if !String::from_utf8_lossy(warning.as_bytes()).contains("unknown field \\\"spec.versions") {
            head.headers.append(header::WARNING, warning);
        }
    }
}

/// Answers with an empty group where there is none.
#[derive(Debug)]
struct EmptyGroups(InProcess);

impl Transport for EmptyGroups {
    fn send(&self, request: Exchange) -> Sending<'_> {
        let group = request.uri().path().strip_prefix("/apis/").filter(|group| !group.contains('/')).map(str::to_owned);
        Box::pin(async move {
            let answer = self.0.send(request).await?;
            match group {
                Some(group) if answer.status() == 404 => {
                    let body = json!({ "kind": "APIGroup", "apiVersion": "v1", "name": group, "versions": [] });
                    Ok(http::Response::new(Bytes::from(body.to_string())))
                }
                _ => Ok(answer),
            }
        })
    }
}

/// Shows the conditions that a new definition was sent with.
#[derive(Debug)]
struct KeepingStatus(InProcess);

impl Transport for KeepingStatus {
    fn send(&self, request: Exchange) -> Sending<'_> {
        let sent: Value = serde_json::from_slice(request.body()).unwrap_or_default();
        let is_new = request.method() == Method::POST && is_about_definitions(&request);
        Box::pin(async move {
            let answer = self.0.send(request).await?;
            let Some(conditions) = sent.pointer("/status/conditions").filter(|_| is_new && answer.status() == 201)
            else {
                return Ok(answer);
            };
            let (head, body) = answer.into_parts();
            let mut shown: Value = serde_json::from_slice(&body).unwrap_or_default();
            shown["status"]["conditions"] = conditions.clone();
            Ok(http::Response::from_parts(head, Bytes::from(shown.to_string())))
        })
    }
}

/// Puts the present `resourceVersion` into a PUT that has none.
#[derive(Debug)]
struct Unconditional(InProcess);

impl Transport for Unconditional {
    fn send(&self, mut request: Exchange) -> Sending<'_> {
        if request.method() != Method::PUT || !is_about_definitions(&request) {
            return self.0.send(request);
        }
        Box::pin(async move {
            let mut read = Exchange::new(Bytes::new());
            *read.uri_mut() = request.uri().path().parse().unwrap_or_default();
            let current = self.0.send(read).await?;
            let current: Value = serde_json::from_slice(current.body()).unwrap_or_default();
            let mut body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
            if body.pointer("/metadata/resourceVersion").is_none() {
                body["metadata"]["resourceVersion"] = current["metadata"]["resourceVersion"].clone();
            }
            *request.body_mut() = Bytes::from(body.to_string());
            self.0.send(request).await
        })
    }
}
