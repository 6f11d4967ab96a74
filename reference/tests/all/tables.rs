//! Tables and partial metadata (chapter 13, REST-069).

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crdible_reference::{Clock, Options};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{DEFINITIONS, THINGS, Target, definition, schema, thing, things, version};

const TABLE: &str = "application/json;as=Table;v=v1;g=meta.k8s.io";
const TABLE_OR_JSON: &str = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
const PARTIAL: &str = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
const PARTIAL_LIST: &str = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

/// A clock that never advances.
struct FixedClock;

impl Clock for FixedClock {
    fn now(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(1_795_261_016)
    }
}

/// A server with a fixed clock and the definition `things`, whose version has these columns.
fn target(columns: &Value) -> Target {
    let target = Target::with_options(Options { clock: Arc::new(FixedClock), ..Options::default() });
    let properties = json!({"m": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}});
    let mut v1 = version("v1", true, &schema(&properties));
    v1["additionalPrinterColumns"] = columns.clone();
    target.install(&definition(&[v1]));
    target
}

fn column(name: &str, type_name: &str, path: &str) -> Value {
    json!({"name": name, "type": type_name, "jsonPath": path})
}

fn column_names(table: &Value) -> Vec<&str> {
    let columns = table["columnDefinitions"].as_array().expect("columns");
    columns.iter().filter_map(|column| column["name"].as_str()).collect()
}

#[test]
fn table_002_003_default_columns() {
    let target = target(&json!([]));
    target.post(THINGS, &thing("a", &json!({})));
    let table = target.send("GET", THINGS, &[("accept", TABLE)], "").body;
    assert_eq!((&table["kind"], &table["apiVersion"]), (&json!("Table"), &json!("meta.k8s.io/v1")));
    let column = |at: usize| {
        let mut column = table["columnDefinitions"][at].clone();
        let description = column.as_object_mut().and_then(|column| column.remove("description"));
        assert!(description.is_some_and(|text| text.as_str().is_some_and(|text| !text.is_empty())));
        column
    };
    assert_eq!(column(0), json!({"name": "Name", "type": "string", "format": "name", "priority": 0}));
    assert_eq!(column(1), json!({"name": "Age", "type": "date", "format": "", "priority": 0}));
    assert_eq!(table["rows"][0]["cells"], json!(["a", "0s"]));
}

#[test]
fn table_002_004_016_declared_columns() {
    let columns = json!([
        {"name": "N", "type": "integer", "format": "int32", "description": "text", "priority": 3, "jsonPath": ".spec.m.n"},
        column("N", "string", ".spec.m.n"),
    ]);
    let target = target(&columns);
    target.post(THINGS, &thing("a", &json!({"m": {"n": 7}})));
    let table = target.send("GET", &format!("{THINGS}/a"), &[("accept", TABLE)], "").body;
    assert_eq!(column_names(&table), ["Name", "N", "N"]);
    assert_eq!(
        table["columnDefinitions"][1],
        json!({"name": "N", "type": "integer", "format": "int32", "description": "text", "priority": 3})
    );
    let default = table["columnDefinitions"][2]["description"].as_str().expect("a text");
    assert!(default.contains(".spec.m.n"), "{default}");
    assert_eq!(table["rows"][0]["cells"], json!(["a", 7, "7"]));
}

