//! CONV-010: an object that its own version forbids since it was stored is sent to the webhook as it was stored.

use crdible_generators::update::{TightenedSchema, TightenedShape};
use crdible_scenario::Webhook;
use crdible_webhooks::{Chain, Converter, Place, Reshape, Step};

use super::shared::rename;
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("conv-010-unvalidated", plan)
    .title("an object that a tightened schema made invalid is converted as it was stored")
    .asserts(&["CONV-010/e3"])
    .needs(&[Capability::Storing, Capability::Webhooks]);

/// What `spec` of `v1` is called in `v2`.
const BODY: &str = "body";

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let tightened = TightenedSchema::draw(choices, &TightenedShape::default());
    let step = Step::of(Reshape::Rename { at: Place::root(), from: "spec".to_owned(), to: BODY.to_owned() });
    let chain = Chain { versions: vec!["v1".to_owned(), "v2".to_owned()], steps: vec![vec![step]] };
    let mut other = tightened.loose();
    rename(&mut other["properties"], "spec", BODY);
    let versions = |stored: Value| vec![Version::only(stored), Version::named("v2", other.clone())];
    let definition = Definition::with_versions(versions(tightened.loose())).owned();
    let definition = plan.define(definition.converted_by(Webhook::of(Converter::right(chain))));
    let mut objects = Vec::new();
    plan.case_parts(choices, "object", |plan, choices| {
        let object = tightened.object(choices);
        objects.push((plan.create(definition, object.clone()), object));
    });
    plan.install_versions(definition, versions(tightened.tight()));
    for (created, mut object) in objects {
        rename(&mut object, "spec", BODY);
        let read = plan.get_at(created, "v2");
        plan.check("read", &["CONV-010/e3"], read, Expectation::Content(object));
    }
}
