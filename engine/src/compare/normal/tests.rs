//! Answers before and after normalisation.

use crdible_scenario::{
    Definition, Scenario, Tenancy,
    transcript::{Answer, Transcript},
};
use rstest::rstest;
use serde_json::{Value, json};

use super::{GroupListing, Messages, Normaliser};
use crate::marks::{ALIVE_UNTIL, RUN_LABEL};

fn normaliser(run: &str) -> Normaliser {
    Normaliser::new(run, &Scenario::default(), Messages::Free)
}

fn object(name: &str, revision: &str, run: &str) -> Answer {
    object_with(name, revision, run, json!([{ "manager": "m", "time": run }]))
}

fn object_with(name: &str, revision: &str, run: &str, managed_fields: Value) -> Answer {
    let body = json!({
        "apiVersion": "$group/v1", "kind": "$kind",
        "metadata": {
            "name": name, "uid": format!("u-{run}"), "resourceVersion": revision, "generation": 1,
            "creationTimestamp": format!("2026-01-01T00:00:0{revision}Z"),
        },
        "spec": { "uid": "kept", "group": format!("g17.{run}.crdible.dev"), "label": run },
    });
    Answer { status: 201, body, managed_fields, ..Answer::default() }
}

fn normal(run: &str, revisions: [(&str, &str); 4]) -> Vec<Option<Value>> {
    let answers = revisions.iter().map(|(name, revision)| Some(object(name, revision, run))).collect();
    Normaliser::transcript(run, &Scenario::default(), &Transcript { answers, ..Transcript::default() }, Messages::Free)
}

#[test]
fn names_uids_times_and_revisions_are_removed() {
    let one = normal("rone", [("$object-0", "1"), ("$object-0", "1"), ("$object-0", "2"), ("$object-1", "3")]);
    let other = normal("rother", [("$object-0", "5"), ("$object-0", "5"), ("$object-0", "7"), ("$object-1", "8")]);
    assert_eq!(one, other);
    let first = one[0].clone().expect("it has an answer");
    assert_eq!(first["body"]["spec"], json!({ "uid": "kept", "group": "$group", "label": "$run" }));
    assert_eq!(first["body"]["metadata"]["generation"], 1);
    assert_eq!(first["body"]["metadata"]["managedFields"], json!([{ "manager": "m", "time": "$time" }]));
}

#[test]
fn cells_are_compared_without_the_creation_times_that_were_seen() {
    let table = |run: &str, second: &str, shown: &str| {
        let mut normaliser = normaliser(run);
        normaliser.answer(&object("$object-0", second, run), false);
        let created = format!("2026-01-01T00:00:0{second}Z");
        let body = json!({ "kind": "Table", "rows": [{ "cells": [created, shown] }] });
        normaliser.answer(&Answer { status: 200, body, ..Answer::default() }, false)
    };
    let fixed = "2020-01-01T00:00:00Z";
    assert_eq!(table("r1", "1", fixed), table("r2", "2", fixed));
    assert_ne!(table("r1", "1", fixed), table("r2", "2", "2020-01-01T00:00:01Z"), "no object was created then");
}

#[rstest]
#[case::written_once_more([("$object-0", "1"), ("$object-0", "2"), ("$object-0", "2"), ("$object-1", "3")])]
#[case::back_to_an_earlier_one([("$object-0", "1"), ("$object-0", "1"), ("$object-0", "1"), ("$object-1", "3")])]
fn which_answers_share_a_revision_is_kept(#[case] revisions: [(&str, &str); 4]) {
    let usual = normal("r1", [("$object-0", "1"), ("$object-0", "1"), ("$object-0", "2"), ("$object-1", "3")]);
    assert_ne!(normal("r1", revisions), usual);
}

#[rstest]
#[case::another_manager(json!([{ "manager": "b", "time": "1" }, { "manager": "c" }]), false)]
#[case::none(Value::Null, false)]
#[case::no_time(json!([{ "manager": "a" }, { "manager": "c" }]), false)]
#[case::another_time(json!([{ "manager": "a", "time": "2" }, { "manager": "c" }]), true)]
#[case::another_order(json!([{ "manager": "c" }, { "manager": "a", "time": "1" }]), true)]
fn managed_fields_are_compared_without_times_and_order(#[case] managed: Value, #[case] equal: bool) {
    let before = json!([{ "manager": "a", "time": "1" }, { "manager": "c" }]);
    let of = |managed: &Value| {
        let single = object_with("$object-0", "1", "r1", managed.clone());
        let list = Answer {
            body: json!({ "kind": "ThingList", "items": [single.body] }),
            managed_fields: json!([managed]),
            ..single.clone()
        };
        [single, list].map(|answer| normaliser("r1").answer(&answer, false))
    };
    for (one, other) in of(&before).into_iter().zip(of(&managed)) {
        assert_eq!(one == other, equal);
    }
}

