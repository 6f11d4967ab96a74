//! Conversion between the two versions of events: the same fields with other names.

use serde_json::{Map, Value};

use super::EventVersion;
use crate::wire::shape;

/// Fields that have two names: that of `v1`, and that of `events.k8s.io/v1`.
const NAMES: [[&str; 2]; 7] = [
    ["involvedObject", "regarding"],
    ["message", "note"],
    ["reportingComponent", "reportingController"],
    ["source", "deprecatedSource"],
    ["firstTimestamp", "deprecatedFirstTimestamp"],
    ["lastTimestamp", "deprecatedLastTimestamp"],
    ["count", "deprecatedCount"],
];

/// Converts a decoded event to a version.
pub(super) fn convert(object: &mut Value, to: EventVersion) {
    let Some(members) = object.as_object_mut() else { return };
    if members.get("apiVersion").is_some_and(|version| version == to.api_version()) {
        return;
    }
    let renamed = std::mem::take(members).into_iter().map(|(name, value)| (renamed(name, to), value));
    *members = renamed.collect::<Map<_, _>>();
    members.insert("apiVersion".into(), to.api_version().into());
    // Each version treats zero values differently.
    shape::fit(object, to.kind().object);
}

fn renamed(name: String, to: EventVersion) -> String {
    let known = NAMES.into_iter().find_map(|[core, events]| match to {
        EventVersion::Core => (name == events).then_some(core),
        EventVersion::Events => (name == core).then_some(events),
    });
    known.map_or(name, str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    // As converted by kube-apiserver 1.36.3; the series has no count.
    #[test]
    fn rest_078_events_are_converted_both_ways() {
        let core = json!({
            "apiVersion": "v1", "kind": "Event", "metadata": {"name": "a"},
            "involvedObject": {"kind": "Thing", "namespace": "n"}, "message": "m", "reason": "r",
            "source": {"component": "c"}, "firstTimestamp": "2026-01-01T00:00:00Z", "lastTimestamp": null, "count": 1,
            "eventTime": null, "series": {"lastObservedTime": null}, "reportingComponent": "", "reportingInstance": "",
        });
        let events = json!({
            "apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": {"name": "a"},
            "regarding": {"kind": "Thing", "namespace": "n"}, "note": "m", "reason": "r",
            "deprecatedSource": {"component": "c"}, "deprecatedFirstTimestamp": "2026-01-01T00:00:00Z",
            "deprecatedLastTimestamp": null, "deprecatedCount": 1,
            "eventTime": null, "series": {"count": 0, "lastObservedTime": null},
        });
        let converted = |from: &Value, to| {
            let mut object = from.clone();
            convert(&mut object, to);
            object
        };
        assert_eq!(converted(&core, EventVersion::Events), events);
        assert_eq!(converted(&events, EventVersion::Core), core);
        assert_eq!(converted(&core, EventVersion::Core), core);
    }
}
