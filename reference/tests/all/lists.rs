//! Lists: shape, order, selectors, pages (REST-021..027).

use crdible_reference::Options;
use rstest::rstest;
use serde_json::json;

use crate::support::{DEFINITIONS, NAMESPACES, THINGS, Target, With, thing, things};

fn fill(target: &Target, count: usize) {
    for index in 0..count {
        let labels = json!({"number": index.to_string(), "even": (index % 2 == 0).to_string()});
        target.create(THINGS, &thing(&format!("t{index}"), &json!({})).with("/metadata/labels", labels));
    }
}

#[test]
fn rest_021_shape_and_order_of_lists() {
    let target = Target::with(&things());
    target.post(NAMESPACES, &json!({"metadata": {"name": "default-b"}}));
    target.post(THINGS, &thing("x", &json!({})));
    target.post("/apis/example.com/v1/namespaces/default-b/things", &thing("a", &json!({})));
    let all = target.get("/apis/example.com/v1/things");
    assert_eq!(all.names(), ["a", "x"], "byte order of namespace/name");
    assert_eq!((&all.body["kind"], &all.body["apiVersion"]), (&json!("ThingList"), &json!("example.com/v1")));
    assert!(all.version().parse::<u64>().is_ok_and(|version| version > 0));
    let first = &all.body["items"][0];
    assert_eq!((&first["kind"], &first["apiVersion"]), (&json!("Thing"), &json!("example.com/v1")));
    assert_eq!(target.get(THINGS).names(), ["x"]);
}

#[rstest]
#[case("labelSelector=even%3Dtrue", &["t0", "t2"])]
#[case("labelSelector=number%20in%20(1,2)", &["t1", "t2"])]
#[case("labelSelector=!even", &[])]
#[case("fieldSelector=metadata.name%3Dt1", &["t1"])]
#[case("fieldSelector=metadata.name!%3Dt1,metadata.namespace%3Ddefault", &["t0", "t2"])]
#[case("limit=0", &["t0", "t1", "t2"])]
#[case("limit=-1", &["t0", "t1", "t2"])]
#[case("resourceVersion=0", &["t0", "t1", "t2"])]
fn rest_023_lists_are_selected(#[case] query: &str, #[case] names: &[&str]) {
    let target = Target::with(&things());
    fill(&target, 3);
    assert_eq!(target.get(&format!("{THINGS}?{query}")).names(), names);
}

#[rstest]
#[case::rest_023_labels("labelSelector=a%3D%3D%3Db", 400)]
#[case::rest_023_fields("fieldSelector=spec.a%3Db", 400)]
#[case::rest_012_number("limit=x", 400)]
#[case::rest_012_empty_number("limit=", 400)]
#[case::rest_025_malformed("continue=x", 400)]
#[case::rest_026_alone("resourceVersionMatch=Exact", 422)]
#[case::rest_026_zero("resourceVersionMatch=Exact&resourceVersion=0", 422)]
#[case::rest_026_unknown("resourceVersionMatch=x&resourceVersion=1", 422)]
#[case::rest_064("sendInitialEvents=true", 422)]
#[case::not_a_number("resourceVersion=x", 400)]
fn invalid_queries_are_refused(#[case] query: &str, #[case] code: u16) {
    assert_eq!(Target::with(&things()).get(&format!("{THINGS}?{query}")).code, code);
}

