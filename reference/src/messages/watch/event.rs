//! Converts changes into watch events.

#[cfg(feature = "serve")]
use bytes::Bytes;

use crate::base::status::Failure;
use crate::messages::representation::{Format, Shown};
use crate::store::{Change, Stored};
use crate::wire::protobuf;

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

/// How events follow each other in a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// Each event is a line of JSON.
    Lines,
    /// Each event is a message of protobuf behind its length.
    Lengths,
}

/// How many bytes a length has.
#[cfg(feature = "serve")]
const LENGTH: usize = 4;

impl Framing {
    /// The framing of events in this format.
    pub(crate) fn of(format: Format) -> Self {
        match format {
            Format::Json | Format::PrettyJson | Format::Yaml => Self::Lines,
            Format::Protobuf => Self::Lengths,
        }
    }

    pub(crate) fn content_type(self) -> &'static str {
        match self {
            Self::Lines => "application/json",
            Self::Lengths => "application/vnd.kubernetes.protobuf;stream=watch",
        }
    }

    /// Appends an event.
    pub(super) fn write(self, out: &mut Vec<u8>, kind: &str, object: Shown) {
        match self {
            Self::Lines => {
                out.extend_from_slice(b"{\"type\":\"");
                out.extend_from_slice(kind.as_bytes());
                out.extend_from_slice(b"\",\"object\":");
                object.append_json(out);
                out.extend_from_slice(b"}\n");
            }
            Self::Lengths => out.extend(protobuf::write_event(kind, &object.into_value())),
        }
    }

    /// Appends an event of type `ERROR`.
    pub(super) fn write_error(self, out: &mut Vec<u8>, failure: &Failure) {
        self.write(out, "ERROR", failure.to_json().into());
    }

    /// The events in a part of a stream, without their lengths.
    #[cfg(feature = "serve")]
    pub(crate) fn split(self, mut events: Bytes) -> impl Iterator<Item = Bytes> {
        std::iter::from_fn(move || {
            if events.is_empty() {
                return None;
            }
            let end = match self {
                Self::Lines => events.iter().position(|byte| *byte == b'\n').map_or(events.len(), |at| at + 1),
                Self::Lengths => {
                    let length = events.split_to(LENGTH.min(events.len()));
                    length.iter().fold(0, |length, byte| length << 8 | usize::from(*byte)).min(events.len())
                }
            };
            Some(events.split_to(end))
        })
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::of;
    use crate::store::{Change, Document, Stored};

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
