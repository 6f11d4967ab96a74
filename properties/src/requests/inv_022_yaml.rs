//! INV-022: a document means the same in YAML and in JSON.

use crdible_generators::text;
use crdible_scenario::Form;

use super::texts::{JSON, YAML, create_of_text, rest_in_yaml};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("inv-022-yaml", plan)
    .title("an object in YAML has the same outcome as in JSON")
    .asserts(&["INV-022", "REST-006", "REST-011"])
    .needs(&[Capability::Serving, Capability::Yaml]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    // Most of what matters in a text is there without a schema, and is small then.
    let schema = choices.chance(1, 4).then(|| {
        let shape = SchemaShape::swarm(choices);
        choices.span("schema", |choices| schema::schema(choices, &shape))
    });
    let definition = match &schema {
        Some(schema) => plan.definition(schema),
        None => plan.define_schema(root_of(json!({ "x-kubernetes-preserve-unknown-fields": true }))),
    };
    // Defaults are a part of the answer, too.
    let adds_line_ends = schema.as_ref().is_some_and(|schema| has_line_ends(&schema.to_json().to_string()));
    plan.cases(choices, "object", |plan, choices| {
        let fields = match &schema {
            Some(schema) => value::arbitrary(choices, schema),
            None => json!({ "spec": value::json(choices, 3) }),
        };
        let mut fields = fields.as_object().cloned().unwrap_or_default();
        // The text begins with them.
        for name in ["apiVersion", "kind", "metadata"] {
            fields.remove(name);
        }
        let annotations = annotations(choices);
        let text = choices.span("style", |choices| rest_in_yaml(choices, &annotations, &fields));
        if !annotations.is_empty() {
            fields.insert("metadata".to_owned(), json!({ "annotations": annotations }));
        }
        let from_json = plan.try_create(definition, Value::Object(fields));
        let form = *choices.pick(&[None, Some(YAML), Some(JSON)]);
        // What only some versions of YAML can write is a quirk of REST-011.
        let form = form.filter(|form| *form == JSON || !(adds_line_ends || has_line_ends(&text)));
        let request = create_of_text(plan, definition, Form::Yaml, text);
        let from_yaml = plan.send(Request { accept: form.map(str::to_owned), ..request });
        let same = Expectation::same_outcome(from_json);
        plan.check("same-outcome", &["INV-022", "REST-011"], from_yaml, same);
        let same = NamedCheck::SameIfAccepted { pointer: "/metadata/annotations".to_owned() };
        plan.check("same-annotations", &["INV-022", "REST-011"], from_yaml, same.against(from_json));
        if let Some(form) = form {
            plan.check("form-of-answer", &["REST-006"], from_yaml, NamedCheck::MediaType { r#type: form.to_owned() });
        }
    });
}

/// Whether a text, or what is escaped in it, has characters that YAML 1.1 forbids or takes for the end of a line.
fn has_line_ends(text: &str) -> bool {
    ["\u{7f}", "\u{85}", "\u{2028}", "\u{2029}", "\\u007f", "\\u0085", "\\u2028", "\\u2029"]
        .iter()
        .any(|one| text.contains(one))
}

/// Annotations with any texts, often none.
fn annotations(choices: &mut Choices) -> Map<String, Value> {
    let mut annotations = Map::new();
    choices.many_average("annotation", 0, 4, 1, |choices, number| {
        annotations.insert(format!("n{number}"), json!(text::text(choices, 0, 30)));
    });
    annotations
}
