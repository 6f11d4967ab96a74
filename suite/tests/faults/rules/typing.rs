//! Faults in what the rules of a definition may name, and in what they cost.

use std::borrow::Cow;

use crdible_semantics::{Schema, with};
use http::Method;
use serde_json::{Map, Value, json};

use super::definitions::{check_as, check_except, is_of};
use crate::{
    server::correct,
    table::{Fault, fault, obvious_fault},
};

/// The value without what the schema does not declare, or declares without a type.
fn declared(value: &Value, schema: &Schema) -> Value {
    match value {
        Value::Object(entries) => {
            let child = |name: &str| schema.properties.get(name).or_else(|| schema.value_schema());
            let typed = |child: &&Schema| !child.type_name.is_empty() || child.int_or_string;
            let known = entries.iter().filter_map(|(name, value)| Some((name, value, child(name).filter(typed)?)));
            known.map(|(name, value, child)| (name.clone(), declared(value, child))).collect()
        }
        Value::Array(elements) => match schema.item_schema() {
            Some(items) => elements.iter().map(|element| declared(element, items)).collect(),
            None => value.clone(),
        },
        other => other.clone(),
    }
}

/// Removes the format, if it is one of these.
fn forget_format(node: &mut Map<String, Value>, formats: &[&str]) {
    if node.get("format").and_then(Value::as_str).is_some_and(|format| formats.contains(&format)) {
        node.remove("format");
    }
}

