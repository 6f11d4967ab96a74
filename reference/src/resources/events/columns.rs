//! The table columns of events.

use std::sync::{Arc, LazyLock};
use std::time::SystemTime;

use serde_json::Value;

use super::{EventVersion, conversion};
use crate::kinds::{CORE_EVENT, EVENT};
use crate::messages::table::{Columns, age};
use crate::metadata::fields;

/// The columns of events in a version.
pub(super) fn columns(version: EventVersion) -> Arc<Columns> {
    static CORE: LazyLock<Arc<Columns>> = LazyLock::new(|| Arc::new(Columns::computed(CORE_EVENT.columns, cells)));
    static EVENTS: LazyLock<Arc<Columns>> = LazyLock::new(|| {
        let converted = |event: &Value, now| {
            let mut event = event.clone();
            conversion::convert(&mut event, EventVersion::Core);
            cells(&event, now)
        };
        Arc::new(Columns::computed(EVENT.columns, converted))
    });
    match version {
        EventVersion::Core => Arc::clone(&CORE),
        EventVersion::Events => Arc::clone(&EVENTS),
    }
}

/// The cells of an event in the core version.
fn cells(event: &Value, now: SystemTime) -> Vec<Value> {
    let text = |pointer: &str| event.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let first_of = |pointers: [&'static str; 2]| pointers.into_iter().map(text).find(|text| !text.is_empty());
    let count = match event["count"].as_i64() {
        // A missing count means one.
        None | Some(0) => 1,
        Some(count) => count,
    };
    let first_seen = age::cell(first_of(["/firstTimestamp", "/eventTime"]).unwrap_or_default(), now);
    let (last_seen, count) = match event.get("series") {
        Some(series) => {
            (age::cell(text("/series/lastObservedTime"), now), series["count"].as_i64().unwrap_or_default())
        }
        None if text("/lastTimestamp").is_empty() => (first_seen.clone(), count),
        None => (age::cell(text("/lastTimestamp"), now), count),
    };
    let mut object = text("/involvedObject/kind").to_lowercase();
    let name = text("/involvedObject/name");
    if !name.is_empty() {
        object = format!("{object}/{name}");
    }
    let mut source = first_of(["/source/component", "/reportingComponent"]).unwrap_or_default().to_owned();
    if let Some(instance) = first_of(["/source/host", "/reportingInstance"]) {
        source = format!("{source}, {instance}");
    }
    vec![
        last_seen.into(),
        text("/type").into(),
        text("/reason").into(),
        object.into(),
        text("/involvedObject/fieldPath").into(),
        source.into(),
        text("/message").trim().into(),
        first_seen.into(),
        count.into(),
        fields::text(event, "name").into(),
    ]
}
