//! The measurements of a probe, in sequence. None depends on an optional feature of the server.

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use serde_json::json;
use tokio::time::Instant;

use super::names::{Names, definition_path, versions};
use super::probing::{Pauses, Probing, spec_of};
use super::rates::rates;
use super::{Probe, Problem, definitions, objects, webhooks};
use crate::connection::TargetError;
use crate::doctor::client::{Answer, Client};
use crate::marks::DEFINITIONS;
use crate::webhook::Host;

/// How long objects may take to be served. In a highly available set-up a definition is established 5 s later.
const SERVING: Duration = Duration::from_secs(8);

/// How long conditions may take after objects are served.
const CONDITIONS: Duration = Duration::from_secs(3);

/// How long a server without conditions gets before the first object is tried.
const UNTRIED: Duration = Duration::from_millis(500);

/// Runs all measurements, and writes each result to `probe` at once.
pub(super) async fn all(api: &Arc<Client>, names: &Names, hooks: &Host, probe: &mut Probe) -> Result<(), Problem> {
    let mut probing = Probing::new(api, names, probe);
    let served = establish(&mut probing).await?;
    definitions::features(&mut probing).await?;
    let (first, created) = served?;
    objects::features(&mut probing, &first, &created).await?;
    change_schema(&mut probing).await?;
    webhooks::feature(&mut probing, hooks).await?;
    rates(api, names, &mut probing.probe.costs).await?;
    Ok(())
}

/// Creates the definition, and waits until an object is accepted, and for the condition, if it may still come. Returns
/// the first object's name and the answer to its creation, or why there is none.
async fn establish(probing: &mut Probing<'_>) -> Result<Result<(String, Answer), Problem>, Problem> {
    let begun = Instant::now();
    probing.api.post(DEFINITIONS, &probing.names.document(1)).await?.accepted()?;
    let path = definition_path(&probing.names.definition);
    let mut first = Err(Problem::NotServed { waited: Duration::ZERO, seen: "nothing was tried".to_owned() });
    let (mut first_at, mut pauses) = (begun, Pauses::default());
    loop {
        let answer = probing.api.get(&path).await?;
        let conditions = answer.json().unwrap_or_default()["status"]["conditions"].take();
        let conditions = conditions.as_array().map(Vec::as_slice).unwrap_or_default();
        let is_established = conditions.iter().any(|entry| entry["type"] == "Established" && entry["status"] == "True");
        if is_established {
            probing.probe.costs.established.get_or_insert(begun.elapsed());
        }
        if first.is_err() && (is_established || begun.elapsed() >= UNTRIED) {
            first = first_object(probing, begun).await?;
            first_at = Instant::now();
        }
        // A server that writes conditions may be a highly available one.
        let is_late = conditions.is_empty() && first.is_ok() && first_at.elapsed() >= CONDITIONS;
        if (is_established && first.is_ok()) || is_late || begun.elapsed() >= SERVING {
            let waited = begun.elapsed();
            probing.add("condition Established", &["LIFE-002"], &answer, is_established, || {
                format!("not within {waited:.0?}; status.conditions is {}", json!(conditions))
            });
            return Ok(first);
        }
        pauses.next().await;
    }
}

/// Tries to create the first object, each time under another name.
async fn first_object(
    probing: &mut Probing<'_>,
    begun: Instant,
) -> Result<Result<(String, Answer), Problem>, TargetError> {
    probing.tried += 1;
    let name = format!("first-{}", probing.tried);
    let answer =
        probing.api.post(&probing.names.collection, &probing.names.object(&name, &json!({ "size": 1 }))).await?;
    if answer.status.is_success() {
        probing.probe.costs.served = Some(begun.elapsed());
        return Ok(Ok((name, answer)));
    }
    if matches!(answer.status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
        return Err(answer.refusal());
    }
    Ok(Err(Problem::NotServed { waited: begun.elapsed(), seen: answer.described() }))
}

/// Changes the schema, and waits until what the server does with it shows that it is served.
async fn change_schema(probing: &mut Probing<'_>) -> Result<(), Problem> {
    let works = |what| probing.probe.works(what);
    let (defaults, prunes, checks) = (works(objects::DEFAULTING), works(objects::PRUNING), works(objects::ENUM));
    if !defaults && !prunes && !checks {
        // Nothing could show that the new schema is served.
        return Ok(());
    }
    let (begun, limit) = (Instant::now(), probing.settling());
    let patch = json!({ "spec": { "versions": versions(2) } });
    let mut answer = probing.api.merge_patch(&definition_path(&probing.names.definition), &patch).await?;
    let (mut is_served, mut pauses) = (false, Pauses::default());
    if answer.status.is_success() {
        while !is_served && begun.elapsed() < limit {
            pauses.next().await;
            answer = probing.try_create(&json!({ "added": 1, "colour": "blue" }), "").await?;
            let spec = spec_of(&answer);
            is_served =
                answer.status.is_success() && (!defaults || spec["revision"] == 2) && (!prunes || spec["added"] == 1);
        }
    }
    if is_served {
        probing.probe.costs.schema_change = Some(begun.elapsed());
    }
    probing.add("a changed schema is served", &["LIFE-024"], &answer, is_served, || {
        let spec = spec_of(&answer);
        let seen = match spec.get("revision") {
            Some(revision) if defaults => format!("spec.revision is still {revision}"),
            _ if spec.is_object() => "spec.added is still pruned".to_owned(),
            _ => answer.described(),
        };
        format!("{seen} after {:.0?}", begun.elapsed())
    });
    Ok(())
}
