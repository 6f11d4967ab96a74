//! A server with delayed steps after writes of definitions (LIFE-002, LIFE-003), under a clock that the test controls.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crdible_reference::{Manifests, Options};
use serde_json::{Value, json};

use crate::clock::{NEW_YEAR, TestClock};
use crate::support::{
    DEFINITIONS, NAMESPACES, THING, THINGS, THINGS_DEFINITION, Target, With, condition, renamed, thing, things,
};
use crate::watching::open;

const DELAY: Duration = Duration::from_secs(10);
/// A millisecond less than `DELAY`.
const NEARLY: Duration = Duration::from_millis(9_999);

struct Slow {
    target: Target,
    clock: Arc<TestClock>,
}

impl Slow {
    fn new() -> Self {
        let clock = TestClock::at(NEW_YEAR);
        let options = Options { settle_delay: DELAY, ..clock.options() };
        Self { target: Target::with_options(options), clock }
    }

    fn pass(&self, time: Duration) {
        self.clock.pass(time);
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
            let of_spec = schema.unwrap_or_default()["properties"]["spec"]["properties"].clone();
            of_spec["d"]["description"].as_str().unwrap_or_default().to_owned()
        };
        [of("/openapi/v3/apis/example.com/v1", "/components/schemas"), of("/openapi/v2", "/definitions")]
    }

    fn seen(&self) -> Seen {
        let definition = self.target.get(THINGS_DEFINITION).body;
        Seen {
            names_accepted: condition(&definition, "NamesAccepted"),
            established: condition(&definition, "Established"),
            served: self.target.get(THINGS).code,
            discovered: self.target.get("/apis/example.com/v1").code,
            documented: self.target.get("/openapi/v3/apis/example.com/v1").code,
        }
    }
}

/// What clients see of `things.example.com`.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    names_accepted: String,
    established: String,
    served: u16,
    discovered: u16,
    documented: u16,
}

impl Seen {
    fn nothing() -> Self {
        Self { served: 404, discovered: 404, documented: 404, ..Self::default() }
    }

    fn all() -> Self {
        Self {
            names_accepted: "True NoConflicts".to_owned(),
            established: "True InitialNamesAccepted".to_owned(),
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
    let installing = "False Installing".to_owned();
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
    let stored = slow.target.get(THINGS_DEFINITION).body["spec"]["names"]["shortNames"].clone();
    assert_eq!(stored, json!(["b"]), "the second write is stored already");
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
    assert_eq!(slow.target.post(NAMESPACES, &json!({"metadata": {"name": "other"}})).code, 201);
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
    let second = things()["spec"]["versions"][0].clone().with("/name", "v2").with("/storage", false);
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
    assert_eq!((slow.target.get(THINGS_DEFINITION).code, slow.target.get(THING).code), (200, 200));
    slow.pass(DELAY);
    assert_eq!(slow.seen(), Seen { discovered: 200, documented: 200, ..Seen::nothing() });
    // Steps of the old definition do not apply to a new one with the same name (LIFE-019).
    slow.target.install(&things());
    slow.pass(DELAY + NEARLY);
    assert_eq!(slow.seen().established, "False Installing");
    assert_eq!(slow.target.get(THINGS).names(), Vec::<&str>::new());
    slow.pass(2 * DELAY);
    assert_eq!(slow.seen(), Seen::all());
}

#[test]
fn life_011_freed_names_are_taken_step_by_step() {
    let slow = Slow::with_things();
    slow.target.install(&renamed(things(), "rivals", "Thing"));
    slow.pass(3 * DELAY);
    let codes = || {
        let discovered = slow.target.get("/apis/example.com/v1").text.contains(r#""name":"rivals""#);
        (slow.target.get("/apis/example.com/v1/namespaces/default/rivals").code, discovered)
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
    let mut events = open(&target, &format!("{DEFINITIONS}?watch=1&resourceVersion=0"));
    let start = Instant::now();
    target.install(&things());
    let steps = [
        ("ADDED", "", ""),
        ("MODIFIED", "True NoConflicts", "False Installing"),
        ("MODIFIED", "True NoConflicts", "True InitialNamesAccepted"),
    ];
    for (step, (kind, accepted, established)) in (0..).zip(steps) {
        let (what, definition) = events.next_object().await;
        assert!(start.elapsed() >= delay * step, "step {step} is early");
        assert_eq!(what, format!("{kind} things.example.com"));
        assert_eq!(condition(&definition, "NamesAccepted"), accepted);
        assert_eq!(condition(&definition, "Established"), established);
    }
}
