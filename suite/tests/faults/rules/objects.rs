//! Faults in the evaluation of rules on objects.

use crdible_semantics::{Reason, RuleFindings, Schema, Violation, with};
use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{
    sent::{create, create_instead, is_about_definitions, is_object, put_instead},
    server::correct,
    table::{Fault, fault, obvious_fault},
};

/// The object with at most one element in each list.
fn shortened(value: &Value) -> Value {
    match value {
        Value::Array(elements) => elements.iter().take(1).map(shortened).collect(),
        Value::Object(entries) => entries.iter().map(|(key, value)| (key.clone(), shortened(value))).collect(),
        other => other.clone(),
    }
}

/// The object without what equals its default.
fn without_defaults(value: &Value, schema: &Schema) -> Value {
    let Value::Object(entries) = value else { return value.clone() };
    let mut kept = entries.clone();
    kept.retain(|name, value| {
        let child = schema.properties.get(name);
        child.is_none_or(|child| child.default.as_ref() != Some(value))
    });
    for (name, value) in &mut kept {
        if let Some(child) = schema.properties.get(name).or_else(|| schema.value_schema()) {
            *value = without_defaults(value, child);
        }
    }
    Value::Object(kept)
}

/// The object as one that is not there yet.
fn copy_of(mut object: Value) -> Value {
    object["metadata"] = json!({ "generateName": "copy-", "namespace": object["metadata"]["namespace"] });
    object
}

/// The cause that rules were not evaluated, whatever was found.
fn skipped() -> Option<Violation> {
    let found = Violation {
        field: String::new(),
        reason: Reason::TypeInvalid,
        requirement: "VALUE-039",
        detail: String::new(),
    };
    correct().skipped_rules(&[found])
}

/// Forgets what was found after the first rule that could not be evaluated.
fn end_at_errors(found: &mut RuleFindings) {
    if let Some(first) = found.violations.iter().position(|violation| violation.requirement == "CEL-034") {
        found.violations.truncate(first + 1);
    }
}

/// The causes that say a message after what they print of a value.
fn of_rules(found: &mut RuleFindings) -> impl Iterator<Item = &mut Violation> {
    found
        .violations
        .iter_mut()
        .filter(|violation| violation.requirement == "CEL-033" && violation.reason == Reason::Invalid)
}

