//! INV-041 and INV-036: at each version, a list shows the objects as GET does, whichever version stored them.

use super::shared::own;
use crate::prelude::*;
use crate::shared::{has, read_back};

pub(super) const PROPERTY: Property = Property::new("inv-041-mixed-storage", plan)
    .title("a list at any version returns the same objects as single GETs, whichever version stored them")
    .asserts(&["INV-041", "INV-036", "VER-008", "VER-019", "CONV-001", "CONV-003", "REST-013", "REST-021"])
    .needs(&[Capability::Storing, Capability::DefinitionUpdates]);

const VERSIONS: [&str; 2] = ["v1", "v2"];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let schema = choices.span("schema", |choices| schema::schema(choices, &SchemaShape::default()));
    let json = schema.to_json();
    let storing = |storage: &str| -> Vec<Version> {
        VERSIONS.iter().map(|name| Version::named(*name, json.clone()).stored_if(*name == storage)).collect()
    };
    let definition = own(plan, storing("v1"));
    let create = |choices: &mut Choices, plan: &mut Plan| -> [StepId; 2] {
        let mut content = value::valid(choices, &schema);
        content["metadata"] = json!({ "labels": { "l": "x" }, "annotations": { "a": "y" } });
        let created = plan.create_at(definition, choices.pick::<&str>(&VERSIONS), content);
        plan.assume(created, Expectation::Accepted);
        plan.count_case();
        [created, read_back(plan, created)]
    };
    let mut objects = choices.cases("object before", |choices, _| create(choices, plan));
    plan.install_versions(definition, storing("v2"));
    objects.extend(choices.many("object behind", 0, 3, |choices, _| create(choices, plan)));
    for name in VERSIONS {
        let list = plan.list(definition, name);
        let api_version = at("/apiVersion", format!("$group/{name}"));
        plan.check("list", &["REST-021"], list, api_version.clone());
        plan.check("list-kind", &["REST-021"], list, at("/kind", "ThingList"));
        plan.check("list-revision", &["REST-021"], list, has("/metadata/resourceVersion"));
        // One that is not there has no kind either, and that would be another matter.
        plan.check("item-kind", &["REST-021"], list, at("/items/0/kind", "$kind"));
        let no_more = absent(format!("/items/{}", objects.len()));
        plan.check("all", &["INV-041", "VER-008", "VER-019"], list, no_more);
        for &[created, before] in &objects {
            let read = plan.get_at(created, name);
            plan.check("api-version", &["INV-036", "CONV-001"], read, api_version.clone());
            plan.check("content", &["INV-036", "VER-008"], read, Expectation::same_content(before));
            for field in ["/metadata/labels", "/metadata/annotations", "/metadata/uid"] {
                plan.check("identity", &["INV-036", "VER-019"], read, same_at(field, before));
            }
            // Checked on the list, which was read before the object: nothing was written in between.
            let asserts = &["INV-041", "VER-008", "VER-019", "CONV-001", "CONV-003"];
            plan.check("item", asserts, list, NamedCheck::Listed.against(read));
        }
    }
}
