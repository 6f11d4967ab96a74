//! Tables and partial metadata (chapter 13, REST-069).

use rstest::rstest;
use serde_json::{Value, json};

use crate::clock::{NEW_YEAR, TestClock};
use crate::support::{
    Answer, DEFINITIONS, JSON, MERGE, NAMESPACES, PARTIAL, PARTIAL_LIST, TABLE, THING, THINGS, THINGS_DEFINITION,
    THINGS_V2, Target, With, definition, schema, thing, things, version,
};

const TABLE_OR_JSON: &str = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

/// A server with a fixed clock and the definition `things`, whose version has these columns.
fn target(columns: &Value) -> Target {
    let target = Target::with_options(TestClock::at(NEW_YEAR).options());
    let properties = json!({"m": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}});
    let v1 = version("v1", true, &schema(&properties)).with("/additionalPrinterColumns", columns.clone());
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
    let table = target.get_as(THINGS, TABLE).body;
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
    let number = json!({"name": "N", "type": "integer", "format": "int32", "description": "text", "priority": 3});
    let path = ".spec.m.n";
    let target = target(&json!([number.clone().with("/jsonPath", path), column("N", "string", path)]));
    target.post(THINGS, &thing("a", &json!({"m": {"n": 7}})));
    let table = target.get_as(THING, TABLE).body;
    assert_eq!(column_names(&table), ["Name", "N", "N"]);
    assert_eq!(table["columnDefinitions"][1], number);
    let default = table["columnDefinitions"][2]["description"].as_str().expect("a text");
    assert!(default.contains(".spec.m.n"), "{default}");
    assert_eq!(table["rows"][0]["cells"], json!(["a", 7, "7"]));
}

