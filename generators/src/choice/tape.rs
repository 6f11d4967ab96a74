//! Recorded choices: everything that a replay needs.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crdible_semantics::pointer;
use serde::{Deserialize, Serialize};

/// The choices of one case, in streams.
///
/// Draws outside [`Choices::keyed`](super::Choices::keyed) are in the stream with the empty path; every path of keys
/// has its own stream. In JSON a tape is one object: `{"":[2,1],"/spec/a":[7]}`; keys are escaped as in a JSON pointer,
/// empty streams are omitted.
///
/// Tapes are ordered by simplicity (shortlex): by the number of choices, then choice by choice with outer streams
/// first, then by the names of the streams.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tape {
    streams: BTreeMap<String, Vec<u64>>,
}

impl Tape {
    /// A tape of streams by path; empty streams are dropped.
    pub fn from_streams(streams: impl IntoIterator<Item = (String, Vec<u64>)>) -> Self {
        let streams = streams.into_iter().filter(|(_, values)| !values.is_empty()).collect();
        Self { streams }
    }

    /// The streams in the order of their paths; none is empty.
    pub fn streams(&self) -> impl Iterator<Item = (&str, &[u64])> {
        self.streams.iter().map(|(path, values)| (path.as_str(), values.as_slice()))
    }

    /// The stream at a path; empty if it does not exist.
    pub fn stream(&self, path: &str) -> &[u64] {
        self.streams.get(path).map_or(&[], Vec::as_slice)
    }

    /// The number of choices.
    pub fn size(&self) -> usize {
        self.streams.values().map(Vec::len).sum()
    }

    /// A hash of the tape, valid within one process.
    pub(crate) fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }

    pub(crate) fn edit(&mut self, path: &str, change: impl FnOnce(&mut Vec<u64>)) {
        let values = self.streams.entry(path.to_owned()).or_default();
        change(values);
        if values.is_empty() {
            self.streams.remove(path);
        }
    }

    /// Drops the stream at `path` and all streams below it.
    pub(crate) fn drop_below(&mut self, path: &str) {
        self.streams.retain(|key, _| !is_at_or_below(key, path));
    }

    /// Renames streams; `rename` returns `None` for a path to keep. If two streams get the same path, the one that was
    /// not renamed wins.
    pub(crate) fn rename(&mut self, rename: impl Fn(&str) -> Option<String>) {
        let mut moved = Vec::new();
        let mut kept = BTreeMap::new();
        for (path, values) in std::mem::take(&mut self.streams) {
            match rename(&path) {
                Some(new) => moved.push((new, values)),
                None => {
                    kept.insert(path, values);
                }
            }
        }
        for (path, values) in moved {
            kept.entry(path).or_insert(values);
        }
        self.streams = kept;
    }
}

/// Whether a stream's path is `prefix` or below it.
pub(crate) fn is_at_or_below(path: &str, prefix: &str) -> bool {
    path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A key as a segment of a stream's path: `~` and `/` are escaped as in a JSON pointer, and `#`, which marks an index,
/// as `~2`.
pub(crate) fn escaped(key: &str) -> String {
    pointer::escape(key).replace('#', "~2")
}

impl Ord for Tape {
    fn cmp(&self, other: &Self) -> Ordering {
        let values = |tape: &Self| -> Vec<u64> {
            let mut streams: Vec<(usize, &String, &Vec<u64>)> =
                tape.streams.iter().map(|(path, values)| (path.matches('/').count(), path, values)).collect();
            streams.sort_unstable();
            streams.into_iter().flat_map(|(_, _, values)| values.iter().copied()).collect()
        };
        self.size()
            .cmp(&other.size())
            .then_with(|| values(self).cmp(&values(other)))
            .then_with(|| self.streams.cmp(&other.streams))
    }
}

impl PartialOrd for Tape {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn tape(streams: &[(&str, &[u64])]) -> Tape {
        Tape::from_streams(streams.iter().map(|(path, values)| ((*path).to_owned(), values.to_vec())))
    }

    #[test]
    fn tapes_are_ordered_by_length_then_by_the_first_difference() {
        let ordered = [
            tape(&[]),
            tape(&[("", &[9])]),
            tape(&[("", &[0]), ("/a", &[5])]),
            tape(&[("", &[1]), ("/a", &[0])]),
            tape(&[("", &[1]), ("/a", &[1])]),
            tape(&[("", &[0, 0, 0])]),
        ];
        assert!(ordered.is_sorted_by(|a, b| a < b), "{ordered:?}");
    }

    #[test]
    fn a_tape_is_one_json_object_of_streams() {
        let tape = tape(&[("", &[2, 1]), ("/spec/a~1b", &[7]), ("/gone", &[])]);
        let text = serde_json::to_string(&tape).unwrap();
        assert_eq!(text, r#"{"":[2,1],"/spec/a~1b":[7]}"#);
        assert_eq!(serde_json::from_str::<Tape>(&text).unwrap(), tape);
    }

    #[test]
    fn dropping_a_path_keeps_longer_names() {
        let mut tape = tape(&[("/a", &[1]), ("/a/b", &[2]), ("/ab", &[3])]);
        tape.drop_below("/a");
        assert_eq!(tape, self::tape(&[("/ab", &[3])]));
    }
}
