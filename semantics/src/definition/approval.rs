//! The approval annotation of definitions in protected groups (CRDVAL-055).

use crdible_text::url::{self, Url};
use serde_json::Value;

use super::{Spec, violation};
use crate::{Reason, Semantics, Violation, message};

/// The annotation that approves a definition in a protected group.
pub const APPROVAL: &str = "api-approved.kubernetes.io";

const EXPLANATION: &str = "https://github.com/kubernetes/enhancements/pull/1111";

pub(crate) fn check(semantics: &Semantics, definition: &Value, old: Option<&Value>, found: &mut Vec<Violation>) {
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
    let detail = match annotation(definition) {
        "" => format!("protected groups must have approval annotation \"{APPROVAL}\", see {EXPLANATION}"),
        text => {
            let fault = format_args!(
                "protected groups must have approval annotation \"{APPROVAL}\" with either a URL or a reason starting with \
                 \"unapproved\", see {EXPLANATION}"
            );
            message::about_text(text, fault)
        }
    };
    found.push(violation(&format!("metadata.annotations[{APPROVAL}]"), reason, "CRDVAL-055", &detail));
}

pub(crate) fn is_protected_group(group: &str) -> bool {
    ["k8s.io", "kubernetes.io"]
        .iter()
        .any(|domain| group.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
}

/// The content of the annotation of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approval {
    /// No annotation, or an empty one.
    Missing,
    /// Neither a URL nor a string that starts with `unapproved`.
    Broken,
    /// A string that starts with `unapproved`.
    Bypassed,
    /// The URL of the approval.
    Approved,
}

impl Approval {
    /// Classifies the annotation of a definition in any group.
    pub fn of(definition: &Value) -> Self {
        let annotation = annotation(definition);
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

/// The annotation of a definition; empty if there is none.
fn annotation(definition: &Value) -> &str {
    let annotations = definition.get("metadata").and_then(|metadata| metadata.get("annotations"));
    annotations.and_then(|annotations| annotations.get(APPROVAL)?.as_str()).unwrap_or_default()
}

/// Whether a string is a URL with a scheme and a host that a request line may contain.
fn is_url(text: &str) -> bool {
    url::is_request_uri(text) && Url::parse(text).is_some_and(|url| !url.scheme.is_empty() && !url.host.is_empty())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::{APPROVAL, Approval};

    #[rstest]
    #[case::url("https://example.com/1", Approval::Approved)]
    #[case::any_scheme("ftp://a", Approval::Approved)]
    #[case::port_that_is_not_a_number("https://a:port/", Approval::Broken)]
    #[case::bad_escape("https://a/%zz", Approval::Broken)]
    #[case::no_host("mailto:someone", Approval::Broken)]
    #[case::no_scheme("//example.com/1", Approval::Broken)]
    #[case::unapproved("unapproved, an experiment", Approval::Bypassed)]
    #[case::empty("", Approval::Missing)]
    fn crdval_055(#[case] text: &str, #[case] class: Approval) {
        assert_eq!(Approval::of(&json!({ "metadata": { "annotations": { APPROVAL: text } } })), class);
    }
}
