//! REST-034: merge patches of any JSON.

use crdible_scenario::merged;

use super::documents;
use crate::prelude::*;
use crate::shared::oracle::{Change, change, stored};

pub(super) const PROPERTY: Property = Property::new("rest-034-merge-patch", plan)
    .title("a merge patch follows RFC 7386: null deletes, lists are replaced, objects are merged")
    .asserts(&["REST-034", "REST-040"])
    .needs(&[Capability::Storing]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define_schema(documents::schema());
    plan.case_parts(choices, "object", |plan, choices| {
        let mut content = json!({ "spec": { "d": documents::any(choices) } });
        let created = plan.create(definition, content.clone());
        let mut last = created;
        choices.many_average("patch", 1, 6, 3, |choices, _| {
            let patch = json!({ "spec": { "d": patch(choices, content.pointer("/spec/d")) } });
            let before = content.clone();
            merged(&mut content, &patch);
            let patched = plan.patch(created, Method::MergePatch, patch);
            plan.check("patched", &["REST-034"], patched, Expectation::Content(content.clone()));
            // The object has none, and the patch names none.
            plan.check("namespace", &["REST-034"], patched, absent("/metadata/namespace"));
            if change(&before, &content) == Change::Nothing {
                plan.check("no-change", &["REST-040"], patched, Expectation::same_revision(last));
            }
            content = stored(&content);
            last = patched;
        });
        let read = plan.get(created);
        plan.check("read", &["REST-034"], read, Expectation::Content(content));
    });
}

/// A patch of a value: some of its fields are deleted, some patched, and some are new.
fn patch(choices: &mut Choices, value: Option<&Value>) -> Value {
    let Some(Value::Object(fields)) = value.filter(|_| choices.chance(3, 4)) else {
        return documents::any(choices);
    };
    let mut patch = json!({});
    for (name, value) in fields {
        match choices.weighted(&[3, 2, 2]) {
            0 => {}
            1 => patch[name] = Value::Null,
            _ => patch[name] = self::patch(choices, Some(value)),
        }
    }
    if choices.chance(1, 2) {
        // Null for what is not there, too.
        patch["new"] = if choices.chance(1, 3) { Value::Null } else { documents::any(choices) };
    }
    patch
}
