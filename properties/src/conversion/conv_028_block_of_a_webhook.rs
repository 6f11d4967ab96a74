//! CONV-028, its edge: strategy None excludes the webhook block.

use crate::prelude::*;
use crate::shared::definitions::{check_causes, try_patch};

const ASSERTS: &[&str] = &["CONV-028/e1"];

pub(super) const PROPERTY: Property = Property::new("conv-028-block-of-a-webhook", plan)
    .title("a definition with strategy None is rejected for each part of a webhook block that it has")
    .asserts(ASSERTS);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define_schema(json!({ "type": "object" }));
    choices.many("definition", 1, 4, |choices, _| {
        let (has_client, has_versions) = (choices.chance(1, 2), choices.chance(1, 2));
        let mut webhook = json!({});
        let mut causes = Vec::new();
        if has_client {
            webhook["clientConfig"] = json!({ "url": "https://127.0.0.1:1/convert" });
            causes.push(("spec.conversion.webhook.clientConfig".to_owned(), Reason::Forbidden));
        }
        if has_versions {
            webhook["conversionReviewVersions"] = json!(["v1"]);
            causes.push(("spec.conversion.webhook.conversionReviewVersions".to_owned(), Reason::Forbidden));
        }
        let mut conversion = json!({ "strategy": "None" });
        if choices.chance(3, 4) {
            conversion["webhook"] = webhook;
        } else {
            causes.clear();
        }
        let replaced = json!([{ "op": "add", "path": "/spec/conversion", "value": conversion }]);
        let step = try_patch(plan, definition, replaced);
        if causes.is_empty() {
            plan.check("block", ASSERTS, step, Expectation::Accepted);
        } else {
            check_causes(plan, "block", ASSERTS, step, &causes);
        }
        plan.count_case();
    });
}
