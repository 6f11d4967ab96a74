//! What is wrong with a definition (chapter 1). Causes point where upstream's internal form has the field (CRDVAL-023).
//!
//! Not looked at yet: patterns (CRDVAL-034) and the details of webhook conversion (CRDVAL-045..049), which is refused as a whole.

mod columns;
mod conversion;
mod names;
mod schemas;
mod selectable;
mod versions;

use crdible_semantics::{Reason, Semantics, Violation};
use serde_json::Value;

use super::model::{Spec, Status};
use crate::metadata::fields;

/// The annotation that approves of a definition in a protected group (CRDVAL-055).
const APPROVAL: &str = "api-approved.kubernetes.io";

/// What the checks need besides the definition.
pub(super) struct Judge<'a> {
    pub(super) semantics: &'a dyn Semantics,
    /// Whether definitions with CEL rules are taken although rules are not evaluated.
    pub(super) ignore_rules: bool,
}

impl Judge<'_> {
    /// What is wrong with a new definition in form.
    pub(super) fn created(&self, definition: &Value) -> Vec<Violation> {
        let spec = Spec::of(definition);
        let required = format!("{}.{}", spec.names.plural, spec.group);
        let mut found = Vec::new();
        for field in ["generateName", "name"] {
            let name = fields::text(definition, field);
            if !name.is_empty() && name != required {
                let detail = format!("{name:?}: must be spec.names.plural+\".\"+spec.group");
                found.push(violation(&format!("metadata.{field}"), Reason::Invalid, "CRDVAL-001", &detail));
            }
        }
        self.check(&spec, definition, &mut found);
        if spec.preserve_unknown_fields {
            found.push(cannot_preserve());
        }
        approval(&spec, definition, None, &mut found);
        found
    }

    /// What is wrong with a changed definition in form.
    pub(super) fn updated(&self, definition: &Value, old: &Value) -> Vec<Violation> {
        let (spec, before) = (Spec::of(definition), Spec::of(old));
        let mut found = Vec::new();
        self.check(&spec, definition, &mut found);
        let mut fixed = |changed, field: &str, requirement| {
            if changed {
                found.push(violation(field, Reason::Invalid, requirement, "field is immutable"));
            }
        };
        if Status::of(old).is_true("Established") {
            fixed(spec.scope != before.scope, "spec.scope", "CRDVAL-010");
            fixed(spec.names.kind != before.names.kind, "spec.names.kind", "CRDVAL-010");
        }
        fixed(spec.group != before.group, "spec.group", "CRDVAL-009");
        fixed(spec.names.plural != before.names.plural, "spec.names.plural", "CRDVAL-009");
        if spec.preserve_unknown_fields && !before.preserve_unknown_fields {
            found.push(cannot_preserve());
        }
        approval(&spec, definition, Some(old), &mut found);
        found
    }

    fn check(&self, spec: &Spec, definition: &Value, found: &mut Vec<Violation>) {
        names::check(spec, found);
        versions::check(spec, &Status::of(definition), found);
        schemas::check(self, spec, found);
        columns::check(spec, found);
        selectable::check(spec, found);
        conversion::check(spec, found);
        if spec.preserve_unknown_fields && schemas::has_defaults(spec) {
            found.push(cannot_preserve());
        }
    }
}

/// The cause for `preserveUnknownFields: true`, which comes once more if there are defaults (CRDVAL-028).
fn cannot_preserve() -> Violation {
    let detail =
        "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
    violation("spec.preserveUnknownFields", Reason::Invalid, "CRDVAL-028", detail)
}

/// Protected groups need an approval (CRDVAL-055).
fn approval(spec: &Spec, definition: &Value, old: Option<&Value>, found: &mut Vec<Violation>) {
    let is_protected = ["k8s.io", "kubernetes.io"]
        .iter()
        .any(|domain| spec.group.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')));
    let class = Approval::of(definition);
    if !is_protected || old.is_some_and(|old| Approval::of(old) == class) {
        return;
    }
    let reason = match class {
        Approval::Missing => Reason::Required,
        Approval::Broken => Reason::Invalid,
        Approval::Bypassed | Approval::Approved => return,
    };
    let detail =
        "protected groups must have an approval annotation with either a URL or a reason starting with \"unapproved\"";
    found.push(violation(&format!("metadata.annotations[{APPROVAL}]"), reason, "CRDVAL-055", detail));
}

#[derive(Debug, PartialEq, Eq)]
enum Approval {
    Missing,
    Broken,
    Bypassed,
    Approved,
}

impl Approval {
    fn of(definition: &Value) -> Self {
        let annotation = fields::metadata(definition)
            .and_then(|metadata| metadata.get("annotations")?.get(APPROVAL)?.as_str())
            .unwrap_or_default();
        if annotation.is_empty() {
            Self::Missing
        } else if annotation.starts_with("unapproved") {
            Self::Bypassed
        } else if is_url(annotation) {
            Self::Approved
        } else {
            Self::Broken
        }
    }
}

/// Whether a text is a URL with scheme and host.
fn is_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else {
        return false;
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter))
        && !host.is_empty()
        && !text.chars().any(|letter| letter.is_control() || letter == ' ')
}

fn violation(field: &str, reason: Reason, requirement: &'static str, detail: &str) -> Violation {
    Violation { field: field.into(), reason, requirement, detail: detail.into() }
}
