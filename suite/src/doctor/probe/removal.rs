//! Removes what a probe wrote: its definitions, and the objects that a server keeps without them.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::names::Names;
use super::rates::at_once;
use super::{Feature, Probe};
use crate::connection::TargetError;
use crate::doctor::clean::remove_named;
use crate::doctor::client::Client;

/// How long the definitions may take to disappear, with some hundred objects.
const DEFINITIONS_LIMIT: Duration = Duration::from_secs(10);

/// How long the removal of objects that outlive their definition may take.
const OBJECTS_LIMIT: Duration = Duration::from_secs(5);

/// Removes everything, and notes what the server did not remove by itself.
pub(super) async fn all(api: &Arc<Client>, names: &Names, probe: &mut Probe) -> Result<(), TargetError> {
    let begun = Instant::now();
    let cleaned = remove_named(api, &names.run, &names.definitions(), DEFINITIONS_LIMIT).await?;
    if !cleaned.removed.is_empty() {
        probe.costs.removed = Some(begun.elapsed());
    }
    if probe.costs.served.is_none() {
        return Ok(());
    }
    let first = objects(api, names).await?;
    probe.features.push(Feature {
        what: "objects are removed with their definition",
        requirements: vec!["LIFE-015"],
        works: first.is_empty(),
        detail: match first.len() {
            0 => String::new(),
            count => format!("{count} were still there; the probe has removed them one by one"),
        },
    });
    let mut left = first;
    while !left.is_empty() {
        if begun.elapsed() > DEFINITIONS_LIMIT + OBJECTS_LIMIT {
            let names = format!("{} objects of {}", left.len(), names.definition);
            return Err(TargetError::StillThere { names, waited: begun.elapsed().as_secs() });
        }
        let paths: Arc<Vec<String>> = Arc::new(left.iter().map(|name| names.path("v1", name)).collect());
        let count = paths.len();
        at_once(api, count, OBJECTS_LIMIT, move |api, number| {
            let paths = Arc::clone(&paths);
            async move { api.delete(&paths[number], None).await.map(drop).map_err(TargetError::from) }
        })
        .await?;
        left = objects(api, names).await?;
    }
    Ok(())
}

/// The names of the objects that the server still has. Where nothing is served any more, there are none.
async fn objects(api: &Client, names: &Names) -> Result<Vec<String>, TargetError> {
    let list = api.get(&names.collection).await?;
    if !list.status.is_success() {
        return Ok(Vec::new());
    }
    let body = list.json().unwrap_or_default();
    let items = body["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    Ok(items.iter().filter_map(|item| item["metadata"]["name"].as_str()).map(str::to_owned).collect())
}
