//! SUB-001, SUB-014, SUB-015, SUB-019: which methods each subresource has, and where there is none.

use crate::prelude::*;
use crate::shared::definitions::refused_as;

pub(super) const PROPERTY: Property = Property::new("sub-015-methods", plan)
    .title("a subresource has GET, PUT and PATCH exactly at the versions that enable it")
    .asserts(&["REST-013", "SUB-001", "SUB-014", "SUB-015", "SUB-016", "SUB-019", "SUB-029"])
    .needs(&[Capability::Storing, Capability::Status, Capability::Scale, Capability::Versions]);

const VERSIONS: [&str; 2] = ["v1", "v2"];

fn version(at: usize, [has_status, has_scale]: [bool; 2]) -> Version {
    let number = || object_of(json!({ "n": { "type": "integer" } }));
    let mut subresources = Map::new();
    if has_status {
        subresources.insert("status".into(), json!({}));
    }
    if has_scale {
        let scale = json!({ "specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n" });
        subresources.insert("scale".into(), scale);
    }
    let schema = object_of(json!({ "spec": number(), "status": number() }));
    let further = Map::from_iter([("subresources".to_owned(), Value::Object(subresources))]);
    Version { further, ..Version::named(VERSIONS[at], schema).stored_if(at == 0) }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let mut setting = |_| [choices.draw(1) == 0, choices.draw(1) == 0];
    let enabled = [setting(0), setting(1)];
    let versions = enabled.iter().enumerate().map(|(at, enabled)| version(at, *enabled)).collect();
    let definition = plan.define(Definition::with_versions(versions));
    let created = plan.create(definition, json!({ "spec": { "n": 1 } }));
    plan.check("created", &["REST-013"], created, Expectation::Content(json!({ "spec": { "n": 1 } })));
    let missing = plan.next_object();
    plan.case_parts(choices, "request", |plan, choices| {
        let at_version = choices.up_to(1);
        let is_status = choices.draw(1) == 0;
        let exists = choices.draw(2) > 0;
        let (version, name) = (VERSIONS[at_version].to_owned(), if is_status { "status" } else { "scale" });
        let object = match plan.object_of(created) {
            Resource::Object { object, .. } if exists => object,
            _ => missing,
        };
        let body = |fields: Value| Body::Object { definition, version: version.clone(), object, fields: fields.into() };
        let whole = if is_status {
            json!({ "spec": { "n": 5 }, "status": { "n": 1 } })
        } else {
            json!({ "apiVersion": "autoscaling/v1", "kind": "Scale", "spec": { "replicas": 5 } })
        };
        let (method, body, is_strategic) = match choices.draw(6) {
            0 => (Method::Get, Body::None, false),
            1 => (Method::Put, body(whole), false),
            2 => (Method::MergePatch, Body::json(json!({ "spec": {} })), false),
            3 => (Method::JsonPatch, Body::json(json!([])), false),
            4 => (Method::Post, body(whole), false),
            5 => (Method::Delete, Body::None, false),
            _ => (Method::MergePatch, Body::json(json!({ "spec": {} })), true),
        };
        let is_enabled = enabled[at_version][usize::from(!is_status)];
        let has_method = !matches!(method, Method::Post | Method::Delete);
        let target =
            Resource::Subresource { definition, version: version.clone(), object, subresource: name.to_owned() };
        let mut request = Request::new(method, target, body);
        if is_strategic {
            request.content_type = Some("application/strategic-merge-patch+json".to_owned());
        }
        let watches = method == Method::Get && choices.chance(1, 3);
        if watches {
            request.query.push(("watch".to_owned(), "1".to_owned()));
        }
        let sent = if is_enabled && exists && has_method && method != Method::Get {
            // What writes do is asserted elsewhere; here the object stays as it is.
            plan.send(request.as_dry_run())
        } else {
            plan.send(request)
        };
        let requirement = if is_status { "SUB-001" } else { "SUB-019" };
        match (is_enabled, has_method, exists) {
            (false, ..) => plan.check("not-enabled", &["SUB-015", "SUB-016"], sent, refused_as(404, "NotFound")),
            (true, false, _) => {
                let asserts = if is_status { "SUB-014" } else { "SUB-019" };
                plan.check("no-method", &[asserts], sent, refused_as(405, "MethodNotAllowed"));
            }
            (true, true, _) if is_strategic => {
                let asserts = if is_status { "SUB-001" } else { "SUB-029" };
                plan.check("strategic", &[asserts], sent, refused_as(415, "UnsupportedMediaType"));
            }
            (true, true, false) => {
                plan.check("no-object", &[requirement], sent, refused_as(404, "NotFound"));
            }
            (true, true, true) if method == Method::Get => {
                let expected = if is_status { Expectation::same_content(created) } else { at("/spec/replicas", 1) };
                let asserts = if watches && is_status { "SUB-014" } else { requirement };
                plan.check("read", &[asserts], sent, expected);
            }
            // A PUT of the status has no resourceVersion.
            (true, true, true)
                if matches!(method, Method::MergePatch | Method::JsonPatch) || !is_status && method == Method::Put =>
            {
                plan.check("write", &[requirement], sent, Expectation::Accepted);
            }
            (true, true, true) => {}
        }
        let read = plan.read(Resource::Object { definition, version, object });
        if exists {
            plan.check("kept", &[requirement], read, Expectation::same_content(created));
            plan.check("kept-revision", &[requirement], read, Expectation::same_revision(created));
        } else {
            plan.check("still-missing", &[requirement], read, Expectation::Status(404));
        }
    });
}
