//! Schemas of the versions (CRDVAL-026 and, through the semantics, everything below).

use crdible_semantics::schema::Items;
use crdible_semantics::{Reason, Schema, SchemaContext, Violation};

use super::{Judge, violation};
use crate::definitions::model::{Spec, Version};

pub(super) fn check(judge: &Judge<'_>, spec: &Spec, found: &mut Vec<Violation>) {
    for (index, version) in spec.versions.iter().enumerate() {
        if version.schema_json().is_none() {
            let field = format!("spec.versions[{index}].schema.openAPIV3Schema");
            found.push(violation(&field, Reason::Required, "CRDVAL-026", "schemas are required"));
        }
    }
    if spec.shares_schema() {
        let any_status = spec.versions.iter().any(Version::has_status);
        if let Some(version) = spec.versions.first() {
            schema(judge, version, any_status, "spec.validation.", found);
        }
        return;
    }
    for (index, version) in spec.versions.iter().enumerate() {
        let prefix = format!("spec.versions[{index}].schema.");
        schema(judge, version, version.has_status(), &prefix, found);
    }
}

/// Whether any node of any version has a default.
pub(super) fn has_defaults(spec: &Spec) -> bool {
    spec.versions.iter().filter_map(|version| Schema::parse(version.schema_json()?).ok()).any(|(schema, _)| {
        let mut open = vec![&schema];
        while let Some(schema) = open.pop() {
            if schema.default.is_some() {
                return true;
            }
            open.extend(schema.children());
        }
        false
    })
}

fn schema(judge: &Judge<'_>, version: &Version, status_subresource: bool, prefix: &str, found: &mut Vec<Violation>) {
    // A definition in form holds a schema that can be read.
    let Some(Ok((schema, _))) = version.schema_json().map(Schema::parse) else {
        return;
    };
    let mut violations = judge.semantics.schema_violations(&schema, &SchemaContext { status_subresource });
    if !judge.ignore_rules {
        let mut path = "openAPIV3Schema".to_owned();
        rules(&schema, &mut path, &mut violations);
    }
    found.extend(violations.into_iter().map(|mut violation| {
        violation.field.insert_str(0, prefix);
        violation
    }));
}

/// Refuses CEL rules, which this server cannot evaluate yet (CRDVAL-059). Inside quantifiers they are forbidden anyhow
/// (STRUCT-008), and one cause is enough.
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
