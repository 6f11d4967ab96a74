//! An entry of the corpus, and its file.

use crdible_generators::choice::Tape;
use crdible_semantics::{Release, release::Version};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crdible_scenario::fnv::Fnv;

/// The format that this version writes; it reads every file with the same name and major version.
pub const FORMAT: &str = "crdible-corpus/1";

/// Choices that reached something new. Property, tape and release determine
/// the scenario under one digest of the generators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The property or exploration that drew the choices.
    pub property: String,
    /// The release for which they were drawn.
    pub release: Release,
    /// The digest of the generators (`generator_digest`). With another one the same choices
    /// generate another case, which may be as useful.
    pub generator: String,
    /// The choices.
    pub tape: Tape,
}

/// Why a text is not an entry.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EntryError {
    /// It is not JSON of this shape: cut off, or something else.
    #[error("it is not an entry of a corpus, or was cut off: {0}; delete it, or move it out of the corpus")]
    Malformed(#[from] serde_json::Error),
    /// Another format.
    #[error(
        "its format is `{0}`, but this version reads `{FORMAT}`; \
         use the version of crdible that wrote it, or another corpus"
    )]
    Format(String),
    /// The release is not a version of Kubernetes.
    #[error("its release `{0}` is not a version of Kubernetes; delete it, or move it out of the corpus")]
    Release(String),
}

/// An entry as JSON.
#[derive(Serialize, Deserialize)]
struct Document {
    format: String,
    property: String,
    release: String,
    generator: String,
    tape: Tape,
}

impl Entry {
    /// Parses the text of a file.
    pub fn parse(text: &str) -> Result<Self, EntryError> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
        }
        let head: Head = serde_json::from_str(text)?;
        if head.format != FORMAT && !head.format.starts_with(&format!("{FORMAT}.")) {
            return Err(EntryError::Format(head.format));
        }
        let Document { property, release, generator, tape, .. } = serde_json::from_str(text)?;
        let release = release.parse::<Version>().map_err(|_| EntryError::Release(release))?.nearest();
        Ok(Self { property, release, generator, tape })
    }

    /// Its text: one line of JSON.
    pub fn to_text(&self) -> String {
        let document = Document {
            format: FORMAT.to_owned(),
            property: self.property.clone(),
            release: self.release.to_string(),
            generator: self.generator.clone(),
            tape: self.tape.clone(),
        };
        // Names and numbers are always JSON.
        let mut text = serde_json::to_string(&document).unwrap_or_default();
        text.push('\n');
        text
    }

    /// A name that follows from what it is: equal entries of two corpora are one
    /// file (FNV-1a, 64 bits, 16 hexadecimal digits).
    pub fn name(&self) -> String {
        let mut digest = Fnv::default();
        digest.add(self.to_text().as_bytes());
        digest.to_string()
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn entry() -> Entry {
        Entry {
            property: "prune-001-unknown-keys".to_owned(),
            release: Release::BASELINE,
            generator: "0123456789abcdef".to_owned(),
            tape: Tape::from_streams([(String::new(), vec![3, 1]), ("/spec/a".to_owned(), vec![u64::MAX])]),
        }
    }

    #[test]
    fn an_entry_is_read_as_it_was_written() {
        let text = entry().to_text();
        assert_eq!(Entry::parse(&text).expect("its own text"), entry());
        assert_eq!(entry().name().len(), 16);
        let other = Entry { tape: Tape::default(), ..entry() };
        assert_ne!(other.name(), entry().name());
        assert_eq!(Entry::parse(&text.replace("corpus/1", "corpus/1.7")).expect("a minor version"), entry());
    }

    #[rstest]
    #[case::empty("", "cut off")]
    #[case::cut_off(r#"{"format":"crdible-corpus/1","property":"a","#, "cut off")]
    #[case::binary("\u{0}\u{1}", "not an entry of a corpus")]
    #[case::another_document(r#"{"kind":"Pod"}"#, "not an entry of a corpus")]
    #[case::major(r#"{"format":"crdible-corpus/2"}"#, "but this version reads `crdible-corpus/1`")]
    #[case::counterexample(r#"{"format":"crdible-replay/2"}"#, "its format is `crdible-replay/2`")]
    #[case::no_release(
        r#"{"format":"crdible-corpus/1","property":"a","release":"x","generator":"g","tape":{}}"#,
        "`x` is not a version"
    )]
    #[case::negative(
        r#"{"format":"crdible-corpus/1","property":"a","release":"1.36","generator":"g","tape":{"":[-1]}}"#,
        "not an entry of a corpus"
    )]
    fn what_is_no_entry_is_an_error(#[case] text: &str, #[case] words: &str) {
        let error = Entry::parse(text).expect_err("it is none").to_string();
        assert!(error.contains(words), "{error}");
    }
}
