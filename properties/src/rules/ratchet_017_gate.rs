//! RATCHET-017: an error that an update is forgiven does not keep rules from being evaluated.

use super::shared::{forbidden, forbidding, with_rules};
use crate::prelude::*;

const ASSERTS: &[&str] = &["RATCHET-017"];

pub(super) const PROPERTY: Property = Property::new("ratchet-017-gate", plan)
    .title("rules are evaluated by an update whose errors are all forgiven, and skipped by one with others")
    .asserts(ASSERTS)
    .needs(&[Capability::Storing, Capability::Validation, Capability::Rules]);

/// Keywords that are added, two values that they reject, one that they accept, and the reason.
fn kinds() -> [(Value, Value, [Value; 3], Reason); 5] {
    let text = json!({ "type": "string" });
    [
        (text.clone(), json!({ "enum": ["a"] }), [json!("b"), json!("c"), json!("a")], Reason::NotSupported),
        (text.clone(), json!({ "maxLength": 1 }), [json!("bb"), json!("cc"), json!("a")], Reason::TooLong),
        (text, json!({ "format": "date" }), [json!("b"), json!("c"), json!("2024-02-29")], Reason::TypeInvalid),
        (
            json!({ "type": "array", "items": { "type": "integer" } }),
            json!({ "maxItems": 1 }),
            [json!([1, 2]), json!([2, 1]), json!([])],
            Reason::TooMany,
        ),
        (json!({ "type": "integer" }), json!({ "minimum": 1 }), [json!(0), json!(-1), json!(2)], Reason::Invalid),
    ]
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let kinds = kinds();
    let ((node, keyword, values, reason), is_on_number) =
        choices.span("node", |choices| (choices.pick(&kinds).clone(), choices.chance(1, 2)));
    let schema = |part: &Value| {
        let number = json!({ "type": "integer" });
        let (number, rules) = if is_on_number {
            (with_rules(number, [forbidding("self < 5", "large")]), vec![])
        } else {
            (number, vec![forbidding("self.n < 5", "large")])
        };
        root_of(with_rules(object_of(json!({ "n": number, "p": part })), rules))
    };
    let definition = plan.define_schema(schema(&node));
    let stored = choices.many_parts("object", 1, 3, |choices, _| {
        let old = choices.index(3);
        let news = choices.many_parts("update", 1, 4, |choices, _| {
            let new = if choices.chance(1, 2) { old } else { choices.index(3) };
            (new, choices.between(1, 8))
        });
        (plan.create(definition, json!({ "spec": { "n": 0, "p": values[old] } })), old, news)
    });
    plan.install_schema(definition, schema(&extended(node, &keyword)));
    for (created, old, news) in stored {
        for (new, number) in news {
            let mut causes = Vec::new();
            if new != 2 && new != old {
                causes.push(Cause::new("spec.p", reason.name()));
            }
            // What is only Invalid does not keep rules from being evaluated either (VALUE-039).
            if !causes.is_empty() && reason != Reason::Invalid {
                causes.push(NIL.into());
            } else if number >= 5 {
                causes.push(forbidden(if is_on_number { "spec.n" } else { "spec" }));
            }
            let spec = json!({ "n": number, "p": values[new] });
            let put = plan.try_put_back(created, vec![Edit::Set("/spec".to_owned(), spec.clone())]);
            plan.check("gate", ASSERTS, put, content_or(json!({ "spec": spec }), causes));
            plan.count_case();
        }
    }
}
