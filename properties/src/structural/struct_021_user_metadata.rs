//! STRUCT-021: a field named `metadata` that is not a resource's metadata is an ordinary field.

use crdible_generators::edit;

use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("struct-021-user-metadata", plan)
    .title("below the root, a property named metadata is stored like a property of any other name")
    .asserts(&["STRUCT-021", "PRUNE-015"])
    .needs(&[Capability::Serving])
    .edges(&[
        Edge { name: "no-coercion", plan: no_coercion },
        Edge { name: "no-implicit-keep", plan: no_implicit_keep },
    ]);

/// Fields of `ObjectMeta`: a server that treats the field as metadata would coerce or validate them.
const META_NAMES: &[&str] = &[
    "name",
    "labels",
    "annotations",
    "generateName",
    "namespace",
    "uid",
    "finalizers",
    "ownerReferences",
    "creationTimestamp",
    "generation",
    "managedFields",
];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let metadata = choices.span("schema", |choices| {
        let shape = SchemaShape { max_depth: 3, ..SchemaShape::default() };
        let mut metadata = Schema { type_name: "object".to_owned(), ..Schema::default() };
        choices.many("field", 1, 4, |choices, _| {
            let name = *choices.pick(META_NAMES);
            let node = schema::node(choices, &shape, 2);
            metadata.properties.insert(name.to_owned(), node);
        });
        metadata
    });
    let definition =
        plan.define_schema(spec_of(json!({ "metadata": metadata.to_json(), "other": metadata.to_json() })));
    plan.cases(choices, "object", |plan, choices| {
        let mut content = value::valid_node(choices, &metadata);
        edit::plant_unknown(choices, &metadata, &mut content);
        let other = plan.try_create(definition, json!({ "spec": { "other": content } }));
        plan.assume(other, Expectation::Accepted);
        let created = plan.try_create(definition, json!({ "spec": { "metadata": content } }));
        let same =
            Expectation::SameAt { pointer: "/spec/metadata".to_owned(), r#as: other, other: "/spec/other".to_owned() };
        plan.check("same-as-another-name", &["STRUCT-021", "PRUNE-015"], created, same);
    });
}

fn no_coercion(plan: &mut Plan) {
    let definition = plan.define_schema(
        spec_of(json!({
            "metadata": { "type": "object", "properties": {
                "name": { "type": "integer" },
                "labels": { "type": "object", "additionalProperties": { "type": "integer" } },
                "annotations": { "type": "array", "items": { "type": "string" } },
                "creationTimestamp": { "type": "string", "nullable": true },
            } },
            "text": { "type": "object", "properties": { "metadata": { "type": "string", "default": "filled", "maxLength": 9 } } },
        })),
    );
    let content = json!({
        "metadata": { "name": 5, "labels": { "Not a label!": 1 }, "annotations": ["x"], "creationTimestamp": null },
        "text": { "metadata": "text" },
    });
    let created = plan.try_create(definition, json!({ "spec": content }));
    plan.check("kept", &["STRUCT-021"], created, Expectation::Content(json!({ "spec": content })));
    let defaulted = plan.try_create(definition, json!({ "spec": { "text": {} } }));
    plan.check(
        "defaulted",
        &["STRUCT-021"],
        defaulted,
        Expectation::Content(json!({ "spec": { "text": { "metadata": "filled" } } })),
    );
    let wrong = plan.try_create(
        definition,
        json!({ "spec": { "metadata": { "name": "a" }, "text": { "metadata": "a long text" } } }),
    );
    let causes = vec![Cause::new("spec.metadata.name", "TypeInvalid"), Cause::new("spec.text.metadata", "TooLong")];
    plan.check_causes("judged", &["STRUCT-021"], wrong, causes);
}

fn no_implicit_keep(plan: &mut Plan) {
    let definition =
        plan.define_schema(spec_of(json!({ "a": object_of(json!({ "metadata": { "type": "object" } })) })));
    let metadata: Value = json!({ "name": "x", "labels": { "a": "b" } });
    let sent = json!({ "spec": { "metadata": metadata, "apiVersion": "v1", "kind": "Pod", "a": { "metadata": metadata, "kind": "Pod" } } });
    let created = plan.try_create(definition, sent);
    plan.check(
        "pruned",
        &["STRUCT-021", "PRUNE-015"],
        created,
        Expectation::Content(json!({ "spec": { "a": { "metadata": {} } } })),
    );
}
