//! Field management (REST-041): what writes do to managers, and that each function of the table decides part of it.

use std::sync::Arc;

use crdible_semantics::managed_fields::{
    Comparison, FieldSet, FieldType, Malformed, Managers, NoType, ScaleFields, ScalePaths, Tracked, Untyped, Writer,
    of_model,
};
use crdible_semantics::{Schema, Semantics, with};
use serde_json::{Value, json};

use crate::common::schema;

/// Objects with one version.
struct Things(Arc<FieldType>);

impl Things {
    fn of(semantics: &Semantics) -> Self {
        let metadata = schema(&json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}));
        let metadata = Arc::new(of_model(&metadata));
        Self(Arc::new(semantics.type_of_fields(&things(), &metadata)))
    }
}

fn things() -> Schema {
    let text = json!({"type": "string"});
    schema(&json!({"type": "object", "properties": {"spec": {"type": "object", "properties": {
        "a": text, "b": text, "n": {"type": "integer"}, "set": {"type": "array", "x-kubernetes-list-type": "set", "items": text},
    }}}}))
}

impl Tracked for Things {
    fn api_version(&self) -> &'static str {
        "g/v1"
    }

    fn type_at(&self, api_version: &str) -> Result<Arc<FieldType>, NoType> {
        if api_version == self.api_version() { Ok(Arc::clone(&self.0)) } else { Err(NoType::Unknown) }
    }

    fn blank(&self) -> Value {
        json!({"apiVersion": "g/v1", "kind": "Thing"})
    }
}

fn thing(spec: &Value) -> Value {
    json!({"apiVersion": "g/v1", "kind": "Thing", "metadata": {"name": "t"}, "spec": spec})
}

/// The managers after these writes, each with its `User-Agent`, and whether all could be tracked.
fn managed(semantics: &Semantics, writes: &[(&str, Value)]) -> (bool, Value) {
    let things = Things::of(semantics);
    let (mut is_tracked, mut present) = (true, None::<Value>);
    for (second, (agent, spec)) in writes.iter().enumerate() {
        let writer =
            Writer { manager: semantics.manager_name("", agent), time: format!("2026-01-01T00:00:{second:02}Z") };
        let mut after = thing(spec);
        is_tracked &= semantics.track_fields(&things, &writer, present.as_ref(), &mut after);
        present = Some(after);
    }
    (is_tracked, present.unwrap_or_default()["metadata"]["managedFields"].take())
}

/// A create, and an update that takes one field, removes another and adds a member of a set.
fn two_writes() -> [(&'static str, Value); 2] {
    [("alice/1 (x)", json!({"a": "1", "b": "1", "set": ["x"]})), ("bob", json!({"a": "2", "set": ["x", "y"]}))]
}

fn entry(manager: &str, second: u8, fields: &Value) -> Value {
    json!({
        "manager": manager, "operation": "Update", "apiVersion": "g/v1", "time": format!("2026-01-01T00:00:{second:02}Z"),
        "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": fields},
    })
}

#[test]
fn rest_041_changed_fields_belong_to_the_writer_and_removed_ones_to_no_manager() {
    let expected = json!([
        entry("alice", 0, &json!({".": {}, "f:set": {".": {}, "v:\"x\"": {}}})),
        entry("bob", 1, &json!({"f:a": {}, "f:set": {"v:\"y\"": {}}})),
    ]);
    assert_eq!(managed(&Semantics::UPSTREAM, &two_writes()), (true, expected));
}

#[test]
fn rest_041_a_write_that_changes_nothing_keeps_the_entry_and_its_time() {
    let [create, _] = two_writes();
    let again = ("carol", create.1.clone());
    let upstream = Semantics::UPSTREAM;
    assert_eq!(managed(&upstream, &[create.clone(), again]), managed(&upstream, &[create]));
}

#[test]
fn rest_041_more_than_ten_managers_are_merged() {
    let (_, managers) = managed(&Semantics::UPSTREAM, &eleven_writes());
    let names: Vec<&str> =
        managers.as_array().into_iter().flatten().filter_map(|entry| entry["manager"].as_str()).collect();
    assert_eq!(names.len(), 10, "{names:?}");
    assert!(names.contains(&"ancient-changes"), "{names:?}");
}

