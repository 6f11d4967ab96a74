//! A server with delayed steps after writes of definitions (LIFE-002, LIFE-003), under a clock that the test controls.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use crdible_reference::{Clock, Content, Manifests, Options};
use http::Request;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::support::{DEFINITIONS, THINGS, Target, thing, things};

const THINGS_DEFINITION: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com";
const DELAY: Duration = Duration::from_secs(10);
/// A millisecond less than `DELAY`.
const NEARLY: Duration = Duration::from_millis(9_999);

/// A clock that only advances when the test sets it.
struct ManualClock(Mutex<SystemTime>);

impl Clock for ManualClock {
    fn now(&self) -> SystemTime {
        *self.0.lock().expect("a lock")
    }
}

struct Slow {
    target: Target,
    clock: Arc<ManualClock>,
}

impl Slow {
    fn new() -> Self {
        let clock = Arc::new(ManualClock(Mutex::new(UNIX_EPOCH + Duration::from_secs(1_800_000_000))));
        let options =
            Options { clock: Arc::clone(&clock) as Arc<dyn Clock>, settle_delay: DELAY, ..Options::default() };
        Self { target: Target::with_options(options), clock }
    }

    fn pass(&self, time: Duration) {
        *self.clock.0.lock().expect("a lock") += time;
    }

    /// A server with `things()`, after all its steps.
    fn with_things() -> Self {
        let slow = Self::new();
        slow.target.install(&things());
        slow.pass(3 * DELAY);
        assert_eq!(slow.seen(), Seen::all());
        slow
    }

    /// Changes the default of `spec.d`, and its description to the same text.
    fn change_default(&self, to: &str) {
        let path = |keyword| format!("/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/d/{keyword}");
        let patch = json!([
            {"op": "replace", "value": to, "path": path("default")},
            {"op": "add", "value": to, "path": path("description")},
        ]);
        assert_eq!(self.target.json_patch(THINGS_DEFINITION, &patch).code, 200);
    }

    /// The default of `spec.d` that the server applies.
    fn default_in_force(&self) -> String {
        let made = self.target.post(&format!("{THINGS}?dryRun=All"), &thing("any", &json!({})));
        made.body["spec"]["d"].as_str().unwrap_or_default().to_owned()
    }

    /// The default that `OpenAPI` versions 3 and 2 document. It is read from the description, because version 2 has no
    /// defaults.
    fn default_documented(&self) -> [String; 2] {
        let of = |path: &str, schemas: &str| {
            let document = self.target.get(path).body;
            let schema = document.pointer(schemas).and_then(|schemas| schemas.get("com.example.v1.Thing")).cloned();
            let description =
                schema.unwrap_or_default()["properties"]["spec"]["properties"]["d"]["description"].clone();
            description.as_str().unwrap_or_default().to_owned()
        };
        [of("/openapi/v3/apis/example.com/v1", "/components/schemas"), of("/openapi/v2", "/definitions")]
    }

    fn seen(&self) -> Seen {
        let definition = self.target.get(THINGS_DEFINITION).body;
        let condition = |name: &str| {
            let conditions = definition["status"]["conditions"].as_array()?;
            let found = conditions.iter().find(|condition| condition["type"] == name)?;
            Some(format!("{} {}", found["status"].as_str()?, found["reason"].as_str()?))
        };
        Seen {
            names_accepted: condition("NamesAccepted"),
            established: condition("Established"),
            served: self.target.get(THINGS).code,
            discovered: self.target.get("/apis/example.com/v1").code,
            documented: self.target.get("/openapi/v3/apis/example.com/v1").code,
        }
    }
}

/// What clients see of `things.example.com`.
#[derive(Debug, PartialEq)]
struct Seen {
    names_accepted: Option<String>,
    established: Option<String>,
    served: u16,
    discovered: u16,
    documented: u16,
}

impl Seen {
    fn nothing() -> Self {
        Self { names_accepted: None, established: None, served: 404, discovered: 404, documented: 404 }
    }

    fn all() -> Self {
        Self {
            names_accepted: Some("True NoConflicts".to_owned()),
            established: Some("True InitialNamesAccepted".to_owned()),
            served: 200,
            discovered: 200,
            documented: 200,
        }
    }
}

#[test]
fn life_002_a_definition_is_established_step_by_step() {
    let slow = Slow::new();
    slow.target.install(&things());
    assert_eq!(slow.seen(), Seen::nothing());
    slow.pass(NEARLY);
    assert_eq!(slow.seen(), Seen::nothing());
    slow.pass(Duration::from_millis(1));
    let installing = Some("False Installing".to_owned());
    assert_eq!(slow.seen(), Seen { established: installing, discovered: 404, documented: 404, ..Seen::all() });
    slow.pass(DELAY);
    assert_eq!(slow.seen(), Seen { discovered: 404, documented: 404, ..Seen::all() });
    slow.pass(DELAY);
    assert_eq!(slow.seen(), Seen::all());
}

