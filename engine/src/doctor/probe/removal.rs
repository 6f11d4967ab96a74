//! Removes what a probe wrote: its definitions, and the objects that a server keeps without them.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::names::Names;
use super::probing::hides;
use super::rates::at_once;
use super::{Feature, Probe, Support, Unremoved};
use crate::connection::TargetError;
use crate::doctor::clean::remove_created;
use crate::doctor::client::Client;

/// How long the definitions may take to disappear, with some hundred objects.
const DEFINITIONS_LIMIT: Duration = Duration::from_secs(10);

/// How long the removal of objects that outlive their definition may take.
const OBJECTS_LIMIT: Duration = Duration::from_secs(5);

/// The pause before objects are listed again, which doubles up to the second value.
const PAUSES: (Duration, Duration) = (Duration::from_millis(20), Duration::from_millis(500));

/// Removes everything, and notes what the server did not remove by itself.
pub(super) async fn all(api: &Arc<Client>, names: &Names, probe: &mut Probe) -> Result<(), Unremoved> {
    let begun = Instant::now();
    let cleaned = remove_created(api, &names.run, &names.definitions(), DEFINITIONS_LIMIT).await;
    if !cleaned.map_err(Unremoved::Definitions)?.removed.is_empty() {
        probe.costs.removed = Some(begun.elapsed());
    }
    if probe.costs.served.is_none() {
        return Ok(());
    }
    let (first, hidden) = match objects(api, names).await {
        Ok(found) => found,
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    let left = if first.is_empty() { 0 } else { one_by_one(api, names, first.clone()).await };
    let (support, detail) = match (first.len(), &hidden) {
        (0, None) => (Support::Works, String::new()),
        (0, Some(seen)) => (Support::NotTried, seen.clone()),
        (count, _) if left == 0 => {
            (Support::Missing, format!("{count} were still there; the probe has removed them one by one"))
        }
        (count, _) => (
            Support::Missing,
            format!("{count} were still there; the probe could remove {} of them", count.saturating_sub(left)),
        ),
    };
    probe.features.push(Feature {
        what: "objects are removed with their definition",
        requirements: vec!["LIFE-015"],
        support,
        detail: detail.replace(&names.group, "…"),
    });
    match (left, hidden) {
        (0, None) => Ok(()),
        (0, Some(seen)) => Err(Unremoved::Unseen(seen)),
        (count, _) => Err(Unremoved::Objects { count, collection: names.collection.clone() }),
    }
}

/// Deletes objects until the server has none; returns how many it still has after [`OBJECTS_LIMIT`].
/// Whatever error there is, the objects are left.
async fn one_by_one(api: &Arc<Client>, names: &Names, mut left: Vec<String>) -> usize {
    let begun = Instant::now();
    let mut pause = PAUSES.0;
    loop {
        let paths: Arc<Vec<String>> = Arc::new(left.iter().map(|name| names.path("v1", name)).collect());
        let sent = at_once(api, paths.len(), OBJECTS_LIMIT, move |api, number| {
            let paths = Arc::clone(&paths);
            async move { Ok(api.delete(&paths[number], None).await?.status.is_success()) }
        });
        if sent.await.is_err() || begun.elapsed() > OBJECTS_LIMIT {
            return objects(api, names).await.map_or(left.len(), |(still, _)| still.len());
        }
        match objects(api, names).await {
            Ok((still, None)) => left = still,
            _ => return left.len(),
        }
        if left.is_empty() {
            return 0;
        }
        // What is deleted may take a moment; a server that deletes nothing must not be flooded.
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(PAUSES.1);
    }
}

/// The names of the objects that the server still has, and the answer if it hides them. Where nothing is served any
/// more, there are none.
async fn objects(api: &Client, names: &Names) -> Result<(Vec<String>, Option<String>), TargetError> {
    let list = api.get(&names.collection).await?;
    if !list.status.is_success() {
        return Ok((Vec::new(), hides(&list).then(|| list.described())));
    }
    let body = list.json().unwrap_or_default();
    let items = body["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    let found = items.iter().filter_map(|item| item["metadata"]["name"].as_str()).map(str::to_owned).collect();
    Ok((found, None))
}