#[test]
fn rest_024_and_027_all_pages_show_the_state_of_the_first() {
    let target = Target::with(&things());
    fill(&target, 5);
    let first = target.get(&format!("{THINGS}?limit=2"));
    assert_eq!((first.names(), &first.body["metadata"]["remainingItemCount"]), (vec!["t0", "t1"], &json!(3)));
    target.delete(&format!("{THINGS}/t2"));
    target.post(THINGS, &thing("t9", &json!({})));
    target.merge(&format!("{THINGS}/t3"), &json!({"spec": {"a": "later"}}));
    let second = target.get(&format!("{THINGS}?limit=2&continue={}", first.token()));
    assert_eq!((second.names(), second.version()), (vec!["t2", "t3"], first.version()));
    assert_eq!(second.body["items"][1]["spec"], json!({"d": "dd"}));
    let third = target.get(&format!("{THINGS}?limit=2&continue={}", second.token()));
    assert_eq!((third.names(), third.token()), (vec!["t4"], ""));
    let mixed = target.get(&format!("{THINGS}?limit=2&resourceVersion=5&continue={}", first.token()));
    assert_eq!(mixed.code, 400, "REST-025");
    let exact = target.get(&format!("{THINGS}?resourceVersionMatch=Exact&resourceVersion={}", first.version()));
    assert_eq!(exact.names(), ["t0", "t1", "t2", "t3", "t4"], "REST-026");
}

#[test]
fn rest_026_lists_from_before_the_definition_are_empty() {
    let target = Target::with(&things());
    fill(&target, 2);
    let at = |path: &str| target.get(&format!("{path}?resourceVersionMatch=Exact&resourceVersion=1"));
    for path in [THINGS, NAMESPACES, DEFINITIONS] {
        assert_eq!((at(path).code, at(path).names(), at(path).version().as_str()), (200, Vec::new(), "1"), "{path}");
    }
}

#[test]
fn rest_024_selectors_apply_to_all_pages() {
    let target = Target::with(&things());
    fill(&target, 6);
    let first = target.get(&format!("{THINGS}?limit=2&labelSelector=even%3Dtrue"));
    assert_eq!((first.names(), first.body["metadata"].get("remainingItemCount")), (vec!["t0", "t2"], None));
    let second = target.get(&format!("{THINGS}?limit=2&labelSelector=even%3Dtrue&continue={}", first.token()));
    assert_eq!(second.names(), ["t4"]);
}

#[rstest]
#[case::a_name("fieldSelector=metadata.name%3Dt0&limit=1", &["t0"])]
#[case::a_name_and_labels("fieldSelector=metadata.name%3Dt0&labelSelector=even&limit=1", &["t0"])]
#[case::a_name_and_an_old_revision("fieldSelector=metadata.name%3Dt0&limit=1&resourceVersion=1", &["t0"])]
#[case::any_revision("limit=1&resourceVersion=0", &["t0", "t1", "t2"])]
#[case::any_revision_or_later("limit=1&resourceVersion=0&resourceVersionMatch=NotOlderThan", &["t0", "t1", "t2"])]
fn rest_024_lists_that_ignore_the_limit(#[case] query: &str, #[case] names: &[&str]) {
    let target = Target::with(&things());
    fill(&target, 3);
    let list = target.get(&format!("{THINGS}?{query}"));
    assert_eq!((list.names(), list.token()), (names.to_vec(), ""));
}

#[test]
fn rest_024_a_list_over_all_namespaces_may_select_one() {
    let all = "/apis/example.com/v1/things?fieldSelector=metadata.namespace%3Ddefault";
    let target = Target::with(&things());
    fill(&target, 3);
    target.post(NAMESPACES, &json!({"metadata": {"name": "later"}}));
    target.create("/apis/example.com/v1/namespaces/later/things", &thing("t1", &json!({})));
    let one = target.get(&format!("{all},metadata.name%3Dt1&limit=1"));
    assert_eq!((one.names(), one.token()), (vec!["t1"], ""));
    let first = target.get(&format!("{all}&limit=2"));
    assert_eq!(first.names(), ["t0", "t1"]);
    let last = target.get(&format!("{all}&limit=2&continue={}", first.token()));
    assert_eq!((last.names(), last.token()), (vec!["t2"], ""));
    let name_alone = target.get("/apis/example.com/v1/things?fieldSelector=metadata.name%3Dt1&limit=1");
    assert_ne!(name_alone.token(), "", "there may be another one in a later namespace");
}

