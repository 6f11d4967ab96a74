//! Features of objects.

use http::StatusCode;
use serde_json::json;

use super::probing::{Probing, spec_of};
use super::{Problem, Support};
use crate::doctor::client::Answer;

/// Shows best which schema is served: a default has the number of its revision.
pub(super) const DEFAULTING: &str = "defaulting";

/// Shows whether the schema that declares one field more is served.
pub(super) const PRUNING: &str = "pruning of unknown fields";

/// Shows whether the schema with one more value of the enum is served.
pub(super) const ENUM: &str = "rejection of a value outside an enum";

/// Tries what a server does with objects, given the first one and the answer to its creation.
pub(super) async fn features(probing: &mut Probing<'_>, name: &str, created: &Answer) -> Result<(), Problem> {
    stored(probing, name, created).await?;
    dry_run(probing).await?;
    schema(probing).await?;
    validation(probing, name).await?;
    unknown_fields(probing).await?;
    deletion(probing, name).await
}

async fn stored(probing: &mut Probing<'_>, name: &str, created: &Answer) -> Result<(), Problem> {
    let (api, names) = (probing.api, probing.names);
    if created.status == StatusCode::CREATED {
        probing.note_value("create", "REST-013", created, ("size", 1));
    } else {
        probing.note("create", "REST-013", created, false);
    }
    let path = names.path("v1", name);
    let answer = api.get(&path).await?;
    probing.note_value("get", "REST-019", &answer, ("size", 1));
    let body = created.json().unwrap_or_default();
    let missing: Vec<_> = ["uid", "resourceVersion"]
        .into_iter()
        .filter(|key| body["metadata"][*key].as_str().is_none_or(str::is_empty))
        .collect();
    probing.add("uid and resourceVersion", &["REST-013"], created, missing.is_empty(), || {
        format!("a created object has no {}", missing.join(" and no "))
    });
    let answer = api.get(&names.collection).await?;
    let items = answer.json().and_then(|list| list["items"].as_array().map(Vec::len));
    probing.add("list", &["REST-021"], &answer, answer.status.is_success() && items > Some(0), || match items {
        Some(0) if answer.status.is_success() => "the list is empty".to_owned(),
        _ => answer.described(),
    });
    let answer = api.merge_patch(&path, &json!({ "spec": { "size": 2 } })).await?;
    probing.note_value("merge patch", "REST-034", &answer, ("size", 2));
    let answer = api.get(&names.path("v2", name)).await?;
    let version = answer.json().unwrap_or_default()["apiVersion"].take();
    let converted = answer.status.is_success() && version == format!("{}/v2", names.group);
    probing.add("an object written at v1 is read at v2", &["VER-008"], &answer, converted, || {
        if answer.status.is_success() { format!("its apiVersion is {version}") } else { answer.described() }
    });
    Ok(())
}

async fn dry_run(probing: &mut Probing<'_>) -> Result<(), Problem> {
    let (api, names) = (probing.api, probing.names);
    let answer = api.post(&format!("{}?dryRun=All", names.collection), &names.object("dry", &json!({}))).await?;
    let path = names.path("v1", "dry");
    let after = api.get(&path).await?;
    let stored = after.status.is_success();
    if stored {
        api.delete(&path, None).await?;
    }
    probing.dry_runs = answer.status.is_success() && after.status == StatusCode::NOT_FOUND;
    let last = if answer.status.is_success() { &after } else { &answer };
    probing.add("dry run of objects", &["REST-058"], last, probing.dry_runs, || {
        if stored { "the object is stored".to_owned() } else { last.described() }
    });
    Ok(())
}

async fn schema(probing: &mut Probing<'_>) -> Result<(), Problem> {
    let answer = probing.try_create(&json!({ "unknown": 1, "size": 1 }), "").await?;
    let spec = spec_of(&answer);
    let kept = spec.get("unknown").is_some();
    probing.add(PRUNING, &["PRUNE-001"], &answer, spec["size"] == 1 && !kept, || match kept {
        true => "spec.unknown was kept".to_owned(),
        false if spec.is_object() => "spec.size, which the schema declares, was not kept".to_owned(),
        false => answer.described(),
    });
    let answer = probing.try_create(&json!({}), "").await?;
    probing.note_value(DEFAULTING, "DEFAULT-001", &answer, ("revision", 1));
    Ok(())
}

