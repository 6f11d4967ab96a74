//! Many requests at once: the rates of creates and gets, and the removal of many objects.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::Probing;
use super::measurements::{Measure, Measured, WORKERS};
use super::names::Names;
use crate::connection::TargetError;
use crate::doctor::client::Client;

/// Rates are measured over this many requests, or for [`RATE_TIME`].
const RATE_REQUESTS: usize = 400;

/// See [`RATE_REQUESTS`].
const RATE_TIME: Duration = Duration::from_secs(1);

/// Measures creates, then gets, and notes each rate at once.
pub(super) async fn rates(api: &Arc<Client>, names: &Names, probing: &mut Probing<'_>) -> Result<(), TargetError> {
    let collection: Arc<str> = names.collection.as_str().into();
    let objects: Arc<Vec<Value>> = Arc::new(
        (0..RATE_REQUESTS).map(|number| names.object(&format!("rate-{number}"), &json!({ "size": number }))).collect(),
    );
    let into = Arc::clone(&collection);
    let creates = rate(api, move |api, number| {
        let (collection, objects) = (Arc::clone(&into), Arc::clone(&objects));
        async move { Ok(api.post(&collection, &objects[number]).await?.accepted().is_ok()) }
    })
    .await?;
    probing.note(Measure::Creates, creates);
    let gets = rate(api, move |api, number| {
        let collection = Arc::clone(&collection);
        // The first object of each worker was created, even if time ran out above.
        async move { Ok(api.get(&format!("{collection}/rate-{}", number % WORKERS)).await?.accepted().is_ok()) }
    })
    .await?;
    probing.note(Measure::Gets, gets);
    Ok(())
}

/// Requests per second, unless a request had no success: a refusal costs something else.
async fn rate<F, R>(api: &Arc<Client>, request: F) -> Result<Measured, TargetError>
where
    F: Fn(Arc<Client>, usize) -> R + Clone + Send + 'static,
    R: Future<Output = Result<bool, TargetError>> + Send,
{
    let begun = Instant::now();
    let (done, successful) = at_once(api, RATE_REQUESTS, RATE_TIME, request).await?;
    let rate = f64::from(done) / begun.elapsed().as_secs_f64().max(f64::EPSILON);
    let failed = || Measured::Failed(format!("not measured: {} of {done} requests failed", done - successful));
    Ok(if done == successful { Measured::Rate(rate) } else { failed() })
}

/// Sends requests, [`WORKERS`] at once, until `count` are answered or `limit` has passed; returns how many were
/// answered, and how many of these successfully. Worker `w` sends numbers `w`, `w + WORKERS`, ….
pub(super) async fn at_once<F, R>(
    api: &Arc<Client>,
    count: usize,
    limit: Duration,
    request: F,
) -> Result<(u32, u32), TargetError>
where
    F: Fn(Arc<Client>, usize) -> R + Clone + Send + 'static,
    R: Future<Output = Result<bool, TargetError>> + Send,
{
    let begun = Instant::now();
    let mut workers = JoinSet::new();
    for worker in 0..WORKERS {
        let (api, request) = (Arc::clone(api), request.clone());
        workers.spawn(async move {
            let (mut done, mut successful) = (0_u32, 0_u32);
            for number in (worker..count).step_by(WORKERS) {
                successful += u32::from(request(Arc::clone(&api), number).await?);
                done += 1;
                if begun.elapsed() > limit {
                    break;
                }
            }
            Ok::<_, TargetError>((done, successful))
        });
    }
    let (mut done, mut successful) = (0_u32, 0_u32);
    while let Some(worker) = workers.join_next().await {
        // A worker that panicked or was cancelled does not count.
        let (answered, succeeded) = worker.unwrap_or(Ok((0, 0)))?;
        done += answered;
        successful += succeeded;
    }
    Ok((done, successful))
}
