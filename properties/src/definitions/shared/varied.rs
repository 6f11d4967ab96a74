//! Whole definitions that are sent as dry runs. Their names are literal, because nothing is stored.

use crdible_generators::definition::{Outcome, VariedDefinition, plain, variations_of, varied};

use super::DEFINITIONS;
use crate::prelude::*;
use crate::shared::definitions::check_causes;

/// POST of a whole definition as a dry run.
pub(crate) fn try_document(plan: &mut Plan, document: Value) -> StepId {
    try_text(plan, &[], document.into())
}

/// The same, exactly as written, with these query parameters.
pub(crate) fn try_text(plan: &mut Plan, query: &[(&str, &str)], document: Content) -> StepId {
    let query = query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    plan.send(Request { query, ..Request::post(Resource::Definitions, Body::Json(document)).as_dry_run() })
}

/// Sends a varied definition, and checks for the causes of its variation.
fn try_variation(plan: &mut Plan, varied: &VariedDefinition) {
    let VariedDefinition { document, variation, version, causes } = varied;
    let step = try_document(plan, document.clone());
    plan.count_case();
    match variation.outcome {
        Outcome::Refused(_) => check_causes(plan, variation.name, variation.asserts, step, causes),
        Outcome::Undecodable => plan.check(variation.name, variation.asserts, step, Expectation::BadRequest),
        Outcome::Accepted | Outcome::AcceptedAs(_) => {
            let read_back = variation.read_back(document, *version);
            plan.check(variation.name, variation.asserts, step, at("/spec", read_back));
        }
    }
}

/// Every variation of these requirements, each in an otherwise minimal definition.
pub(crate) fn variations_alone(plan: &mut Plan, requirements: &[&str]) {
    for variation in requirements.iter().flat_map(|requirement| variations_of(requirement)) {
        try_variation(plan, &variation.of(plain(), 0));
    }
}

/// Some of the variations of these requirements, in generated definitions.
pub(crate) fn variations_anywhere(plan: &mut Plan, choices: &mut Choices, requirements: &[&str]) {
    let among: Vec<_> = requirements.iter().flat_map(|requirement| variations_of(requirement)).collect();
    choices.many("definition", 1, DEFINITIONS, |choices, _| try_variation(plan, &varied(choices, &among)));
}
