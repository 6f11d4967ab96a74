//! Protected groups need an approval (CRDVAL-055).

use serde_json::Value;

use super::{Spec, violation};
use crate::{Reason, Semantics, Violation};

/// The annotation that approves of a definition in a protected group.
const APPROVAL: &str = "api-approved.kubernetes.io";

/// See [`crate::DefinitionRules::check_approval`].
pub fn check(semantics: &dyn Semantics, definition: &Value, old: Option<&Value>, found: &mut Vec<Violation>) {
    let class = Approval::of(definition);
    let is_protected = semantics.is_protected_group(&Spec::of(definition).group);
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

/// See [`crate::DefinitionRules::is_protected_group`].
pub fn is_protected_group(group: &str) -> bool {
    ["k8s.io", "kubernetes.io"]
        .iter()
        .any(|domain| group.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
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
        let annotations = definition.get("metadata").and_then(|metadata| metadata.get("annotations"));
        let annotation = annotations.and_then(|annotations| annotations.get(APPROVAL)?.as_str()).unwrap_or_default();
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
