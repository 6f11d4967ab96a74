//! Faults in the rules about lists and maps.

#![allow(clippy::case_sensitive_file_extension_comparisons, reason = "fields, not files")]

use crdible_semantics::{
    FieldPath, Schema, SchemaContext, Upstream, Violation,
    schema::{AdditionalProperties, Items},
    structural::{Node, Position},
};
use serde_json::Value;

use crate::{
    structural::but,
    table::{Fault, Finder},
};

const ANY: &[&str] = &[
    "STRUCT-022",
    "STRUCT-023",
    "STRUCT-024",
    "STRUCT-025",
    "STRUCT-026",
    "STRUCT-027",
    "STRUCT-028",
    "STRUCT-029",
    "STRUCT-031",
    "STRUCT-032",
    "STRUCT-033",
    "STRUCT-034",
    "CRDVAL-030",
    "INV-095",
];

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        name: "takes-any-list-type",
        wrong: "list-type may be any text",
        target: wrong!(SchemaRules {
            fn rule_list_type(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.rule_list_type(node, found), |violation| violation.field.ends_with("list-type"));
            }
        }),
        requirements: ANY,
        properties: &["struct-023-list-type", "struct-033-topology-everywhere"],
        largest: 30,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-empty-list-types",
        wrong: "an empty list-type counts as none",
        target: wrong!(SchemaRules {
            fn rule_list_type(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                if node.schema.list_type.as_deref() != Some("") {
                    Upstream.rule_list_type(node, found);
                }
            }
        }),
        requirements: ANY,
        properties: &["struct-023-list-type"],
        largest: 25,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-list-types-beside-other-types",
        wrong: "list-type may stand at a node that is no array",
        target: wrong!(SchemaRules {
            fn rule_list_type(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.rule_list_type(node, found), |violation| violation.field.ends_with(".type"));
            }
        }),
        requirements: ANY,
        properties: &["struct-023-list-type"],
        largest: 25,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-any-map-type",
        wrong: "map-type is not looked at",
        target: wrong!(SchemaRules {
            fn rule_map_type(&self, _: &Node<'_>, _: &mut Vec<Violation>) {}
        }),
        requirements: ANY,
        properties: &["struct-024-map-type"],
        largest: 25,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-map-types-beside-other-types",
        wrong: "map-type may stand at a node that is no object",
        target: wrong!(SchemaRules {
            fn rule_map_type(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.rule_map_type(node, found), |violation| violation.field.ends_with(".type"));
            }
        }),
        requirements: ANY,
        properties: &["struct-024-map-type"],
        largest: 25,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-keys-of-any-list",
        wrong: "list-map-keys may stand beside any list-type",
        target: wrong!(SchemaRules {
            fn rule_keys_imply_map(&self, _: &Node<'_>, _: &mut Vec<Violation>) {}
        }),
        requirements: ANY,
        properties: &["struct-025-keys-imply-map"],
        largest: 25,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-keys-without-a-list-type",
        wrong: "list-map-keys without list-type are accepted",
        target: wrong!(SchemaRules {
            fn rule_keys_imply_map(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                if node.schema.list_type.is_some() {
                    Upstream.rule_keys_imply_map(node, found);
                }
            }
        }),
        requirements: ANY,
        properties: &["struct-025-keys-imply-map"],
        largest: 25,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-sets-of-anything",
        wrong: "elements of sets need not be atomic",
        target: wrong!(SchemaRules {
            fn rule_set_items(&self, _: &Node<'_>, _: &mut Vec<Violation>) {}
        }),
        requirements: ANY,
        properties: &["struct-026-set-items-atomic", "inv-095-one-violation"],
        largest: 35,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-sets-of-sets",
        wrong: "lists in a set need not be atomic",
        target: wrong!(SchemaRules {
            fn rule_set_items(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.rule_set_items(node, found), |violation| violation.field.ends_with("list-type"));
            }
        }),
        requirements: ANY,
        properties: &["struct-026-set-items-atomic"],
        largest: 25,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-map-lists-of-any-form",
        wrong: "a map list needs neither keys nor objects",
        target: wrong!(SchemaRules {
            fn rule_map_list_form(&self, _: &Node<'_>, _: &mut Vec<Violation>) {}
        }),
        requirements: ANY,
        properties: &["struct-027-map-list-form"],
        largest: 25,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-keys-without-properties",
        wrong: "keys need not be declared",
        target: wrong!(SchemaRules {
            fn rule_map_list_keys(&self, _: &Node<'_>, _: &mut Vec<Violation>) {}
        }),
        requirements: ANY,
        properties: &["struct-028-keys-name-properties"],
        largest: 30,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-a-key-twice",
        wrong: "one key may stand twice",
        target: wrong!(SchemaRules {
            fn rule_map_list_keys(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                let mut schema = node.schema.clone();
                schema.list_map_keys.sort();
                schema.list_map_keys.dedup();
                Upstream.rule_map_list_keys(&Node { schema: &schema, ..*node }, found);
            }
        }),
        requirements: ANY,
        properties: &["struct-028-keys-name-properties"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-keys-that-may-be-missing",
        wrong: "keys need be neither required nor defaulted",
        target: wrong!(SchemaRules {
            fn rule_keys_always_present(&self, _: &Node<'_>, _: &mut Vec<Violation>) {}
        }),
        requirements: ANY,
        properties: &["struct-029-keys-always-present", "struct-034-exceptions"],
        largest: 30,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "demands-one-present-key-only",
        wrong: "it is enough if one of the keys is required",
        target: wrong!(SchemaRules {
            fn rule_keys_always_present(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                let mut all = Vec::new();
                Upstream.rule_keys_always_present(node, &mut all);
                if all.len() == node.schema.list_map_keys.len() {
                    found.append(&mut all);
                }
            }
        }),
        requirements: ANY,
        properties: &["struct-029-keys-always-present"],
        largest: 35,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "compares-the-last-key-only",
        wrong: "elements of a map list are duplicates if their last keys are equal",
        target: wrong!(Validation {
            fn check_map_list(&self, elements: &[Value], keys: &[String], path: &FieldPath<'_>, found: &mut Vec<Violation>) {
                Upstream.check_map_list(elements, &keys[keys.len().saturating_sub(1)..], path, found);
            }
        }),
        requirements: &["STRUCT-030"],
        properties: &["struct-030-default-on-a-key"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-nullable-elements",
        wrong: "elements of sets and map lists may be nullable",
        target: wrong!(SchemaRules {
            fn rule_list_items_not_nullable(&self, _: &Node<'_>, _: &mut Vec<Violation>) {}
        }),
        requirements: ANY,
        properties: &["struct-031-items-not-nullable"],
        largest: 25,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-nullable-keys",
        wrong: "keys of map lists may be nullable",
        target: wrong!(SchemaRules {
            fn rule_keys_not_nullable(&self, _: &Node<'_>, _: &mut Vec<Violation>) {}
        }),
        requirements: ANY,
        properties: &["struct-032-keys-not-nullable"],
        largest: 35,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "judges-no-lists-below-preserving-nodes",
        wrong: "list and map types below a preserving node are not judged",
        target: wrong!(SchemaRules {
            fn schema_violations(&self, root: &Schema, context: &SchemaContext) -> Vec<Violation> {
                let mut root = root.clone();
                forget_topology(&mut root, false);
                Upstream.schema_violations(&root, context)
            }
        }),
        requirements: &["STRUCT-033"],
        properties: &["struct-033-topology-everywhere"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "judges-no-lists-in-embedded-metadata",
        wrong: "list and map types inside the metadata of embedded objects are not judged",
        target: wrong!(SchemaRules {
            fn rule_map_type(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                if !(node.inside_meta && node.position == Position::Field) {
                    Upstream.rule_map_type(node, found);
                }
            }
            fn rule_list_type(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                if !(node.inside_meta && node.position == Position::Field) {
                    Upstream.rule_list_type(node, found);
                }
            }
        }),
        requirements: ANY,
        properties: &["struct-033-topology-everywhere"],
        largest: 35,
        subtle: true,
        finder: Finder::Choices,
    },
];

/// Takes the topology out of what is below preserving nodes.
fn forget_topology(schema: &mut Schema, is_below: bool) {
    if is_below {
        schema.list_type = None;
        schema.map_type = None;
        schema.list_map_keys.clear();
    }
    let is_below = is_below || schema.is_preserving();
    schema.properties.values_mut().for_each(|property| forget_topology(property, is_below));
    if let Some(Items::Each(items)) = &mut schema.items {
        forget_topology(items, is_below);
    }
    if let Some(AdditionalProperties::Schema(values)) = &mut schema.additional_properties {
        forget_topology(values, is_below);
    }
}
