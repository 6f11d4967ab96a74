//! Cases generated as valid are valid; cases generated as broken are broken as stated.
//!
//! Checked with `crdible-semantics`, which is written independently from the same specification; the conformance run
//! checks both against the real server.

use crdible_generators::choice::Choices;
use crdible_generators::rule::{self, BrokenSchema, Site};
use crdible_generators::schema::{SchemaShape, node, schema};
use crdible_generators::value;
use crdible_semantics::schema::Items;
use crdible_semantics::{Schema, SchemaContext, Semantics};
use serde_json::{Value, json};

use crate::common::{cases, created, reached, valid};

fn causes(schema: &Schema, status_subresource: bool) -> Vec<(String, String)> {
    let violations = Semantics::UPSTREAM.schema_violations(schema, &SchemaContext { status_subresource });
    let mut causes: Vec<_> =
        violations.iter().map(|violation| (violation.field.clone(), violation.reason.to_string())).collect();
    causes.sort();
    causes
}

#[test]
fn ten_thousand_schemas_are_valid_with_and_without_the_status_subresource() {
    let (_, discarded) = cases(
        10_000,
        |c| schema(c, &SchemaShape::default()),
        |seed, schema, _| {
            for status in [false, true] {
                assert_eq!(causes(&schema, status), [], "seed {seed}: {}", schema.to_json());
            }
        },
    );
    assert_eq!(discarded, 0);
}

#[test]
fn schemas_with_every_feature_are_valid() {
    let (_, discarded) = cases(
        5_000,
        |c| schema(c, &SchemaShape::everything()),
        |seed, schema, _| {
            assert_eq!(causes(&schema, false), [], "seed {seed}: {}", schema.to_json());
        },
    );
    // Some defaults cannot be generated, for example under a pattern without a match.
    assert!(discarded < 250, "{discarded}");
}

#[test]
fn swarm_schemas_are_valid() {
    let swarm = |c: &mut Choices| {
        let shape = SchemaShape::swarm(c);
        (schema(c, &shape), shape.any_root_keyword)
    };
    cases(5_000, swarm, |seed, (schema, any_root_keyword), _| {
        assert_eq!(causes(&schema, !any_root_keyword), [], "seed {seed}: {}", schema.to_json());
    });
}

#[test]
fn a_node_is_valid_at_any_position() {
    cases(
        2_000,
        |c| node(c, &SchemaShape::default(), 1),
        |seed, node, _| {
            let list = Schema {
                type_name: "array".into(),
                items: Some(Items::Each(Box::new(node.clone()))),
                ..Schema::default()
            };
            let mut root = Schema { type_name: "object".into(), ..Schema::default() };
            root.properties.insert("one".into(), node);
            root.properties.insert("list".into(), list);
            assert_eq!(causes(&root, true), [], "seed {seed}: {}", root.to_json());
        },
    );
}

#[test]
fn schemas_survive_printing_and_parsing() {
    cases(
        2_000,
        |c| schema(c, &SchemaShape::everything()),
        |_, schema, _| {
            let (parsed, unknown) = Schema::parse(&schema.to_json()).unwrap();
            assert_eq!(unknown, Vec::<String>::new());
            assert_eq!(parsed, schema);
        },
    );
}

/// Whether `after` contains everything of `before`; objects may have more keys.
fn is_kept(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => {
            before.iter().all(|(key, value)| after.get(key).is_some_and(|after| is_kept(value, after)))
        }
        (Value::Array(before), Value::Array(after)) => {
            before.len() == after.len() && before.iter().zip(after).all(|(before, after)| is_kept(before, after))
        }
        (before, after) => before == after,
    }
}

#[test]
fn ten_thousand_valid_values_are_accepted_and_kept() {
    let (productions, discarded) = cases(10_000, valid, |seed, (schema, content), _| {
        let describe = || format!("seed {seed}: {content} under {}", schema.to_json());
        let (stored, unknown, causes) =
            created(&content, &schema).unwrap_or_else(|error| panic!("{error}: {}", describe()));
        assert_eq!(causes, [], "{}", describe());
        assert_eq!(unknown, Vec::<String>::new(), "{}", describe());
        assert!(stored.is_object() && is_kept(&content, &stored), "{stored}, {}", describe());
    });
    assert!(discarded < 500, "{discarded}");
    reached(&productions, 501, "pattern, format");
}

#[test]
fn valid_values_are_valid_without_serving() {
    let generate = |c: &mut Choices| {
        let schema = schema(c, &SchemaShape { quantifiers: false, ..SchemaShape::everything() });
        let content = value::valid(c, &schema);
        (schema, content)
    };
    let mut made = 0;
    cases(2_000, generate, |seed, (schema, content), _| {
        made += 1;
        let (_, _, causes) = created(&content, &schema).unwrap();
        assert_eq!(causes, [], "seed {seed}: {content} under {}", schema.to_json());
    });
    assert!(made > 1_000, "{made}");
}

#[test]
fn most_but_not_all_arbitrary_values_are_accepted() {
    let generate = |c: &mut Choices| {
        let schema = schema(c, &SchemaShape::default());
        let content = value::arbitrary(c, &schema);
        (schema, content)
    };
    let (mut accepted, mut changed, mut refused) = (0, 0, 0);
    cases(4_000, generate, |_, (schema, content), _| match created(&content, &schema) {
        Ok((stored, _, causes)) if causes.is_empty() => {
            accepted += 1;
            changed += u32::from(stored != content);
        }
        _ => refused += 1,
    });
    assert!(accepted > 2_800, "{accepted} of 4,000");
    assert!(changed > 1_200, "{changed} of {accepted} are changed by decoding");
    assert!(refused > 200, "{refused} of 4,000");
}

