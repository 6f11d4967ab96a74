//! Secrets: tokens, passwords, keys. They are never shown.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;

/// A secret text. `Debug` prints `[redacted]`, and there is neither `Display` nor `Serialize`, so that it
/// cannot get into a message, a journal or a panic.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// The text itself, for sending it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[redacted]")
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl FromStr for Secret {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self::from(text))
    }
}

/// Every secret that a target has used so far, for redacting them from output.
///
/// Shared: credentials that are renewed during a run (exec plugins, token files) are added when they are first used.
/// `Debug` shows only their number.
#[derive(Clone, Default)]
pub struct Secrets {
    known: Arc<Mutex<Vec<String>>>,
}

impl Secrets {
    /// Adds a secret. Empty and known ones are ignored.
    pub fn add(&self, secret: &str) {
        if secret.is_empty() {
            return;
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.iter().any(|text| text == secret) {
            known.push(secret.to_owned());
        }
    }

    /// The number of secrets. It never decreases, so if it has not changed, neither has [`Secrets::all`].
    pub fn count(&self) -> usize {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// A copy of all secrets, in the order in which they were added.
    pub fn all(&self) -> Vec<String> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Secrets({} redacted)", self.count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_never_printed() {
        let secret = Secret::from("hunter2");
        let secrets = Secrets::default();
        secrets.add(secret.expose());
        secrets.add("hunter2");
        secrets.add("");
        assert_eq!(format!("{secret:?} {secrets:?}"), "[redacted] Secrets(1 redacted)");
        assert_eq!((secrets.count(), secrets.all()), (1, vec!["hunter2".to_owned()]));
    }
}
