//! Features of definitions.

use http::StatusCode;
use serde_json::Value;
use tokio::time::Instant;

use super::names::definition_path;
use super::probing::{Probing, hides};
use super::{Problem, Support};
use crate::marks::DEFINITIONS;

/// Tries what a server does with definitions. Each one that is created by mistake is removed.
pub(super) async fn features(probing: &mut Probing<'_>) -> Result<(), Problem> {
    dry_run(probing).await?;
    validation(probing).await?;
    discovery(probing).await
}

async fn dry_run(probing: &mut Probing<'_>) -> Result<(), Problem> {
    let (api, names) = (probing.api, probing.names);
    let answer = api.post(&format!("{DEFINITIONS}?dryRun=All"), &names.draft_document()).await?;
    let path = definition_path(&names.draft());
    let after = api.get(&path).await?;
    let stored = after.status.is_success();
    if stored {
        api.delete(&path, None).await?;
    }
    let works = answer.status.is_success() && after.status == StatusCode::NOT_FOUND;
    let last = if answer.status.is_success() { &after } else { &answer };
    probing.add("dry run of definitions", &["REST-058"], last, works, || {
        if stored { "the definition is stored".to_owned() } else { last.described() }
    });
    Ok(())
}

async fn validation(probing: &mut Probing<'_>) -> Result<(), Problem> {
    const WHAT: &str = "validation of definitions";
    let (mut accepted, mut requirements, mut hidden) = (Vec::new(), Vec::new(), None);
    let invalid = probing.names.invalid();
    for invalid in &invalid {
        let answer = probing.api.post(DEFINITIONS, &invalid.body).await?;
        if answer.status.is_success() {
            probing.api.delete(&definition_path(&invalid.name), None).await?;
        }
        if hides(&answer) {
            hidden = Some(answer);
        } else if !matches!(answer.status, StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY) {
            accepted.push(format!("{} ({})", invalid.what, answer.status));
            requirements.push(invalid.requirement);
        }
    }
    let all: Vec<_> = invalid.iter().map(|invalid| invalid.requirement).collect();
    match hidden {
        _ if !requirements.is_empty() => {
            let detail = format!("not rejected with 400 or 422: {}", accepted.join(", "));
            probing.push(WHAT, &requirements, Support::Missing, &detail);
        }
        Some(answer) => probing.add(WHAT, &all, &answer, false, String::new),
        None => probing.push(WHAT, &all, Support::Works, ""),
    }
    Ok(())
}

async fn discovery(probing: &mut Probing<'_>) -> Result<(), Problem> {
    let group = &probing.names.group;
    let until = Instant::now() + probing.settling();
    let lists = |body: &Value| {
        let groups = body["groups"].as_array().map(Vec::as_slice).unwrap_or_default();
        groups.iter().any(|entry| entry["name"] == **group)
    };
    let (answer, works) = probing.settled("/apis", lists, until).await?;
    probing.note("discovery of groups", "DISC-002", &answer, works);
    let is_group = |body: &Value| body["kind"] == "APIGroup" && body["name"] == **group;
    let (answer, works) = probing.settled(&format!("/apis/{group}"), is_group, until).await?;
    probing.note("discovery of a group", "DISC-003", &answer, works);
    let has_resource = |body: &Value| {
        let resources = body["resources"].as_array().map(Vec::as_slice).unwrap_or_default();
        resources.iter().any(|entry| entry["name"] == "things")
    };
    let (answer, works) = probing.settled(&format!("/apis/{group}/v1"), has_resource, until).await?;
    probing.note("discovery of resources", "DISC-004", &answer, works);
    Ok(())
}
