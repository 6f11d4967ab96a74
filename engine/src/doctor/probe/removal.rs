//! Removes what a probe wrote: the definition that it measures with, what is left of those by which capabilities were
//! tried, and the objects that a server keeps without their definition.

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use tokio::time::Instant;

use super::measurements::{Measure, Measured};
use super::names::Names;
use super::rates::at_once;
use super::{Probing, Unremoved};
use crate::connection::TargetError;
use crate::created::CreatedObject;
use crate::doctor::clean::remove_created;
use crate::doctor::client::{Answer, Client};

/// How long the definitions may take to disappear, with some hundred objects.
const DEFINITIONS_LIMIT: Duration = Duration::from_secs(10);

/// How long the removal of objects that outlive their definition may take.
const OBJECTS_LIMIT: Duration = Duration::from_secs(5);

/// The pause before objects are listed again, which doubles up to the second value.
const PAUSES: (Duration, Duration) = (Duration::from_millis(20), Duration::from_millis(500));

/// Removes everything, also what was `left` before, and notes what the server did not remove by itself.
pub(super) async fn all(
    api: &Arc<Client>,
    names: &Names,
    left: Vec<CreatedObject>,
    probing: &mut Probing<'_>,
) -> Result<(), Unremoved> {
    let begun = Instant::now();
    let own = CreatedObject::definition(&names.definition);
    let created: Vec<CreatedObject> = left.into_iter().chain([own.clone()]).collect();
    let cleaned = match remove_created(api, &names.run, &created, DEFINITIONS_LIMIT).await {
        Ok(cleaned) => cleaned,
        Err(error) => return Err(Unremoved::Definitions { error, names: created }),
    };
    if cleaned.removed.contains(&own) {
        probing.note(Measure::Removed, Measured::Time(begun.elapsed()));
    }
    if probing.took(Measure::Served).is_none() {
        return Ok(());
    }
    let (first, hidden) = match objects(api, names).await {
        Ok(found) => found,
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    let left = if first.is_empty() { 0 } else { one_by_one(api, names, first.clone()).await };
    let result = match (first.len(), &hidden) {
        (0, None) => Measured::Nothing,
        (0, Some(seen)) => Measured::Failed(seen.replace(&names.group, "…")),
        (count, _) if left == 0 => {
            Measured::Failed(format!("{count} were still there (LIFE-015); the probe has removed them one by one"))
        }
        (count, _) => {
            let removed = count.saturating_sub(left);
            Measured::Failed(format!("{count} were still there (LIFE-015); the probe could remove {removed} of them"))
        }
    };
    probing.note(Measure::Left, result);
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
        let paths: Arc<Vec<String>> = Arc::new(left.iter().map(|name| names.path(name)).collect());
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

/// Whether the answer hides what the server has: no permission, or an error of the server other than that it
/// implements no such thing.
fn hides(answer: &Answer) -> bool {
    let status = answer.status;
    matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN)
        || status.is_server_error() && status != StatusCode::NOT_IMPLEMENTED
}