#[test]
fn overdue_steps_are_all_executed() {
    let slow = Slow::new();
    slow.target.install(&things());
    slow.pass(100 * DELAY);
    assert_eq!(slow.seen(), Seen::all());
}

#[test]
fn life_003_a_changed_schema_is_served_later() {
    let slow = Slow::with_things();
    slow.change_default("new");
    assert_eq!(slow.default_in_force(), "dd");
    slow.pass(DELAY);
    assert_eq!(slow.default_in_force(), "new");
}

#[test]
fn life_003_each_write_takes_effect_after_its_own_delay() {
    let slow = Slow::with_things();
    slow.change_default("one");
    slow.pass(DELAY / 2);
    slow.change_default("two");
    let steps = [(DELAY / 2, "one"), (Duration::from_millis(4_999), "one"), (Duration::from_millis(1), "two")];
    for (time, expected) in steps {
        slow.pass(time);
        assert_eq!(slow.default_in_force(), expected);
    }
}

#[test]
fn oapi_008_each_write_is_documented_after_its_own_delay() {
    let slow = Slow::with_things();
    slow.change_default("one");
    slow.pass(DELAY / 2);
    slow.change_default("two");
    slow.pass(DELAY / 2 + DELAY + NEARLY);
    assert_eq!((slow.default_in_force().as_str(), slow.default_documented()), ("two", ["", ""].map(str::to_owned)));
    slow.pass(Duration::from_millis(1));
    assert_eq!(slow.default_documented(), ["one", "one"]);
    slow.pass(DELAY / 2);
    assert_eq!(slow.default_documented(), ["two", "two"]);
}

#[test]
fn life_010_names_are_accepted_for_each_write_separately() {
    let slow = Slow::with_things();
    let rename = |name: &str| {
        let patch = json!({"spec": {"names": {"shortNames": [name]}}});
        assert_eq!(slow.target.merge(THINGS_DEFINITION, &patch).code, 200);
    };
    let accepted = || slow.target.get(THINGS_DEFINITION).body["status"]["acceptedNames"]["shortNames"].clone();
    rename("a");
    slow.pass(DELAY / 2);
    rename("b");
    assert_eq!(accepted(), Value::Null);
    slow.pass(DELAY / 2);
    assert_eq!(accepted(), json!(["a"]));
    assert_eq!(
        slow.target.get(THINGS_DEFINITION).body["spec"]["names"]["shortNames"],
        json!(["b"]),
        "the second write is stored already"
    );
    slow.pass(DELAY / 2);
    assert_eq!(accepted(), json!(["b"]));
}

#[test]
fn life_015_a_deletion_after_a_write_takes_effect_after_its_own_delay() {
    let slow = Slow::with_things();
    slow.change_default("new");
    slow.pass(DELAY / 2);
    assert_eq!(slow.target.delete(THINGS_DEFINITION).code, 200);
    slow.pass(DELAY / 2);
    assert_eq!((slow.default_in_force().as_str(), slow.target.get(THINGS_DEFINITION).code), ("new", 200));
    slow.pass(DELAY / 2);
    assert_eq!(slow.seen(), Seen { discovered: 200, documented: 200, ..Seen::nothing() });
    slow.pass(DELAY);
    slow.pass(DELAY);
    assert_eq!(slow.seen(), Seen::nothing());
}

/// Deleting a namespace deletes all its objects, including those of definitions that discovery does not list yet.
#[test]
fn deleting_a_namespace_deletes_undiscovered_objects() {
    let slow = Slow::new();
    let (path, others) = ("/api/v1/namespaces/other", "/apis/example.com/v1/namespaces/other/things");
    assert_eq!(slow.target.post("/api/v1/namespaces", &json!({"metadata": {"name": "other"}})).code, 201);
    slow.target.install(&things());
    slow.pass(DELAY);
    assert_eq!(slow.target.post(others, &thing("a", &json!({}))).code, 201);
    assert_eq!(slow.seen().discovered, 404);
    assert_eq!(slow.target.delete(path).code, 200);
    assert_eq!((slow.target.get(path).code, slow.target.get(others).names()), (404, Vec::new()));
}

