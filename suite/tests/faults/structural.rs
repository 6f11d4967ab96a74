//! Faults in the rules of structural schemas: types, completeness, quantifiers, integers or strings.

use crdible_semantics::{
    Defaulting, FieldPath, Reason, Schema, Semantics, Violation,
    schema::Items,
    structural::{Node, Position},
    with,
};

use crate::{
    server::correct,
    table::{Fault, fault, obvious_fault},
    violations::{add_except, reported},
};

fn reject(node: &Node<'_>, keyword: &str, found: &mut Vec<Violation>) {
    node.report_keyword(found, keyword, Reason::Forbidden, "STRUCT-008", "this server is wrong");
}

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("accepts-roots-without-a-type", "a root without a type is accepted")
        .breaks(&["STRUCT-001", "CRDVAL-027"], &["struct-001-root-type"])
        .within_lines(10)
        .semantics(with::rule_root_type(|_, _, _| {})),
    fault("accepts-items-without-a-type", "items without a type are accepted")
        .breaks(&["STRUCT-002", "CRDVAL-024"], &["struct-002-node-types"])
        .within_lines(20)
        .semantics(with::rule_node_type(|_, node, found| {
            if node.position != Position::Item {
                correct().rule_node_type(node, found);
            }
        })),
    obvious_fault("requires-types-of-preserving-nodes", "a node that preserves unknown fields needs a type")
        .breaks(&["STRUCT-002", "STRUCT-015"], &["struct-015-preserve-anywhere"])
        .within_lines(20)
        .semantics(with::rule_node_type(|_, node, found| {
            correct().rule_node_type(node, found);
            if node.position != Position::Root && node.schema.is_preserving() && node.schema.type_name.is_empty() {
                node.report_keyword(found, "type", Reason::Required, "STRUCT-002", "this server is wrong");
            }
        })),
    obvious_fault("accepts-arrays-without-items", "an array without items is accepted")
        .breaks(&["STRUCT-003", "INV-095"], &["struct-003-arrays-need-items", "inv-095-one-violation"])
        .within_lines(40)
        .semantics(with::rule_array_items(|_, _, _| {})),
    fault("accepts-arrays-without-items-in-arrays", "an array without items is accepted as the items of another array")
        .breaks(&["STRUCT-003"], &["struct-003-arrays-need-items"])
        .within_lines(20)
        .semantics(with::rule_array_items(|_, node, found| {
            if node.position != Position::Item {
                correct().rule_array_items(node, found);
            }
        })),
    obvious_fault("accepts-maps-as-roots", "additionalProperties is accepted at the root")
        .breaks(&["STRUCT-004", "CRDVAL-027", "CRDVAL-033"], &["struct-004-no-root-additional-properties"])
        .within_lines(20)
        .semantics(with::rule_root_additional_properties(|_, node, found| {
            if node.position != Position::Root {
                correct().rule_root_additional_properties(node, found);
            }
        })),
    fault("accepts-embedded-maps", "additionalProperties is accepted at embedded objects")
        .breaks(&["STRUCT-004", "CRDVAL-033"], &["struct-004-no-root-additional-properties"])
        .within_lines(35)
        .semantics(with::rule_root_additional_properties(|_, node, found| {
            if node.position == Position::Root {
                correct().rule_root_additional_properties(node, found);
            }
        })),
    obvious_fault("accepts-incomplete-schemas", "quantifiers may name undeclared fields")
        .breaks(&["STRUCT-005"], &["struct-005-completeness"])
        .semantics(with::rule_completeness(|_, _, _| {})),
    fault("checks-no-completeness-of-not", "fields named by `not` need not be declared")
        .breaks(&["STRUCT-005"], &["struct-005-completeness"])
        .within_lines(35)
        .semantics(with::rule_completeness(|_, node, found| {
            let mut without_not = node.schema.clone();
            remove_not(&mut without_not);
            let node = Node { schema: &without_not, ..*node };
            correct().rule_completeness(&node, found);
        })),
    fault("checks-no-completeness-below-items", "fields that quantifiers name below items need not be declared")
        .breaks(&["STRUCT-005"], &["struct-005-completeness"])
        .semantics(with::rule_completeness(|_, node, found| {
            let all = reported(|all| correct().rule_completeness(node, all));
            add_except(found, all, |violation| violation.field.contains(".items"));
        })),
    obvious_fault(
        "requires-declarations-of-required-fields",
        "required in a quantifier may name only declared properties",
    )
    .breaks(&["STRUCT-007"], &["struct-007-required-is-free"])
    .semantics(with::rule_branch_keywords(|_, node, found| {
        correct().rule_branch_keywords(node, found);
        if node.schema.values.required.iter().any(|name| !node.schema.properties.contains_key(name)) {
            reject(node, "required", found);
        }
    })),
    fault("accepts-titles-in-quantifiers", "a title inside a quantifier is accepted")
        .breaks(&["STRUCT-008"], &["struct-008-forbidden-in-quantifiers"])
        .within_lines(35)
        .semantics(with::branch_forbids(|_, keyword, branch| {
            keyword != "title" && correct().branch_forbids(keyword, branch)
        })),
    fault("checks-no-nested-quantifiers", "quantifiers inside quantifiers are not checked")
        .breaks(&["STRUCT-008"], &["struct-008-forbidden-in-quantifiers"])
        .within_lines(40)
        .semantics(with::rule_branch_keywords(|_, node, found| {
            let path = node.path.to_string();
            let depth = ["allOf", "anyOf", "oneOf", "not"]
                .map(|keyword| path.matches(&format!(".{keyword}")).count())
                .iter()
                .sum::<usize>();
            if depth < 2 {
                correct().rule_branch_keywords(node, found);
            }
        })),
    obvious_fault("rejects-formats-in-quantifiers", "a format inside a quantifier is rejected")
        .breaks(&["STRUCT-009", "CRDVAL-037"], &["struct-009-allowed-in-quantifiers"])
        .semantics(with::rule_branch_keywords(|_, node, found| {
            correct().rule_branch_keywords(node, found);
            if !node.schema.values.format.is_empty() {
                reject(node, "format", found);
            }
        })),
    fault("rejects-external-docs-below-not", "externalDocs inside `not` is rejected")
        .breaks(&["STRUCT-009", "CRDVAL-037"], &["struct-009-allowed-in-quantifiers"])
        .within_lines(40)
        .semantics(with::rule_branch_keywords(|_, node, found| {
            correct().rule_branch_keywords(node, found);
            if node.schema.documentation.external_docs.is_some() && node.path.to_string().contains(".not") {
                reject(node, "externalDocs", found);
            }
        })),
    obvious_fault("accepts-metadata-in-quantifiers", "quantifiers may restrict metadata")
        .breaks(&["STRUCT-010"], &["struct-010-no-metadata-in-quantifiers"])
        .within_lines(30)
        .semantics(with::rule_branch_metadata(|_, _, _| {})),
    fault("accepts-metadata-deep-in-quantifiers", "quantifiers may restrict metadata below their first level")
        .breaks(&["STRUCT-010"], &["struct-010-no-metadata-in-quantifiers"])
        .within_lines(35)
        .semantics(with::rule_branch_metadata(|_, node, found| {
            let path = node.path.to_string();
            if !path.ends_with(']') || !path.contains("properties[") || !path.contains("Of[") || path.ends_with("Of[0]")
            {
                correct().rule_branch_metadata(node, found);
            }
        })),
    fault("accepts-string-before-integer", "anyOf of string and integer, in this order, may have types")
        .breaks(&["STRUCT-011", "STRUCT-012"], &["struct-011-int-or-string-any-of"])
        .semantics(with::is_int_or_string_pair(|_, branches| {
            let turned: Vec<Schema> = branches.iter().rev().cloned().collect();
            correct().is_int_or_string_pair(branches) || correct().is_int_or_string_pair(&turned)
        })),
    obvious_fault("rejects-the-int-or-string-pattern", "anyOf of integer and string is rejected")
        .breaks(&["STRUCT-011", "STRUCT-012"], &["struct-011-int-or-string-any-of", "struct-012-int-or-string-all-of"])
        .within_lines(30)
        .semantics(with::is_int_or_string_pair(|_, _| false)),
    fault("accepts-types-in-later-members-of-all-of", "anyOf of integer and string is accepted in any member of allOf")
        .breaks(&["STRUCT-011", "STRUCT-012"], &["struct-012-int-or-string-all-of"])
        .within_lines(30)
        .semantics(with::rule_quantifiers(|_, node, found| {
            let all = reported(|all| correct().rule_quantifiers(node, all));
            add_except(found, all, |violation| {
                violation.field.contains("allOf[1].anyOf[") && violation.field.ends_with("].type")
            });
        })),
    obvious_fault("accepts-int-or-string-with-any-extension", "int-or-string may be combined with any other extension")
        .breaks(&["STRUCT-013"], &["struct-013-int-or-string-combinations"])
        .semantics(with::rule_int_or_string_combinations(|_, _, _| {})),
    fault("accepts-int-or-string-with-embedded-resource", "int-or-string may be combined with embedded-resource")
        .breaks(&["STRUCT-013"], &["struct-013-int-or-string-combinations"])
        .semantics(with::rule_int_or_string_combinations(|_, node, found| {
            let rule = |found: &mut _| correct().rule_int_or_string_combinations(node, found);
            let all = reported(rule);
            add_except(found, all, |violation| violation.field.ends_with("embedded-resource"));
        })),
    obvious_fault("reports-the-first-violation-only", "only the first violation of a schema is reported")
        .breaks(
            &["STRUCT-035", "INV-095"],
            &["struct-035-all-rules-at-once", "struct-035-every-version", "struct-035-on-update"],
        )
        .within_lines(40)
        .semantics(with::schema_violations(|_, root, context| {
            let mut found = correct().schema_violations(root, context);
            found.truncate(1);
            found
        })),
    fault("reports-structural-violations-alone", "list types and keywords are checked only in structural schemas")
        .breaks(&["STRUCT-035"], &["struct-035-all-rules-at-once", "struct-035-every-version", "struct-035-on-update"])
        .within_lines(40)
        .semantics(with::schema_violations(|_, root, context| {
            let found = correct().schema_violations(root, context);
            let mut structural = Vec::new();
            let path = FieldPath::Text("openAPIV3Schema");
            correct().structural_node(&Node::root(root, &path), &mut structural);
            if structural.is_empty() {
                found
            } else {
                found.into_iter().filter(|violation| structural.contains(violation)).collect()
            }
        })),
    fault("checks-no-types-of-preserving-nodes", "the type of a node that preserves unknown fields is not enforced")
        .breaks(&["STRUCT-015"], &["struct-015-type-beside-preserve"])
        .within_lines(30)
        .semantics(with::accepts_type(|_, value, schema| {
            schema.is_preserving() || correct().accepts_type(value, schema)
        })),
    obvious_fault("defaults-to-examples", "an example is applied as if it were a default")
        .breaks(&["INV-096"], &["inv-096-documentation-is-neutral"])
        .within_lines(90)
        .semantics(Semantics {
            defaulting: Defaulting {
                takes_default: |_, present, schema| {
                    present.is_none() && schema.documentation.example.is_some()
                        || correct().takes_default(present, schema)
                },
                inserted_default: |_, schema| {
                    correct().inserted_default(schema).or_else(|| schema.documentation.example.clone())
                },
                ..Defaulting::CORRECT
            },
            ..Semantics::UPSTREAM
        }),
];

/// Removes `not` from a schema and the branches of its quantifiers, at any depth.
fn remove_not(schema: &mut Schema) {
    schema.not = None;
    let branches = schema.all_of.iter_mut().chain(&mut schema.any_of).chain(&mut schema.one_of);
    for branch in branches {
        remove_not(branch);
    }
    schema.properties.values_mut().for_each(remove_not);
    if let Some(Items::Each(items)) = &mut schema.items {
        remove_not(items);
    }
}
