//! Versions of different shapes: their schemas, their objects, and the way between them.

use std::collections::BTreeMap;

use crdible_generators::choice::Choices;
use crdible_generators::conversion::{Conversion, ConversionShape, FirstOnly};
use crdible_semantics::{Schema, SchemaContext, Semantics};
use serde_json::Value;

use crate::common::{cases, created};

fn parsed(schema: &Value) -> Schema {
    Schema::parse(schema).unwrap().0
}

fn content(seen: &Value) -> Value {
    let mut content = seen.clone();
    content.as_object_mut().unwrap().remove("metadata");
    content
}

fn draw(c: &mut Choices, shape: &ConversionShape) -> (Conversion, Vec<Value>) {
    let conversion = Conversion::draw(c, shape);
    let objects = c.case_parts("object", |c, _| conversion.object(c));
    (conversion, objects)
}

/// At each version an object is accepted and nothing of it is changed, and it comes back as it was.
#[test]
fn objects_are_valid_at_every_version_and_come_back() {
    let shapes = [FirstOnly::Absent, FirstOnly::Kept]
        .map(|first_only| ConversionShape { first_only, ..ConversionShape::default() });
    for shape in shapes {
        let mut forms: BTreeMap<&str, u32> = BTreeMap::new();
        let (_, discarded) = cases(
            1_500,
            |c| draw(c, &shape),
            |seed, (conversion, objects), _| {
                let versions = conversion.versions();
                assert!((2..=3).contains(&versions.len()));
                let schemas: Vec<Schema> =
                    (0..versions.len()).map(|version| parsed(conversion.schema(version))).collect();
                for schema in &schemas {
                    let violations =
                        Semantics::UPSTREAM.schema_violations(schema, &SchemaContext { status_subresource: true });
                    assert!(violations.is_empty(), "seed {seed}: {violations:?} in {}", schema.to_json());
                }
                for object in &objects {
                    for (version, schema) in schemas.iter().enumerate() {
                        let seen = conversion.seen(object, version);
                        let (stored, unknown, causes) = created(&content(&seen), schema).unwrap();
                        assert_eq!((unknown, causes), (vec![], vec![]), "seed {seed}: {seen} of {}", schema.to_json());
                        assert_eq!(stored, content(&seen), "seed {seed}");
                        let mut back = seen.clone();
                        conversion.chain.reshape(&mut back, &versions[version], &versions[0]).unwrap();
                        assert_eq!(content(&back), *object, "seed {seed}: by way of {seen}");
                    }
                }
                for step in conversion.chain.steps.iter().flatten() {
                    let name = serde_json::to_value(step).unwrap();
                    for known in ["rename", "gather", "split", "wrap", "key", "scale", "print", "recode", "stash"] {
                        *forms.entry(known).or_default() += u32::from(name.get(known).is_some());
                    }
                }
            },
        );
        assert!(discarded < 15, "{discarded}");
        for (form, times) in forms {
            let is_expected = form != "stash" || shape.first_only == FirstOnly::Kept;
            assert_eq!(times > 50, is_expected, "{form}: {times}");
        }
    }
}

#[test]
fn a_lossy_conversion_loses_one_field_and_nothing_else() {
    let shape = ConversionShape { first_only: FirstOnly::Lost, ..ConversionShape::default() };
    let mut lost = 0;
    cases(
        500,
        |c| draw(c, &shape),
        |seed, (conversion, objects), _| {
            for object in &objects {
                let mut expected = object.clone();
                let has_it = expected["spec"].as_object_mut().unwrap().remove("firstOnly").is_some();
                lost += u32::from(has_it);
                let mut back = conversion.seen(object, 1);
                let versions = conversion.versions();
                conversion.chain.reshape(&mut back, &versions[1], &versions[0]).unwrap();
                assert_eq!(back, expected, "seed {seed}");
            }
        },
    );
    assert!(lost > 100, "{lost}");
}

/// The simplest choices make the simplest conversion.
#[test]
fn the_simplest_conversion_is_small() {
    let conversion = Conversion::draw(&mut Choices::bytes(&[]), &ConversionShape::default());
    assert_eq!(conversion.versions(), ["v1", "v2"]);
    assert_eq!(conversion.chain.steps.iter().flatten().count(), 1);
}
