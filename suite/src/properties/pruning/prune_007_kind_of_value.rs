//! PRUNE-007: the value's kind decides how pruning goes on, not the schema's type.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{Example, Outcome, Site, examples, parse, undeclared};
use crate::{
    properties::{Capability, Edge, Property},
    scenario::{Cause, Expectation, Plan, Scenario},
};

const ASSERTS: &[&str] = &["PRUNE-007"];

pub(super) const PROPERTY: Property = Property {
    id: "prune-007-kind-of-value",
    title: "scalars are left as they are whatever the type, and objects are pruned by properties whatever the type",
    asserts: &["PRUNE-007", "PRUNE-007/e1"],
    needs: &[Capability::Serving, Capability::Pruning, Capability::Validation],
    edges: &[Edge { name: "objects-at-scalars", plan: objects_at_scalars }],
    plan,
};

/// A type, and a value of it.
type Scalar = (&'static str, fn() -> Value);

/// No two of these types share a value.
const SCALARS: [Scalar; 3] = [("string", || json!("x")), ("integer", || json!(-7)), ("boolean", || json!(false))];

/// A scalar type, with properties beside it or not, meets objects and scalars of its own and of other types.
fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let site = Site::draw(choices);
    let (name, _) = *choices.pick(&SCALARS);
    let declared = json!({ "type": name, "properties": { "a": { "type": "integer" } } });
    let definition = plan.definition(&site.schema(parse(&declared)));
    let refused =
        || Expectation::Causes(site.fields("").into_iter().map(|field| Cause::new(field, "TypeInvalid")).collect());
    for (other, scalar) in SCALARS {
        let value = scalar();
        let step = plan.try_create_validating(definition, "Strict", site.content(&value));
        let expect = if other == name { Expectation::Content(site.content(&value)) } else { refused() };
        plan.check("scalar", ASSERTS, step, expect);
        plan.count_case();
    }
    choices.many("object", 1, 3, |choices, _| {
        let mut object = undeclared(choices);
        let behind: Vec<String> = object.keys().map(|key| format!(".{key}")).collect();
        object.insert("a".to_owned(), json!(1));
        let content = site.content(&Value::Object(object));
        let strict = plan.try_create_validating(definition, "Strict", content.clone());
        plan.check(
            "pruned",
            &["PRUNE-007", "PRUNE-007/e1"],
            strict,
            Expectation::StrictRefusal(site.all_fields(&behind)),
        );
        let lenient = plan.try_create(definition, content);
        plan.check("refused", &["PRUNE-007/e1"], lenient, refused());
        plan.count_case();
    });
    plan.finish()
}

fn objects_at_scalars() -> Scenario {
    let text = || json!({ "type": "string", "properties": { "a": { "type": "integer" } } });
    let example =
        |name, sent, outcome| Example { name, asserts: &["PRUNE-007", "PRUNE-007/e1"], node: text(), sent, outcome };
    examples(vec![
        example("declared-keys-stay", json!({ "a": 1 }), Outcome::Causes(&[("", "TypeInvalid")])),
        example("undeclared-keys-go", json!({ "a": 1, "b": 2 }), Outcome::Unknown(&[".b"])),
        example("elements-are-emptied", json!([{ "a": 1 }]), Outcome::Unknown(&["[0].a"])),
    ])
}