#[test]
fn rest_024_a_list_of_any_revision_goes_on_without_limit() {
    let target = Target::with(&things());
    fill(&target, 4);
    let first = target.get(&format!("{THINGS}?limit=1"));
    let rest = target.get(&format!("{THINGS}?limit=1&resourceVersion=0&continue={}", first.token()));
    assert_eq!((rest.names(), rest.token()), (vec!["t1", "t2", "t3"], ""));
}

#[test]
fn rest_024_events_of_any_revision_have_pages() {
    let events = "/api/v1/namespaces/default/events";
    let target = Target::new();
    for name in ["a", "b"] {
        let event = json!({"metadata": {"name": name}, "involvedObject": {"namespace": "default"}});
        target.create(events, &event);
    }
    assert_eq!(target.get(&format!("{events}?limit=1&resourceVersion=0")).names(), ["a"]);
}

#[test]
fn rest_025_a_token_is_relative_to_the_path() {
    let all = "/apis/example.com/v1/things";
    let later = "/apis/example.com/v1/namespaces/later/things";
    let target = Target::with(&things());
    target.post(NAMESPACES, &json!({"metadata": {"name": "later"}}));
    for (path, name) in [THINGS, later].iter().flat_map(|path| ["a0", "a1", "a2"].map(|name| (path, name))) {
        target.create(path, &thing(name, &json!({})));
    }
    let first = target.get(&format!("{THINGS}?limit=2"));
    let next = |path: &str, token: &str| target.get(&format!("{path}?limit=1&continue={token}"));
    assert_eq!(next(later, first.token()).names(), ["a2"]);
    assert_eq!(next(all, first.token()).names(), ["a0"], "a1 is before default");
    assert_eq!(next(all, first.token()).body["items"][0]["metadata"]["namespace"], "default");
    let first = target.get(&format!("{all}?limit=2"));
    assert_eq!(next(all, first.token()).names(), ["a2"]);
    assert!(next(THINGS, first.token()).names().is_empty(), "default/a1 is behind all names");
}

#[test]
fn rest_026_a_future_revision_is_to_be_tried_again() {
    let target = Target::with_thing(&json!({}));
    for path in [THINGS, &format!("{THINGS}/a"), DEFINITIONS, NAMESPACES] {
        let late = target.get(&format!("{path}?resourceVersion=99999999999"));
        let seconds = &late.body["details"]["retryAfterSeconds"];
        assert_eq!((late.code, late.header("retry-after"), seconds), (504, "1", &json!(1)), "{path}");
    }
}

#[test]
fn rest_025_a_token_beyond_the_history_has_expired() {
    let target = Target::with_options(Options { history: 3, ..Options::default() }).having(&things());
    fill(&target, 4);
    let first = target.get(&format!("{THINGS}?limit=2"));
    for number in 0..5 {
        target.merge(&format!("{THINGS}/t0"), &json!({"spec": {"n": number}}));
    }
    let expired = target.get(&format!("{THINGS}?limit=2&continue={}", first.token()));
    assert_eq!((expired.code, expired.reason()), (410, "Expired"));
    assert_eq!(target.get(&format!("{THINGS}?limit=2&continue={}", expired.token())).names(), ["t2", "t3"]);
}

#[test]
fn rest_021_listed_objects_of_built_in_types_omit_their_type() {
    let target = Target::with_thing(&json!({}));
    for (path, is_typed) in [(DEFINITIONS, true), (NAMESPACES, true), (THINGS, false)] {
        let list = target.get(path).body;
        let has_type = ["apiVersion", "kind"].map(|field| list["items"][0].get(field).is_some());
        assert_eq!(has_type, [!is_typed; 2], "{path}");
        assert_eq!(list["metadata"].get("continue").is_some(), !is_typed, "{path}");
    }
}
