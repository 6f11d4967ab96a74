//! Features of objects.

use http::StatusCode;
use serde_json::json;

use super::Problem;
use super::measure::{Probing, spec_of};
use crate::doctor::client::Answer;

/// The feature by which a changed schema is recognised best.
pub(super) const DEFAULTING: &str = "defaulting";

/// Another one.
pub(super) const PRUNING: &str = "pruning of unknown fields";

/// Another one.
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
    probing.note("create", "REST-013", created, created.status == StatusCode::CREATED && spec_of(created)["size"] == 1);
    let path = names.path("v1", name);
    let answer = api.get(&path).await?;
    probing.note("get", "REST-019", &answer, spec_of(&answer)["size"] == 1);
    let body = created.json().unwrap_or_default();
    let missing: Vec<_> = ["uid", "resourceVersion"]
        .into_iter()
        .filter(|key| body["metadata"][*key].as_str().is_none_or(str::is_empty))
        .collect();
    probing.add("uid and resourceVersion", &["REST-013"], created, missing.is_empty(), || {
        format!("a created object has no {}", missing.join(" and no "))
    });
    let answer = api.get(&names.collection).await?;
    let listed = answer.json().is_some_and(|list| list["items"].as_array().is_some_and(|items| !items.is_empty()));
    probing.note("list", "REST-021", &answer, listed);
    let answer = api.merge_patch(&path, &json!({ "spec": { "size": 2 } })).await?;
    probing.note("merge patch", "REST-034", &answer, spec_of(&answer)["size"] == 2);
    let answer = api.get(&names.path("v2", name)).await?;
    let converted = answer.json().is_some_and(|body| body["apiVersion"] == format!("{}/v2", names.group));
    probing.note("an object written at v1 is read at v2", "VER-008", &answer, converted && answer.status.is_success());
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
    probing.add("dry run of objects", &["REST-058"], &answer, probing.dry_runs, || {
        if stored { "the object is stored".to_owned() } else { answer.described() }
    });
    Ok(())
}

async fn schema(probing: &mut Probing<'_>) -> Result<(), Problem> {
    let answer = probing.try_create(&json!({ "unknown": 1, "size": 1 }), "").await?;
    let spec = spec_of(&answer);
    probing.note(PRUNING, "PRUNE-001", &answer, spec["size"] == 1 && spec.get("unknown").is_none());
    let answer = probing.try_create(&json!({}), "").await?;
    probing.note(DEFAULTING, "DEFAULT-001", &answer, spec_of(&answer)["revision"] == 1);
    Ok(())
}

async fn validation(probing: &mut Probing<'_>, name: &str) -> Result<(), Problem> {
    let is_refusal =
        |answer: &Answer| answer.status == StatusCode::UNPROCESSABLE_ENTITY && answer.is_kubernetes_status();
    let by_enum = probing.try_create(&json!({ "colour": "blue" }), "").await?;
    probing.note(ENUM, "VALUE-018", &by_enum, is_refusal(&by_enum));
    let by_type = probing.try_create(&json!({ "size": "large" }), "").await?;
    probing.note("rejection of a wrong type", "VALUE-001", &by_type, is_refusal(&by_type));
    let has_cause = |answer: &Answer, field: &str| {
        let body = answer.json().unwrap_or_default();
        body["details"]["causes"].as_array().is_some_and(|causes| causes.iter().any(|cause| cause["field"] == field))
    };
    let works = has_cause(&by_enum, "spec.colour") && has_cause(&by_type, "spec.size");
    probing.add("causes of rejections", &["REST-005"], &by_type, works, || {
        if is_refusal(&by_enum) || is_refusal(&by_type) {
            "details.causes does not name the field".to_owned()
        } else {
            "nothing was rejected".to_owned()
        }
    });
    let path = probing.names.path("v1", name);
    let answer = probing.api.merge_patch(&path, &json!({ "spec": { "size": "large" } })).await?;
    probing.note("validation of updates", "REST-035", &answer, is_refusal(&answer));
    Ok(())
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
    probing.note("strict field validation", "REST-052", &answer, answer.status == StatusCode::BAD_REQUEST);
    Ok(())
}

async fn deletion(probing: &mut Probing<'_>, name: &str) -> Result<(), Problem> {
    let api = probing.api;
    let path = probing.names.path("v1", name);
    let answer = api.delete(&path, None).await?;
    let after = api.get(&path).await?;
    let works = answer.status.is_success() && after.status == StatusCode::NOT_FOUND;
    let last = if answer.status.is_success() { after } else { answer };
    probing.note("delete", "REST-043", &last, works);
    let answer = api.delete(&probing.names.path("v1", "absent"), None).await?;
    let works = answer.status == StatusCode::NOT_FOUND;
    probing.note("delete of an absent object is an error", "REST-049", &answer, works);
    Ok(())
}