async fn validation(probing: &mut Probing<'_>, name: &str) -> Result<(), Problem> {
    let by_enum = probing.try_create(&json!({ "colour": "blue" }), "").await?;
    note_rejection(probing, ENUM, "VALUE-018", &by_enum);
    let by_type = probing.try_create(&json!({ "size": "large" }), "").await?;
    note_rejection(probing, "rejection of a wrong type", "VALUE-001", &by_type);
    note_causes(probing, &[(&by_enum, "spec.colour"), (&by_type, "spec.size")]);
    let path = probing.names.path("v1", name);
    let answer = probing.api.merge_patch(&path, &json!({ "spec": { "size": "large" } })).await?;
    note_rejection(probing, "validation of updates", "REST-035", &answer);
    Ok(())
}

/// Whether the server rejected what was sent, with whatever code and in whatever form: REST-005 is about these. The
/// codes that are left out are about permissions, paths and conflicts.
fn is_rejection(answer: &Answer) -> bool {
    answer.status.is_client_error() && !matches!(answer.status.as_u16(), 401 | 403 | 404 | 405 | 409)
}

fn note_rejection(probing: &mut Probing<'_>, what: &'static str, requirement: &'static str, answer: &Answer) {
    probing.add(what, &[requirement], answer, is_rejection(answer), || {
        if answer.status.is_success() { format!("it was accepted with {}", answer.status) } else { answer.described() }
    });
}

/// Notes whether rejections have the code and form of REST-005 and name their fields, as far as anything was rejected.
fn note_causes(probing: &mut Probing<'_>, tried: &[(&Answer, &str)]) {
    const WHAT: &str = "causes of rejections";
    let mut wrong = tried.iter().filter(|(answer, _)| is_rejection(answer)).map(|&(answer, field)| {
        let causes = answer.json().unwrap_or_default()["details"]["causes"].take();
        let names = causes.as_array().is_some_and(|causes| causes.iter().any(|cause| cause["field"] == field));
        match (answer.status, answer.is_kubernetes_status()) {
            (status, false) => Some(format!("rejected with {} and no Status", status.as_u16())),
            (StatusCode::UNPROCESSABLE_ENTITY, true) if names => None,
            (StatusCode::UNPROCESSABLE_ENTITY, true) => Some(format!("details.causes does not name {field}")),
            (status, true) => Some(format!("rejected with {} instead of 422", status.as_u16())),
        }
    });
    let (support, detail) = match (wrong.next(), wrong.flatten().next()) {
        (None, _) => (Support::NotTried, "nothing was rejected".to_owned()),
        (Some(Some(detail)), _) | (Some(None), Some(detail)) => (Support::Missing, detail),
        (Some(None), None) => (Support::Works, String::new()),
    };
    probing.push(WHAT, &["REST-005"], support, &detail);
}

async fn unknown_fields(probing: &mut Probing<'_>) -> Result<(), Problem> {
    let unknown = json!({ "unknown": 1 });
    let answer = probing.try_create(&unknown, "fieldValidation=Warn").await?;
    let mut warnings = answer.headers.get_all(http::header::WARNING).iter();
    let warned = warnings.any(|warning| String::from_utf8_lossy(warning.as_bytes()).contains("spec.unknown"));
    probing.add("warnings of unknown fields", &["REST-051"], &answer, warned, || {
        format!("{} without such a warning", answer.described())
    });
    let answer = probing.try_create(&unknown, "fieldValidation=Strict").await?;
    probing.add("strict field validation", &["REST-052"], &answer, answer.status == StatusCode::BAD_REQUEST, || {
        if answer.status.is_success() { "spec.unknown was accepted".to_owned() } else { answer.described() }
    });
    Ok(())
}

async fn deletion(probing: &mut Probing<'_>, name: &str) -> Result<(), Problem> {
    let api = probing.api;
    let path = probing.names.path("v1", name);
    let answer = api.delete(&path, None).await?;
    let after = api.get(&path).await?;
    let works = answer.status.is_success() && after.status == StatusCode::NOT_FOUND;
    let last = if answer.status.is_success() { after } else { answer };
    probing.add("delete", &["REST-043"], &last, works, || {
        if last.status.is_success() { "the object is still there".to_owned() } else { last.described() }
    });
    let answer = api.delete(&probing.names.path("v1", "absent"), None).await?;
    let works = answer.status == StatusCode::NOT_FOUND;
    probing.note("delete of an absent object is an error", "REST-049", &answer, works);
    Ok(())
}
