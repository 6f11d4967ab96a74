//! The keyword `pattern`, compiled on first use.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use crate::{Pattern, PatternError};

/// A pattern as written, and its compiled form.
///
/// It is compiled once, at the first use: most schemas that are parsed never validate a string, and the others validate
/// many. Clones share the compiled form, which is dropped with the last of them.
#[derive(Clone, Default)]
pub struct PatternKeyword(Option<Arc<Shared>>);

struct Shared {
    text: String,
    compiled: OnceLock<Result<Pattern, PatternError>>,
}

impl PatternKeyword {
    /// The pattern as written. Empty if there is none.
    pub fn as_str(&self) -> &str {
        self.0.as_ref().map_or("", |shared| &shared.text)
    }

    /// Whether there is no pattern.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The compiled pattern. Returns `None` if there is no pattern.
    ///
    /// # Errors
    /// If the pattern does not compile (CRDVAL-034).
    pub fn compiled(&self) -> Result<Option<&Pattern>, &PatternError> {
        let Some(shared) = &self.0 else {
            return Ok(None);
        };
        shared.compiled.get_or_init(|| Pattern::parse(&shared.text)).as_ref().map(Some)
    }
}

impl From<String> for PatternKeyword {
    fn from(text: String) -> Self {
        Self((!text.is_empty()).then(|| Arc::new(Shared { text, compiled: OnceLock::new() })))
    }
}

impl From<&str> for PatternKeyword {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl PartialEq for PatternKeyword {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for PatternKeyword {}

impl fmt::Debug for PatternKeyword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}
