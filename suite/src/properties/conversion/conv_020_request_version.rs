//! CONV-020: an object is judged by the version of the request, and by no other.

use crdible_generators::{
    choice::Choices,
    update::{Ground, GroundShape},
};
use serde_json::{Value, json};

use crate::{
    properties::{Capability, Property, ratcheting::outcome, versions::version},
    scenario::{Body, Definition, Edit, Expectation, Method, Plan, Request, Resource, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "conv-020-request-version",
    title: "what one version accepts is stored whatever another demands, which forgives it what is unchanged and judges the rest",
    asserts: &["CONV-020", "CONV-020/e1"],
    needs: &[Capability::Storing, Capability::Validation],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let ground = Ground::draw(choices, &GroundShape::default());
    // Either of the two versions stores the objects.
    let strict_stores = !choices.chance(1, 2);
    // The lax version may know a field besides, which the strict one neither shows nor stores.
    let knows_more = choices.chance(1, 2);
    let mut loose = ground.loose();
    if knows_more {
        loose["properties"]["spec"]["properties"]["besides"] = json!({ "type": "integer" });
    }
    let at_lax = |content: &Value, is_kept: bool| {
        let mut content = content.clone();
        if knows_more && is_kept {
            content["spec"]["besides"] = json!(1);
        }
        content
    };
    let versions =
        vec![version("strict", true, strict_stores, &ground.tight()), version("lax", true, !strict_stores, &loose)];
    let definition = plan.define(Definition { versions, ..Definition::of_schema(json!({})) });
    choices.many_parts("object", 1, 3, |choices, _| {
        let old = ground.object(choices);
        let created = plan.create_at(definition, "lax", at_lax(&old, true));
        let kept = Expectation::Content(at_lax(&old, !strict_stores));
        plan.check("created", &["CONV-020", "CONV-020/e1"], created, kept);
        let read = plan.get_at(created, "strict");
        plan.check("read", &["CONV-020"], read, Expectation::Content(old.clone()));
        let news =
            choices.many_parts("update", 1, 3, |choices, _| (ground.edited(choices, &old), choices.chance(1, 4)));
        for (new, is_lax) in news {
            let answer = if is_lax { created } else { read };
            let put = plan.try_put_back(answer, vec![Edit::Set("/spec".into(), new["spec"].clone())]);
            let causes = if is_lax { vec![] } else { ground.causes(&new, Some(&old)) };
            let (name, asserts): (&str, &[&str]) =
                if is_lax { ("at-lax", &["CONV-020"]) } else { ("at-strict", &["CONV-020", "CONV-020/e1"]) };
            plan.check(name, asserts, put, outcome(new, causes));
            plan.count_case();
        }
        let copied = Request {
            method: Method::Post,
            resource: Resource::Objects { definition, version: "strict".to_owned() },
            dry_run: true,
            query: vec![],
            accept: None,
            body: Body::Object { definition, version: "strict".to_owned(), object: 100, fields: old.clone().into() },
        };
        let copied = plan.send(copied);
        let causes = ground.causes(&old, None);
        plan.check("create-at-strict", &["CONV-020"], copied, outcome(old, causes));
    });
    plan.finish()
}
