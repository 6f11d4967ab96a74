//! Which failures belong together.

use crdible_journal::{Failure, Signature};
use crdible_scenario::{
    AnyScenario, Body, Capability, Definition, Expectation, Method, Plan, Request, Resource, judge::FailedCheck,
};
use rstest::rstest;
use serde_json::{Value, json};

use super::{area, of_missing, symptom};

/// A failure of the answer to one request.
struct Seen {
    request: Request,
    requirements: &'static [&'static str],
    place: &'static str,
    reason: &'static str,
    expected: Value,
    actual: Value,
}

impl Seen {
    fn symptom(&self) -> String {
        let mut plan = Plan::new();
        let schema = json!({ "type": "object", "properties": { "spec": { "type": "integer", "multipleOf": 3 } } });
        plan.define(Definition::of_schema(schema));
        let step = plan.send(self.request.clone());
        plan.check("check", self.requirements, step, Expectation::Accepted);
        let failure = Failure {
            signature: Signature::new("p", "check", "", self.reason),
            requirements: self.requirements.iter().map(ToString::to_string).collect(),
            summary: String::new(),
            expected: self.expected.clone(),
            actual: self.actual.clone(),
            between: None,
        };
        let failed = FailedCheck { check: Some(0), step: Some(step), place: self.place.to_owned(), failure };
        symptom(&AnyScenario::from(plan.finish()), &failed)
    }
}

fn write() -> Request {
    Request::post(Resource::objects(0, "v1"), Body::json(json!({})))
}

fn patch() -> Request {
    let object = Resource::Object { definition: 0, version: "v1".to_owned(), object: 0 };
    Request::new(Method::MergePatch, object, Body::json(json!({})))
}

fn definition() -> Request {
    Request::post(Resource::Definitions, Body::json(json!({})))
}

#[rstest]
#[case::section_and_requirement(patch(), &["INV-065", "REST-034/e1"], "/spec/a", "unexpected", json!({}), json!(null),
    "11.3 Update and patch / REST-034")]
#[case::chapter_without_sections(write(), &["FSEL-002"], "items", "object-missing", json!([1]), json!([]),
    "14 Field selectors / FSEL-002")]
#[case::section_of_anything(write(), &["REST-070"], "/metadata/ownerReferences", "length", json!([]), json!([]),
    "11.8 finalizers are qualified names, and owners are not repeated / REST-070")]
#[case::wrong_reason(write(), &["REST-047/e1"], "", "status-409",
    json!({ "status": 409, "reason": "Conflict" }), json!({ "status": 409, "reason": "Invalid" }),
    "11.8 every code has its reason / REST-073")]
#[case::no_reason_of_a_definition(definition(), &["CRDVAL-022"], "", "status-404",
    json!({ "status": 404, "reason": "NotFound" }), json!({ "status": 404, "reason": "" }),
    "11.8 every code has its reason / REST-073")]
#[case::wrong_code(write(), &["REST-047"], "", "status-200",
    json!({ "status": 409, "reason": "Conflict" }), json!({ "status": 200, "reason": "" }), "11.4 Delete / REST-047")]
#[case::untyped_item(Request::get(Resource::objects(0, "v1")), &["REST-001", "REST-022"], "items/apiVersion", "missing",
    json!({}), json!({}), "11.2 Create, get, list / REST-021")]
#[case::untyped_list(Request::get(Resource::objects(0, "v1")), &["DISC-010"], "/kind", "missing", json!("ThingList"),
    json!(null), "11.2 Create, get, list / REST-021")]
#[case::untyped_item_beside_a_table(Request::get(Resource::objects(0, "v1")), &["TABLE-006"],
    "/rows/0/object/apiVersion", "unexpected", json!({}), json!({}), "11.2 Create, get, list / REST-021")]
#[case::appended_list(patch(), &["CRDVAL-011"], "/spec/names/categories/0", "changed", json!(["all"]),
    json!(["apps", "all"]), "11.3 Update and patch / REST-034")]
#[case::appended_list_in_an_object(patch(), &["SUB-004"], "/spec/l", "length", json!({ "spec": { "l": [] } }),
    json!({ "spec": { "l": [1] } }), "11.3 Update and patch / REST-034")]
#[case::other_list(patch(), &["SUB-004"], "/spec/l/0", "changed", json!({ "spec": { "l": [1] } }),
    json!({ "spec": { "l": [2] } }), "10.1 Status and generation / SUB-004")]
#[case::list_of_a_create(write(), &["REST-070"], "/spec/l", "length", json!([1]), json!([1, 1]),
    "11.8 finalizers are qualified names, and owners are not repeated / REST-070")]
#[case::keyword(write(), &["INV-027", "VALUE-010"], "spec", "accepted",
    json!({ "status": 422, "causes": [{ "field": "spec", "reason": "Invalid" }] }), json!({ "status": 201 }),
    "objects: what is invalid is accepted / Invalid multipleOf / write")]
#[case::invalid_definition(definition(), &["CRDVAL-058/e1"], "", "status-201", json!(400), json!({ "status": 201 }),
    "definitions: what is invalid is accepted / write")]
#[case::default_of_a_definition(definition(), &["CRDVAL-056"], "/spec/conversion/webhook/clientConfig/service/port",
    "missing", json!({}), json!({}),
    "definitions: defaults / spec.conversion.webhook.clientConfig.service.port / write, missing")]
#[case::no_route(Request::get(Resource::objects(0, "v1")), &["CRDVAL-015/e1"], "", "status-200", json!(404),
    json!({ "status": 200 }), "objects: answers / read, status-200 / read objects")]
fn symptoms(
    #[case] request: Request,
    #[case] requirements: &'static [&'static str],
    #[case] place: &'static str,
    #[case] reason: &'static str,
    #[case] expected: Value,
    #[case] actual: Value,
    #[case] symptom: &str,
) {
    assert_eq!(Seen { request, requirements, place, reason, expected, actual }.symptom(), symptom);
}

/// An invariant alone stands for what it covers.
#[test]
fn an_invariant_has_the_area_of_what_it_covers() {
    let seen = Seen {
        request: patch(),
        requirements: &["INV-062"],
        place: "/metadata/resourceVersion",
        reason: "changed",
        expected: json!("1"),
        actual: json!("2"),
    };
    assert_eq!(area(&seen.symptom()), "11.3 Update and patch");
}

#[test]
fn what_follows_from_a_missing_capability_has_its_area() {
    let of = |capability, requirement: &str| of_missing(capability, &[requirement.to_owned()]);
    assert_eq!(of(Capability::Watches, "REST-060"), "11.7 Watch / REST-060");
    let validation = of(Capability::DefinitionValidation, "CRDVAL-003");
    assert_eq!(area(&validation), "definitions: what is invalid is accepted");
    let defaults = of(Capability::DefinitionDefaults, "CRDVAL-007");
    assert_eq!(area(&defaults), "definitions: defaults");
}
