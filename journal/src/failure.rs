//! A failure, in the form that judge, journal, report and counterexample files share.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// Identifies a failure independently of generated data: two failures with the same signature are one finding.
///
/// No part contains a generated name or value. As text the parts are joined by colons:
/// `prune-001-unknown-keys:gone:content:unexpected`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature {
    /// The ID of the property (or capability test, or exploration).
    pub property: String,
    /// The name of the check; in a comparison what the step does.
    pub check: String,
    /// The kind of place at which it failed, such as `content`, `metadata` or a schema keyword; may be empty.
    pub place: String,
    /// Why it failed, as one word or a few joined by dashes.
    pub reason: String,
}

impl Signature {
    /// A signature of these parts. Colons separate them in text, and only a place may contain one: in the reason, which
    /// may quote a server, they become dashes.
    pub fn new(
        property: impl Into<String>,
        check: impl Into<String>,
        place: impl Into<String>,
        reason: impl Into<String>,
    ) -> Self {
        let reason = reason.into().replace(':', "-");
        Self { property: property.into(), check: check.into(), place: place.into(), reason }
    }

    /// Whether it comes from a capability test, whichever of its checks failed: the target lacks the capability.
    pub fn is_of_capability(&self) -> bool {
        self.property.starts_with("capability-")
    }

    /// The last check of a capability test.
    pub const CAPABILITY: &'static str = "capability";
}

impl fmt::Display for Signature {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { property, check, place, reason } = self;
        write!(formatter, "{property}:{check}:{place}:{reason}")
    }
}

/// A text that is not a signature.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a signature: it must be PROPERTY:CHECK:PLACE:REASON")]
pub struct SignatureError(String);

impl FromStr for Signature {
    type Err = SignatureError;

    fn from_str(text: &str) -> Result<Self, SignatureError> {
        let parts = || {
            let (property, rest) = text.split_once(':')?;
            let (check, rest) = rest.split_once(':')?;
            // Only a place may contain a colon: it comes from a path.
            let (place, reason) = rest.rsplit_once(':')?;
            (!property.is_empty()).then(|| Self::new(property, check, place, reason))
        };
        parts().ok_or_else(|| SignatureError(text.to_owned()))
    }
}

impl Serialize for Signature {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Signature {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A failure: the violated requirements, the expected response and the actual one.
///
/// It is the core of everything that reports a failure: a failed check, a finding, a journal line, an entry of a
/// report, a counterexample file. Each of these adds its own fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(into = "Document", from = "Document")]
pub struct Failure {
    /// What identifies it.
    pub signature: Signature,
    /// The requirements that are broken, as references: `PRUNE-004`, `PRUNE-004/e2`.
    pub requirements: Vec<String>,
    /// What is wrong, in one sentence.
    pub summary: String,
    /// The expected response; in a comparison the response of the first target.
    pub expected: Value,
    /// The actual response; in a comparison the response of the second target.
    pub actual: Value,
    /// Two answers of the server that disagree, each named in a few words (`the answer to POST …`): `expected` is the
    /// first, `actual` the second, and either may be the wrong one. None if the specification alone says what was
    /// expected. In a box, because most failures have none.
    pub between: Option<Box<[String; 2]>>,
}

/// A failure in files: the property and the check, which scripts group by, are separate fields next to the signature.
#[derive(Serialize, Deserialize)]
struct Document {
    #[serde(default)]
    property: String,
    #[serde(default)]
    check: String,
    signature: Signature,
    requirements: Vec<String>,
    summary: String,
    expected: Value,
    actual: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    between: Option<Box<[String; 2]>>,
}

impl From<Failure> for Document {
    fn from(failure: Failure) -> Self {
        let Failure { signature, requirements, summary, expected, actual, between } = failure;
        let (property, check) = (signature.property.clone(), signature.check.clone());
        Self { property, check, signature, requirements, summary, expected, actual, between }
    }
}

impl From<Document> for Failure {
    fn from(document: Document) -> Self {
        // The signature contains both.
        let Document { property: _, check: _, signature, requirements, summary, expected, actual, between } = document;
        Self { signature, requirements, summary, expected, actual, between }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::Signature;

    #[rstest]
    #[case::usual("p:gone:content:unexpected", Some(("p", "gone", "content", "unexpected")))]
    #[case::no_place("p:capability::unable", Some(("p", "capability", "", "unable")))]
    #[case::colon_in_the_place("p:c:a:b:r", Some(("p", "c", "a:b", "r")))]
    #[case::three_parts("p:c:r", None)]
    #[case::no_property(":c:x:r", None)]
    #[case::empty("", None)]
    fn signatures_are_read(#[case] text: &str, #[case] expected: Option<(&str, &str, &str, &str)>) {
        let expected = expected.map(|(property, check, place, reason)| Signature::new(property, check, place, reason));
        assert_eq!(text.parse().ok(), expected);
    }

    /// The check `same-content` was once mistaken for `content`, because only the end of the text was compared.
    #[test]
    fn the_end_of_a_signature_is_not_the_signature() {
        let [whole, other] = ["p:same-content:content:missing", "p:content:content:missing"];
        assert_ne!(whole.parse::<Signature>(), other.parse::<Signature>());
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(property in "[a-z-]{1,8}", check in "[a-z-]{0,8}", place in "[a-z:<>/]{0,8}", reason in "[a-zA-Z0-9:-]{0,8}") {
            let signature = Signature::new(property, check, place, reason);
            prop_assert_eq!(signature.to_string().parse(), Ok(signature));
        }
    }
}
