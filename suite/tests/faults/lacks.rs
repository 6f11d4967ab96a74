//! What servers by others lack as a whole: not one wrong function, but an area that is missing.

use crdible::connection::{HttpRequest, ResponseFuture};
use crdible_reference::NameDecision;
use http::{Method, Response, StatusCode, header};
use serde_json::json;

use crdible_semantics::{DefinitionRules, RuleFindings, Semantics, Subresources, Validation, with};

use crate::{
    areas::{
        answer_no_watches, demand_upgrades_of_watches, keep_at_one_version, never_end_watches, serve_the_first_schema,
        show_no_revisions, show_what_is_stated,
    },
    json::{fields, remove},
    layer::{About, Layer, Layered},
    sent::{
        accept, accepted, header_of, is_about_definitions, is_watch, query_contains, replace_path, set_parameter,
        set_type,
    },
    server::{Answer, Asked, accepting, correct, embedded},
    table::{Fault, fault, obvious_fault},
};

/// At least one for each capability that `capabilities.rs` does not have. Each alone is found by the capability that it
/// names, and by nothing else: see `alone.rs`. In pairs and with other faults: see there and `many.rs`.
pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("serves-no-definitions", "the server knows no definitions")
        .breaks(&["REST-013", "REST-019"], &["capability-definitions"])
        .definition_answers(|_, answer| not_found(answer)),
    obvious_fault("fills-in-no-defaults-of-definitions", "a definition has only what was stated")
        .breaks(&["CRDVAL-007", "CRDVAL-008"], &["capability-definition-defaults"])
        .around_everything(show_what_is_stated),
    obvious_fault("serves-no-objects", "the objects of a definition are never served")
        .breaks(&["VER-008"], &["capability-serving"])
        .answers(|asked, answer| {
            if asked.uri.path().starts_with("/apis/g") {
                not_found(answer);
            }
        }),
    obvious_fault("stores-no-objects", "every write of an object is a dry run")
        .breaks(&["REST-019"], &["capability-storing"])
        .requests(|request| {
            if is_about_objects(request) && *request.method() != Method::GET {
                set_parameter(request, "dryRun", Some("All"));
            }
        }),
    obvious_fault("takes-no-objects-in-namespaces", "objects can be listed in a namespace, and nothing else")
        .breaks(&["REST-001"], &["capability-namespaced-objects"])
        .answers(|asked, answer| {
            let path = asked.uri.path();
            let is_list = asked.method == Method::GET && path.ends_with("/things");
            if path.starts_with("/apis/g") && path.contains("/namespaces/") && !is_list {
                not_found(answer);
            }
        }),
    obvious_fault("takes-objects-in-one-namespace", "objects are kept in the namespace default only")
        .breaks(&["REST-001"], &["capability-namespaces"])
        .answers(|asked, answer| {
            if asked.uri.path().contains("/namespaces/kube-public/") {
                answer.fail(400, "BadRequest");
                answer.body["message"] = json!("there is one namespace");
            }
        }),
    obvious_fault("keeps-objects-at-one-version", "an object is known only at the version at which it was created")
        .breaks(&["VER-008", "VER-019"], &["capability-versions"])
        .around(keep_at_one_version),
    obvious_fault("updates-no-definitions", "PUT and PATCH of a definition are not supported")
        .breaks(&["REST-028"], &["capability-definition-updates"])
        .requests(|request| {
            let is_main = is_about_definitions(request) && !request.uri().path().ends_with("/status");
            if is_main && [Method::PUT, Method::PATCH].contains(request.method()) {
                // Another method that is not offered there.
                *request.method_mut() = Method::POST;
            }
        }),
    obvious_fault("serves-the-first-schema", "a changed definition is shown, but the old one goes on being served")
        .breaks(&["REST-028"], &["capability-definition-updates"])
        .around_everything(serve_the_first_schema),
    obvious_fault("validates-no-updates-of-definitions", "every update of a definition is accepted")
        .breaks(&["CRDVAL-003", "STRUCT-002", "CRDVAL-014"], &["capability-definition-update-validation"])
        .semantics(with::definition_update_violations(|_, _, _| Vec::new())),
    obvious_fault("accepts-every-update", "every update of an object is accepted")
        .breaks(&["VALUE-001", "VALUE-018", "VALUE-021"], &["capability-update-validation"])
        .semantics(Semantics {
            validation: Validation {
                object_violations: |_, object, schema, old| {
                    if old.is_some() {
                        return Vec::new();
                    }
                    correct().object_violations(object, schema, old)
                },
                ..Validation::CORRECT
            },
            subresources: Subresources { status_violations: |_, _, _, _| Vec::new(), ..Subresources::CORRECT },
            ..Semantics::UPSTREAM
        }),
    obvious_fault("keeps-unknown-fields", "unknown fields are reported, and kept")
        .breaks(&["PRUNE-001"], &["capability-pruning"])
        .semantics(with::prune(|_, value, schema, root| correct().prune(&mut value.clone(), schema, root))),
    obvious_fault("shows-no-revisions", "nothing has a resourceVersion, and no update needs one")
        .breaks(
            &["REST-040", "PRUNE-022", "DEFAULT-014", "CRDVAL-022", "CRDVAL-060", "VER-015", "VER-009"],
            &["crdval-022-resource-version"],
        )
        .by_example_only()
        .around_everything(show_no_revisions),
    obvious_fault("lists-in-place-of-watches", "a watch is answered with a list")
        .breaks(&["REST-060", "REST-061"], &["capability-watches"])
        .requests(|request| {
            if is_about_objects(request) {
                set_parameter(request, "watch", None);
            }
        }),
    obvious_fault("shows-no-tables", "a request for a table gets the plain form")
        .breaks(&["TABLE-001"], &["capability-tables"])
        .requests(|request| accept_plainly(request, "as=Table")),
    obvious_fault("shows-no-metadata-alone", "a request for metadata alone gets the plain form")
        .breaks(&["REST-069"], &["capability-partial-metadata"])
        .requests(|request| accept_plainly(request, "as=PartialObjectMetadata")),
    obvious_fault("reads-no-yaml", "a body in YAML is of an unknown type")
        .breaks(&["REST-006"], &["capability-yaml"])
        .requests(|request| {
            if header_of(request, &header::CONTENT_TYPE).starts_with("application/yaml") {
                set_type(request, "text/yaml");
            }
        }),
    obvious_fault("knows-no-aggregated-discovery", "a request for aggregated discovery gets the plain form")
        .breaks(&["DISC-011"], &["capability-aggregated-discovery"])
        .requests(|request| accept_plainly(request, "as=APIGroupDiscoveryList")),
    obvious_fault("publishes-no-version-3", "there is no OpenAPI v3")
        .breaks(&["OAPI-001"], &["capability-openapi-v3"])
        .answers(|asked, answer| {
            if asked.uri.path().starts_with("/openapi/v3") {
                not_found(answer);
            }
        }),
    obvious_fault("publishes-no-definitions-in-version-2", "OpenAPI v2 describes only what is built in")
        .breaks(&["OAPI-009"], &["capability-openapi-v2"])
        .answers(|asked, answer| {
            let definitions = fields(&mut answer.body, "/definitions");
            if let Some(definitions) = definitions.filter(|_| asked.uri.path() == "/openapi/v2") {
                definitions.retain(|name, _| !name.starts_with("dev.crdible."));
            }
        }),
    obvious_fault("selects-no-fields", "field selectors are ignored")
        .breaks(&["FSEL-002", "FSEL-008"], &["capability-field-selectors"])
        .requests(|request| set_parameter(request, "fieldSelector", None)),
    obvious_fault("serves-no-status", "/status of an object does not exist")
        .breaks(&["SUB-001"], &["capability-status"])
        .requests(|request| lead_astray(request, "/status")),
    obvious_fault("serves-no-scale", "/scale of an object does not exist")
        .breaks(&["SUB-019"], &["capability-scale"])
        .requests(|request| lead_astray(request, "/scale")),
    obvious_fault("answers-no-watches", "nothing of the answer to a watch comes in time")
        .breaks(&["REST-060", "REST-061"], &["capability-watches"])
        .around_everything(answer_no_watches),
    obvious_fault("serves-watches-over-websocket", "a watch that is a plain GET is refused")
        .breaks(&["REST-060"], &["capability-plain-watches"])
        .around(demand_upgrades_of_watches),
    obvious_fault("reports-what-was-there", "a watch begins with all objects, whatever its resourceVersion is")
        .breaks(&["REST-061"], &["capability-watch-starts"])
        .requests(|request| {
            if is_about_objects(request) && is_watch(request) {
                set_parameter(request, "resourceVersion", None);
            }
        }),
    obvious_fault("never-ends-watches", "a watch goes on although its timeoutSeconds is over")
        .breaks(&["REST-066"], &["capability-watch-ends"])
        .around(never_end_watches),
    obvious_fault("defaults-nothing", "no default is filled in")
        .breaks(&["DEFAULT-001"], &["capability-defaulting"])
        .semantics(with::default_property(|_, _, _, _| {})),
    obvious_fault("reports-no-fields", "unknown and duplicate fields are never reported")
        .breaks(&["REST-051", "REST-052"], &["capability-field-validation"])
        .implies(&[(
            "rest-029-refused-writes",
            "with Ignore a list as a merge patch has another code, which is a quirk",
        )])
        .requests(|request| {
            if *request.method() != Method::GET && *request.method() != Method::DELETE {
                set_parameter(request, "fieldValidation", Some("Ignore"));
            }
        }),
    obvious_fault("ignores-dry-runs-of-objects", "a dry run of an object stores it")
        .breaks(&["REST-058"], &["capability-object-dry-run"])
        .requests(|request| {
            if is_about_objects(request) {
                set_parameter(request, "dryRun", None);
            }
        }),
    obvious_fault("dry-creates-pass-no-stage", "a dry run of a create of an object answers with what was sent")
        .breaks(&["REST-058"], &["capability-object-dry-run"])
        .around(answer_with_what_was_sent),
    obvious_fault("dry-definitions-pass-no-stage", "a dry run of a definition answers with what was sent")
        .breaks(&["REST-058"], &["capability-definition-dry-run"])
        .around_everything(act!(|server, request| {
            if is_about_definitions(&request) {
                return answer_with_what_was_sent(server, request).await;
            }
            server.pass(request).await
        })),
    obvious_fault("dry-runs-pass-no-stage", "a dry run of any create answers with what was sent")
        .breaks(&["REST-058"], &["capability-definition-dry-run"])
        .implies(&[("capability-object-dry-run", "an object is created, too")])
        .around_everything(answer_with_what_was_sent),
    obvious_fault("dry-patches-pass-no-stage", "a dry run of a patch of an object answers with it as it is")
        .breaks(&["REST-058"], &["capability-object-dry-run"])
        .requests(|request| {
            let is_dry = is_about_objects(request) && query_contains(request, "dryRun=All");
            if is_dry && *request.method() == Method::PATCH {
                *request.method_mut() = Method::GET;
            }
        }),
    obvious_fault("sets-no-conditions", "definitions never get conditions")
        .breaks(&["LIFE-002"], &["capability-conditions"])
        .definition_answers(|_, answer| {
            remove(&mut answer.body, "/status/conditions");
        }),
    obvious_fault("gives-names-twice", "two definitions of a group may have the same names")
        .breaks(&["LIFE-006"], &["capability-name-conflicts"])
        .server(|| accepting(|requested, _, _| NameDecision { accepted: requested.clone(), conflict: None })),
    obvious_fault("lists-no-stored-versions", "definitions have no status.storedVersions")
        .breaks(&["CRDVAL-008", "VER-017"], &["capability-stored-versions"])
        .definition_answers(|_, answer| {
            remove(&mut answer.body, "/status/storedVersions");
        }),
    obvious_fault("lists-no-groups", "discovery does not know the groups of definitions")
        .breaks(&["DISC-003"], &["capability-discovery"])
        .answers(|asked, answer| {
            let path = asked.uri.path();
            if path == "/apis" {
                answer.body["groups"] = json!([]);
                answer.body["items"] = json!([]);
            } else if path.starts_with("/apis/g") && path.matches('/').count() <= 3 {
                not_found(answer);
            }
        }),
    obvious_fault("gives-no-causes", "a rejection has no causes")
        .breaks(&["REST-005"], &["capability-causes"])
        .all_answers(|_, answer| {
            remove(&mut answer.body, "/details/causes");
        }),
    obvious_fault("gives-no-causes-and-accepts-blue", "a rejection has no causes, and no enum rejects blue")
        .breaks(&["REST-005", "VALUE-018"], &["capability-causes"])
        .implies(&[("value-018-enum", "an enum is not kept")])
        .server(|| {
            let colourful = embedded(with::check_enumeration(|_, value, schema, path, findings| {
                if value != "blue" {
                    correct().check_enumeration(value, schema, path, findings);
                }
            }));
            let without_causes = |_: &Asked, answer: &mut Answer| {
                remove(&mut answer.body, "/details/causes");
            };
            Layer::Answers(About::Everything, without_causes).over(&colourful)
        }),
    obvious_fault("answers-errors-as-text", "an error is a line of text, and no Status")
        .breaks(&["REST-005"], &["capability-causes"])
        .implies(&[(
            "*",
            "that an error is a Status at all is no capability yet: \
             each check that expects a reason says that there is none",
        )])
        .all_answers(|_, answer| {
            if answer.head.status.is_client_error() || answer.head.status.is_server_error() {
                answer.body = json!(answer.body["message"].as_str().unwrap_or("error"));
            }
        }),
    obvious_fault("validates-no-objects", "every object is accepted")
        .breaks(&["VALUE-001", "VALUE-018", "VALUE-021"], &["capability-validation"])
        .semantics(with::object_violations(|_, _, _, _| Vec::new())),
    obvious_fault("evaluates-no-rules", "definitions may have rules, which are never evaluated")
        .breaks(&["CEL-027"], &["capability-rules"])
        .semantics(with::rule_findings(|_, _, _, _, _| RuleFindings::default())),
    obvious_fault("validates-no-definitions", "every definition is accepted")
        .breaks(&["CRDVAL-003", "CRDVAL-014", "STRUCT-002"], &["capability-definition-validation"])
        .semantics(Semantics {
            definition_rules: DefinitionRules {
                definition_violations: |_, _| Vec::new(),
                definition_update_violations: |_, _, _| Vec::new(),
                ..DefinitionRules::CORRECT
            },
            ..Semantics::UPSTREAM
        }),
];

