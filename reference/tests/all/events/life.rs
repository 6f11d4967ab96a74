//! How events are deleted and expire.

use crdible_reference::Options;
use serde_json::json;

use super::{CORE, EVENTS, core, event, involved, with};
use crate::clock::{NEW_YEAR, TestClock};
use crate::support::{NAMESPACES, Target, condition, condition_with};

#[test]
fn rest_044_deletion_ignores_the_policy() {
    let target = Target::new();
    let metadata = json!({"metadata": {"name": "a", "finalizers": ["orphan", "a.b/c"], "generation": 7}});
    target.create(CORE, &with(core("a"), &metadata));
    let deleted = target.delete_with(&format!("{CORE}/a"), &json!({"propagationPolicy": "Orphan"}));
    let metadata = &deleted.body["metadata"];
    assert_eq!((deleted.code, &metadata["finalizers"], &metadata["generation"]), (200, &json!(["a.b/c"]), &json!(8)));
    let finalizers = json!({"metadata": {"finalizers": null}});
    assert_eq!(target.merge(&format!("{CORE}/a"), &finalizers).code, 200);
    assert_eq!(target.get(&format!("{CORE}/a")).code, 404);
    target.create(EVENTS, &event("b"));
    let deleted = target.delete(&format!("{EVENTS}/b"));
    assert_eq!((deleted.code, &deleted.body["details"]["group"]), (200, &json!("events.k8s.io")));
    target.create(CORE, &core("c"));
    assert_eq!(target.delete(CORE).names(), ["c"]);
}

#[test]
fn rest_074_events_are_deleted_with_their_namespace() {
    let target = Target::new();
    assert_eq!(target.post(NAMESPACES, &json!({"metadata": {"name": "mine"}})).code, 201);
    let path = "/api/v1/namespaces/mine/events";
    target.create(path, &with(core("a"), &involved("mine")));
    let held = json!({"metadata": {"name": "b", "finalizers": ["a.b/c"]}, "involvedObject": {"namespace": "mine"}});
    target.create(path, &with(core("b"), &held));
    assert_eq!(target.delete("/api/v1/namespaces/mine").code, 200);
    assert_eq!(target.get(path).names(), ["b"]);
    let namespace = target.get("/api/v1/namespaces/mine").body;
    assert_eq!(condition(&namespace, "NamespaceContentRemaining"), "True SomeResourcesRemain");
    let message = condition_with(&namespace, "NamespaceContentRemaining", "message");
    assert!(message.contains("events.events.k8s.io has 1 resource instances"), "{message}");
    for (path, group) in [(path, None), ("/apis/events.k8s.io/v1/namespaces/mine/events", Some("events.k8s.io"))] {
        let refused = target.post(path, &if group.is_none() { core("c") } else { event("c") });
        assert_eq!((refused.code, refused.body["details"]["group"].as_str()), (403, group));
    }
    assert_eq!(target.put(&format!("{path}/d"), &with(core("d"), &involved("mine"))).code, 403);
    assert_eq!(target.merge(&format!("{path}/b"), &json!({"metadata": {"finalizers": null}})).code, 200);
    assert_eq!(target.get("/api/v1/namespaces/mine").code, 404);
}

#[test]
fn rest_079_an_event_expires_an_hour_after_its_last_write() {
    let clock = TestClock::at(NEW_YEAR);
    let target = Target::with_options(clock.options());
    target.create(CORE, &core("a"));
    target.create(CORE, &core("b"));
    clock.pass_seconds(1800);
    assert_eq!(target.merge(&format!("{CORE}/b"), &json!({"count": 2})).code, 200);
    target.create(EVENTS, &event("c"));
    clock.pass_seconds(1799);
    assert_eq!(target.get(CORE).names(), ["a", "b", "c"]);
    clock.pass_seconds(2);
    assert_eq!(target.get(EVENTS).names(), ["b", "c"]);
    assert_eq!(target.get(&format!("{CORE}/a")).code, 404);
    clock.pass_seconds(1800);
    assert_eq!(target.get(CORE).names(), [""; 0]);
}

#[test]
fn rest_079_the_oldest_events_are_deleted_above_the_limit() {
    let target = Target::with_options(Options { events: 20, ..Options::default() });
    for number in 100..400 {
        target.create(CORE, &core(&format!("e{number}")));
        assert_eq!(target.merge(&format!("{CORE}/e100"), &json!({"count": number})).code, 200);
        let list = target.get(CORE);
        assert!(list.names().len() <= 20, "{:?}", list.names());
        assert!(list.names().contains(&format!("e{number}").as_str()));
        assert!(list.names().contains(&"e100"), "it was just written");
    }
    assert!(target.get(CORE).names().len() >= 18);
    let none = Target::with_options(Options { events: 0, ..Options::default() });
    none.create(CORE, &core("a"));
    assert_eq!(none.get(CORE).names(), [""; 0]);
}
