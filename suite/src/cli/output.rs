//! Where text goes: results to stdout, everything else to stderr. A closed pipe ends nothing.

use std::io::{self, IsTerminal, Write as _};

use crdible_reports::render::Style;
use owo_colors::OwoColorize as _;

/// Prints a result.
pub(super) fn result(text: &str) {
    let mut stdout = anstream::stdout().lock();
    let _ = stdout.write_all(text.as_bytes());
    if !text.ends_with('\n') {
        let _ = stdout.write_all(b"\n");
    }
    let _ = stdout.flush();
}

/// Prints a remark that belongs to no result.
pub(super) fn remark(text: &str) {
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// Prints a warning.
pub(super) fn warn(text: &str) {
    let _ = writeln!(anstream::stderr(), "{} {text}", "warning:".yellow().bold());
}

/// Prints why a command did not do its work.
pub(super) fn complain(error: &dyn std::error::Error) {
    let _ = writeln!(anstream::stderr(), "{} {error}", "error:".red().bold());
    let mut source = error.source();
    while let Some(cause) = source {
        // Most messages name their cause already.
        if !error.to_string().contains(&cause.to_string()) {
            let _ = writeln!(anstream::stderr(), "  because: {cause}");
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
