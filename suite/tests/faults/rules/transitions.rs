//! Faults in the old values of rules, and in what an update is forgiven.

use crdible_semantics::{
    RuleFindings, Schema,
    schema::{AdditionalProperties, Items},
    with,
};

use crate::{
    server::correct,
    table::{Fault, fault, obvious_fault},
};

/// The schema whose maps and objects have no old values below them if they are atomic.
fn without_atomic_maps(schema: &Schema) -> Schema {
    let mut schema = schema.clone();
    if schema.map_type.as_deref() == Some("atomic") {
        schema.map_type = Some("none".to_owned());
    }
    for child in schema.properties.values_mut() {
        *child = without_atomic_maps(child);
    }
    if let Some(Items::Each(items)) = &mut schema.items {
        **items = without_atomic_maps(items);
    }
    if let Some(AdditionalProperties::Schema(values)) = &mut schema.additional_properties {
        **values = without_atomic_maps(values);
    }
    schema
}

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("runs-without-an-old-value", "a rule with oldSelf is evaluated although there is no old value")
        .breaks(&["CEL-029", "INV-085", "CEL-031", "CEL-032"], &["cel-029-transitions", "cel-031-correlation"])
        .semantics(with::runs_rule(|_, _, _, _| true)),
    obvious_fault("never-looks-back", "a rule with oldSelf is not evaluated unless its old value is optional")
        .breaks(
            &["CEL-029", "INV-085", "CEL-030", "CEL-031", "CEL-032", "RATCHET-015", "CRDVAL-053"],
            &["cel-029-transitions", "cel-031-correlation", "cel-032-status", "ratchet-015-old-values"],
        )
        .semantics(with::runs_rule(|_, uses_old, _, is_optional| !uses_old || is_optional)),
    fault("optional-old-values-must-exist", "a rule with optionalOldSelf is not evaluated without an old value")
        .breaks(&["CEL-030", "CRDVAL-053"], &["cel-030-optional-old", "crdval-053-rules"])
        .semantics(with::runs_rule(|_, uses_old, has_old, _| !uses_old || has_old)),
    fault("optional-old-values-are-of-creates", "a rule with optionalOldSelf is not evaluated with an old value")
        .breaks(
            &["CEL-030", "RATCHET-015", "CRDVAL-053"],
            &["cel-030-optional-old", "ratchet-015-old-values", "crdval-053-rules"],
        )
        .semantics(with::runs_rule(|_, uses_old, has_old, is_optional| !uses_old || has_old != is_optional)),
    fault("old-elements-are-found-by-position", "the old value of an element of a map list is the one at its index")
        .breaks(&["CEL-031", "CEL-029", "RATCHET-005"], &["cel-031-correlation"])
        .semantics(with::correlate_map_list(|_, elements, old, _| {
            (0..elements.len()).map(|index| old.get(index)).collect()
        })),
    fault("old-elements-are-found-by-one-key", "old elements of map lists with two keys are found by the first one")
        .breaks(&["CEL-031", "RATCHET-005"], &["cel-031-correlation"])
        .semantics(with::correlate_map_list(|_, elements, old, keys| {
            correct().correlate_map_list(elements, old, keys.get(..1).unwrap_or_default())
        })),
    fault("atomic-maps-have-no-old-values", "rules of what is in an atomic map have no old value")
        .breaks(&["CEL-031"], &["cel-031-correlation"])
        .semantics(with::rule_findings(|_, rules, object, schema, old| {
            correct().rule_findings(rules, object, &without_atomic_maps(schema), old)
        })),
    obvious_fault("forgives-no-rules", "a failing rule refuses an update that does not change its value")
        .breaks(
            &["RATCHET-014", "RATCHET-018", "RATCHET-015", "RATCHET-019"],
            &["ratchet-014-rules", "ratchet-015-old-values", "ratchet-019-status"],
        )
        .semantics(with::forgives_rule(|_, _, _| false)),
    fault("forgives-rules-with-old-values", "a rule with oldSelf is forgiven at an unchanged value")
        .breaks(&["RATCHET-015", "CRDVAL-053"], &["ratchet-015-old-values"])
        .semantics(with::forgives_rule(|_, _, is_unchanged| is_unchanged)),
    fault("forgives-silently", "a rule that is forgiven causes no warning")
        .breaks(
            &["RATCHET-014", "RATCHET-018", "RATCHET-015", "RATCHET-019"],
            &["ratchet-014-rules", "ratchet-015-old-values", "ratchet-019-status"],
        )
        .semantics(with::rule_findings(|_, rules, object, schema, old| RuleFindings {
            warnings: Vec::new(),
            ..correct().rule_findings(rules, object, schema, old)
        })),
    fault("forgiven-errors-skip-rules", "rules are skipped for a value that an update is forgiven")
        .breaks(&["RATCHET-017"], &["ratchet-017-gate"])
        .semantics(with::rule_findings(|_, rules, object, schema, old| {
            match correct().skipped_rules(&correct().object_violations(object, schema, None)) {
                Some(skipped) => RuleFindings { violations: vec![skipped], warnings: Vec::new() },
                None => correct().rule_findings(rules, object, schema, old),
            }
        })),
    fault("forgives-rules-of-the-other-part-silently", "a write of the status does not warn of rules of spec")
        .breaks(&["RATCHET-019"], &["ratchet-019-status"])
        .semantics(with::rule_findings(|_, rules, object, schema, old| {
            let mut found = correct().rule_findings(rules, object, schema, old);
            if old.is_some_and(|old| old["spec"] == object["spec"] && old["status"] != object["status"]) {
                found.warnings.retain(|warning| !warning.starts_with("spec"));
            }
            found
        })),
];