/// Each write is by another manager and adds a member of a set.
fn eleven_writes() -> Vec<(&'static str, Value)> {
    const NAMES: [&str; 11] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"];
    (1..=NAMES.len()).map(|count| (NAMES[count - 1], json!({"set": &NAMES[..count]}))).collect()
}

/// The number of replicas is `spec.n`.
impl ScalePaths for Things {
    fn knows(&self, api_version: &str) -> bool {
        api_version == self.api_version()
    }

    fn replicas_at(&self, api_version: &str) -> Option<Vec<&str>> {
        self.knows(api_version).then(|| vec!["spec", "n"])
    }
}

/// The managers of an object that alice created, and that bob scaled from 1 to 2.
fn scaled(semantics: &Semantics) -> Value {
    let things = Things::of(semantics);
    let number = json!({"type": "object", "properties": {"replicas": {"type": "integer"}}});
    let (text, metadata) = (json!({"type": "string"}), json!({"type": "object"}));
    let scale = json!({"apiVersion": text, "kind": text, "metadata": metadata, "spec": number});
    let scales = Arc::new(of_model(&schema(&json!({"type": "object", "properties": scale}))));
    let writer = |agent: &str, second: u8| Writer {
        manager: semantics.manager_name("", agent),
        time: format!("2026-01-01T00:00:{second:02}Z"),
    };
    let mut object = thing(&json!({"a": "1", "n": 1}));
    semantics.track_fields(&things, &writer("alice", 0), None, &mut object);
    object["spec"]["n"] = 2.into();
    let scale = |number: u8| json!({"apiVersion": "autoscaling/v1", "kind": "Scale", "spec": {"replicas": number}});
    let fields = ScaleFields { paths: &things, api_version: things.api_version(), scale: &scales };
    semantics.track_scale(&fields, &writer("bob", 1), &scale(1), &scale(2), &mut object);
    object["metadata"]["managedFields"].take()
}

#[test]
fn sub_029_the_number_of_replicas_belongs_to_who_scaled() {
    // Like upstream, without a time.
    let bob = json!({
        "manager": "bob", "operation": "Update", "apiVersion": "g/v1", "fieldsType": "FieldsV1",
        "fieldsV1": {"f:spec": {"f:n": {}}}, "subresource": "scale",
    });
    let expected = json!([bob, entry("alice", 0, &json!({".": {}, "f:a": {}}))]);
    assert_eq!(scaled(&Semantics::UPSTREAM), expected);
}

/// Semantics with another function are those of a server with one fault.
#[test]
fn each_function_decides_part_of_the_result() {
    let faulty = vec![
        with::manager_name(|_, _, _| "unknown".to_owned()),
        with::track_fields(|_, _, _, _, _| true),
        with::managers_before(|_, _, _, _| Managers::new()),
        with::managers_after(|_, _, _, _, _, managers| Ok(managers)),
        with::type_of_fields(|_, _, _| FieldType::default()),
        with::check_tracked(|_, _, _, _| Err(Untyped)),
        with::compare_fields(|_, _, _, _| Ok(Comparison::default())),
        with::reconcile_fields(|_, _, _| FieldSet::default()),
        with::written_fields(|_, comparison| comparison.modified.clone()),
        with::remaining_fields(|_, fields, _| fields),
        with::assign_fields(|_, _, _, _, _| {}),
        with::read_managers(|_, _| Err(Malformed)),
        with::write_managers(|_, _| Vec::new()),
    ];
    let correct = managed(&Semantics::UPSTREAM, &two_writes());
    for (number, semantics) in faulty.iter().enumerate() {
        assert_ne!(managed(semantics, &two_writes()), correct, "function {number}");
    }
    let merges_none = with::merge_oldest_managers(|_, _| {});
    assert_ne!(managed(&merges_none, &eleven_writes()), managed(&Semantics::UPSTREAM, &eleven_writes()));
    let forgets_scaling = with::track_scale(|_, _, _, _, _, _| {});
    assert_ne!(scaled(&forgets_scaling), scaled(&Semantics::UPSTREAM));
}
