//! Prints results to stdout and everything else to stderr. A closed pipe is not an error, and a full disk is one.

mod progress;
mod renderings;

use std::{
    borrow::Cow,
    io::{self, IsTerminal, Write as _},
    path::Path,
    sync::{Mutex, PoisonError},
};

use crdible_reports::{redact::Redactor, render::Style, text::plural};
use owo_colors::OwoColorize as _;

use crate::error::CliError;
use crdible::{
    connection::Secrets,
    created::{CreatedObject, counts},
};

pub(crate) use progress::{FINDING_OUT, Progress, REMOVING, failure_line, in_full, with_notice};
pub(crate) use renderings::{FileArgs, Files, Rendering, rendered, rendered_comparison, rendered_soak};

/// Secrets, which no text may contain: a server may echo what it was sent.
static SECRETS: Mutex<Vec<Secrets>> = Mutex::new(Vec::new());

/// Removes these secrets, and those that are added to them later, from all text that is printed from now on.
pub(crate) fn keep_secret(secrets: &Secrets) {
    SECRETS.lock().unwrap_or_else(PoisonError::into_inner).push(secrets.clone());
}

/// The text without secrets.
pub(crate) fn without_secrets(text: &str) -> Cow<'_, str> {
    let secrets: Vec<_> =
        SECRETS.lock().unwrap_or_else(PoisonError::into_inner).iter().flat_map(Secrets::all).collect();
    if secrets.is_empty() { text.into() } else { Redactor::new(secrets).text(text).into() }
}

/// The first thing that could not be written, although the command went on.
static UNWRITTEN: Mutex<Option<CliError>> = Mutex::new(None);

/// Keeps why something could not be written: the command goes on, but must not end as if it were there.
pub(crate) fn keep_unwritten(error: CliError) {
    UNWRITTEN.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
}

/// The first error that was kept, once.
pub(crate) fn unwritten() -> Option<CliError> {
    UNWRITTEN.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Prints a result.
pub(crate) fn result(text: &str) {
    let text = without_secrets(text);
    let mut stdout = anstream::stdout().lock();
    let end = if text.ends_with('\n') { "" } else { "\n" };
    let written =
        [&*text, end].iter().try_for_each(|part| stdout.write_all(part.as_bytes())).and_then(|()| stdout.flush());
    keep_if_lost(written);
}

/// Keeps the error of writing to stdout, unless the reader has seen enough.
pub(crate) fn keep_if_lost(written: io::Result<()>) {
    if let Err(error) = written
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        keep_unwritten(CliError::cannot("write the result to", Path::new("standard output"))(error));
    }
}

/// Prints a note that is not part of a result.
pub(crate) fn remark(text: &str) {
    let _ = writeln!(anstream::stderr(), "{}", without_secrets(text));
}

/// Prints a warning.
pub(crate) fn warn(text: &str) {
    let _ = writeln!(anstream::stderr(), "{} {}", "warning:".yellow().bold(), without_secrets(text));
}

/// Warns of what a run could not remove.
pub(crate) fn warn_left_behind(objects: &[CreatedObject], run: &str) {
    if !objects.is_empty() {
        let objects: Vec<String> = counts(objects).map(|(count, noun)| plural(count as u64, noun)).collect();
        let objects = objects.join(" and ");
        warn(&format!("{objects} could not be removed; `crdible doctor --clean {run}` tries again"));
    }
}

/// Prints why a command failed.
pub(crate) fn error(error: &dyn std::error::Error) {
    let _ = writeln!(anstream::stderr(), "{} {}", "error:".red().bold(), without_secrets(&error.to_string()));
    let mut source = error.source();
    while let Some(cause) = source {
        // Most messages contain their cause already.
        if !error.to_string().contains(&cause.to_string()) {
            let _ = writeln!(anstream::stderr(), "  caused by: {}", without_secrets(&cause.to_string()));
        }
        source = cause.source();
    }
}

/// Text is always colored; `anstream` removes unwanted colors.
pub(crate) fn style() -> Style {
    Style { color: true }
}

/// Whether stderr is a terminal.
pub(crate) fn is_terminal() -> bool {
    io::stderr().is_terminal()
}