#[test]
fn broken_values_have_exactly_the_stated_cause() {
    let generate = |c: &mut Choices| {
        let schema = schema(c, &SchemaShape::default());
        let broken = value::broken(c, &schema);
        (schema, broken)
    };
    let mut by_requirement = std::collections::BTreeMap::new();
    cases(8_000, generate, |seed, (schema, broken), _| {
        let Some(broken) = broken else { return };
        *by_requirement.entry(broken.requirement).or_insert(0) += 1;
        let describe = || format!("seed {seed}: {broken:?} under {}", schema.to_json());
        let (_, _, causes) = created(&broken.value, &schema).unwrap_or_else(|error| panic!("{error}: {}", describe()));
        let cause = broken.cause.clone();
        assert_eq!(causes, [(cause.field, cause.reason)], "{}", describe());
    });
    let values = "VALUE-001, VALUE-006, VALUE-007, VALUE-010, VALUE-011, VALUE-018, VALUE-019, VALUE-021, VALUE-022, \
        VALUE-024";
    reached(&by_requirement, 5, values);
    reached(&by_requirement, 30, "VALUE-012, VALUE-014");
    assert!(by_requirement.values().sum::<u32>() > 3_000, "{by_requirement:?}");
}

#[test]
fn broken_schemas_have_exactly_the_stated_causes() {
    let shape = SchemaShape::everything();
    let mut failures = Vec::new();
    let mut covered = std::collections::BTreeSet::new();
    let generate = |c: &mut Choices| rule::broken_schema(c, &shape);
    let (_, discarded) = cases(6_000, generate, |seed, broken: BrokenSchema, _| {
        assert_eq!(causes(&broken.valid, false), [], "seed {seed}: the valid schema");
        covered.insert((broken.row.requirement(), broken.row.name));
        let (parsed, _) = Schema::parse(&broken.json).unwrap();
        let mut expected: Vec<_> =
            broken.causes.iter().map(|cause| (cause.field.clone(), cause.reason.clone())).collect();
        expected.sort();
        let found = causes(&parsed, false);
        if found != expected {
            failures.push(format!(
                "{} {} seed {seed}\n  expected {expected:?}\n  found    {found:?}\n  {}",
                broken.row.requirement(),
                broken.row.name,
                broken.json
            ));
        }
    });
    failures.sort();
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures[..failures.len().min(30)].join("\n"));
    assert!(discarded < 300, "{discarded}");
    let breaking = rule::rows().iter().filter(|row| row.can_break()).map(|row| (row.requirement(), row.name));
    let missing: Vec<_> = breaking.filter(|row| !covered.contains(row)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_rule_can_be_broken_by_name() {
    let shape = SchemaShape::default();
    let requirements = rule::requirements();
    let expected: Vec<String> =
        [1, 2, 3, 4, 5, 8, 10, 11, 12, 13, 16, 17, 18, 19, 22, 23, 24, 25, 26, 27, 28, 29, 31, 32, 33]
            .iter()
            .map(|number| format!("STRUCT-{number:03}"))
            .collect();
    assert_eq!(requirements, expected);
    for requirement in requirements {
        let broken = rule::broken_schema_of(&mut Choices::random(1), &shape, requirement).unwrap();
        assert_eq!(broken.row.requirement(), requirement);
        assert_ne!(broken.json, broken.valid.to_json());
    }
    assert_eq!(rule::broken_schema_of(&mut Choices::random(1), &shape, "STRUCT-021"), None);
}

#[test]
fn every_piece_is_in_one_row() {
    let mut seen = std::collections::BTreeMap::new();
    for row in rule::rows().iter().filter(|row| !row.schema.is_null()) {
        let is_branch = matches!(row.site, Site::Branch);
        let is_node = matches!(row.site, Site::Node);
        let named = format!("{} {}", row.requirement(), row.name);
        let other = seen.insert((is_branch, is_node, row.schema.to_string()), named);
        assert_eq!(other, None, "{} {}", row.requirement(), row.name);
    }
}

#[test]
fn numbers_of_free_json_survive_printing_and_parsing() {
    cases(
        3_000,
        |c| value::json(c, 3),
        |_, json, _| {
            let text = json.to_string();
            assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), json);
            assert!(!text.contains(".0,") && !text.ends_with(".0") && !text.contains("e+"), "{text}");
            assert!(json!(null) == json || !json.is_null());
        },
    );
}

/// The numbers of a requirement's edges that are promises: `Edge` lines without `[Q]`.
fn edges(chapter: &str, requirement: &str) -> Vec<u16> {
    let item = chapter.split(&format!("**{requirement} ")).nth(1).unwrap();
    let lines = item.lines().take_while(|line| !line.is_empty());
    let edges = lines.filter(|line| line.starts_with("- Edge"));
    let numbered = (1..).zip(edges);
    numbered.filter(|(_, line)| line.starts_with("- Edge:")).map(|(number, _)| number).collect()
}

#[test]
fn covered_edges_are_promises_of_the_specification() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/02-structural-schema.md");
    let chapter = std::fs::read_to_string(path).unwrap();
    for row in rule::rows() {
        let known = edges(&chapter, row.requirement());
        for text in row.asserts_of(row.requirement()).unwrap() {
            let edge = text.strip_prefix(row.requirement()).and_then(|rest| rest.strip_prefix("/e"));
            let edge: Option<u16> = edge.map(|edge| edge.parse().unwrap());
            assert!(edge.is_none_or(|edge| known.contains(&edge)), "{text}: {known:?}");
        }
    }
}
