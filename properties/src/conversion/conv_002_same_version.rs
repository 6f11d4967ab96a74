//! CONV-002, CONV-006: where the stored version and that of the request are equal, no webhook is called.

use crdible_generators::schema::schema;
use crdible_scenario::Webhook;
use crdible_webhooks::{Chain, Converter};

use super::behaviours::failed;
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("conv-002-same-version", plan)
    .title("a webhook is not called for objects that are stored in the request version")
    .asserts(&["CONV-002", "CONV-006", "CONV-006/e1"])
    .needs(&[Capability::Storing, Capability::Webhooks]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = SchemaShape { defaults: false, ..SchemaShape::default() };
    let schema = schema(choices, &shape);
    let broken = Converter::right(Chain::identity(["v1"])).with(failed(None));
    let versions = vec![Version::only(schema.to_json())];
    let definition = plan.define(Definition::with_versions(versions).converted_by(Webhook::of(broken)));
    plan.case_parts(choices, "object", |plan, choices| {
        let content = value::valid(choices, &schema);
        let created = plan.create(definition, content.clone());
        plan.check("create", &["CONV-002"], created, Expectation::Content(content.clone()));
        let read = plan.get(created);
        plan.check("read", &["CONV-002"], read, Expectation::Content(content.clone()));
        let list = plan.list(definition, "v1");
        plan.check("listed", &["CONV-002"], list, NamedCheck::Listed.against(read));
        let written = plan.put_back(read, vec![]);
        plan.check("written", &["CONV-002"], written, Expectation::Content(content));
        let silent = NamedCheck::WebhookSilent { definition };
        plan.check("no-call", &["CONV-002", "CONV-006", "CONV-006/e1"], written, silent);
    });
}
