//! Where text goes: results to stdout, everything else to stderr. A closed pipe ends nothing.

use std::{
    borrow::Cow,
    io::{self, IsTerminal, Write as _},
    sync::{Mutex, PoisonError},
};

use crdible_reports::{redact::Redactor, render::Style};
use owo_colors::OwoColorize as _;

use crate::target::Secrets;

/// What no text may hold: a server can send back what it was sent.
static SECRETS: Mutex<Vec<Secrets>> = Mutex::new(Vec::new());

/// From now on nothing that is printed holds one of these secrets, nor one that is added to them later.
pub(super) fn keep_secret(secrets: &Secrets) {
    SECRETS.lock().unwrap_or_else(PoisonError::into_inner).push(secrets.clone());
}

/// The text without secrets.
pub(super) fn without_secrets(text: &str) -> Cow<'_, str> {
    let secrets: Vec<_> =
        SECRETS.lock().unwrap_or_else(PoisonError::into_inner).iter().flat_map(Secrets::all).collect();
    if secrets.is_empty() { text.into() } else { Redactor::new(secrets).text(text).into() }
}

/// Prints a result.
pub(super) fn result(text: &str) {
    let text = without_secrets(text);
    let mut stdout = anstream::stdout().lock();
    let _ = stdout.write_all(text.as_bytes());
    if !text.ends_with('\n') {
        let _ = stdout.write_all(b"\n");
    }
    let _ = stdout.flush();
}

/// Prints a remark that belongs to no result.
pub(super) fn remark(text: &str) {
    let _ = writeln!(anstream::stderr(), "{}", without_secrets(text));
}

/// Prints a warning.
pub(super) fn warn(text: &str) {
    let _ = writeln!(anstream::stderr(), "{} {}", "warning:".yellow().bold(), without_secrets(text));
}

/// Prints why a command did not do its work.
pub(super) fn complain(error: &dyn std::error::Error) {
    let _ = writeln!(anstream::stderr(), "{} {}", "error:".red().bold(), without_secrets(&error.to_string()));
    let mut source = error.source();
    while let Some(cause) = source {
        // Most messages name their cause already.
        if !error.to_string().contains(&cause.to_string()) {
            let _ = writeln!(anstream::stderr(), "  because: {}", without_secrets(&cause.to_string()));
        }
        source = cause.source();
    }
}

/// Coloured text is always made; `anstream` takes the colours out where they are not wanted.
pub(super) fn style() -> Style {
    Style { color: true }
}

/// Whether somebody watches stderr.
pub(super) fn is_watched() -> bool {
    io::stderr().is_terminal()
}