#[test]
fn a_rejection_is_compared_by_code_reason_and_causes() {
    let refusal = |message: &str, first: &str, second: &str| Answer {
        status: 422,
        body: json!({
            "kind": "Status", "reason": "Invalid", "message": message,
            "details": { "name": message, "causes": [
                { "field": first, "reason": "FieldValueInvalid", "message": message },
                { "field": second, "reason": "FieldValueInvalid" },
            ] },
        }),
        ..Answer::default()
    };
    let of = |answer: &Answer| normaliser("r1").answer(answer, false);
    assert_eq!(of(&refusal("a", "spec.x", "spec.y")), of(&refusal("b", "spec.y", "spec.x")));
    assert_ne!(of(&refusal("a", "spec.x", "spec.y")), of(&refusal("a", "spec.x", "spec.x")), "a multiset");
}

#[rstest]
#[case::of_formats(["unrecognized format \"b\"", "unrecognized format \"a\""], true)]
#[case::others(["unknown field \"b\"", "unknown field \"a\""], false)]
#[case::mixed(["unrecognized format \"b\"", "a"], false)]
#[case::of_rules(["spec.b: Invalid value: \"integer\": b", "spec.a: Forbidden: a"], true)]
#[case::of_rules_and_others(["spec.b: Forbidden: b", "unknown field \"a\""], false)]
fn warnings_about_formats_and_rules_have_no_order(#[case] warnings: [&str; 2], #[case] equal: bool) {
    let of = |warnings: [&str; 2]| {
        let warnings = warnings.map(str::to_owned).into();
        normaliser("r1").answer(&Answer { status: 201, warnings, ..Answer::default() }, false)
    };
    let [first, second] = warnings;
    assert_eq!(of([first, second]) == of([second, first]), equal);
}

#[rstest]
#[case::other_name_of_the_run("\"x3-1\" of g4.r1.crdible.dev", true)]
#[case::other_object("\"x3-2\" of g4.r1.crdible.dev", false)]
#[case::other_words("\"x3-1\" in g4.r1.crdible.dev", false)]
fn messages_are_compared_if_asked_for(#[case] other: &str, #[case] equal: bool) {
    const ONE: &str = "\"x2-1\" of g2.r1.crdible.dev";
    let refusals = |message: &str| {
        let causes = json!([{ "field": "spec", "reason": "FieldValueInvalid", "message": message }]);
        let invalid = json!({ "reason": "Invalid", "message": "free", "details": { "causes": causes } });
        [invalid, json!({ "reason": "BadRequest", "message": message })]
    };
    for (one, other) in refusals(ONE).into_iter().zip(refusals(other)) {
        for (messages, expected) in [(Messages::Free, true), (Messages::Compared, equal)] {
            let of = |body: &Value| {
                let answer = Answer { status: 422, body: body.clone(), ..Answer::default() };
                Normaliser::new("r1", &Scenario::default(), messages).answer(&answer, false)
            };
            assert_eq!(of(&one) == of(&other), expected, "{messages:?}: {one} and {other}");
        }
    }
}

#[test]
fn items_of_lists_lose_their_names_too() {
    let list = |run: &str, execution: u8| Answer {
        status: 200,
        body: json!({
            "kind": "ThingList", "metadata": { "resourceVersion": run },
            "items": [{
                "apiVersion": format!("g2.{run}.crdible.dev/v1"), "kind": "Thing",
                "metadata": { "name": format!("x{execution}-1"), "uid": run, "resourceVersion": run },
            }],
        }),
        ..Answer::default()
    };
    let one = normaliser("rone").answer(&list("rone", 3), false);
    assert_eq!(one, normaliser("rtwo").answer(&list("rtwo", 4), false));
    assert_eq!(one["body"]["items"][0]["metadata"]["name"], "$object-1");
}

#[test]
fn resources_of_a_version_have_no_order() {
    let of = |resources: Value| {
        let body = json!({ "kind": "APIResourceList", "groupVersion": "g/v1", "resources": resources });
        normaliser("r1").answer(&Answer { status: 200, body, ..Answer::default() }, false)
    };
    let resource = |name: &str, verbs: &str| json!({ "name": name, "verbs": [verbs], "storageVersionHash": name });
    let [a, b] = [resource("as", "get"), resource("as/status", "get")];
    assert_eq!(of(json!([a, b])), of(json!([b, a])));
    assert_ne!(of(json!([a, b])), of(json!([a, resource("as/status", "patch")])));
}

