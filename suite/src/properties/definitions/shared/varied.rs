//! Whole definitions, sent as dry runs: literal names, since nothing of them is kept.

use crdible_generators::{
    choice::Choices,
    definition::{Outcome, VariedDefinition, plain, variations_of, varied},
};
use crdible_semantics::Reason;
use serde_json::{Value, json};

use super::DEFINITIONS;
use crate::scenario::{Body, Cause, Content, Expectation, Method, Plan, Request, Resource, Scenario, StepId};

/// POST of a whole definition as a dry run.
pub(crate) fn try_document(plan: &mut Plan, document: Value) -> StepId {
    try_text(plan, &[], document.into())
}

/// The same, as written, with these query parameters.
pub(crate) fn try_text(plan: &mut Plan, query: &[(&str, &str)], document: Content) -> StepId {
    plan.send(Request {
        method: Method::Post,
        resource: Resource::Definitions,
        dry_run: true,
        query: query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        accept: None,
        body: Body::Json(document),
    })
}

/// Demands 422 with exactly these causes, in whichever form of a definition their fields are told (CRDVAL-023).
pub(crate) fn check_causes(plan: &mut Plan, name: &str, asserts: &[&str], step: StepId, causes: &[(String, Reason)]) {
    let causes: Vec<Cause> = causes.iter().map(|(field, reason)| Cause::new(field, reason.to_string())).collect();
    let expect =
        Expectation::Named { check: "definition-causes@2".into(), of: None, arguments: json!({ "causes": causes }) };
    plan.check(name, asserts, step, expect);
}

/// A refusal with this code and this reason.
pub(crate) fn refused_as(status: u16, reason: &str) -> Expectation {
    let arguments = json!({ "status": status, "reason": reason });
    Expectation::Named { check: "refused-as@1".into(), of: None, arguments }
}

/// Sends a varied definition, and demands what its variation says.
fn demand(plan: &mut Plan, varied: &VariedDefinition) {
    let VariedDefinition { document, variation, version, causes } = varied;
    let step = try_document(plan, document.clone());
    plan.count_case();
    match variation.outcome {
        Outcome::Refused(_) => check_causes(plan, variation.name, variation.asserts, step, causes),
        Outcome::Undecodable => plan.check(variation.name, variation.asserts, step, Expectation::BadRequest),
        Outcome::Accepted | Outcome::AcceptedAs(_) => {
            let read_back = Some(variation.read_back(document, *version));
            let expect = Expectation::At { pointer: "/spec".into(), value: read_back };
            plan.check(variation.name, variation.asserts, step, expect);
        }
    }
}

/// Every variation of these requirements, of a definition that holds nothing else.
pub(crate) fn alone(requirements: &[&str]) -> Scenario {
    let mut plan = Plan::new();
    for variation in requirements.iter().flat_map(|requirement| variations_of(requirement)) {
        demand(&mut plan, &variation.of(plain(), 0));
    }
    plan.finish()
}

/// Some of the variations of these requirements, of generated definitions.
pub(crate) fn anywhere(choices: &mut Choices, requirements: &[&str]) -> Scenario {
    let mut plan = Plan::new();
    let among: Vec<_> = requirements.iter().flat_map(|requirement| variations_of(requirement)).collect();
    choices.many("definition", 1, DEFINITIONS, |choices, _| demand(&mut plan, &varied(choices, &among)));
    plan.finish()
}
