//! Measures how long a case takes to generate: `cargo run --release -p crdible-generators --example speed`.
#![expect(clippy::print_stdout, reason = "prints measurements")]

use std::hint::black_box;
use std::time::Instant;

use crdible_generators::choice::Choices;
use crdible_generators::schema::{SchemaShape, schema};
use crdible_generators::{rule, value, versions};
use crdible_semantics::Schema;
use serde_json::Value;

const CASES: u64 = 20_000;

fn main() {
    measure("schema", |c| schema(c, &SchemaShape::default()));
    measure("schema and valid value", with_value(value::valid));
    measure("schema and arbitrary value", with_value(value::arbitrary));
    measure("broken schema", |c| rule::broken_schema(c, &SchemaShape::default()));
    measure("version list", |c| versions::version_list(c, &versions::VersionMix::default()));
}

fn with_value(fill: fn(&mut Choices, &Schema) -> Value) -> impl Fn(&mut Choices) -> (Schema, Value) {
    move |c| {
        let schema = schema(c, &SchemaShape::default());
        let value = c.keyed("object", |c| fill(c, &schema));
        (schema, value)
    }
}

fn measure<T>(name: &str, generate: impl Fn(&mut Choices) -> T) {
    let start = Instant::now();
    let mut size = 0;
    for seed in 0..CASES {
        let mut choices = Choices::random(seed);
        black_box(generate(&mut choices));
        size += choices.finish().tape.size();
    }
    let each = start.elapsed() / u32::try_from(CASES).unwrap_or(u32::MAX);
    println!("{name}: {each:?} and {} choices per case", size as u64 / CASES);
}