fn definition(run: &str, revision: &str, waited: bool, tenancy: Tenancy) -> Value {
    // A write in a later second also wrote the time of the condition.
    let mut condition = json!({ "f:reason": {} });
    if waited && revision == "4" {
        condition["f:lastTransitionTime"] = json!({});
    }
    let fields = json!({ "f:status": { "f:conditions": { "k:{\"type\":\"T\"}": condition } } });
    let managed = |manager: &str, part: &str| {
        json!({
            "manager": manager, "subresource": part, "time": revision, "fieldsV1": fields,
        })
    };
    let answer = Answer {
        status: 200,
        body: json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {
                "name": format!("things.g3.{run}.crdible.dev"), "generation": 7, "resourceVersion": revision,
                "labels": { RUN_LABEL: run }, "annotations": { ALIVE_UNTIL: revision },
                "managedFields": [managed("server", "status"), managed("me", "scale")],
            },
            "spec": { "versions": [{ "name": "v1", "schema": { "openAPIV3Schema": {
                "type": "object", "properties": { "a": {}, "crdibleSentinel": { "enum": [revision] } },
            } } }] },
            "status": {
                "conditions": [{ "type": "T", "lastTransitionTime": revision }, { "type": "A", "message": revision }],
                "storedVersions": ["v1"],
            },
        }),
        ..Answer::default()
    };
    let definitions = vec![Definition { tenancy, ..Definition::default() }];
    let scenario = Scenario { definitions, ..Scenario::default() };
    Normaliser::new(run, &scenario, Messages::Free).answer(&answer, waited)["body"].clone()
}

#[test]
fn what_the_executor_added_to_a_definition_is_removed() {
    let body = definition("r1", "4", false, Tenancy::Pooled);
    let metadata = json!({ "name": "things.$group", "generation": "$generation+0", "resourceVersion": "$revision" });
    assert_eq!(body["metadata"], metadata);
    assert_eq!(body["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"], json!({ "a": {} }));
    assert_eq!(body["status"], json!({ "storedVersions": ["v1"] }));
}

#[test]
fn what_controllers_set_is_compared_if_the_step_waited_for_it() {
    let body = definition("r1", "4", false, Tenancy::Own);
    assert_eq!(body["metadata"]["generation"], 7);
    assert_eq!(body["metadata"]["managedFields"].as_array().map(Vec::len), Some(1), "only those of the clients");
    let body = definition("r1", "4", true, Tenancy::Own);
    assert_eq!(body["metadata"]["managedFields"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        body["metadata"],
        definition("r1", "5", true, Tenancy::Own)["metadata"],
        "times are a matter of seconds"
    );
    let conditions = json!([{ "lastTransitionTime": "$time", "type": "T" }, { "message": "$message", "type": "A" }]);
    assert_eq!(body["status"], json!({ "conditions": conditions, "storedVersions": ["v1"] }));
}

#[rstest]
#[case::tied(["v1", "v01", "a"], "v1", ["v01", "v1", "a"], "v01", true)]
#[case::tied_and_preferred(["v1", "v01", "a"], "v1", ["v1", "v01", "a"], "v01", true)]
#[case::not_tied(["v2", "v1", "a"], "v2", ["v1", "v2", "a"], "v1", false)]
#[case::another_preferred(["v2", "v1", "a"], "v2", ["v2", "v1", "a"], "v1", false)]
fn the_order_of_tied_versions_is_ignored(
    #[case] versions: [&str; 3],
    #[case] preferred: &str,
    #[case] others: [&str; 3],
    #[case] preferred_there: &str,
    #[case] equal: bool,
) {
    let listing = |versions: [&str; 3], preferred: &str| {
        let group = GroupListing {
            versions: versions.map(str::to_owned).into(),
            preferred: Some(preferred.to_owned()),
            is_aggregated: false,
        };
        normaliser("r1").answer(&Answer { status: 200, group: Some(group), ..Answer::default() }, false)
    };
    assert_eq!(listing(versions, preferred) == listing(others, preferred_there), equal);
}

#[test]
fn hooks_are_compared_without_their_address_and_certificate() {
    let config = |url: &str, bundle: &str| {
        let config = json!({ "url": url, "caBundle": bundle });
        let body = json!({
            "kind": "CustomResourceDefinition", "metadata": { "name": "things" },
            "spec": { "conversion": { "strategy": "Webhook", "webhook": { "clientConfig": config } } },
        });
        normaliser("r1").answer(&Answer { status: 200, body, ..Answer::default() }, false)
    };
    let here = config("https://127.0.0.1:9443/12/convert", "LS0tLS1BQUE=");
    assert_eq!(here, config("https://crdible.invalid:443/7/convert", "LS0tLS1CQkI="));
    assert_ne!(here, config("https://127.0.0.1:9443/12/other", "LS0tLS1BQUE="), "another path below the hook");
    assert_ne!(here, config("https://127.0.0.1:9443/12/convert", "QUFB"), "no certificate");
    let fixed = config("https://one.example/convert", "QUFB");
    assert_ne!(fixed, config("https://two.example/convert", "QUFB"), "no hook of a run");
}
