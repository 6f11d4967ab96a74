//! STRUCT-018: restrictions on root `apiVersion` and `kind` apply to objects.

use crate::prelude::*;
use crate::shared::accepted_or;

pub(super) const PROPERTY: Property = Property::new("struct-018-restricted-meta-fields", plan)
    .title("value validation of root apiVersion and kind is enforced on objects")
    .asserts(&["STRUCT-018/e2"])
    .needs(&[Capability::Serving, Capability::Validation]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    // Names differ in each run; all that is known is that they match none of these values and are not empty.
    let restrictions = [
        (json!({ "minLength": 1 }), None),
        (json!({ "enum": ["Another"] }), Some("NotSupported")),
        (json!({ "maxLength": 1 }), Some("TooLong")),
        (json!({ "minLength": 300 }), Some("Invalid")),
    ];
    let mut schema = json!({ "type": "object" });
    let mut causes = Vec::new();
    for field in ["apiVersion", "kind"] {
        let (restriction, reason) = choices.pick(&restrictions).clone();
        schema["properties"][field] = restriction;
        schema["properties"][field]["type"] = json!("string");
        causes.extend(reason.map(|reason| Cause::new(field, reason)));
        plan.count_case();
    }
    let definition = plan.define_schema(schema);
    let created = plan.try_create(definition, json!({}));
    plan.check("restricted", &["STRUCT-018/e2"], created, accepted_or(causes));
}
