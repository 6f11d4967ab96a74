//! INV-057, OAPI-012: clients that validate by what is published accept what the server accepts.

use super::{
    model,
    published::{read_current_v3, read_v2},
};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("inv-057-admits", plan)
    .title("the OpenAPI v2 and v3 models admit every object that the server accepts")
    .asserts(&["INV-057", "OAPI-012"])
    .needs(&[Capability::Serving, Capability::OpenApiV3, Capability::OpenApiV2]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = SchemaShape { odd_names: choices.chance(1, 4), ..SchemaShape::swarm(choices) };
    let schema = choices.span("schema", |choices| schema::schema(choices, &shape));
    let definition = plan.definition(&schema);
    let name = model::name("v1");
    let v3 = read_current_v3(plan, definition, "v1");
    // A model without a schema admits everything, whichever it is of.
    let current = NamedCheck::PublishedCurrent { versions: vec!["v1".to_owned()], fields: None };
    let v2 = read_v2(plan, definition, current);
    plan.cases(choices, "object", |plan, choices| {
        let object = plan.try_create(definition, value::valid(choices, &schema));
        plan.assume(object, Expectation::Accepted);
        for (document, asserts) in [(v3, &["INV-057"][..]), (v2, &["INV-057", "OAPI-012"][..])] {
            let admits = NamedCheck::PublishedAdmits { model: name.clone() };
            plan.check("admits", asserts, object, admits.against(document));
        }
    });
}