#[test]
fn table_005_007_rows_and_pages() {
    let target = target(&json!([column("M", "string", ".spec.m")]));
    let empty = target.get_as(THINGS, TABLE).body;
    assert_eq!((&empty["rows"], column_names(&empty)), (&json!([]), vec!["Name", "M"]));
    for name in ["c", "a", "b"] {
        target.post(THINGS, &thing(name, &json!({"m": {"y": [1], "x": name}})));
    }
    let list = target.get(&format!("{THINGS}?limit=2"));
    let table = target.get_as(&format!("{THINGS}?limit=2"), TABLE);
    assert_eq!(table.body["metadata"], list.body["metadata"]);
    let cells: Vec<&Value> = table.body["rows"].as_array().expect("rows").iter().map(|row| &row["cells"]).collect();
    assert_eq!(cells, [&json!(["a", r#"{"x":"a","y":[1]}"#]), &json!(["b", r#"{"x":"b","y":[1]}"#])]);
    let rest = target.get_as(&format!("{THINGS}?limit=2&continue={}", table.token()), TABLE).body;
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
    let table = target.get_as(&format!("{THINGS}/a{query}"), TABLE).body;
    let object = &table["rows"][0]["object"];
    assert_eq!((&object["kind"], &object["metadata"]), (&json!(kind), &created.body["metadata"]));
    assert_eq!(object.get("spec").is_some(), kind == "Thing");
    assert_eq!(table["metadata"], json!({"resourceVersion": created.version()}));
}

#[test]
fn table_006_no_object_and_an_invalid_value() {
    let target = target(&json!([]));
    target.post(THINGS, &thing("a", &json!({})));
    let none = target.get_as(&format!("{THING}?includeObject=None"), TABLE);
    assert_eq!(none.body["rows"][0]["object"], Value::Null);
    let path = format!("{THINGS}?includeObject=none");
    let wrong = target.get_as(&path, TABLE);
    assert_eq!((wrong.code, wrong.reason()), (400, "BadRequest"));
    assert_eq!(target.get(&path).code, 200);
}

#[test]
fn table_001_writes_return_tables() {
    let target = target(&json!([column("X", "integer", ".spec.m.x")]));
    let cells = |answer: Answer| (answer.code, answer.body["kind"].clone(), answer.body["rows"][0]["cells"].clone());
    let send = |method: &str, path: &str, media_type: &str, body: Value| {
        let headers = [("accept", TABLE_OR_JSON), ("content-type", media_type)];
        cells(target.send(method, path, &headers, body.to_string()))
    };
    let delete = |path: &str| cells(target.send("DELETE", path, &[("accept", TABLE_OR_JSON)], ""));
    let table = |code: u16, x: u8| (code, json!("Table"), json!(["a", x]));
    let status = |code: u16| (code, json!("Status"), Value::Null);
    let body = thing("a", &json!({"m": {"x": 1}}));
    assert_eq!(send("POST", THINGS, JSON, body.clone()), table(201, 1));
    assert_eq!(send("PUT", THING, JSON, target.get(THING).body.with("/spec/m/x", 2)), table(200, 2));
    assert_eq!(send("PATCH", THING, MERGE, json!({"spec": {"m": {"x": 3}}})), table(200, 3));
    assert_eq!(delete(THINGS), table(200, 3));
    assert_eq!(delete(THING), status(404));
    target.post(THINGS, &body);
    assert_eq!(delete(THING), status(200));
}

#[test]
fn table_014_an_invalid_path_hides_the_columns_after_it() {
    let [a, b, c] =
        [("A", ".spec.m.a"), ("B", ".spec["), ("C", ".spec")].map(|(name, path)| column(name, "string", path));
    let names = |columns: Value| column_names(&target(&columns).get_as(THINGS, TABLE).body).join(" ");
    assert_eq!(names(json!([a, b, c])), "Name A");
    assert_eq!(names(json!([b])), "Name");
}

#[test]
fn table_017_columns_are_those_of_the_version() {
    let target = Target::new();
    let versions = [("v1", "One"), ("v2", "Two")].map(|(name, title)| {
        version(name, name == "v1", &schema(&json!({"a": {"type": "string"}})))
            .with("/additionalPrinterColumns", json!([column(title, "string", ".apiVersion")]))
    });
    target.install(&definition(&versions));
    target.post(THINGS, &thing("a", &json!({"a": "x"})));
    let table = target.get_as(THINGS_V2, TABLE).body;
    assert_eq!(column_names(&table), ["Name", "Two"]);
    assert_eq!(table["rows"][0]["cells"], json!(["a", "example.com/v2"]));
    let change = json!([{"op": "replace", "path": "/spec/versions/1/additionalPrinterColumns/0/name", "value": "New"}]);
    assert_eq!(target.json_patch(THINGS_DEFINITION, &change).code, 200);
    assert_eq!(column_names(&target.get_as(THINGS_V2, TABLE).body), ["Name", "New"]);
}

/// Upstream makes no tables of these.
#[test]
fn table_001_some_subresources_have_no_table() {
    let target = target(&json!([]));
    let status = format!("{THINGS_DEFINITION}/status");
    let code = |accept: &str| target.get_as(&status, accept).code;
    assert_eq!((code(TABLE), code(PARTIAL)), (406, 200));
    assert_eq!(target.get_as(&status, TABLE_OR_JSON).body["kind"], "CustomResourceDefinition");
    let put = |path: &str, accept: &str| {
        let headers = [("accept", accept), ("content-type", JSON)];
        target.send("PUT", &format!("{path}?dryRun=All"), &headers, target.get(&format!("{NAMESPACES}/default")).text)
    };
    assert_eq!(put(&format!("{NAMESPACES}/default/finalize"), TABLE).code, 406);
    assert_eq!(put(&format!("{NAMESPACES}/default/status"), TABLE).body["kind"], "Table");
}

#[test]
fn table_005_no_rows() {
    let target = target(&json!([]));
    let rows = |path: &str| target.get_as(&format!("{path}?labelSelector=none"), TABLE).body["rows"].clone();
    assert_eq!((rows(DEFINITIONS), rows(THINGS), rows(NAMESPACES)), (Value::Null, json!([]), json!([])));
}

#[test]
fn table_019_definitions_and_namespaces() {
    let target = target(&json!([]));
    let definition = target.get(THINGS_DEFINITION).body;
    let table = target.get_as(THINGS_DEFINITION, TABLE).body;
    assert_eq!(column_names(&table), ["Name", "Created At"]);
    assert_eq!(table["rows"][0]["cells"], json!(["things.example.com", definition["metadata"]["creationTimestamp"]]));
    let accept = TABLE.replace("v1", "v1beta1");
    let table = target.get_as(NAMESPACES, &accept).body;
    assert_eq!(column_names(&table), ["Name", "Status", "Age"]);
    assert_eq!(table["apiVersion"], "meta.k8s.io/v1beta1");
    assert_eq!(table["rows"][0]["cells"], json!(["default", "Active", "0s"]));
    assert_eq!(table["rows"][0]["object"]["apiVersion"], "meta.k8s.io/v1beta1");
}

#[test]
fn rest_069_partial_metadata_is_returned() {
    let target = Target::with(&things());
    let created = target.send("POST", THINGS, &[("accept", PARTIAL)], thing("a", &json!({})).to_string());
    assert_eq!(created.code, 201);
    let metadata = target.get(THING).body["metadata"].clone();
    let partial = json!({"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": metadata});
    assert_eq!(created.body, partial);
    assert_eq!(target.get_as(THING, PARTIAL).body, partial);
    let list = target.get_as(THINGS, PARTIAL_LIST).body;
    let expected = json!({
        "kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1",
        "metadata": {"resourceVersion": metadata["resourceVersion"]}, "items": [partial],
    });
    assert_eq!(list, expected);
    assert_eq!(target.get_as(THINGS, PARTIAL).code, 406);
    assert_eq!(target.get_as(THING, PARTIAL_LIST).code, 406);
    let deleted = target.send("DELETE", THING, &[("accept", PARTIAL)], "");
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
    let table = target.get_as(THINGS, TABLE).body;
    assert_eq!(table["rows"].as_array().map(Vec::len), Some(20));
}
