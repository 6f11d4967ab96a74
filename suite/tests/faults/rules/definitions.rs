//! Faults in what rules a definition may have.

use crdible_semantics::{
    Reason, Schema, Violation,
    definition::Spec,
    rules::{FormFault, Rule},
    with,
};
use serde_json::{Map, Value};

use crate::{
    json::elements,
    server::correct,
    table::{Fault, fault, obvious_fault},
    violations::{add_except, reported, violation},
};

/// What is wrong with the form of a rule, except for some.
fn form_except(rule: &Rule, schema: &Schema, is_omitted: impl Fn(&FormFault) -> bool) -> Vec<FormFault> {
    correct().form_of_rule(rule, schema).into_iter().filter(|fault| !is_omitted(fault)).collect()
}

/// The same with a member that is wrong for no reason.
fn form_and(rule: &Rule, schema: &Schema, member: &'static str, is_refused: bool) -> Vec<FormFault> {
    let mut faults = correct().form_of_rule(rule, schema);
    if is_refused {
        let detail = "this server is wrong".to_owned();
        faults.push(FormFault { member, reason: Reason::Invalid, requirement: "CEL-001", detail });
    }
    faults
}

/// Checks rules, and omits some of what is wrong with them.
pub(super) fn check_except(
    spec: &Spec,
    before: Option<&Spec>,
    found: &mut Vec<Violation>,
    is_omitted: impl Fn(&Violation) -> bool,
) {
    let known = found.len();
    correct().check_rules(spec, before, found);
    let all = found.split_off(known);
    add_except(found, all, is_omitted);
}

/// Checks rules as if each node of the schemas were another one.
pub(super) fn check_as(
    spec: &Spec,
    before: Option<&Spec>,
    found: &mut Vec<Violation>,
    change: fn(&mut Map<String, Value>),
) {
    let mut spec = spec.clone();
    for version in &mut spec.versions {
        let schema = version.schema.as_mut().and_then(|schema| schema.open_api_v3_schema.as_mut());
        schema.into_iter().for_each(|schema| change_nodes(schema, change));
    }
    correct().check_rules(&spec, before, found);
}

fn change_nodes(schema: &mut Value, change: fn(&mut Map<String, Value>)) {
    let Value::Object(node) = schema else { return };
    change(node);
    for keyword in ["items", "additionalProperties"] {
        node.get_mut(keyword).into_iter().for_each(|child| change_nodes(child, change));
    }
    let properties = node.get_mut("properties").and_then(Value::as_object_mut);
    properties.into_iter().flatten().for_each(|(_, child)| change_nodes(child, change));
}

/// Removes the space around the texts of all rules.
fn trim_rules(of: &mut Value) {
    for rule in elements(of, "/x-kubernetes-validations") {
        if let Some(text) = rule["rule"].as_str() {
            rule["rule"] = text.trim().into();
        }
    }
    match of {
        Value::Object(entries) => entries.values_mut().for_each(trim_rules),
        Value::Array(entries) => entries.iter_mut().for_each(trim_rules),
        _ => {}
    }
}

