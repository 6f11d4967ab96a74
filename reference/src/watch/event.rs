//! Converts changes into watch events.

use crate::json;
use crate::status::Failure;
use crate::storage::{Change, Stored};

/// The type and the object of the event, if a client with a selector sees the change (REST-062). An object that stops
/// matching is reported as deleted, in its last matching state.
pub(super) fn of(change: &Change, is_selected: impl Fn(&Stored) -> bool) -> Option<(&'static str, &Stored)> {
    let before = change.before.as_ref().filter(|stored| is_selected(stored));
    let after = change.after.as_ref().filter(|stored| is_selected(stored));
    match (before, after) {
        (None, None) => None,
        (None, Some(after)) => Some(("ADDED", after)),
        (Some(_), Some(after)) => Some(("MODIFIED", after)),
        (Some(before), None) => Some(("DELETED", before)),
    }
}

/// Appends an event of type `ERROR`.
pub(super) fn write_error(out: &mut Vec<u8>, failure: &Failure) {
    write(out, "ERROR", |out| json::append(out, &failure.to_json()));
}

/// Appends an event as a line; `object` appends its object.
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

    /// An object that is selected or not.
    fn stored(revision: u64, selected: bool) -> Stored {
        Stored { revision, object: Document::tree(json!(selected)) }
    }

    #[rstest]
    #[case::new(None, Some(true), Some(("ADDED", 2)))]
    #[case::new_and_not_selected(None, Some(false), None)]
    #[case::changed(Some(true), Some(true), Some(("MODIFIED", 2)))]
    #[case::starts_to_match(Some(false), Some(true), Some(("ADDED", 2)))]
    #[case::stops_to_match(Some(true), Some(false), Some(("DELETED", 1)))]
    #[case::changed_and_not_selected(Some(false), Some(false), None)]
    #[case::removed(Some(true), None, Some(("DELETED", 1)))]
    #[case::removed_and_not_selected(Some(false), None, None)]
    fn rest_062_changes_become_events(
        #[case] before: Option<bool>,
        #[case] after: Option<bool>,
        #[case] expected: Option<(&'static str, u64)>,
    ) {
        let change = Change {
            revision: 2,
            key: "a".into(),
            before: before.map(|selected| stored(1, selected)),
            after: after.map(|selected| stored(2, selected)),
        };
        let event = of(&change, |stored| *stored.object.value() == json!(true));
        assert_eq!(event.map(|(kind, stored)| (kind, stored.revision)), expected);
    }
}