#[test]
fn table_005_007_rows_and_pages() {
    let target = target(&json!([column("M", "string", ".spec.m")]));
    let empty = target.send("GET", THINGS, &[("accept", TABLE)], "").body;
    assert_eq!((&empty["rows"], column_names(&empty)), (&json!([]), vec!["Name", "M"]));
    for name in ["c", "a", "b"] {
        target.post(THINGS, &thing(name, &json!({"m": {"y": [1], "x": name}})));
    }
    let list = target.get(&format!("{THINGS}?limit=2"));
    let table = target.send("GET", &format!("{THINGS}?limit=2"), &[("accept", TABLE)], "");
    assert_eq!(table.body["metadata"], list.body["metadata"]);
    let cells: Vec<&Value> = table.body["rows"].as_array().expect("rows").iter().map(|row| &row["cells"]).collect();
    assert_eq!(cells, [&json!(["a", r#"{"x":"a","y":[1]}"#]), &json!(["b", r#"{"x":"b","y":[1]}"#])]);
    let token = table.body["metadata"]["continue"].as_str().expect("a token");
    let rest = target.send("GET", &format!("{THINGS}?limit=2&continue={token}"), &[("accept", TABLE)], "").body;
    assert_eq!(rest["rows"][0]["cells"][0], "c");
    assert_eq!(rest["metadata"], json!({"resourceVersion": list.version()}));
}

#[rstest]
#[case("", "PartialObjectMetadata")]
#[case("?includeObject=", "PartialObjectMetadata")]
#[case("?includeObject=Metadata", "PartialObjectMetadata")]
#[case("?includeObject=Object", "Thing")]
fn table_006_object_of_a_row(#[case] query: &str, #[case] kind: &str) {
    let target = target(&json!([]));
    let created = target.post(THINGS, &thing("a", &json!({})));
    let table = target.send("GET", &format!("{THINGS}/a{query}"), &[("accept", TABLE)], "").body;
    let object = &table["rows"][0]["object"];
    assert_eq!((&object["kind"], &object["metadata"]), (&json!(kind), &created.body["metadata"]));
    assert_eq!(object.get("spec").is_some(), kind == "Thing");
    assert_eq!(table["metadata"], json!({"resourceVersion": created.version()}));
}

#[test]
fn table_006_no_object_and_an_invalid_value() {
    let target = target(&json!([]));
    target.post(THINGS, &thing("a", &json!({})));
    let none = target.send("GET", &format!("{THINGS}/a?includeObject=None"), &[("accept", TABLE)], "");
    assert_eq!(none.body["rows"][0]["object"], Value::Null);
    let path = format!("{THINGS}?includeObject=none");
    let wrong = target.send("GET", &path, &[("accept", TABLE)], "");
    assert_eq!((wrong.code, wrong.reason()), (400, "BadRequest"));
    assert_eq!(target.get(&path).code, 200);
}

#[test]
fn table_001_writes_return_tables() {
    let target = target(&json!([column("X", "integer", ".spec.m.x")]));
    let accept = ("accept", TABLE_OR_JSON);
    let json = ("content-type", "application/json");
    let path = format!("{THINGS}/a");
    let body = thing("a", &json!({"m": {"x": 1}}));
    let created = target.send("POST", THINGS, &[accept, json], body.to_string());
    assert_eq!((created.code, &created.body["rows"][0]["cells"]), (201, &json!(["a", 1])));
    let mut changed = target.get(&path).body;
    changed["spec"]["m"]["x"] = json!(2);
    let put = target.send("PUT", &path, &[accept, json], changed.to_string());
    assert_eq!((put.code, &put.body["rows"][0]["cells"]), (200, &json!(["a", 2])));
    let patch = r#"{"spec":{"m":{"x":3}}}"#;
    let patched = target.send("PATCH", &path, &[accept, ("content-type", "application/merge-patch+json")], patch);
    assert_eq!((patched.code, &patched.body["rows"][0]["cells"]), (200, &json!(["a", 3])));
    let gone = target.send("DELETE", THINGS, &[accept], "");
    assert_eq!((gone.code, &gone.body["rows"][0]["cells"]), (200, &json!(["a", 3])));
    let missing = target.send("DELETE", &path, &[accept], "");
    assert_eq!((missing.code, &missing.body["kind"]), (404, &json!("Status")));
    target.post(THINGS, &body);
    let deleted = target.send("DELETE", &path, &[accept], "");
    assert_eq!((deleted.code, &deleted.body["kind"]), (200, &json!("Status")));
}

#[test]
fn table_014_an_invalid_path_hides_the_columns_after_it() {
    let columns =
        json!([column("A", "string", ".spec.m.a"), column("B", "string", ".spec["), column("C", "string", ".spec")]);
    let target = target(&columns);
    assert_eq!(column_names(&target.send("GET", THINGS, &[("accept", TABLE)], "").body), ["Name", "A"]);
    let target = self::target(&json!([column("B", "string", ".spec[")]));
    assert_eq!(column_names(&target.send("GET", THINGS, &[("accept", TABLE)], "").body), ["Name"]);
}

#[test]
fn table_017_columns_are_those_of_the_version() {
    let target = Target::new();
    let mut versions = ["v1", "v2"].map(|name| version(name, name == "v1", &schema(&json!({"a": {"type": "string"}}))));
    versions[0]["additionalPrinterColumns"] = json!([column("One", "string", ".apiVersion")]);
    versions[1]["additionalPrinterColumns"] = json!([column("Two", "string", ".apiVersion")]);
    target.install(&definition(&versions));
    target.post(THINGS, &thing("a", &json!({"a": "x"})));
    let path = THINGS.replace("v1", "v2");
    let table = target.send("GET", &path, &[("accept", TABLE)], "").body;
    assert_eq!(
        (column_names(&table), &table["rows"][0]["cells"]),
        (vec!["Name", "Two"], &json!(["a", "example.com/v2"]))
    );
    let change = json!([{"op": "replace", "path": "/spec/versions/1/additionalPrinterColumns/0/name", "value": "New"}]);
    assert_eq!(target.json_patch(&format!("{DEFINITIONS}/things.example.com"), &change).code, 200);
    assert_eq!(column_names(&target.send("GET", &path, &[("accept", TABLE)], "").body), ["Name", "New"]);
}

#[test]
fn table_019_definitions_and_namespaces() {
    let target = target(&json!([]));
    let path = format!("{DEFINITIONS}/things.example.com");
    let definition = target.get(&path).body;
    let table = target.send("GET", &path, &[("accept", TABLE)], "").body;
    assert_eq!(column_names(&table), ["Name", "Created At"]);
    assert_eq!(table["rows"][0]["cells"], json!(["things.example.com", definition["metadata"]["creationTimestamp"]]));
    let accept = TABLE.replace("v1", "v1beta1");
    let table = target.send("GET", "/api/v1/namespaces", &[("accept", &accept)], "").body;
    assert_eq!(
        (column_names(&table), &table["apiVersion"]),
        (vec!["Name", "Status", "Age"], &json!("meta.k8s.io/v1beta1"))
    );
    assert_eq!(table["rows"][0]["cells"], json!(["default", "Active", "0s"]));
    assert_eq!(table["rows"][0]["object"]["apiVersion"], "meta.k8s.io/v1beta1");
}

#[test]
fn rest_069_partial_metadata_is_returned() {
    let target = Target::with(&things());
    let created = target.send("POST", THINGS, &[("accept", PARTIAL)], thing("a", &json!({})).to_string());
    assert_eq!(created.code, 201);
    let path = format!("{THINGS}/a");
    let metadata = target.get(&path).body["metadata"].clone();
    let partial = json!({"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": metadata});
    assert_eq!(created.body, partial);
    assert_eq!(target.send("GET", &path, &[("accept", PARTIAL)], "").body, partial);
    let list = target.send("GET", THINGS, &[("accept", PARTIAL_LIST)], "").body;
    let expected = json!({
        "kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1",
        "metadata": {"resourceVersion": metadata["resourceVersion"]}, "items": [partial],
    });
    assert_eq!(list, expected);
    assert_eq!(target.send("GET", THINGS, &[("accept", PARTIAL)], "").code, 406);
    assert_eq!(target.send("GET", &path, &[("accept", PARTIAL_LIST)], "").code, 406);
    let deleted = target.send("DELETE", &path, &[("accept", PARTIAL)], "");
    assert_eq!((deleted.code, &deleted.body["kind"]), (200, &json!("Status")));
}

#[test]
fn hostile_columns_do_not_delay_a_list() {
    let target = target(&json!([column("A", "string", ".spec..[*]..[*]..x"), column("B", "string", "..['m','m']..")]));
    let mut nested = json!([1]);
    for _ in 0..60 {
        nested = json!([nested, {"x": []}]);
    }
    for number in 0..20 {
        let name = format!("a{number}");
        assert_eq!(target.post(THINGS, &thing(&name, &json!({"m": {"l": nested}}))).code, 201);
    }
    let table = target.send("GET", THINGS, &[("accept", TABLE)], "").body;
    assert_eq!(table["rows"].as_array().map(Vec::len), Some(20));
}
