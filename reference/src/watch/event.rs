//! From a change to the event that a client sees.

use crate::json;
use crate::status::Failure;
use crate::storage::{Change, Stored};

/// Type and object of the event, if those who want some objects see any (REST-062): who stops to be wanted is gone, in its last
/// wanted state.
pub(super) fn of(change: &Change, wants: impl Fn(&Stored) -> bool) -> Option<(&'static str, &Stored)> {
    let before = change.before.as_ref().filter(|stored| wants(stored));
    let after = change.after.as_ref().filter(|stored| wants(stored));
    match (before, after) {
        (None, None) => None,
        (None, Some(after)) => Some(("ADDED", after)),
        (Some(_), Some(after)) => Some(("MODIFIED", after)),
        (Some(before), None) => Some(("DELETED", before)),
    }
}

/// Appends an event that says what went wrong.
pub(super) fn write_error(out: &mut Vec<u8>, failure: &Failure) {
    write(out, "ERROR", |out| json::append(out, &failure.to_json()));
}

/// Appends one event, a line of its own, whose object is written so.
pub(super) fn write(out: &mut Vec<u8>, kind: &str, object: impl FnOnce(&mut Vec<u8>)) {
    out.extend_from_slice(b"{\"type\":\"");
    out.extend_from_slice(kind.as_bytes());
    out.extend_from_slice(b"\",\"object\":");
    object(out);
    out.extend_from_slice(b"}\n");
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::of;
    use crate::storage::{Change, Document, Stored};

    /// An object that is wanted, or one that is not.
    fn stored(revision: u64, wanted: bool) -> Stored {
        Stored { revision, object: Document::tree(json!(wanted)) }
    }

    #[rstest]
    #[case::new(None, Some(true), Some(("ADDED", 2)))]
    #[case::new_and_unwanted(None, Some(false), None)]
    #[case::changed(Some(true), Some(true), Some(("MODIFIED", 2)))]
    #[case::begins_to_match(Some(false), Some(true), Some(("ADDED", 2)))]
    #[case::stops_to_match(Some(true), Some(false), Some(("DELETED", 1)))]
    #[case::changed_and_unwanted(Some(false), Some(false), None)]
    #[case::removed(Some(true), None, Some(("DELETED", 1)))]
    #[case::removed_and_unwanted(Some(false), None, None)]
    fn rest_062(
        #[case] before: Option<bool>,
        #[case] after: Option<bool>,
        #[case] expected: Option<(&'static str, u64)>,
    ) {
        let change = Change {
            revision: 2,
            key: "a".into(),
            before: before.map(|wanted| stored(1, wanted)),
            after: after.map(|wanted| stored(2, wanted)),
        };
        let told = of(&change, |stored| *stored.object.value() == json!(true));
        assert_eq!(told.map(|(kind, stored)| (kind, stored.revision)), expected);
    }
}
