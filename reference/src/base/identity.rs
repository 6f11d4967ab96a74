//! New UIDs and generated names.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

/// The characters of generated names (REST-018).
const ALPHABET: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";
/// How many characters a generated name adds to its prefix.
const SUFFIX_LENGTH: usize = 5;
/// How much of a prefix is kept, so that the name has at most 63 characters.
const MAX_PREFIX: usize = 58;

/// A source of unpredictable numbers: a keyed hash of a counter.
#[derive(Debug, Default)]
pub(crate) struct Identities {
    key: RandomState,
    count: AtomicU64,
}

impl Identities {
    /// A version 4 UUID.
    pub(crate) fn uid(&self) -> String {
        let (high, low) = (self.number(), self.number());
        format!(
            "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
            high >> 32,
            high >> 16 & 0xffff,
            high & 0xfff,
            0x8000 | low >> 48 & 0x3fff,
            low & 0xffff_ffff_ffff,
        )
    }

    /// A name generated from a `generateName`.
    pub(crate) fn name(&self, prefix: &str) -> String {
        let mut name: String = prefix.chars().take(MAX_PREFIX).collect();
        let mut number = self.number();
        for _ in 0..SUFFIX_LENGTH {
            let index = usize::try_from(number % 27).unwrap_or_default();
            name.push(char::from(ALPHABET[index]));
            number /= 27;
        }
        name
    }

    fn number(&self) -> u64 {
        self.key.hash_one(self.count.fetch_add(1, Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn uids_are_fresh_and_well_formed() {
        let identities = Identities::default();
        let uids: BTreeSet<String> = (0..1000).map(|_| identities.uid()).collect();
        assert_eq!(uids.len(), 1000);
        assert!(uids.iter().all(|uid| uid.len() == 36 && uid.as_bytes()[14] == b'4'), "{uids:?}");
    }

    #[test]
    fn rest_018_long_prefixes_are_cut() {
        let name = Identities::default().name(&"a".repeat(80));
        assert_eq!(name.len(), 63);
        assert!(name[58..].bytes().all(|letter| ALPHABET.contains(&letter)), "{name}");
    }
}
