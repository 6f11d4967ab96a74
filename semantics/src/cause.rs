//! The causes of a rejection, as a client sees or expects them.

use serde::{Deserialize, Serialize};

use crate::violation::Reason;

/// A cause of a rejection: field path and reason as on the wire, without the prefix `FieldValue` of the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cause<Text = String> {
    /// `causes[].field`. Paths into a schema begin with `openAPIV3Schema` (CRDVAL-023).
    pub field: Text,
    /// `causes[].reason` without the prefix `FieldValue`.
    pub reason: Text,
    /// `causes[].message`; an expected cause without a message allows any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Text>,
}

/// A cause in a table: [`Cause::of`] makes one.
pub type RowCause = Cause<&'static str>;

impl RowCause {
    /// A cause in a table, with any message.
    pub const fn of(field: &'static str, reason: Reason) -> Self {
        Self { field, reason: reason.name(), message: None }
    }

    /// The same cause with exactly this message.
    #[must_use]
    pub const fn saying(self, message: &'static str) -> Self {
        Self { message: Some(message), ..self }
    }

    /// The same cause below this path.
    pub fn below(&self, path: &str) -> Cause {
        let message = self.message.map(str::to_owned);
        Cause { field: format!("{path}{}", self.field), reason: self.reason.to_owned(), message }
    }
}

impl Cause {
    /// A cause with any message.
    pub fn new(field: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { field: field.into(), reason: reason.into(), message: None }
    }

    /// The same cause with exactly this message.
    #[must_use]
    pub fn with_message(self, message: impl Into<String>) -> Self {
        Self { message: Some(message.into()), ..self }
    }

    /// Whether an actual cause is this expected one.
    pub fn matches(&self, actual: &Self) -> bool {
        self.field == actual.field
            && self.reason == actual.reason
            && (self.message.is_none() || self.message == actual.message)
    }
}

/// A cause of a table, where paths begin at the root.
impl From<RowCause> for Cause {
    fn from(cause: RowCause) -> Self {
        cause.below("")
    }
}

/// A field and a reason, with any message: what most rows of tables say.
impl<F: Into<String>, R: Into<String>> From<(F, R)> for Cause {
    fn from((field, reason): (F, R)) -> Self {
        Self::new(field, reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_keeps_its_message_at_any_path() {
        let row = Cause::of(".a", Reason::TooLong).saying("may not be more than 3 bytes");
        let expected = Cause::new("spec.a", "TooLong").with_message("may not be more than 3 bytes");
        assert_eq!(row.below("spec"), expected);
        assert!(!expected.matches(&Cause::new("spec.a", "TooLong").with_message("another")));
        assert_eq!(Cause::from((".a", Reason::TooLong)), Cause::of(".a", Reason::TooLong).below(""));
    }

    #[test]
    fn names_of_reasons_are_those_on_the_wire_without_the_prefix() {
        use Reason::{
            Duplicate, Forbidden, InternalError, Invalid, NotSupported, Required, TooLong, TooMany, TypeInvalid,
        };
        let all = [Required, Invalid, NotSupported, Forbidden, Duplicate, TooLong, TooMany, TypeInvalid, InternalError];
        for reason in all {
            assert_eq!(reason.on_the_wire().trim_start_matches("FieldValue"), reason.name());
        }
    }
}
