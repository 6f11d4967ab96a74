//! What kube-apiserver accepts in a definition and this server does not support yet: CEL rules.

use crdible_semantics::definition::{Spec, schemas};
use crdible_semantics::schema::Items;
use crdible_semantics::{Reason, Schema, Violation};

/// Returns a violation for each unsupported part of a definition. With `ignore_rules`, CEL rules are accepted but
/// not evaluated.
pub(super) fn violations(spec: &Spec, ignore_rules: bool) -> Vec<Violation> {
    let mut found = Vec::new();
    if ignore_rules {
        return found;
    }
    for (prefix, version) in schemas::judged(spec) {
        if let Some(Ok((schema, _))) = version.schema_json().map(Schema::parse) {
            rules(&schema, &mut format!("{prefix}openAPIV3Schema"), &mut found);
        }
    }
    // Once: a definition may have dozens.
    if let Some(first) = found.first_mut() {
        first.detail.push_str("; `crdible serve --without-rules` accepts them, and does not evaluate them");
    }
    found
}

/// Refuses CEL rules, which this server cannot evaluate yet (CRDVAL-059). Does not look inside quantifiers: rules are
/// forbidden there anyway (STRUCT-008), and a second cause would be redundant.
fn rules(schema: &Schema, path: &mut String, found: &mut Vec<Violation>) {
    if !schema.rules.is_empty() {
        let field = format!("{path}.x-kubernetes-validations");
        let detail = "CEL rules are not supported by the embedded server yet";
        found.push(violation(&field, Reason::Forbidden, "CRDVAL-059", detail));
    }
    let mut at = |step: &str, child: &Schema| {
        let length = path.len();
        path.push_str(step);
        rules(child, path, found);
        path.truncate(length);
    };
    for (key, child) in &schema.properties {
        at(&format!(".properties[{key}]"), child);
    }
    if let Some(child) = schema.value_schema() {
        at(".additionalProperties", child);
    }
    match &schema.items {
        Some(Items::Each(child)) => at(".items", child),
        Some(Items::ByPosition(children)) => {
            for (index, child) in children.iter().enumerate() {
                at(&format!(".items[{index}]"), child);
            }
        }
        None => {}
    }
}

fn violation(field: &str, reason: Reason, requirement: &'static str, detail: &str) -> Violation {
    Violation { field: field.into(), reason, requirement, detail: detail.into() }
}
