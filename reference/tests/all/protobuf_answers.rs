//! Answers in protobuf (REST-080), where kube-apiserver 1.36.3 gives them. That their bytes are the same is tested
//! beside the writer.

use bytes::Bytes;
use crdible_reference::Content;
use http::Request;
use rstest::rstest;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::support::{DEFINITIONS, JSON, LONG, NAMESPACES, PROTOBUF, THING, THINGS, THINGS_DEFINITION, Target, things};

const STREAM: &str = "application/vnd.kubernetes.protobuf;stream=watch";
const BOTH: &str = "application/vnd.kubernetes.protobuf,application/json";
const METADATA: &str = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
const METADATA_LIST: &str = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
const TABLE: &str = "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io";
const AGGREGATED: &str = "application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const NOTHING: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/none.example.com";
const NO_THING: &str = "/apis/example.com/v1/namespaces/default/things/b";

#[rstest]
#[case::definition(THINGS_DEFINITION, PROTOBUF, 200, PROTOBUF)]
#[case::definition_as_a_stream(THINGS_DEFINITION, STREAM, 200, PROTOBUF)]
#[case::definition_in_either(THINGS_DEFINITION, BOTH, 200, PROTOBUF)]
#[case::definition_in_json(DEFINITIONS, JSON, 200, JSON)]
#[case::definitions(DEFINITIONS, PROTOBUF, 200, PROTOBUF)]
#[case::definitions_as_a_table(DEFINITIONS, TABLE, 406, JSON)]
#[case::definitions_as_metadata(DEFINITIONS, METADATA_LIST, 200, PROTOBUF)]
#[case::no_definition(NOTHING, BOTH, 404, PROTOBUF)]
// No part of it is plain, so the error is in JSON.
#[case::no_definition_as_metadata(NOTHING, METADATA, 404, JSON)]
#[case::namespaces(NAMESPACES, PROTOBUF, 200, PROTOBUF)]
#[case::events("/apis/events.k8s.io/v1/events", PROTOBUF, 200, PROTOBUF)]
#[case::object(THING, PROTOBUF, 406, PROTOBUF)]
#[case::object_in_either(THING, BOTH, 200, JSON)]
#[case::object_as_metadata(THING, METADATA, 200, PROTOBUF)]
#[case::object_as_a_table(THING, TABLE, 406, JSON)]
#[case::no_object(NO_THING, BOTH, 404, PROTOBUF)]
#[case::objects_as_metadata(THINGS, METADATA_LIST, 200, PROTOBUF)]
#[case::objects_as_a_stream("/apis/example.com/v1/things?watch=1", STREAM, 406, PROTOBUF)]
#[case::groups("/apis", PROTOBUF, 200, PROTOBUF)]
#[case::all_groups("/apis", AGGREGATED, 200, AGGREGATED)]
#[case::core_versions("/api", PROTOBUF, 200, PROTOBUF)]
#[case::core_resources("/api/v1", PROTOBUF, 200, PROTOBUF)]
#[case::group("/apis/example.com", PROTOBUF, 200, PROTOBUF)]
#[case::resources("/apis/example.com/v1", PROTOBUF, 200, PROTOBUF)]
#[case::version("/version", PROTOBUF, 406, PROTOBUF)]
#[case::paths("/", PROTOBUF, 200, JSON)]
#[case::no_group("/apis/none.example.com", PROTOBUF, 404, "text/plain; charset=utf-8")]
fn rest_080_protobuf_is_the_format_of_answers(
    #[case] path: &str,
    #[case] accept: &str,
    #[case] code: u16,
    #[case] content_type: &str,
) {
    let target = Target::with_thing(&json!({}));
    let answer = target.get_as(path, accept);
    assert_eq!((answer.code, answer.header("content-type")), (code, content_type));
    assert_eq!(answer.bytes.starts_with(b"k8s\0"), content_type.starts_with(PROTOBUF));
}

/// An update with what was read changes nothing, in whichever format.
#[rstest]
#[case::definition(THINGS_DEFINITION)]
#[case::status("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com/status")]
#[case::namespace("/api/v1/namespaces/default")]
#[case::event("/api/v1/namespaces/default/events/e")]
fn rest_080_what_is_read_can_be_written(#[case] path: &str) {
    let target = Target::with(&things());
    let event = json!({
        "metadata": {"name": "e", "labels": {"a": "b"}}, "involvedObject": {"namespace": "default", "kind": "Thing"}, "reason": "r",
        "eventTime": "2026-01-02T03:04:05.678901Z", "series": {"count": 2, "lastObservedTime": "2026-01-02T03:04:05.678901Z"},
        "action": "a", "type": "Normal", "reportingComponent": "x.dev/c", "reportingInstance": "i", "message": "<m>",
    });
    target.create("/api/v1/namespaces/default/events", &event);
    let before = target.get(path).body;
    let read = target.get_as(path, PROTOBUF).bytes;
    let written = target.send("PUT", path, &[("accept", PROTOBUF), ("content-type", PROTOBUF)], read.clone());
    assert_eq!((written.code, written.bytes), (200, read));
    assert_eq!(target.get(path).body, before);
}

/// Each event is behind its length.
#[tokio::test]
async fn rest_080_watches_send_frames() {
    let target = Target::new();
    let request = Request::get(format!("{NAMESPACES}?watch=1&fieldSelector=metadata.name=a"));
    let request = request.header("accept", PROTOBUF).body(Bytes::new()).unwrap();
    let (head, content) = target.0.open(request).into_parts();
    assert_eq!((head.status.as_u16(), &head.headers["content-type"]), (200, &STREAM.parse().unwrap()));
    let Content::Events(mut watch) = content else { panic!("a stream") };
    target.create(NAMESPACES, &json!({"metadata": {"name": "a"}}));
    target.merge(&format!("{NAMESPACES}/a"), &json!({"metadata": {"labels": {"a": "b"}}}));
    let mut types = Vec::new();
    while types.len() < 2 {
        let mut events = timeout(LONG, watch.next()).await.unwrap().unwrap();
        while !events.is_empty() {
            let length = events.split_to(4).iter().fold(0, |length, byte| length << 8 | usize::from(*byte));
            let event = events.split_to(length);
            types.push(String::from_utf8(event[2..2 + usize::from(event[1])].to_vec()).unwrap());
        }
    }
    assert_eq!(types, ["ADDED", "MODIFIED"]);
}

/// The documents of the core group do not state that they are of `v1`.
#[test]
fn disc_004_the_core_group_states_no_version() {
    let target = Target::new();
    assert_eq!(target.get("/api/v1").body["apiVersion"], Value::Null);
    assert_eq!(target.get("/apis/events.k8s.io/v1").body["apiVersion"], "v1");
}
