//! An answer in the form in which two servers are compared: without what may differ between two correct ones.
//!
//! | removed | because |
//! |---|---|
//! | generated names: group, object, run | each execution generates its own |
//! | the suffix that is appended to `generateName` | random |
//! | `uid`, `creationTimestamp`, `deletionTimestamp`, `lastTransitionTime` | no two servers agree |
//! | values of `resourceVersion`; which answers of an object share one is kept | opaque (OBJ and `settle`) |
//! | of a pooled definition: the first `generation` (its increases are kept), and `managedFields` | it has a history |
//! | the `time` of an entry of `managedFields`; the order of the entries | upstream sorts by time, in whole seconds |
//! | a condition's `lastTransitionTime` in a `managedFields` entry of a definition | it is written only if the second has changed |
//! | `continue` of a list | opaque |
//! | ages in seconds in the cells of a table | time passes |
//! | the order of the events of a watch about different objects; bookmarks other than the one that ends the initial events | REST-063 promises only the order of each object's events; upstream sends bookmarks on a timer |
//! | messages of a `Status` | free (VALUE-043) |
//! | the sentinel in a schema that is read back | the executor added it |
//! | `storageVersionHash` | an opaque hash of names |
//! | the order of the resources of a version in plain discovery | it is free (DISC-004) |
//! | a definition's `status` except `storedVersions`, its `resourceVersion`, and the `managedFields` entries of the controllers that set it | set some time later (LIFE-002); if a step waits for it, only times, messages and the name of the controllers are removed |
//! | the order of neighbouring warnings about unknown formats | upstream takes it from a hash map (CRDVAL-036) |
//! | bodies nested deeper than 128 levels | they are not decoded (CRDVAL-039 sends some) |
//! | the order of tied versions in discovery, and which of those tied with the first is preferred | either will do (VER-003) |

mod documents;
mod events;
mod names;
mod object;

use std::cmp::Ordering;

use crdible_semantics::{Upstream, VersionOrder};
use serde_json::{Map, Value, json};

use crate::{
    scenario::{Scenario, Tenancy, Until},
    transcript::{Answer, GroupListing, Transcript},
};
use events::Events;
use names::GeneratedNames;
use object::{Objects, REVISION, replace};

/// Makes the answers of one transcript comparable. It remembers the `resourceVersion`s, so pass the answers in the
/// order of the steps.
#[derive(Debug, Default)]
pub struct Normaliser {
    generated: GeneratedNames,
    objects: Objects,
}

impl Normaliser {
    /// A normaliser for the answers to a scenario in the run with this ID.
    pub fn new(run: &str, scenario: &Scenario) -> Self {
        let are_pooled = scenario.definitions.iter().any(|definition| definition.tenancy == Tenancy::Pooled);
        Self { generated: GeneratedNames::of(run), objects: Objects::new(are_pooled) }
    }

    /// Normalises all answers of a transcript; steps that send nothing have none.
    pub fn transcript(run: &str, scenario: &Scenario, transcript: &Transcript) -> Vec<Option<Value>> {
        let mut normaliser = Self::new(run, scenario);
        let waits = |step: usize| scenario.steps.get(step).is_some_and(|step| step.until == Some(Until::Quiet));
        let normal = |(step, answer): (usize, &Option<Answer>)| {
            answer.as_ref().map(|answer| normaliser.answer(answer, waits(step)))
        };
        transcript.answers.iter().enumerate().map(normal).collect()
    }

    /// Normalises one answer: `status`, `warnings`, and `body` if it was accepted, `reason` and `causes` if it was
    /// rejected; `group` for discovery. `waited` tells whether the step was repeated until the controllers were done.
    pub fn answer(&mut self, answer: &Answer, waited: bool) -> Value {
        let mut normal = Map::new();
        normal.insert("status".to_owned(), json!(answer.status));
        if !answer.warnings.is_empty() {
            let mut warnings: Vec<String> = answer.warnings.iter().map(|text| self.generated.without(text)).collect();
            warnings.chunk_by_mut(|a, b| is_of_format(a) && is_of_format(b)).for_each(<[String]>::sort);
            normal.insert("warnings".to_owned(), json!(warnings));
        }
        if let Some(group) = &answer.group {
            let mut group = json!(without_order_of_ties(group.clone()));
            self.generated.remove(&mut group);
            normal.insert("group".to_owned(), group);
        }
        if answer.is_accepted() {
            normal.insert("body".to_owned(), self.body(answer, waited));
        } else {
            normal.insert("reason".to_owned(), json!(answer.reason()));
            let causes: Vec<Value> = answer
                .causes()
                .iter()
                .map(|cause| json!({ "field": self.generated.without(&cause.field), "reason": cause.reason }))
                .collect();
            normal.insert("causes".to_owned(), json!(causes));
        }
        Value::Object(normal)
    }

    fn body(&mut self, answer: &Answer, waited: bool) -> Value {
        let body = &answer.body;
        // Nested too deep to be decoded as JSON; its code has been compared.
        if body.as_str().is_some_and(|text| text.starts_with('{')) {
            return json!("deep JSON");
        }
        let mut body = answer.with_managed_fields();
        self.generated.remove(&mut body);
        if let Some(Value::Array(events)) = body.get_mut("events").map(Value::take) {
            return self.events(events, waited);
        }
        self.document(&mut body, waited, None);
        body
    }