#[test]
fn disc_001_an_added_version_is_discovered_later_than_served() {
    let slow = Slow::with_things();
    let mut second = things()["spec"]["versions"][0].clone();
    (second["name"], second["storage"]) = ("v2".into(), false.into());
    let add = json!([{"op": "add", "path": "/spec/versions/-", "value": second}]);
    assert_eq!(slow.target.json_patch(THINGS_DEFINITION, &add).code, 200);
    let codes = || ["/apis/example.com/v2/things", "/apis/example.com/v2"].map(|path| slow.target.get(path).code);
    assert_eq!(codes(), [404, 404]);
    slow.pass(DELAY);
    assert_eq!(codes(), [200, 404]);
    slow.pass(2 * DELAY);
    assert_eq!(codes(), [200, 200]);
}

#[test]
fn life_015_a_deleted_definition_is_removed_later() {
    let slow = Slow::with_things();
    assert_eq!(slow.target.post(THINGS, &thing("a", &json!({}))).code, 201);
    assert_eq!(slow.target.delete(THINGS_DEFINITION).code, 200);
    assert_eq!((slow.target.get(THINGS_DEFINITION).code, slow.target.get(&format!("{THINGS}/a")).code), (200, 200));
    slow.pass(DELAY);
    assert_eq!(slow.seen(), Seen { discovered: 200, documented: 200, ..Seen::nothing() });
    // Steps of the old definition do not apply to a new one with the same name (LIFE-019).
    slow.target.install(&things());
    slow.pass(DELAY + NEARLY);
    assert_eq!(slow.seen().established.as_deref(), Some("False Installing"));
    assert_eq!(slow.target.get(THINGS).names(), Vec::<&str>::new());
    slow.pass(2 * DELAY);
    assert_eq!(slow.seen(), Seen::all());
}

#[test]
fn life_011_freed_names_are_taken_step_by_step() {
    let slow = Slow::with_things();
    let mut rival = things();
    rival["metadata"]["name"] = "rivals.example.com".into();
    rival["spec"]["names"] = json!({"plural": "rivals", "kind": "Thing"});
    slow.target.install(&rival);
    slow.pass(3 * DELAY);
    let codes = || {
        let resources =
            slow.target.get("/apis/example.com/v1").body["resources"].as_array().cloned().unwrap_or_default();
        (
            slow.target.get("/apis/example.com/v1/namespaces/default/rivals").code,
            resources.iter().any(|resource| resource["name"] == "rivals"),
        )
    };
    assert_eq!(codes(), (404, false), "LIFE-008");
    slow.target.delete(THINGS_DEFINITION);
    slow.pass(DELAY);
    assert_eq!(codes(), (200, false));
    slow.pass(2 * DELAY);
    assert_eq!(codes(), (200, true));
}

#[test]
fn loading_waits_for_all_steps() {
    let slow = Slow::new();
    let manifests = format!("{}\n---\n{}\n", thing("a", &json!({})), things());
    let manifests = Manifests::parse("both", &manifests).expect("manifests");
    slow.target.0.load(&manifests).expect("everything is created");
    assert_eq!(slow.seen(), Seen::all());
    assert_eq!(slow.target.get(THINGS).names(), ["a"]);
}

/// Uses the clock of the machine, by which steps may be late but never early.
#[tokio::test]
async fn watches_see_the_steps_without_further_requests() {
    let delay = Duration::from_millis(20);
    let target = Target::with_options(Options { settle_delay: delay, ..Options::default() });
    let server = target.0.clone();
    tokio::spawn(async move { server.settle_in_time().await });
    let watch = Request::get(format!("{DEFINITIONS}?watch=1&resourceVersion=0")).body(Bytes::new()).expect("a request");
    let Content::Events(mut watch) = target.0.open(watch).into_body() else { panic!("a watch is a stream") };
    let start = Instant::now();
    target.install(&things());
    let mut seen = Vec::new();
    while seen.len() < 3 {
        let events = timeout(Duration::from_secs(20), watch.next()).await.expect("events in time").expect("events");
        for line in events.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let event: Value = serde_json::from_slice(line).expect("an event");
            let conditions = event["object"]["status"]["conditions"].as_array().cloned().unwrap_or_default();
            let statuses: Vec<String> = conditions
                .iter()
                .map(|found| format!("{}={}", found["type"], found["status"]).replace('"', ""))
                .collect();
            let steps = u32::try_from(seen.len()).expect("a few");
            assert!(start.elapsed() >= delay * steps, "step {steps} is early");
            seen.push(format!("{} {}", event["type"].as_str().unwrap_or_default(), statuses.join(" ")));
        }
    }
    let expected =
        ["ADDED ", "MODIFIED NamesAccepted=True Established=False", "MODIFIED NamesAccepted=True Established=True"];
    assert_eq!(seen, expected);
}
