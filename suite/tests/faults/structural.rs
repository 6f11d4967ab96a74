//! Faults in the rules of structural schemas: types, completeness, quantifiers, integers or strings.

use crdible_semantics::{
    FieldPath, Reason, Schema, SchemaContext, Upstream, Violation,
    schema::Items,
    structural::{Node, Position},
};

use serde_json::Value;

use crate::table::{Fault, Finder};

/// What a rule finds, but for what is forgotten.
pub(crate) fn but(
    found: &mut Vec<Violation>,
    rule: impl FnOnce(&mut Vec<Violation>),
    forgets: impl Fn(&Violation) -> bool,
) {
    let mut all = Vec::new();
    rule(&mut all);
    found.extend(all.into_iter().filter(|violation| !forgets(violation)));
}

fn refuse(node: &Node<'_>, keyword: &str, found: &mut Vec<Violation>) {
    node.report_keyword(found, keyword, Reason::Forbidden, "STRUCT-008", "this server is wrong");
}

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        name: "takes-roots-without-a-type",
        wrong: "the root needs no type",
        target: wrong!(SchemaRules {
            fn rule_root_type(&self, _: &Node<'_>, _: &mut Vec<Violation>) {}
        }),
        requirements: &["STRUCT-001", "CRDVAL-027"],
        properties: &["struct-001-root-type"],
        largest: 10,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-elements-without-a-type",
        wrong: "items need no type",
        target: wrong!(SchemaRules {
            fn rule_node_type(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                if node.position != Position::Item {
                    Upstream.rule_node_type(node, found);
                }
            }
        }),
        requirements: &["STRUCT-002", "CRDVAL-024"],
        properties: &["struct-002-node-types"],
        largest: 20,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "demands-types-beside-preserve-unknown-fields",
        wrong: "a preserving node needs a type like any other",
        target: wrong!(SchemaRules {
            fn rule_node_type(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                Upstream.rule_node_type(node, found);
                if node.position != Position::Root && node.schema.is_preserving() && node.schema.type_name.is_empty() {
                    node.report_keyword(found, "type", Reason::Required, "STRUCT-002", "this server is wrong");
                }
            }
        }),
        requirements: &["STRUCT-002", "STRUCT-015"],
        properties: &["struct-015-preserve-anywhere"],
        largest: 20,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-arrays-without-items",
        wrong: "an array needs no items",
        target: wrong!(SchemaRules {
            fn rule_array_items(&self, _: &Node<'_>, _: &mut Vec<Violation>) {}
        }),
        requirements: &["STRUCT-003", "INV-095"],
        properties: &["struct-003-arrays-need-items", "inv-095-one-violation"],
        largest: 40,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-arrays-without-items-in-arrays",
        wrong: "an array that is the element of another needs no items",
        target: wrong!(SchemaRules {
            fn rule_array_items(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                if node.position != Position::Item {
                    Upstream.rule_array_items(node, found);
                }
            }
        }),
        requirements: &["STRUCT-003"],
        properties: &["struct-003-arrays-need-items"],
        largest: 20,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-maps-as-roots",
        wrong: "additionalProperties may stand at the root",
        target: wrong!(SchemaRules {
            fn rule_root_additional_properties(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                if node.position != Position::Root {
                    Upstream.rule_root_additional_properties(node, found);
                }
            }
        }),
        requirements: &["STRUCT-004", "CRDVAL-027", "CRDVAL-033"],
        properties: &["struct-004-no-root-additional-properties"],
        largest: 20,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-embedded-maps",
        wrong: "additionalProperties may stand at embedded objects",
        target: wrong!(SchemaRules {
            fn rule_root_additional_properties(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                if node.position == Position::Root {
                    Upstream.rule_root_additional_properties(node, found);
                }
            }
        }),
        requirements: &["STRUCT-004", "CRDVAL-033"],
        properties: &["struct-004-no-root-additional-properties"],
        largest: 35,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-incomplete-schemas",
        wrong: "quantifiers may speak of what is not declared",
        target: wrong!(SchemaRules {
            fn rule_completeness(&self, _: &Node<'_>, _: &mut Vec<Violation>) {}
        }),
        requirements: &["STRUCT-005"],
        properties: &["struct-005-completeness"],
        largest: 25,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "forgets-not-in-completeness",
        wrong: "what `not` speaks of need not be declared",
        target: wrong!(SchemaRules {
            fn rule_completeness(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                let mut without_not = node.schema.clone();
                forget_not(&mut without_not);
                let node = Node { schema: &without_not, ..*node };
                Upstream.rule_completeness(&node, found);
            }
        }),
        requirements: &["STRUCT-005"],
        properties: &["struct-005-completeness"],
        largest: 35,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "completeness-stops-at-items",
        wrong: "what quantifiers speak of below items need not be declared",
        target: wrong!(SchemaRules {
            fn rule_completeness(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.rule_completeness(node, found), |violation| violation.field.contains(".items"));
            }
        }),
        requirements: &["STRUCT-005"],
        properties: &["struct-005-completeness"],
        largest: 25,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "demands-declarations-of-what-is-required",
        wrong: "required in a quantifier may name declared properties only",
        target: wrong!(SchemaRules {
            fn rule_branch_keywords(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                Upstream.rule_branch_keywords(node, found);
                if node.schema.values.required.iter().any(|name| !node.schema.properties.contains_key(name)) {
                    refuse(node, "required", found);
                }
            }
        }),
        requirements: &["STRUCT-007"],
        properties: &["struct-007-required-is-free"],
        largest: 25,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "allows-titles-in-branches",
        wrong: "a title inside a quantifier is accepted",
        target: wrong!(SchemaRules {
            fn branch_forbids(&self, keyword: &str, branch: &Schema) -> bool {
                keyword != "title" && Upstream.branch_forbids(keyword, branch)
            }
        }),
        requirements: &["STRUCT-008"],
        properties: &["struct-008-forbidden-in-quantifiers"],
        largest: 35,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "allows-structure-in-nested-branches",
        wrong: "quantifiers inside quantifiers are not judged",
        target: wrong!(SchemaRules {
            fn rule_branch_keywords(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                let path = node.path.to_string();
                let depth = ["allOf", "anyOf", "oneOf", "not"].map(|keyword| path.matches(&format!(".{keyword}")).count()).iter().sum::<usize>();
                if depth < 2 {
                    Upstream.rule_branch_keywords(node, found);
                }
            }
        }),
        requirements: &["STRUCT-008"],
        properties: &["struct-008-forbidden-in-quantifiers"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "forbids-formats-in-branches",
        wrong: "a format inside a quantifier is refused",
        target: wrong!(SchemaRules {
            fn rule_branch_keywords(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                Upstream.rule_branch_keywords(node, found);
                if !node.schema.values.format.is_empty() {
                    refuse(node, "format", found);
                }
            }
        }),
        requirements: &["STRUCT-009", "CRDVAL-037"],
        properties: &["struct-009-allowed-in-quantifiers"],
        largest: 25,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "forbids-external-docs-below-not",
        wrong: "externalDocs inside `not` is refused",
        target: wrong!(SchemaRules {
            fn rule_branch_keywords(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                Upstream.rule_branch_keywords(node, found);
                if node.schema.documentation.external_docs.is_some() && node.path.to_string().contains(".not") {
                    refuse(node, "externalDocs", found);
                }
            }
        }),
        requirements: &["STRUCT-009", "CRDVAL-037"],
        properties: &["struct-009-allowed-in-quantifiers"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "allows-metadata-in-branches",
        wrong: "quantifiers may speak of metadata",
        target: wrong!(SchemaRules {
            fn rule_branch_metadata(&self, _: &Node<'_>, _: &mut Vec<Violation>) {}
        }),
        requirements: &["STRUCT-010"],
        properties: &["struct-010-no-metadata-in-quantifiers"],
        largest: 30,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "allows-metadata-deep-in-branches",
        wrong: "quantifiers may speak of metadata below their first level",
        target: wrong!(SchemaRules {
            fn rule_branch_metadata(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                let path = node.path.to_string();
                if !path.ends_with(']') || !path.contains("properties[") || !path.contains("Of[") || path.ends_with("Of[0]") {
                    Upstream.rule_branch_metadata(node, found);
                }
            }
        }),
        requirements: &["STRUCT-010"],
        properties: &["struct-010-no-metadata-in-quantifiers"],
        largest: 35,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "excuses-types-in-any-order",
        wrong: "anyOf of string and integer is excused, in this order, too",
        target: wrong!(SchemaRules {
            fn is_int_or_string_pair(&self, branches: &[Schema]) -> bool {
                let turned: Vec<Schema> = branches.iter().rev().cloned().collect();
                Upstream.is_int_or_string_pair(branches) || Upstream.is_int_or_string_pair(&turned)
            }
        }),
        requirements: &["STRUCT-011", "STRUCT-012"],
        properties: &["struct-011-int-or-string-any-of"],
        largest: 25,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "excuses-no-types",
        wrong: "anyOf of integer and string is refused",
        target: wrong!(SchemaRules {
            fn is_int_or_string_pair(&self, _: &[Schema]) -> bool {
                false
            }
        }),
        requirements: &["STRUCT-011", "STRUCT-012"],
        properties: &["struct-011-int-or-string-any-of", "struct-012-int-or-string-all-of"],
        largest: 30,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "excuses-types-in-every-member-of-all-of",
        wrong: "the pair of types is excused in any member of allOf, not only in the first",
        target: wrong!(SchemaRules {
            fn rule_quantifiers(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.rule_quantifiers(node, found), |violation| {
                    violation.field.contains("allOf[1].anyOf[") && violation.field.ends_with("].type")
                });
            }
        }),
        requirements: &["STRUCT-011", "STRUCT-012"],
        properties: &["struct-012-int-or-string-all-of"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-int-or-string-beside-anything",
        wrong: "int-or-string may stand beside other extensions",
        target: wrong!(SchemaRules {
            fn rule_int_or_string_combinations(&self, _: &Node<'_>, _: &mut Vec<Violation>) {}
        }),
        requirements: &["STRUCT-013"],
        properties: &["struct-013-int-or-string-combinations"],
        largest: 25,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-embedded-integers",
        wrong: "int-or-string may stand beside embedded-resource",
        target: wrong!(SchemaRules {
            fn rule_int_or_string_combinations(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                let rule = |found: &mut _| Upstream.rule_int_or_string_combinations(node, found);
                but(found, rule, |violation| violation.field.ends_with("embedded-resource"));
            }
        }),
        requirements: &["STRUCT-013"],
        properties: &["struct-013-int-or-string-combinations"],
        largest: 25,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "tells-of-the-first-violation-only",
        wrong: "a schema is refused with its first cause alone",
        target: wrong!(SchemaRules {
            fn schema_violations(&self, root: &Schema, context: &SchemaContext) -> Vec<Violation> {
                let mut found = Upstream.schema_violations(root, context);
                found.truncate(1);
                found
            }
        }),
        requirements: &["STRUCT-035", "INV-095"],
        properties: &["struct-035-all-rules-at-once", "struct-035-every-version", "struct-035-on-update"],
        largest: 40,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "structural-violations-hide-others",
        wrong: "rules about lists and keywords are judged only in schemas that are structural",
        target: wrong!(SchemaRules {
            fn schema_violations(&self, root: &Schema, context: &SchemaContext) -> Vec<Violation> {
                let found = Upstream.schema_violations(root, context);
                let mut structural = Vec::new();
                let path = FieldPath::Text("openAPIV3Schema");
                Upstream.structural_node(&Node::root(root, &path), &mut structural);
                if structural.is_empty() { found } else { found.into_iter().filter(|violation| structural.contains(violation)).collect() }
            }
        }),
        requirements: &["STRUCT-035"],
        properties: &["struct-035-all-rules-at-once", "struct-035-every-version", "struct-035-on-update"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-any-type-beside-preserve-unknown-fields",
        wrong: "a type beside preserve-unknown-fields is not enforced",
        target: wrong!(Validation {
            fn accepts_type(&self, value: &Value, schema: &Schema) -> bool {
                schema.is_preserving() || Upstream.accepts_type(value, schema)
            }
        }),
        requirements: &["STRUCT-015"],
        properties: &["struct-015-type-beside-preserve"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "fills-in-examples",
        wrong: "an example is filled in as if it were a default",
        target: wrong!(Defaulting {
            fn takes_default(&self, present: Option<&Value>, schema: &Schema) -> bool {
                present.is_none() && schema.documentation.example.is_some() || Upstream.takes_default(present, schema)
            }
            fn inserted_default(&self, schema: &Schema) -> Option<Value> {
                Upstream.inserted_default(schema).or_else(|| schema.documentation.example.clone())
            }
        }),
        requirements: &["INV-096"],
        properties: &["inv-096-documentation-is-neutral"],
        largest: 90,
        subtle: false,
        finder: Finder::Choices,
    },
];

/// Takes `not` out of a schema and the branches of its quantifiers, at any depth.
fn forget_not(schema: &mut Schema) {
    schema.not = None;
    let branches = schema.all_of.iter_mut().chain(&mut schema.any_of).chain(&mut schema.one_of);
    for branch in branches {
        forget_not(branch);
    }
    schema.properties.values_mut().for_each(forget_not);
    if let Some(Items::Each(items)) = &mut schema.items {
        forget_not(items);
    }
}
