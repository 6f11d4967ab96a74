//! CONV-020: with a webhook, too, only the version of the request validates, and what it finds invalid but unchanged
//! is forgiven.

use crdible_generators::update::{TightenedSchema, TightenedShape};
use crdible_scenario::Webhook;
use crdible_webhooks::{Chain, Converter, Place, Reshape, Step};

use super::shared::rename;
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("conv-020-ratcheting", plan)
    .title("with a webhook, only the schema of the request version validates an object, with ratcheting")
    .asserts(&["CONV-020", "CONV-020/e1"])
    .needs(&[Capability::Storing, Capability::Validation, Capability::Webhooks]);

const STRICT: &str = "strict";
const LAX: &str = "lax";
/// What `spec` of the strict version is called in the lax one.
const BODY: &str = "body";

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let tightened = TightenedSchema::draw(choices, &TightenedShape::default());
    let strict_stores = !choices.chance(1, 2);
    let mut loose = tightened.loose();
    rename(&mut loose["properties"], "spec", BODY);
    let step = Step::of(Reshape::Rename { at: Place::root(), from: "spec".to_owned(), to: BODY.to_owned() });
    let chain = Chain { versions: vec![STRICT.to_owned(), LAX.to_owned()], steps: vec![vec![step]] };
    let versions = vec![
        Version::named(STRICT, tightened.tight()).stored_if(strict_stores),
        Version::named(LAX, loose).stored_if(!strict_stores),
    ];
    let webhook = Webhook::of(Converter::right(chain));
    let definition = plan.define(Definition::with_versions(versions).converted_by(webhook));
    let at_lax = |content: &Value| {
        let mut content = content.clone();
        rename(&mut content, "spec", BODY);
        content
    };
    choices.many_parts("object", 1, 3, |choices, _| {
        let old = tightened.object(choices);
        let created = plan.create_at(definition, LAX, at_lax(&old));
        plan.check("created", &["CONV-020", "CONV-020/e1"], created, Expectation::Content(at_lax(&old)));
        let read = plan.get_at(created, STRICT);
        plan.check("read", &["CONV-020"], read, Expectation::Content(old.clone()));
        let updates = choices.many_parts("update", 1, 3, |choices, _| tightened.edited(choices, &old));
        for new in updates {
            let put = plan.try_put_back(read, vec![Edit::Set("/spec".into(), new["spec"].clone())]);
            let causes = tightened.causes(&new, Some(&old));
            plan.check("at-strict", &["CONV-020", "CONV-020/e1"], put, content_or(new, causes));
            plan.count_case();
        }
        let copied = plan.try_create_at(definition, STRICT, old.clone());
        let causes = tightened.causes(&old, None);
        plan.check("create-at-strict", &["CONV-020"], copied, content_or(old, causes));
    });
}