/// Whether a text begins with a number, a text or a boolean.
fn prints_scalar(text: &str) -> bool {
    text.starts_with(['"', '-'])
        || text.starts_with(|first: char| first.is_ascii_digit())
        || text.starts_with("true")
        || text.starts_with("false")
}

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("first-failure-only", "of all rules that fail, the first one is reported")
        .breaks(&["CEL-027", "CEL-017", "CEL-036"], &["cel-027-every-value", "cel-017-known-truth"])
        .semantics(with::rule_findings(|_, rules, object, schema, old| {
            let mut found = correct().rule_findings(rules, object, schema, old);
            found.violations.truncate(1);
            found
        })),
    fault("first-element-only", "rules of elements are evaluated for the first element")
        .breaks(&["CEL-027"], &["cel-027-every-value"])
        .semantics(with::rule_findings(|_, rules, object, schema, old| {
            correct().rule_findings(rules, &shortened(object), schema, old)
        })),
    obvious_fault("runs-on-creates-only", "rules are evaluated when an object is created, and never again")
        .breaks(&["CEL-027"], &["cel-027-every-value"])
        .semantics(with::rule_findings(|_, rules, object, schema, old| {
            if old.is_some() { RuleFindings::default() } else { correct().rule_findings(rules, object, schema, old) }
        })),
    fault("runs-static-rules-on-deletions", "an object that breaks a rule without oldSelf cannot be deleted")
        .breaks(&["CEL-027"], &["cel-027-deletions"])
        .around(act!(|server, request| {
            if *request.method() == Method::DELETE && is_object(&request) && !is_about_definitions(&request) {
                let again = copy_of(server.object(&request).await?);
                let tried = server.try_out(create_instead(&request, &again)).await?;
                if tried.status() == StatusCode::UNPROCESSABLE_ENTITY {
                    return Ok(tried);
                }
            }
            server.pass(request).await
        })),
    fault(
        "runs-transition-rules-on-deletions",
        "a deletion runs the rules with oldSelf, as an update without a change",
    )
    .breaks(&["CEL-027"], &["cel-027-deletions"])
    .around(act!(|server, request| {
        if *request.method() == Method::DELETE && is_object(&request) && !is_about_definitions(&request) {
            let object = server.object(&request).await?;
            let tried = server.try_out(put_instead(&request, &object)).await?;
            if tried.status() == StatusCode::UNPROCESSABLE_ENTITY {
                return Ok(tried);
            }
        }
        server.pass(request).await
    })),
    fault(
        "runs-rules-on-deletions-of-all",
        "the objects of a definition cannot be deleted together if one breaks a rule",
    )
    .breaks(&["CEL-027"], &["cel-027-deletions"])
    .around(act!(|server, request| {
        if *request.method() == Method::DELETE && !is_object(&request) && !is_about_definitions(&request) {
            let path = request.uri().path();
            let objects = server.get(path).await?;
            for object in objects["items"].as_array().into_iter().flatten() {
                let tried = server.try_out(create(path, &copy_of(object.clone()))).await?;
                if tried.status() == StatusCode::UNPROCESSABLE_ENTITY {
                    return Ok(tried);
                }
            }
        }
        server.pass(request).await
    })),
    obvious_fault("always-invalid", "the cause of a rule is Invalid, whatever its reason says")
        .breaks(&["CEL-036", "CRDVAL-053"], &["cel-036-reasons", "crdval-053-rules"])
        .semantics(with::reason_of_rule(|_, _| Reason::Invalid)),
    obvious_fault("sees-no-defaults", "rules do not see a value that equals its default")
        .breaks(&["CEL-016", "CEL-028"], &["cel-028-final-object"])
        .semantics(with::rule_findings(|_, rules, object, schema, old| {
            correct().rule_findings(rules, &without_defaults(object, schema), schema, old)
        })),
    fault("sees-no-generated-names", "rules see no name where the server generated one")
        .breaks(&["CEL-028"], &["cel-028-final-object"])
        .semantics(with::rule_findings(|_, rules, object, schema, old| {
            let mut object = object.clone();
            if object["metadata"]["generateName"].is_string() {
                object["metadata"]["name"] = json!("");
            }
            correct().rule_findings(rules, &object, schema, old)
        })),
    fault("skips-an-unchanged-spec", "a write that leaves spec as it is runs the rules of the status only")
        .breaks(&["CEL-032"], &["cel-032-status"])
        .semantics(with::rule_findings(|_, rules, object, schema, old| {
            let mut found = correct().rule_findings(rules, object, schema, old);
            if old.is_some_and(|old| old["spec"] == object["spec"] && old["status"] != object["status"]) {
                found.violations.retain(|violation| violation.field.starts_with("status"));
            }
            found
        })),
    fault("skips-an-unchanged-status", "a write that leaves the status as it is runs the rules of spec only")
        .breaks(&["CEL-032"], &["cel-032-status"])
        .semantics(with::rule_findings(|_, rules, object, schema, old| {
            let mut found = correct().rule_findings(rules, object, schema, old);
            if old.is_some_and(|old| old["status"] == object["status"] && old["spec"] != object["spec"]) {
                found.violations.retain(|violation| violation.field.starts_with("spec"));
            }
            found
        })),
    obvious_fault("causes-have-no-path-of-their-own", "the cause of a rule is at its value, whatever path it states")
        .breaks(&["CEL-033", "INV-093", "CEL-034"], &["cel-033-causes", "cel-034-errors"])
        .semantics(with::path_of_rule(|_, _| None)),
    fault("paths-end-after-a-name", "of the path that a rule states, the first name counts")
        .breaks(&["CEL-033", "INV-093"], &["cel-033-causes"])
        .semantics(with::path_of_rule(|_, path| path.map(|path| path.split(['.', '[']).next().unwrap_or(path)))),
    fault("errors-are-false", "a rule that cannot be evaluated is false, with the reason and path that it states")
        .breaks(&["CEL-034"], &["cel-034-errors"])
        .semantics(with::outcome_of_rule(|_, outcome| Ok(outcome.unwrap_or(false)))),
    fault("stops-at-errors", "the rules after one that cannot be evaluated are not evaluated")
        .breaks(&["CEL-034"], &["cel-034-errors"])
        .semantics(with::rule_findings(|_, rules, object, schema, old| {
            let mut found = correct().rule_findings(rules, object, schema, old);
            end_at_errors(&mut found);
            found
        })),
    fault("computes-messages-of-errors", "messageExpression is evaluated for a rule that could not be evaluated")
        .breaks(&["CEL-034"], &["cel-034-errors"])
        .by_example_only()
        .within_lines(900)
        .semantics(with::rule_findings(|_, rules, object, schema, old| {
            let mut found = correct().rule_findings(rules, object, schema, old);
            // One that costs too much ends the evaluation.
            let is_dear =
                |rule: &Value| rule["messageExpression"].as_str().is_some_and(|text| text.contains("x + y >= 0"));
            if schema.nodes().flat_map(|node| &node.rules).any(is_dear) {
                end_at_errors(&mut found);
            }
            found
        })),
    obvious_fault("says-no-computed-message", "a cause does not say what messageExpression computes")
        .breaks(&["CEL-035"], &["cel-035-messages"])
        .semantics(with::message_of_rule(|_, rule, _| correct().message_of_rule(rule, None))),
    fault("says-the-message-first", "a cause says the message, although messageExpression computes one")
        .breaks(&["CEL-035"], &["cel-035-messages"])
        .semantics(with::message_of_rule(|_, rule, made| {
            correct().message_of_rule(rule, made.filter(|_| rule.message.is_empty()))
        })),
    fault("keeps-blanks-of-messages", "a cause says the message with the blanks around it")
        .breaks(&["CEL-035"], &["cel-035-messages"])
        .semantics(with::message_of_rule(|_, rule, made| {
            let stated = Some(rule.message.clone()).filter(|message| !message.is_empty());
            correct().message_of_rule(rule, made.or(stated))
        })),
    fault("messages-see-no-old-value", "messageExpression never sees oldSelf")
        .breaks(&["CEL-035"], &["cel-035-messages"])
        .by_example_only()
        .semantics(with::shows_old_value(|_, _| false)),
    fault("messages-always-see-the-old-value", "messageExpression sees oldSelf although no rule of the node uses it")
        .breaks(&["CEL-035", "RATCHET-014", "RATCHET-018"], &["cel-035-messages"])
        .by_example_only()
        .semantics(with::shows_old_value(|_, _| true)),
    obvious_fault("says-the-rule", "a cause says the text of the rule, whatever its message is")
        .breaks(&["CEL-035", "CEL-037"], &["cel-035-messages", "cel-037-values"])
        .semantics(with::message_of_rule(|_, rule, _| format!("failed rule: {}", rule.expression.trim()))),
    fault("says-the-message-of-duplicates", "a cause of a duplicate says the message of its rule")
        .breaks(&["CEL-036", "CEL-037"], &["cel-036-reasons", "cel-037-values"])
        .semantics(with::rule_findings(|_, rules, object, schema, old| {
            let mut found = correct().rule_findings(rules, object, schema, old);
            let duplicates = found.violations.iter_mut().filter(|violation| violation.reason == Reason::Duplicate);
            duplicates.for_each(|violation| violation.detail.push_str(": not again"));
            found
        })),
    fault("prints-objects", "a cause prints an object or a list that breaks a rule")
        .breaks(&["CEL-037/e1"], &["cel-037-values"])
        .semantics(with::rule_findings(|_, rules, object, schema, old| {
            let mut found = correct().rule_findings(rules, object, schema, old);
            for violation in of_rules(&mut found) {
                if !prints_scalar(&violation.detail) {
                    violation.detail = format!("{{}}: {}", violation.detail);
                }
            }
            found
        })),
    fault("prints-no-scalars", "a cause does not print the number, text or boolean that breaks a rule")
        .breaks(&["CEL-037/e1"], &["cel-037-values"])
        .semantics(with::rule_findings(|_, rules, object, schema, old| {
            let mut found = correct().rule_findings(rules, object, schema, old);
            for violation in of_rules(&mut found) {
                if let Some((_, message)) = violation.detail.split_once(": ").filter(|(shown, _)| prints_scalar(shown))
                {
                    violation.detail = message.to_owned();
                }
            }
            found
        })),
    fault("prints-what-it-forbids", "a cause that forbids or requires prints the value, too")
        .breaks(&["CEL-037"], &["cel-037-values"])
        .semantics(with::rule_findings(|_, rules, object, schema, old| {
            let mut found = correct().rule_findings(rules, object, schema, old);
            for violation in &mut found.violations {
                if matches!(violation.reason, Reason::Forbidden | Reason::Required) {
                    violation.detail = format!("null: {}", violation.detail);
                }
            }
            found
        })),
    fault("goes-on-after-a-dear-rule", "the rules after one that costs too much are evaluated")
        .breaks(&["CEL-042"], &["cel-042-evaluation-budget"])
        .within_lines(900)
        .semantics(with::ends_evaluation(|_, _| false)),
    fault("half-a-million-is-too-dear", "one evaluation may cost half of what is promised")
        .breaks(&["CEL-042", "CEL-043"], &["cel-042-evaluation-budget"])
        .within_lines(400)
        .semantics(with::left_of_budget(|_, left, spent| left.checked_sub(spent).filter(|_| spent <= 500_000))),
    fault("has-no-budget-for-objects", "each rule of an object has a budget of its own")
        .breaks(&["CEL-043"], &["cel-043-object-budget"])
        .within_lines(400)
        .semantics(with::left_of_budget(|_, left, _| Some(left))),
    fault("has-half-the-budget-for-objects", "all rules of an object may cost half of what is promised")
        .breaks(&["CEL-043"], &["cel-043-object-budget"])
        .within_lines(400)
        .semantics(with::left_of_budget(|_, left, spent| left.checked_sub(2 * spent))),
    obvious_fault("judges-no-defaults", "a default may break the rules of its node")
        .breaks(&["CRDVAL-053"], &["crdval-053-rules"])
        .semantics(with::judges_default(|_, _| false)),
    fault("judges-defaults-as-new-values", "a default is judged as a new value only")
        .breaks(&["CRDVAL-053"], &["crdval-053-rules"])
        .semantics(with::judges_default(|_, is_new| is_new)),
    fault("judges-defaults-as-old-values", "a default is judged as an unchanged value only")
        .breaks(&["CRDVAL-053"], &["crdval-053-rules"])
        .semantics(with::judges_default(|_, is_new| !is_new)),
    obvious_fault("never-skips-rules", "rules are evaluated for values that are invalid")
        .breaks(&["VALUE-039", "RATCHET-017"], &["value-039-gate", "ratchet-017-gate"])
        .semantics(with::skipped_rules(|_, _| None)),
    fault("counts-skip-no-rules", "rules are evaluated for lists and maps that are too long")
        .breaks(&["VALUE-039"], &["value-039-gate"])
        .semantics(with::skipped_rules(|_, found| {
            let others: Vec<Violation> = found.iter().filter(|one| one.reason != Reason::TooMany).cloned().collect();
            correct().skipped_rules(&others)
        })),
    fault("skips-rules-for-any-error", "rules are skipped for values that break any keyword")
        .breaks(&["VALUE-039"], &["value-039-gate"])
        .semantics(with::skipped_rules(|_, found| skipped().filter(|_| !found.is_empty()))),
];
