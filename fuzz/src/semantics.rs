//! The semantics never panic on any JSON, and their algebraic laws hold for generated schemas and values.

use crdible_generators::{
    choice::Choices,
    schema::{self, SchemaShape},
    value,
};
use crdible_semantics::{Schema, SchemaContext, Semantics};
use serde_json::{Value, json};

/// Runs one input.
///
/// # Panics
/// If a law does not hold.
pub fn run(data: &[u8]) {
    let mut choices = Choices::bytes(data);
    let anything = value::json(&mut choices, 6);
    if let Ok((schema, _)) = Schema::parse(&anything) {
        let _ = Semantics::UPSTREAM.schema_violations(&schema, &SchemaContext::default());
    }
    let shape = SchemaShape::swarm(&mut choices);
    let schema = schema::schema(&mut choices, &shape);
    assert_eq!(
        Schema::parse(&schema.to_json()).map(|(schema, _)| schema).ok().as_ref(),
        Some(&schema),
        "printing and parsing"
    );
    assert_eq!(
        Semantics::UPSTREAM.schema_violations(&schema, &SchemaContext::default()),
        [],
        "generated schemas are structural"
    );

    let mut once = value::arbitrary(&mut choices, &schema);
    let _ = Semantics::UPSTREAM.prune(&mut once, &schema, true);
    let mut twice = once.clone();
    assert_eq!(
        Semantics::UPSTREAM.prune(&mut twice, &schema, true),
        Vec::<String>::new(),
        "PRUNE-012: nothing is left to prune"
    );
    assert_eq!(twice, once, "PRUNE-012");

    Semantics::UPSTREAM.drop_nulls(&mut once, &schema);
    let mut again = once.clone();
    Semantics::UPSTREAM.drop_nulls(&mut again, &schema);
    assert_eq!(again, once, "DEFAULT-020: dropping nulls is idempotent");

    Semantics::UPSTREAM.apply_defaults(&mut once, &schema);
    let mut again = once.clone();
    Semantics::UPSTREAM.apply_defaults(&mut again, &schema);
    assert_eq!(again, once, "DEFAULT-020: defaulting is idempotent");
    let _ = Semantics::UPSTREAM.object_violations(&once, &schema, None);

    // The meta fields of the root are validated, too (VALUE-022).
    let mut object = json!({ "apiVersion": "a.b/v1", "kind": "K", "metadata": {} });
    if let (Value::Object(fields), Value::Object(content)) = (&mut object, value::valid(&mut choices, &schema)) {
        fields.extend(content);
    }
    if Semantics::UPSTREAM.decode(&mut object, &schema).is_ok() && shape.serving {
        assert_eq!(Semantics::UPSTREAM.object_violations(&object, &schema, None), [], "generated values are valid");
    }
}