/// Whether something has a list with rules and at most a few elements.
fn has_short_list(of: &Value) -> bool {
    let is_short = of["maxItems"].as_u64().is_some_and(|most| most < 5) && !of["x-kubernetes-validations"].is_null();
    match of {
        Value::Object(entries) => is_short || entries.values().any(has_short_list),
        Value::Array(entries) => entries.iter().any(has_short_list),
        _ => false,
    }
}

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("checks-no-operands", "an operator may have operands of any types")
        .breaks(&["CEL-011"], &["cel-011-types"])
        .semantics(with::accepts_rule(|_, error| error.contains("found no matching overload"))),
    fault("has-dates-as-texts", "rules see strings in the formats of times as strings when they are compiled")
        .breaks(&["CEL-011"], &["cel-011-types"])
        .semantics(with::check_rules(|_, spec, before, found| {
            check_as(spec, before, found, |node| forget_format(node, &["date", "date-time", "duration"]));
        })),
    fault("has-integers-as-doubles", "rules see integers as doubles when they are compiled")
        .breaks(&["CEL-011"], &["cel-011-types"])
        .semantics(with::check_rules(|_, spec, before, found| {
            check_as(spec, before, found, |node| {
                if node.get("type").is_some_and(|kind| kind == "integer") {
                    node.insert("type".to_owned(), json!("number"));
                }
            });
        })),
    fault("sees-whole-numbers-as-integers", "rules see numbers without a fraction as integers")
        .breaks(&["CEL-011"], &["cel-011-types-of-values"])
        .semantics(with::value_for_rules(|_, value, schema, is_resource| {
            let is_whole = schema.type_name == "number" && value.is_i64();
            let type_name = if is_whole { "integer".to_owned() } else { schema.type_name.clone() };
            correct().value_for_rules(value, &Schema { type_name, ..schema.clone() }, is_resource)
        })),
    fault("sees-encoded-bytes", "rules see strings with the format byte as they were sent")
        .breaks(&["CEL-011"], &["cel-011-types-of-values"])
        .semantics(with::value_for_rules(|_, value, schema, is_resource| {
            let mut schema = schema.clone();
            if schema.values.format == "byte" {
                schema.values.format = String::new();
            }
            correct().value_for_rules(value, &schema, is_resource)
        })),
    fault("names-fields-without-a-type", "rules can name fields without a type")
        .breaks(&["CEL-012"], &["cel-012-untyped"])
        .within_lines(100)
        .semantics(with::check_rules(|_, spec, before, found| {
            check_as(spec, before, found, |node| {
                if !node.contains_key("type") {
                    node.insert("x-kubernetes-int-or-string".to_owned(), json!(true));
                }
            });
        })),
    fault("compares-objects-of-two-nodes", "objects of two nodes can be compared in rules")
        .breaks(&["CEL-012"], &["cel-012-untyped"])
        .within_lines(100)
        .semantics(with::accepts_rule(|_, error| error.contains("overload for '_==_'"))),
    fault("compares-what-is-declared", "a comparison in a rule sees no unknown fields, and no fields without a type")
        .breaks(&["CEL-012"], &["cel-012-wholes"])
        .within_lines(110)
        .semantics(with::value_for_rules(|_, value, schema, is_resource| {
            correct().value_for_rules(&declared(value, schema), schema, is_resource)
        })),
    obvious_fault("names-labels", "rules of a resource can name its labels")
        .breaks(&["CEL-013"], &["cel-013-meta-fields"])
        .semantics(with::accepts_rule(|_, error| error.contains("undefined field 'labels'"))),
    fault("has-embedded-resources-as-objects", "rules know of an embedded resource what its schema declares")
        .breaks(&["CEL-013"], &["cel-013-meta-fields"])
        .semantics(with::check_rules(|_, spec, before, found| {
            check_as(spec, before, found, |node| drop(node.remove("x-kubernetes-embedded-resource")));
        })),
    fault("sees-no-kinds", "rules of a resource do not see its kind")
        .breaks(&["CEL-013"], &["cel-013-meta-values"])
        .semantics(with::value_for_rules(|_, value, schema, is_resource| {
            let mut value = value.clone();
            if let Value::Object(entries) = &mut value
                && is_resource
            {
                entries.remove("kind");
            }
            correct().value_for_rules(&value, schema, is_resource)
        })),
    fault("names-fields-by-index", "rules can access fields like keys of a map")
        .breaks(&["CEL-014", "CEL-015"], &["cel-015-names"])
        .semantics(with::accepts_rule(|_, error| error.contains("overload for '_[_]'"))),
    fault("hides-names-with-dashes", "rules cannot access properties with a dash in their name")
        .breaks(&["CEL-015"], &["cel-015-names"])
        .semantics(with::check_rules(|_, spec, before, found| {
            check_as(spec, before, found, |node| {
                if let Some(properties) = node.get_mut("properties").and_then(Value::as_object_mut) {
                    properties.retain(|name, _| !name.contains('-'));
                }
            });
        })),
    fault("sees-no-values-with-dashes", "in rules, a property with a dash in its name is absent")
        .breaks(&["CEL-015", "INV-091"], &["inv-091-escaped-names"])
        .semantics(with::value_for_rules(|_, value, schema, is_resource| {
            let mut value = value.clone();
            if let Value::Object(entries) = &mut value {
                entries.retain(|name, _| !name.contains('-') || !schema.properties.contains_key(name));
            }
            correct().value_for_rules(&value, schema, is_resource)
        })),
    fault("runs-no-rules-of-hidden-properties", "rules in properties that rules cannot name are not evaluated")
        .breaks(&["CEL-014", "CEL-015", "INV-091"], &["inv-091-escaped-names"])
        .semantics(with::rule_findings(|_, rules, object, schema, old| {
            let mut findings = correct().rule_findings(rules, object, schema, old);
            let is_named = |name: &str| name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
            findings.violations.retain(|violation| violation.field.split('.').all(is_named));
            findings
        })),
    obvious_fault("names-requests", "rules can name the request")
        .breaks(&["CEL-022"], &["cel-022-variables"])
        .semantics(with::accepts_rule(|_, error| error.contains("undeclared reference to 'request'"))),
    fault("names-no-absolute-variables", "a rule with a dot before self does not compile")
        .breaks(&["CEL-022"], &["cel-022-variables"])
        .semantics(with::text_of_rule(|_, text| Cow::Owned(text.replace(".self", ".unknown")))),
    obvious_fault("has-no-addresses", "rules have no function isIP")
        .breaks(&["CEL-024"], &["cel-024-releases"])
        .semantics(with::text_of_rule(|_, text| Cow::Owned(text.replace("isIP(", "unknown(")))),
    fault("has-functions-of-patches", "rules have the functions of JSON patches")
        .breaks(&["CEL-024"], &["cel-024-releases"])
        .semantics(with::accepts_rule(|_, error| error.contains("jsonpatch"))),
    fault("has-a-clock", "rules have a function now")
        .breaks(&["CEL-022", "CEL-026"], &["cel-022-variables", "cel-026-regexes"])
        .by_example_only()
        .semantics(with::accepts_rule(|_, error| error.contains("undeclared reference to 'now'"))),
    fault("takes-any-duration", "a literal duration need not be valid")
        .breaks(&["CEL-025"], &["cel-025-literals"])
        .semantics(with::accepts_rule(|_, error| error.contains("invalid duration argument"))),
    fault("takes-any-expression-to-match", "a literal regular expression need not be valid")
        .breaks(&["CEL-025"], &["cel-025-literals"])
        .semantics(with::accepts_rule(|_, error| error.contains("invalid matches argument"))),
    fault("mixes-types-in-literals", "lists and maps may be written with elements of several types")
        .breaks(&["CEL-025"], &["cel-025-literals"])
        .semantics(with::accepts_rule(|_, error| error.contains("expected type '"))),
    obvious_fault("takes-expensive-rules", "one expression may cost ten times as much")
        .breaks(&["CEL-038"], &["cel-038-expression-limit"])
        .semantics(with::costs_too_much(|_, cost| cost > 100_000_000)),
    obvious_fault("takes-cheap-rules-only", "one expression may cost a tenth of the limit")
        .breaks(&["CEL-038"], &["cel-038-expression-limit"])
        .semantics(with::costs_too_much(|_, cost| cost > 1_000_000)),
    fault("counts-one-value-in-maps", "what a rule costs is not multiplied by the number of entries of a map")
        .breaks(&["CEL-038"], &["cel-038-expression-limit"])
        .semantics(with::values_of_node(|_, schema| {
            if schema.value_schema().is_some() { Some(1) } else { correct().values_of_node(schema) }
        })),
    fault("counts-few-values-without-a-bound", "a list or map without a bound has ten values, for what its rules cost")
        .breaks(&["CEL-038", "CEL-040"], &["cel-038-expression-limit"])
        .by_example_only()
        .semantics(with::values_of_node(|_, schema| correct().values_of_node(schema).or(Some(10)))),
    fault("counts-no-messages", "the expression of a message may cost any amount")
        .breaks(&["CEL-038"], &["cel-038-expression-limit"])
        .semantics(with::check_rules(|_, spec, before, found| {
            check_except(spec, before, found, |one| one.requirement == "CEL-038" && is_of(one, "messageExpression"));
        })),
    fault("takes-expensive-schemas", "all rules of a version may cost any amount together")
        .breaks(&["CEL-039"], &["cel-039-schema-limit"])
        .within_lines(220)
        .semantics(with::cost_too_much_together(|_, _| false)),
    fault("takes-cheap-schemas-only", "all rules of a version may cost a hundredth of the limit together")
        .breaks(&["CEL-039"], &["cel-039-schema-limit"])
        .semantics(with::cost_too_much_together(|_, cost| cost > 1_000_000)),
    fault("names-no-expensive-rules", "of rules that cost too much together, none is named")
        .breaks(&["CEL-039"], &["cel-039-schema-limit"])
        .within_lines(220)
        .semantics(with::check_rules(|_, spec, before, found| {
            check_except(spec, before, found, |one| one.requirement == "CEL-039" && is_of(one, "rule"));
        })),
    fault("names-no-expensive-messages", "of messages that cost too much together, none is named")
        .breaks(&["CEL-039"], &["cel-039-schema-limit"])
        .within_lines(220)
        .semantics(with::check_rules(|_, spec, before, found| {
            check_except(spec, before, found, |one| one.requirement == "CEL-039" && is_of(one, "messageExpression"));
        })),
    fault("compares-optional-values-cheaply", "a comparison with optional.none() costs as little as hasValue()")
        .breaks(&["CEL-040"], &["cel-040-bounds"])
        .semantics(with::text_of_rule(|_, text| {
            Cow::Owned(text.replace(" == optional.none()", ".hasValue() == false"))
        })),
    obvious_fault("counts-no-lengths", "maxLength makes no rule cheaper")
        .breaks(&["CEL-040"], &["cel-040-bounds"])
        .semantics(with::check_rules(|_, spec, before, found| {
            check_as(spec, before, found, |node| drop(node.remove("maxLength")));
        })),
    fault("counts-no-enumerations", "enum makes no rule cheaper").breaks(&["CEL-040"], &["cel-040-bounds"]).semantics(
        with::check_rules(|_, spec, before, found| {
            check_as(spec, before, found, |node| drop(node.remove("enum")));
        }),
    ),
    fault("counts-letters-of-one-byte", "for what a rule costs, each letter has one byte")
        .breaks(&["CEL-040"], &["cel-040-bounds"])
        .semantics(with::check_rules(|_, spec, before, found| {
            check_as(spec, before, found, |node| {
                if let Some(most) = node.get("maxLength").and_then(Value::as_u64) {
                    node.insert("maxLength".to_owned(), json!(most / 4));
                }
            });
        })),
    fault("refuses-patches-with-short-lists", "a patch of a definition is refused if a list of few elements has rules")
        .breaks(&["INV-092"], &["inv-092-tighter-bounds"])
        .definition_answers(|asked, answer| {
            if asked.method == Method::PATCH && answer.is_success() && has_short_list(&asked.body) {
                answer.fail(422, "Invalid");
            }
        }),
];
