//! CONV-020: an object is validated by the version of the request, and by no other.

use crdible_generators::update::{TightenedSchema, TightenedShape};

use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("conv-020-request-version", plan)
    .title("only the schema of the request version validates an object, whichever version is stored")
    .asserts(&["CONV-020", "CONV-020/e1"])
    .needs(&[Capability::Storing, Capability::Validation]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let tightened = TightenedSchema::draw(choices, &TightenedShape::default());
    // Either version may be the storage version.
    let strict_stores = !choices.chance(1, 2);
    // The lax version may have one more field, which the strict one neither shows nor stores.
    let declares_more = choices.chance(1, 2);
    let mut loose = tightened.loose();
    if declares_more {
        loose["properties"]["spec"]["properties"]["besides"] = json!({ "type": "integer" });
    }
    let at_lax = |content: &Value, is_kept: bool| {
        let mut content = content.clone();
        if declares_more && is_kept {
            content["spec"]["besides"] = json!(1);
        }
        content
    };
    let definition = plan.define_versions(vec![
        Version::named("strict", tightened.tight()).stored_if(strict_stores),
        Version::named("lax", loose).stored_if(!strict_stores),
    ]);
    choices.many_parts("object", 1, 3, |choices, _| {
        let old = tightened.object(choices);
        let created = plan.create_at(definition, "lax", at_lax(&old, true));
        let kept = Expectation::Content(at_lax(&old, !strict_stores));
        plan.check("created", &["CONV-020", "CONV-020/e1"], created, kept);
        let read = plan.get_at(created, "strict");
        plan.check("read", &["CONV-020"], read, Expectation::Content(old.clone()));
        let news =
            choices.many_parts("update", 1, 3, |choices, _| (tightened.edited(choices, &old), choices.chance(1, 4)));
        for (new, is_lax) in news {
            let answer = if is_lax { created } else { read };
            let put = plan.try_put_back(answer, vec![Edit::Set("/spec".into(), new["spec"].clone())]);
            let causes = if is_lax { vec![] } else { tightened.causes(&new, Some(&old)) };
            let (name, asserts): (&str, &[&str]) =
                if is_lax { ("at-lax", &["CONV-020"]) } else { ("at-strict", &["CONV-020", "CONV-020/e1"]) };
            plan.check(name, asserts, put, content_or(new, causes));
            plan.count_case();
        }
        let copied = plan.try_create_at(definition, "strict", old.clone());
        let causes = tightened.causes(&old, None);
        plan.check("create-at-strict", &["CONV-020"], copied, content_or(old, causes));
    });
}
