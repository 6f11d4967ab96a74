//! Faults in scales.

use crdible_semantics::{scale::Replicas, with};
use http::{Method, header};
use serde_json::{Value, json};

use super::{is_method, is_of, is_update_of, main_object};
use crate::{
    json::remove,
    sent::{
        MERGE_PATCH, ask_first_version, body_of, header_of, read, send_without, set_parameter, set_type, with_body,
    },
    server::{correct, error},
    table::{Fault, fault, obvious_fault},
};

/// What is asserted of a Scale and its object together.
const TOGETHER: &[&str] =
    &["INV-076", "SUB-019", "SUB-020", "SUB-021", "SUB-023", "SUB-024", "SUB-025", "SUB-026", "SUB-027", "SUB-029"];

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("scaling-drops-what-is-beside", "a write of a scale drops what is beside the number")
        .breaks(TOGETHER, &["sub-023-scale-and-object"])
        .semantics(with::write_replicas(|_, object, scale, replicas| {
            let path = &scale.spec_replicas_path;
            let parent = format!("/{}", path.trim_start_matches('.').replace('.', "/"));
            let parent = parent.rsplit_once('/').map_or("", |(parent, _)| parent);
            if let Some(fields) = object.pointer_mut(parent) {
                *fields = json!({});
            }
            correct().write_replicas(object, scale, replicas)
        })),
    fault("scaling-adds-no-parents", "a number whose parent is missing cannot be written")
        .breaks(TOGETHER, &["sub-023-scale-and-object"])
        .semantics(with::write_replicas(|_, object, scale, replicas| {
            let parent = format!("/{}", scale.spec_replicas_path.trim_start_matches('.').replace('.', "/"));
            let parent = parent.rsplit_once('/').map_or("", |(parent, _)| parent);
            if object.pointer(parent).is_none() {
                return Err("no parent".to_owned());
            }
            correct().write_replicas(object, scale, replicas)
        })),
    fault("reads-brackets-as-indices", "a path of a scale may have indices in brackets")
        .breaks(TOGETHER, &["sub-023-scale-and-object"])
        .semantics(with::replicas_at(|_, object, path| correct().replicas_at(object, &path.replace("[0]", ".0")))),
    fault("keeps-the-number-without-replicas", "PUT of a scale without replicas changes nothing")
        .breaks(TOGETHER, &["sub-023-scale-and-object"])
        .requests(|request| {
            let has_none = body_of(request).pointer("/spec/replicas").is_none();
            if is_method(request, &Method::PUT, "/scale") && has_none {
                *request = read(request.uri().path());
            }
        }),
    fault("patches-absent-numbers-to-zero", "a patch of a scale that sets no number sets 0")
        .breaks(&["SUB-024"], &["sub-023-scale-and-object"])
        .requests(|request| {
            if is_method(request, &Method::PATCH, "/scale") {
                with_body(request, |patch| {
                    if patch.pointer("/spec/replicas").is_none() && patch.get("status").is_some() {
                        patch["spec"] = json!({ "replicas": 0 });
                    }
                });
            }
        }),
    obvious_fault("scales-any-revision", "the resourceVersion of a scale is ignored")
        .breaks(&["SUB-025"], &["sub-023-scale-and-object"])
        .requests(|request| {
            if is_update_of(request, "/scale") {
                send_without(request, "/metadata/resourceVersion");
            }
        }),
    obvious_fault("scaling-needs-a-revision", "PUT of a scale without a resourceVersion is refused")
        .breaks(TOGETHER, &["sub-023-scale-and-object"])
        .around(act!(|server, request| {
            let has_none = body_of(&request).pointer("/metadata/resourceVersion").is_none();
            if is_method(&request, &Method::PUT, "/scale") && has_none {
                return Ok(error(422, "Invalid"));
            }
            server.pass(request).await
        })),
    fault("scales-have-no-revision", "a scale that is read has no resourceVersion")
        .breaks(&["INV-076", "SUB-021", "SUB-027"], &["sub-023-scale-and-object"])
        .answers(|asked, answer| {
            if asked.method == Method::GET && asked.ends_with("/scale") {
                remove(&mut answer.body, "/metadata/resourceVersion");
            }
        }),
    fault("scales-have-labels", "a scale has labels").breaks(&["SUB-021"], &["sub-023-scale-and-object"]).answers(
        |asked, answer| {
            if asked.ends_with("/scale") && answer.body["kind"] == "Scale" {
                answer.body["metadata"]["labels"] = json!({ "l": "x" });
            }
        },
    ),
    fault("negative-numbers-are-legal", "a number of replicas may be negative")
        .breaks(&["INV-076", "SUB-026", "VALUE-042"], &["sub-023-scale-and-object", "sub-028-wrong-types"])
        .within_lines(80)
        .semantics(with::are_replicas(|_, _| true)),
    fault("dry-runs-scale", "a dry run of a scale writes it")
        .breaks(&["INV-076", "SUB-026"], &["sub-023-scale-and-object"])
        .requests(|request| {
            if is_of(request, "/scale") {
                set_parameter(request, "dryRun", None);
            }
        }),
    obvious_fault("shows-what-is-wanted-as-present", "a scale shows the wanted number as the present one")
        .breaks(TOGETHER, &["sub-023-scale-and-object"])
        .semantics(with::read_replicas(|_, object, scale| {
            let shown = correct().read_replicas(object, scale)?;
            Ok(Replicas { present: shown.wanted.unwrap_or_default(), ..shown })
        })),
    fault("finds-no-selector-in-the-spec", "a selector in the spec is not shown")
        .breaks(&["SUB-021"], &["sub-023-scale-and-object"])
        .semantics(with::read_replicas(|_, object, scale| {
            let mut shown = correct().read_replicas(object, scale)?;
            if scale.label_selector_path.as_deref().is_some_and(|path| path.starts_with(".spec")) {
                shown.selector.clear();
            }
            Ok(shown)
        })),
    fault("a-missing-number-is-zero", "a scale without a number is shown with 0")
        .breaks(&["SUB-022"], &["sub-023-scale-and-object", "sub-028-wrong-types"])
        .within_lines(80)
        .answers(|asked, answer| {
            let is_read = asked.method == Method::GET && asked.ends_with("/scale");
            if is_read && answer.head.status == 500 && answer.body.to_string().contains("does not exist") {
                let status = json!({ "replicas": 0 });
                answer
                    .succeed(json!({ "kind": "Scale", "apiVersion": "autoscaling/v1", "spec": {}, "status": status }));
            }
        }),
    fault("numbers-are-64-bits-wide", "a number of replicas may be larger than 32 bits")
        .breaks(&["VALUE-042"], &["sub-028-wrong-types"])
        .within_lines(80)
        .semantics(with::are_replicas(|_, number| number >= 0)),
    fault("status-writes-check-the-wanted-number", "a write of the status is refused if the wanted number is wrong")
        .breaks(&["VALUE-042"], &["sub-028-wrong-types"])
        .within_lines(80)
        .around(act!(|server, request| {
            if is_update_of(&request, "/status")
                && !main_object(server, &request).await?.pointer("/spec/a/n").is_some_and(Value::is_u64)
            {
                return Ok(error(422, "Invalid"));
            }
            server.pass(request).await
        })),
    fault("selectors-are-parsed", "a selector that is no selector is refused")
        .breaks(&["VALUE-042"], &["sub-028-wrong-types"])
        .within_lines(80)
        .semantics(with::selector_at(|_, object, path| {
            let found = correct().selector_at(object, path)?;
            if found.as_deref().is_some_and(|selector| selector.contains('!')) {
                return Err("cannot be parsed".to_owned());
            }
            Ok(found)
        })),
    fault(
        "numbers-of-a-status-are-not-checked",
        "a write of an object does not look at the present number that is stored",
    )
    .breaks(&["VALUE-042", "SUB-028"], &["sub-028-wrong-types"])
    .within_lines(80)
    .semantics(with::check_scale_status(|_, object, scale, found| {
        let is_stored = object.pointer("/metadata/uid").is_some();
        correct().check_scale_status(object, scale, found);
        found.retain(|violation| !is_stored || violation.field != scale.status_replicas_path);
    })),
    fault("wrong-types-are-zero", "a number of a wrong type is shown as 0")
        .breaks(&["SUB-028"], &["sub-028-wrong-types"])
        .within_lines(80)
        .semantics(with::read_replicas(|_, object, scale| {
            let nothing = |_| Replicas { wanted: Some(0), ..Replicas::default() };
            Ok(correct().read_replicas(object, scale).unwrap_or_else(nothing))
        })),
    fault("scales-at-the-first-version", "a scale at any version is that of v1")
        .breaks(&["INV-076", "SUB-027", "SUB-031"], &["sub-031-paths-of-versions"])
        .within_lines(80)
        .requests(|request| {
            if is_of(request, "/scale") {
                ask_first_version(request);
            }
        }),
    fault("patches-scales-strategically", "a scale accepts strategic merge patches")
        .breaks(&["SUB-029", "SUB-019"], &["sub-015-methods"])
        .requests(|request| {
            let kind = header_of(request, &header::CONTENT_TYPE);
            if is_of(request, "/scale") && kind == "application/strategic-merge-patch+json" {
                set_type(request, MERGE_PATCH);
            }
        }),
    obvious_fault("written-scales-have-another-kind", "the answer to a write of a scale is of the kind Scaling")
        .breaks(&["SUB-019"], &["sub-023-scale-and-object"])
        .answers(|asked, answer| {
            let is_write = asked.method != Method::GET && asked.uri.path().ends_with("/scale");
            if is_write && answer.body["kind"] == "Scale" {
                answer.body["kind"] = json!("Scaling");
            }
        }),
    fault("scales-under-any-name", "the name in a scale is ignored")
        .breaks(&["INV-076", "SUB-023"], &["sub-023-scale-and-object"])
        .requests(|request| {
            let name = request.uri().path().rsplit('/').nth(1).unwrap_or_default().to_owned();
            if is_method(request, &Method::PUT, "/scale") && body_of(request)["metadata"].is_object() {
                with_body(request, |body| body["metadata"]["name"] = json!(name));
            }
        }),
    obvious_fault("tables-of-scales-have-two-columns", "a table of a scale has only a name and an age")
        .breaks(&["SUB-030"], &["sub-030-table"])
        .answers(|asked, answer| {
            if asked.ends_with("/scale") && answer.body["kind"] == "Table" {
                let numbers = |list: &mut Value| list.as_array_mut().map(|list| list.drain(1..3).count());
                numbers(&mut answer.body["columnDefinitions"]);
                numbers(&mut answer.body["rows"][0]["cells"]);
            }
        }),
];