    /// The events of a watch, grouped by object: the order between objects is not promised.
    fn events(&mut self, events: Vec<Value>, waited: bool) -> Value {
        let dates = events.iter().find_map(|event| documents::dates(event.get("object")?));
        let mut grouped = Events::default();
        for mut event in events {
            if event["type"] == "BOOKMARK" {
                for metadata in ["/object/metadata", "/object/rows/0/object/metadata"] {
                    let metadata = event.pointer_mut(metadata).and_then(Value::as_object_mut);
                    metadata.into_iter().for_each(|metadata| replace(metadata, "resourceVersion", REVISION));
                }
            }
            if let Some(object) = event.get_mut("object") {
                self.document(object, waited, dates.as_deref());
            }
            grouped.add(event);
        }
        grouped.into_value()
    }

    /// Normalises a whole document. `dates` tells which columns of a table hold dates if the table does not define its
    /// columns.
    fn document(&mut self, body: &mut Value, waited: bool, dates: Option<&[bool]>) {
        match body.get("kind").and_then(Value::as_str) {
            Some("Status") => {
                if let Some(fields) = body.as_object_mut() {
                    fields.remove("message");
                }
                if let Some(details) = body.get_mut("details").and_then(Value::as_object_mut) {
                    details.remove("uid");
                }
            }
            Some("APIResourceList") => {
                if let Some(resources) = body.get_mut("resources").and_then(Value::as_array_mut) {
                    for resource in resources.iter_mut().filter_map(Value::as_object_mut) {
                        resource.remove("storageVersionHash");
                    }
                    resources.sort_by_cached_key(|resource| resource["name"].to_string());
                }
            }
            _ => {}
        }
        if body.get("openapi").is_some() || body.get("swagger").is_some() {
            documents::normalise_openapi(body, self.generated.run());
            return;
        }
        if let Some(dates) = documents::dates(body).as_deref().or(dates) {
            documents::remove_ages(body, dates);
        }
        documents::remove_descriptions(body);
        for row in body.get_mut("rows").and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(object) = row.get_mut("object") {
                self.objects.normalise(object, waited);
            }
        }
        self.objects.normalise(body, waited);
        for item in body.get_mut("items").and_then(Value::as_array_mut).into_iter().flatten() {
            self.objects.normalise(item, waited);
        }
        let lists = body.get("items").is_some() || body.get("rows").is_some();
        if lists && let Some(metadata) = body.get_mut("metadata").and_then(Value::as_object_mut) {
            // Any other write changes it.
            replace(metadata, "resourceVersion", REVISION);
            if metadata.get("continue").is_some_and(|token| token != "") {
                replace(metadata, "continue", "$continue");
            }
        }
    }
}

fn is_of_format(warning: &str) -> bool {
    warning.starts_with("unrecognized format ")
}

/// A group with its tied versions in a fixed order.
fn without_order_of_ties(group: GroupListing) -> GroupListing {
    let GroupListing { mut versions, preferred, is_aggregated } = group;
    let are_tied = |a: &str, b: &str| Upstream.compare_versions(a, b) == Ordering::Equal;
    for tied in versions.chunk_by_mut(|a, b| are_tied(a, b)) {
        tied.sort();
    }
    let preferred = preferred.map(|preferred| match versions.first() {
        Some(first) if are_tied(first, &preferred) => first.clone(),
        _ => preferred,
    });
    GroupListing { versions, preferred, is_aggregated }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{GroupListing, Normaliser};
    use crate::{
        marks::{ALIVE_UNTIL, RUN_LABEL},
        scenario::{Definition, Scenario, Tenancy},
        transcript::{Answer, Transcript},
    };

    fn normaliser(run: &str) -> Normaliser {
        Normaliser::new(run, &Scenario::default())
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
        Normaliser::transcript(run, &Scenario::default(), &Transcript { answers, refusal: None })
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
    fn warnings_about_formats_have_no_order(#[case] warnings: [&str; 2], #[case] equal: bool) {
        let of = |warnings: [&str; 2]| {
            let warnings = warnings.map(str::to_owned).into();
            normaliser("r1").answer(&Answer { status: 201, warnings, ..Answer::default() }, false)
        };
        let [first, second] = warnings;
        assert_eq!(of([first, second]) == of([second, first]), equal);
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
        let managed = |manager: &str, part: &str| json!({ "manager": manager, "subresource": part, "time": revision, "fieldsV1": fields });
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
        Normaliser::new(run, &scenario).answer(&answer, waited)["body"].clone()
    }

    #[test]
    fn what_the_executor_added_to_a_definition_is_removed() {
        let body = definition("r1", "4", false, Tenancy::Pooled);
        let metadata =
            json!({ "name": "things.$group", "generation": "$generation+0", "resourceVersion": "$revision" });
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
        let conditions =
            json!([{ "lastTransitionTime": "$time", "type": "T" }, { "message": "$message", "type": "A" }]);
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
}