/// A feature that is not a capability, or nowhere promised: at most a case finds it, and a run accuses such a server of
/// nothing else. Clean-up and readiness must not depend on it either.
pub(crate) const UNTOLD: &[Fault] = &[
    fault("has-one-namespace", "the namespace kube-public does not exist, which is not promised")
        .breaks(&["REST-074"], &[])
        .answers(|asked, answer| {
            if asked.uri.path().contains("/namespaces/kube-public/") {
                not_found(answer);
            }
        }),
    fault("has-a-namespace-for-others", "objects in the namespace kube-public are for other users")
        .breaks(&["REST-074"], &[])
        .answers(|asked, answer| {
            if asked.uri.path().contains("/namespaces/kube-public/") {
                let message = "things is forbidden: User \"guest\" cannot create resource \"things\" in the namespace";
                answer.fail(403, "Forbidden");
                answer.body["message"] = json!(format!("{message} \"kube-public\""));
            }
        }),
    fault("deletes-what-is-absent", "DELETE of a name that does not exist is answered with 200")
        .breaks(&["REST-049"], &[])
        .implies(&[
            ("rest-044-deletion", "one of its cases may delete what is absent"),
            ("life-022-preconditions", "one of its cases deletes what is absent"),
        ])
        .all_answers(|asked, answer| {
            // Not what has no route, as a subresource that is not enabled or does not exist.
            let is_subresource =
                asked.uri.path().split('/').count() > if asked.uri.path().contains("/namespaces/") { 8 } else { 6 };
            let names_object = answer.body.pointer("/details/name").is_some() && !is_subresource;
            if asked.method == Method::DELETE && answer.head.status == StatusCode::NOT_FOUND && names_object {
                answer.succeed(json!({ "kind": "Status", "apiVersion": "v1", "status": "Success", "code": 200 }));
            }
        }),
];

/// Asks for plain JSON in place of this form.
fn accept_plainly(request: &mut HttpRequest, form: &str) {
    if accepted(request).contains(form) {
        accept(request, "application/json");
    }
}

/// Answers a dry run of a create with what was sent.
fn answer_with_what_was_sent(server: &Layered, request: HttpRequest) -> ResponseFuture<'_> {
    Box::pin(async move {
        if *request.method() != Method::POST || !query_contains(&request, "dryRun=All") {
            return server.pass(request).await;
        }
        let mut echo = Response::new(request.into_body());
        *echo.status_mut() = StatusCode::CREATED;
        Ok(echo)
    })
}

fn is_about_objects(request: &HttpRequest) -> bool {
    request.uri().path().starts_with("/apis/g")
}

/// Sends a request for a subresource of an object to one that no server has.
fn lead_astray(request: &mut HttpRequest, subresource: &str) {
    replace_path(request, |path| Some(format!("{}/nothing", path.strip_suffix(subresource)?)));
}

/// Becomes a 404 without a useful message.
fn not_found(answer: &mut Answer) {
    answer.fail(404, "NotFound");
}
