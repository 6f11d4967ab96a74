//! The delay between a write and the reading of its event by many watchers at once.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use http_body_util::BodyExt as _;
use tokio::{task::JoinSet, time::MissedTickBehavior};

use super::{
    OBJECTS,
    client::{self, Client},
    object, post, serve, show,
};

const WATCHERS: usize = 1_000;

/// Measures writes of which every watcher is notified, and writes that only one of them selects.
pub(crate) async fn measure() {
    show("1,000 watchers, 1,000 writes/s, one wants each: p99, ms", turn(1_000, 3_000, true).await, "under 50");
    show("1,000 watchers, 20 writes/s, all want each: p99, ms", turn(20, 60, false).await, "");
}

/// The 99th percentile of the time from the sending of a write to the reading of its event, in milliseconds.
async fn turn(per_second: u32, writes: usize, selected: bool) -> f64 {
    let (url, _server) = serve().await;
    let client = Client::new(32);
    let begin = Instant::now();
    let delays = Arc::new(Mutex::new(Vec::new()));
    let mut watching = JoinSet::new();
    for number in 0..WATCHERS {
        let selector = if selected { format!("&labelSelector=to%3Dw{number}") } else { String::new() };
        let target = format!("{url}{OBJECTS}?watch=true&timeoutSeconds=120{selector}");
        let answer = client.send(client::get(&target)).await;
        assert_eq!(answer.status(), 200, "a watch begins");
        let delays = Arc::clone(&delays);
        watching.spawn(async move {
            let mut events = answer.into_body();
            while let Some(Ok(frame)) = events.frame().await {
                let Ok(event) = frame.into_data() else { continue };
                let now = begin.elapsed();
                // Several events may come in one chunk; each contains the time of sending.
                let text = String::from_utf8_lossy(&event);
                let sent = text.split("\"sent\":\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse().ok());
                let late = sent.map(|sent| now.saturating_sub(Duration::from_nanos(sent)));
                delays.lock().expect("no task panics").extend(late);
            }
        });
    }
    let mut ticks = tokio::time::interval(Duration::from_secs(1) / per_second);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let mut writing = JoinSet::new();
    for number in 0..writes {
        ticks.tick().await;
        let (client, url) = (client.clone(), url.clone());
        writing.spawn(async move {
            let mut object = object(&format!("x{number}"));
            object["metadata"]["labels"]["to"] = format!("w{}", number % WATCHERS).into();
            object["metadata"]["annotations"] = serde_json::json!({ "sent": begin.elapsed().as_nanos().to_string() });
            post(&client, &url, OBJECTS, &object).await;
        });
    }
    while writing.join_next().await.is_some() {}
    let expected = if selected { writes } else { writes * WATCHERS };
    let patience = Instant::now();
    while delays.lock().expect("no task panics").len() < expected && patience.elapsed() < Duration::from_secs(30) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    watching.abort_all();
    let mut delays = std::mem::take(&mut *delays.lock().expect("no task panics"));
    assert_eq!(delays.len(), expected, "an event for each write and who wants it");
    delays.sort_unstable();
    delays[delays.len() * 99 / 100].as_secs_f64() * 1000.0
}
