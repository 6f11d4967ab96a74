//! Faults in the rules of schemas other than the structural ones: CRDVAL-026..040, CRDVAL-052, CRDVAL-057.

use crdible_semantics::{Reason, structural::Position, with};

use crate::{
    server::correct,
    table::{Fault, fault, obvious_fault},
    violations::{add_except, reported, violation},
};

pub(crate) const FAULTS: &[Fault] = &[
    fault("accepts-later-versions-without-a-schema", "a version after the first needs no schema")
        .breaks(&["CRDVAL-026", "INV-095"], &["crdval-026-schema-required"])
        .within_lines(45)
        .semantics(with::check_schemas(|_, spec, found| {
            let all = reported(|all| correct().check_schemas(spec, all));
            add_except(found, all, |violation| {
                violation.requirement == "CRDVAL-026" && !violation.field.contains("[0]")
            });
        })),
    fault("reports-type-null-as-unknown-only", "the type null is reported as unknown, but not as forbidden")
        .breaks(&["CRDVAL-029", "CRDVAL-024"], &["crdval-029-types"])
        .semantics(with::rule_type_names(|_, node, found| {
            let all = reported(|all| correct().rule_type_names(node, all));
            add_except(found, all, |violation| violation.reason == Reason::Forbidden);
        })),
    fault("accepts-unique-items-in-quantifiers", "uniqueItems is accepted inside quantifiers")
        .breaks(&["CRDVAL-032"], &["crdval-030-forbidden-keywords"])
        .semantics(with::rule_unique_items(|_, node, found| {
            if node.position != Position::Branch {
                correct().rule_unique_items(node, found);
            }
        })),
    fault("accepts-forbidden-keywords-in-quantifiers", "forbidden keywords are accepted inside quantifiers")
        .breaks(&["CRDVAL-030"], &["crdval-030-forbidden-keywords"])
        .semantics(with::rule_unsupported_keywords(|_, node, found| {
            if node.position != Position::Branch {
                correct().rule_unsupported_keywords(node, found);
            }
        })),
    fault("checks-no-formats-of-defaults", "the format of a string default is not checked")
        .breaks(&["CRDVAL-053"], &["crdval-051-defaults"])
        .semantics(with::default_value_violations(|_, at, default, path, found| {
            let all = reported(|all| correct().default_value_violations(at, default, path, all));
            add_except(found, all, |violation| violation.reason == Reason::TypeInvalid && default.is_string());
        })),
    fault("warns-of-no-unknown-keywords", "an unknown field below spec.versions is dropped without a warning")
        .breaks(&["CRDVAL-031", "CRDVAL-058"], &["crdval-031-unmodelled-keywords", "crdval-058-field-validation"])
        .definition_answers(|_, answer| {
            answer.remove_warnings("unknown field \\\"spec.versions");
        }),
    fault("accepts-false-next-to-properties", "additionalProperties: false is accepted next to properties")
        .breaks(&["CRDVAL-033"], &["crdval-033-properties-or-additional"])
        .semantics(with::rule_properties_or_additional(|_, node, found| {
            if node.schema.value_schema().is_some() {
                correct().rule_properties_or_additional(node, found);
            }
        })),
    fault("checks-patterns-of-strings-only", "a pattern is checked only where the type is string")
        .breaks(&["CRDVAL-034"], &["crdval-034-patterns"])
        .semantics(with::rule_pattern(|_, node, found| {
            if node.schema.type_name == "string" {
                correct().rule_pattern(node, found);
            }
        })),
    fault("limits-the-number-of-properties", "a root with more than a hundred properties is rejected")
        .breaks(&["CRDVAL-039"], &["crdval-039-no-depth-limit"])
        .within_lines(260)
        .semantics(with::schema_violations(|_, root, context| {
            let mut found = correct().schema_violations(root, context);
            if root.properties.len() > 100 {
                found.push(violation("openAPIV3Schema.properties".to_owned(), Reason::TooMany));
            }
            found
        })),
    fault("accepts-max-properties-under-status", "maxProperties is accepted at the root under the status subresource")
        .breaks(&["CRDVAL-040"], &["crdval-040-root-keywords-under-status"])
        .semantics(with::rule_root_keywords_under_status(|_, node, found| {
            if node.schema.values.max_properties.is_none() {
                correct().rule_root_keywords_under_status(node, found);
            }
        })),
    fault("creates-what-preserves-unknown-fields", "a new definition may have preserveUnknownFields: true")
        .breaks(&["CRDVAL-028"], &["crdval-026-schema-required"])
        .semantics(with::definition_violations(|_, definition| {
            let found = correct().definition_violations(definition);
            let is_alone = found.len() == 1 && found[0].field == "spec.preserveUnknownFields";
            if is_alone { Vec::new() } else { found }
        })),
    fault("allows-defaults-without-pruning", "defaults do not mind preserveUnknownFields: true")
        .breaks(&["CRDVAL-050", "CRDVAL-028"], &["crdval-026-schema-required"])
        .semantics(with::definition_violations(|_, definition| {
            let mut found = correct().definition_violations(definition);
            found.dedup_by(|other, one| one.field == other.field && one.requirement == "CRDVAL-028");
            found
        })),
    fault("accepts-preserving-nothing", "x-kubernetes-preserve-unknown-fields: false is accepted")
        .breaks(&["CRDVAL-035"], &["crdval-030-forbidden-keywords"])
        .semantics(with::rule_preserve_is_true(|_, _, _| {})),
    fault("refuses-unknown-formats", "a format that the server does not know is refused at an object")
        .breaks(&["CRDVAL-036"], &["crdval-034-patterns"])
        .semantics(with::rule_pattern(|_, node, found| {
            correct().rule_pattern(node, found);
            let format = &node.schema.values.format;
            let is_of_object = node.schema.type_name == "object" && !format.is_empty();
            if is_of_object && !correct().is_known_format("string", format) {
                found.push(violation(node.path.name("format").to_string(), Reason::NotSupported));
            }
        })),
    fault("needs-positive-multiples", "multipleOf must be positive")
        .breaks(&["CRDVAL-037"], &["crdval-034-patterns"])
        .semantics(with::rule_pattern(|_, node, found| {
            correct().rule_pattern(node, found);
            if node.schema.values.multiple_of.is_some_and(|factor| factor <= 0.0) {
                found.push(violation(node.path.name("multipleOf").to_string(), Reason::Invalid));
            }
        })),
    fault("accepts-defaults-of-root-metadata", "defaults are accepted at apiVersion and kind, and in maps of metadata")
        .breaks(&["CRDVAL-051"], &["crdval-051-defaults"])
        .semantics(with::rule_default_positions(|_, _, _| {})),
    obvious_fault("accepts-unpruned-defaults", "a default with unknown fields is accepted")
        .breaks(&["CRDVAL-052"], &["crdval-051-defaults"])
        .semantics(with::default_value_violations(|_, at, default, path, found| {
            let all = reported(|all| correct().default_value_violations(at, default, path, all));
            add_except(found, all, |violation| violation.requirement == "CRDVAL-052");
        })),
    fault("knows-formats-for-any-type", "a format that is known for one type is known for all")
        .breaks(&["CRDVAL-057"], &["crdval-057-unrecognized-formats"])
        .semantics(with::is_known_format(|_, _, format| {
            ["string", "integer", "number"].iter().any(|type_name| correct().is_known_format(type_name, format))
        })),
];
