//! CONV-028, its edge: the block of a webhook cannot stay beside strategy None.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use crate::{
    properties::{Capability, Property},
    scenario::{Body, Cause, Definition, Expectation, Method, Plan, Request, Resource, Scenario},
};

const ASSERTS: &[&str] = &["CONV-028/e1"];

pub(super) const PROPERTY: Property = Property {
    id: "conv-028-block-of-a-webhook",
    title: "a definition with strategy None and the block of a webhook is refused, for each part of the block",
    asserts: ASSERTS,
    needs: &[Capability::DefinitionDryRun],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let definition = plan.define(Definition::of_schema(json!({ "type": "object" })));
    choices.many("definition", 1, 4, |choices, _| {
        let (has_client, has_versions) = (choices.chance(1, 2), choices.chance(1, 2));
        let mut webhook = json!({});
        let mut causes = Vec::new();
        if has_client {
            webhook["clientConfig"] = json!({ "url": "https://127.0.0.1:1/convert" });
            causes.push(Cause::new("spec.conversion.webhook.clientConfig", "Forbidden"));
        }
        if has_versions {
            webhook["conversionReviewVersions"] = json!(["v1"]);
            causes.push(Cause::new("spec.conversion.webhook.conversionReviewVersions", "Forbidden"));
        }
        let mut conversion = json!({ "strategy": "None" });
        if choices.chance(3, 4) {
            conversion["webhook"] = webhook;
        } else {
            causes.clear();
        }
        let step = plan.send(replacing(definition, &conversion));
        let expected = if causes.is_empty() {
            Expectation::Accepted
        } else {
            // Upstream tells the fields of its own form (a quirk of CRDVAL-023).
            let arguments = json!({ "causes": causes });
            Expectation::Named { check: "definition-causes@2".into(), of: None, arguments }
        };
        plan.check("block", ASSERTS, step, expected);
        plan.count_case();
    });
    plan.finish()
}

fn replacing(definition: usize, conversion: &Value) -> Request {
    let patch = json!([{ "op": "add", "path": "/spec/conversion", "value": conversion }]);
    Request {
        method: Method::JsonPatch,
        resource: Resource::Definition { definition },
        dry_run: true,
        query: vec![],
        accept: None,
        body: Body::Json(patch.into()),
    }
}
