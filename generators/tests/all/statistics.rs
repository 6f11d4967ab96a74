//! Distributions: every production is reached, none dominates, few cases are discarded.

use crdible_generators::choice::Choices;
use crdible_generators::edit;
use crdible_generators::json::Json;
use crdible_generators::schema::{SchemaShape, production_names, schema};
use crdible_generators::walk::nodes;

use crate::common::{cases, created, reached, valid};

#[test]
fn every_kind_of_node_is_reached() {
    let (productions, discarded) = cases(2_000, |c| schema(c, &SchemaShape::default()), |_, _, _| {});
    assert_eq!(discarded, 0);
    let kinds: Vec<&str> = production_names().collect();
    let total: u32 = kinds.iter().map(|kind| productions.get(kind).copied().unwrap_or(0)).sum();
    for kind in kinds {
        let count = productions.get(kind).copied().unwrap_or(0);
        assert!(count * 100 > total, "{kind}: {count} of {total}");
        assert!(count * 100 < total * 45, "{kind}: {count} of {total}");
    }
    let names = "nullable, default, required, minLength, maxLength, minLength and maxLength, enum of strings, \
        enum of integers, enum of booleans, exclusive without a bound, pattern, format, ignored format, \
        minimum, maximum, minimum and maximum, multipleOf, integer format, number format, minItems, maxItems, \
        minProperties, maxProperties, minProperties of a map, maxProperties of a map, allOf, anyOf, oneOf, not, \
        anyOf with a negation, oneOf with a negation, not with a negation, nested quantifier, \
        int-or-string with anyOf, int-or-string with allOf, int-or-string with keywords, list-type atomic, \
        map-type granular, list map key by default, embedded kind, embedded apiVersion, embedded metadata, \
        root metadata, root kind, root apiVersion, root preserved, root required";
    reached(&productions, 10, names);
}

#[test]
fn every_feature_without_serving_is_reached() {
    let (productions, _) = cases(1_000, |c| schema(c, &SchemaShape::everything()), |_, _, _| {});
    reached(&productions, 10, "pattern, format, documentation, additionalProperties true");
}

#[test]
fn most_schemas_are_small_and_some_are_deep() {
    let (mut sizes, mut depths) = (Vec::new(), Vec::new());
    cases(
        2_000,
        |c| schema(c, &SchemaShape::default()),
        |_, schema, _| {
            sizes.push(schema.size());
            depths.push(nodes(&schema).iter().map(|node| node.depth).max().unwrap());
        },
    );
    sizes.sort_unstable();
    assert!((4..=12).contains(&sizes[1_000]), "median {}", sizes[1_000]);
    assert!(sizes[1_980] <= 80, "99th percentile {}", sizes[1_980]);
    for depth in 1..=5 {
        let share = depths.iter().filter(|&&other| other >= depth).count();
        assert!(share > 100, "{share} of 2,000 are {depth} deep");
    }
    assert!(depths.iter().all(|&depth| depth <= 7), "{:?}", depths.iter().max());
}

#[test]
fn a_shape_leaves_features_out() {
    let bare = SchemaShape {
        nullable: false,
        defaults: false,
        preserving: false,
        embedded: false,
        maps: false,
        int_or_string: false,
        topology: false,
        value_keywords: false,
        patterns: false,
        formats: false,
        quantifiers: false,
        ..SchemaShape::default()
    };
    cases(
        1_000,
        |c| schema(c, &bare),
        |_, schema, _| {
            for node in nodes(&schema) {
                let node = node.schema;
                assert!(!node.nullable && node.default.is_none() && !node.is_preserving() && !node.embedded_resource);
                assert!(
                    node.additional_properties.is_none()
                        && !node.int_or_string
                        && node.list_type.is_none()
                        && node.map_type.is_none()
                );
                assert_eq!(node.values, crdible_semantics::schema::ValueKeywords::default());
                assert!(
                    node.all_of.is_empty() && node.any_of.is_empty() && node.one_of.is_empty() && node.not.is_none()
                );
            }
        },
    );
}

#[test]
fn planted_unknown_keys_are_reported_by_decoding() {
    let generate = |c: &mut Choices| {
        let (schema, whole) = valid(c);
        let mut content = whole.clone();
        let planted = edit::plant_unknown(c, &schema, &mut content);
        (schema, whole, content, planted)
    };
    let (mut with, mut deep) = (0, 0);
    cases(3_000, generate, |seed, (schema, whole, content, planted), _| {
        let (stored, unknown, causes) = created(&content, &schema).unwrap();
        let say = || format!("seed {seed}: {content} under {}", schema.to_json());
        assert_eq!(unknown, planted, "{}", say());
        assert_eq!(causes, [], "{}", say());
        assert_eq!(stored, created(&whole, &schema).unwrap().0, "{}", say());
        with += u32::from(!planted.is_empty());
        deep += u32::from(planted.iter().any(|path| path.matches('.').count() >= 2));
    });
    assert!(with > 2_500, "{with}");
    assert!(deep > 300, "{deep}");
}

#[test]
fn planted_nulls_change_nothing() {
    let generate = |c: &mut Choices| {
        let (schema, whole) = valid(c);
        let mut content = whole.clone();
        let planted = edit::plant_nulls(c, &schema, &mut content);
        (schema, whole, content, planted)
    };
    let mut with = 0;
    cases(3_000, generate, |seed, (schema, whole, content, planted), _| {
        with += u32::from(!planted.is_empty());
        assert!(planted.iter().all(|pointer| { content.pointer(pointer).is_some_and(serde_json::Value::is_null) }));
        assert_eq!(
            created(&content, &schema).unwrap(),
            created(&whole, &schema).unwrap(),
            "seed {seed}: {content} under {}",
            schema.to_json()
        );
    });
    assert!(with > 1_200, "{with}");
}

#[test]
fn a_value_with_omitted_keys_is_valid() {
    let generate = |c: &mut Choices| {
        let (schema, mut content) = valid(c);
        let removed = edit::omit_keys(c, &schema, &mut content);
        (schema, content, removed)
    };
    let mut with = 0;
    cases(3_000, generate, |seed, (schema, content, removed), _| {
        with += u32::from(!removed.is_empty());
        assert_eq!(created(&content, &schema).unwrap().2, [], "seed {seed}: {content} under {}", schema.to_json());
    });
    assert!(with > 800, "{with}");
}

#[test]
fn shuffling_keys_keeps_the_value() {
    let generate = |c: &mut Choices| {
        let (_, content) = valid(c);
        let shuffled = edit::shuffle_keys(c, &content);
        (content, shuffled)
    };
    let mut different = 0;
    cases(1_000, generate, |_, (content, shuffled), _| {
        assert_eq!(shuffled.to_value().as_ref(), Some(&content));
        let sorted = Json::from(&content);
        different += u32::from(shuffled != sorted);
    });
    assert!(different > 200, "{different}");
}