/// Whether a violation is about this member of a rule.
pub(super) fn is_of(violation: &Violation, member: &str) -> bool {
    violation.field.rsplit('.').next() == Some(member)
}

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("takes-every-rule", "a rule that does not compile is accepted")
        .breaks(&["CEL-001", "CRDVAL-059"], &["cel-001-rules-compile"])
        .semantics(with::accepts_rule(|_, _| true)),
    fault("takes-other-results", "a rule may have a result of any type")
        .breaks(&["CEL-001", "CRDVAL-059"], &["cel-001-rules-compile"])
        .semantics(with::accepts_rule(|_, error| error.contains("must evaluate to a bool"))),
    fault("takes-deep-rules", "a rule may have any number of parentheses and terms")
        .breaks(&["CEL-001"], &["cel-001-limits"])
        .semantics(with::accepts_rule(|_, error| error.contains("recursion"))),
    fault("takes-long-rules", "a rule may have any number of characters")
        .breaks(&["CEL-001"], &["cel-001-limits"])
        .by_example_only()
        .semantics(with::accepts_rule(|_, error| error.contains("code point size"))),
    fault("counts-each-or", "a rule may have at most 249 operators ||")
        .breaks(&["CEL-001"], &["cel-001-limits"])
        .semantics(with::form_of_rule(|_, rule, schema| {
            form_and(rule, schema, "rule", rule.expression.matches("||").count() > 249)
        })),
    fault("takes-constants-without-a-value", "a constant that cannot be converted is an error only in evaluation")
        .breaks(&["CEL-001"], &["cel-001-texts"])
        .semantics(with::accepts_rule(|_, error| error.contains("instantiation failed"))),
    fault("refuses-divisions-by-zero", "a rule that divides a constant by zero is refused")
        .breaks(&["CEL-001"], &["cel-001-texts"])
        .semantics(with::form_of_rule(|_, rule, schema| {
            form_and(rule, schema, "rule", rule.expression.contains("/ 0"))
        })),
    fault("shows-rules-trimmed", "the text of a rule is shown without the space around it")
        .breaks(&["CEL-001"], &["cel-001-texts"])
        .definition_answers(|_, answer| trim_rules(&mut answer.body)),
    fault("takes-blank-messages", "the message of a rule may be blank")
        .breaks(&["CEL-002"], &["cel-002-messages"])
        .semantics(with::form_of_rule(|_, rule, schema| {
            form_except(rule, schema, |fault| fault.member == "message" && fault.detail.contains("non-empty"))
        })),
    fault("takes-messages-of-several-lines", "the message of a rule may have line breaks")
        .breaks(&["CEL-002"], &["cel-002-messages"])
        .semantics(with::form_of_rule(|_, rule, schema| {
            form_except(rule, schema, |fault| fault.member == "message" && fault.detail.contains("must not contain"))
        })),
    fault("needs-no-message-for-lines", "a rule with line breaks needs no message")
        .breaks(&["CEL-002"], &["cel-002-messages"])
        .semantics(with::form_of_rule(|_, rule, schema| {
            form_except(rule, schema, |fault| fault.member == "message" && fault.reason == Reason::Required)
        })),
    obvious_fault("compiles-no-message", "the expression of a message need not compile")
        .breaks(&["CEL-003"], &["cel-003-message-expressions"])
        .semantics(with::check_rules(|_, spec, before, found| {
            check_except(spec, before, found, |one| one.requirement == "CEL-003" && one.reason == Reason::Invalid);
        })),
    fault("takes-messages-of-any-type", "the expression of a message may have a result of any type")
        .breaks(&["CEL-003"], &["cel-003-message-expressions"])
        .semantics(with::check_rules(|_, spec, before, found| {
            check_except(spec, before, found, |one| one.detail.contains("must evaluate to a string"));
        })),
    fault("compiles-blank-messages", "a blank expression of a message is one that does not compile")
        .breaks(&["CEL-003"], &["cel-003-message-expressions"])
        .semantics(with::form_of_rule(|_, rule, schema| {
            form_except(rule, schema, |fault| fault.requirement == "CEL-003")
        })),
    obvious_fault("takes-every-reason", "a rule may have any reason")
        .breaks(&["CEL-004"], &["cel-004-reasons"])
        .semantics(with::form_of_rule(|_, rule, schema| form_except(rule, schema, |fault| fault.member == "reason"))),
    fault("takes-empty-reasons", "an empty reason is none").breaks(&["CEL-004"], &["cel-004-reasons"]).semantics(
        with::form_of_rule(|_, rule, schema| {
            form_except(rule, schema, |fault| fault.member == "reason" && rule.reason.as_deref() == Some(""))
        }),
    ),
    obvious_fault("refuses-the-reason-duplicate", "FieldValueDuplicate is not a reason of a rule")
        .breaks(&["CEL-004"], &["cel-004-reasons"])
        .semantics(with::form_of_rule(|_, rule, schema| {
            form_and(rule, schema, "reason", rule.reason.as_deref() == Some("FieldValueDuplicate"))
        })),
    obvious_fault("takes-every-field-path", "a rule may have any field path")
        .breaks(&["CEL-005"], &["cel-005-field-paths"])
        .within_lines(80)
        .semantics(with::form_of_rule(|_, rule, schema| {
            form_except(rule, schema, |fault| fault.member == "fieldPath")
        })),
    fault("takes-field-paths-of-elements", "a field path may lead to the first element of a list")
        .breaks(&["CEL-005"], &["cel-005-field-paths"])
        .within_lines(80)
        .semantics(with::form_of_rule(|_, rule, schema| {
            form_except(rule, schema, |fault| fault.member == "fieldPath" && rule.field_path.contains("[0]"))
        })),
    fault("takes-no-quoted-field-paths", "a field path may have no quoted name")
        .breaks(&["CEL-005"], &["cel-005-field-paths"])
        .within_lines(80)
        .semantics(with::form_of_rule(|_, rule, schema| {
            form_and(rule, schema, "fieldPath", rule.field_path.contains("['"))
        })),
    obvious_fault("has-old-values-in-all-lists", "a rule of an element may use oldSelf in each list")
        .breaks(&["CEL-006"], &["cel-006-uncorrelated"])
        .semantics(with::has_old_elements(|_, _| true)),
    fault("has-old-values-in-sets", "a rule of an element may use oldSelf in a set")
        .breaks(&["CEL-006"], &["cel-006-uncorrelated"])
        .semantics(with::has_old_elements(|_, schema| {
            correct().has_old_elements(schema) || schema.list_type.as_deref() == Some("set")
        })),
    fault("has-no-old-values-in-lists", "a rule of an element of a map list may not use oldSelf")
        .breaks(&["CEL-006"], &["cel-006-uncorrelated"])
        .semantics(with::has_old_elements(|_, _| false)),
    obvious_fault(
        "takes-optional-old-values-without-use",
        "optionalOldSelf may be set if the rule does not use oldSelf",
    )
    .breaks(&["CEL-007"], &["cel-007-optional-old"])
    .semantics(with::check_rules(|_, spec, before, found| {
        check_except(spec, before, found, |one| one.requirement == "CEL-007");
    })),
    fault("reads-false-as-unset", "optionalOldSelf may be false if the rule does not use oldSelf")
        .breaks(&["CEL-007"], &["cel-007-optional-old"])
        .semantics(with::check_rules(|_, spec, before, found| {
            check_except(spec, before, found, |one| one.requirement == "CEL-007" && one.detail.contains("false"));
        })),
    fault("takes-rules-without-a-type", "a node without a type may have a rule")
        .breaks(&["CEL-008"], &["cel-008-everywhere"])
        .semantics(with::check_rules(|_, spec, before, found| {
            check_except(spec, before, found, |one| one.requirement == "CEL-008");
        })),
    fault("compiles-no-rules-of-elements", "rules in lists and maps need not compile")
        .breaks(&["CEL-008"], &["cel-008-everywhere"])
        .semantics(with::check_rules(|_, spec, before, found| {
            check_except(spec, before, found, |one| {
                is_of(one, "rule") && [".items.", ".additionalProperties."].iter().any(|part| one.field.contains(part))
            });
        })),
    fault("judges-more-beside-rules", "an object with an empty list is refused if its schema has rules")
        .breaks(&["INV-086"], &["cel-008-everywhere"])
        .within_lines(60)
        .semantics(with::rule_findings(|_, rules, object, schema, old| {
            let mut findings = correct().rule_findings(rules, object, schema, old);
            if schema.nodes().any(|node| !node.rules.is_empty()) && object.to_string().contains("[]") {
                findings.violations.push(violation("spec".to_owned(), Reason::Invalid));
            }
            findings
        })),
    fault("compiles-beside-errors", "rules are compiled whatever else is wrong with their schema")
        .breaks(&["CEL-009", "CRDVAL-025"], &["cel-009-order-of-checks"])
        .semantics(with::check_rules(|_, spec, before, found| {
            found.extend(reported(|all| correct().check_rules(spec, before, all)));
        })),
    fault("compiles-nothing-after-errors", "no rule is compiled if anything else is wrong with a definition")
        .breaks(&["CEL-009", "CRDVAL-025"], &["cel-009-order-of-checks"])
        .semantics(with::check_rules(|_, spec, before, found| {
            if found.is_empty() {
                correct().check_rules(spec, before, found);
            }
        })),
];
