//! IDs of requirements (`PRUNE-004`) and references to their edges (`PRUNE-004/e2`).

mod prefix;
mod reference;
mod requirement_id;

pub use prefix::Prefix;
pub use reference::Reference;
pub use requirement_id::RequirementId;
pub(crate) use requirement_id::three_digits;

use thiserror::Error;

/// The reason why a string is not a valid ID, prefix or reference.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IdError {
    /// The string does not have the form of an ID.
    #[error("`{text}` is not a requirement ID: expected `<PREFIX>-<nnn>`, such as PRUNE-004")]
    Shape {
        /// The string as given.
        text: String,
    },
    /// No chapter has this prefix.
    #[error("`{text}` is not a prefix of requirement IDs{}; expected one of {}", hint(*.nearest), Prefix::list())]
    UnknownPrefix {
        /// The prefix as given.
        text: String,
        /// A prefix that differs by one edit.
        nearest: Option<Prefix>,
    },
    /// The number has not exactly three digits, or is 000.
    #[error("`{text}`: expected three digits after the dash, 001 to 999, as in PRUNE-004")]
    Number {
        /// The string as given.
        text: String,
    },
    /// The part after the slash is not an edge.
    #[error("`{text}`: expected an edge after the slash, `e` and its number from 1, as in PRUNE-004/e2")]
    Edge {
        /// The string as given.
        text: String,
    },
}

fn hint(nearest: Option<Prefix>) -> String {
    nearest.map_or_else(String::new, |prefix| format!(" (did you mean {prefix}?)"))
}

/// Implements serde for a type by its `Display` and `FromStr`.
macro_rules! serde_as_text {
    ($name:ty) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
use serde_as_text;
