//! Requests as commands that a shell runs.

use std::fmt::Write as _;
use std::slice;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::journal::{Body, Request};
use crate::redact::PLACEHOLDER;

/// Longest body that stands on the command line; the kernel refuses an argument of 128 KiB.
const LONGEST_ARGUMENT: usize = 100_000;

/// Header fields that curl makes itself, or that would make its output unreadable.
const LEFT_TO_CURL: [&str; 5] = ["host", "content-length", "connection", "accept-encoding", "transfer-encoding"];

/// The requests as a script for a POSIX shell. It reads the server's URL from `$SERVER` and, where a request carried
/// credentials, the token from `$TOKEN`. A read that was repeated until something had come about stands there once.
pub fn script(requests: &[Request]) -> String {
    let commands: Vec<String> = requests.chunk_by(is_repeated_read).map(command).collect();
    commands.join("\n")
}

/// One request as a command, with the status that came back as a comment above it.
pub fn curl(request: &Request) -> String {
    command(slice::from_ref(request))
}

/// Whether a request is the read before it once more. Two watches are two: each has its own end.
fn is_repeated_read(before: &Request, request: &Request) -> bool {
    request.method == "GET"
        && request.body.is_none()
        && !request.path.contains("watch")
        && (&before.method, &before.path, &before.headers, &before.body)
            == (&request.method, &request.path, &request.headers, &request.body)
}

/// Equal requests as one command, with what came back as a comment above it.
fn command(repeated: &[Request]) -> String {
    let Some(request) = repeated.first() else { return String::new() };
    let mut text = statuses(repeated);
    let (bytes_from_pipe, data) = body(request.body.as_ref());
    text.push_str(&bytes_from_pipe);
    text.push_str("curl -sS");
    match request.method.as_str() {
        // With `-X HEAD` curl would wait for a body.
        "HEAD" => text.push_str(" --head"),
        method => {
            let _ = write!(text, " -X {}", quoted(method));
        }
    }
    if request.path.contains(['[', ']', '{', '}']) {
        // curl would expand them.
        text.push_str(" --globoff");
    }
    if request.path.contains("/.") {
        // curl would resolve `/../`.
        text.push_str(" --path-as-is");
    }
    let _ = write!(text, " {}", address(&request.path));
    for header in &request.headers {
        if let Some(header) = header_option(&header.name, &header.value) {
            let _ = write!(text, " \\\n  -H {header}");
        }
    }
    if let Some(data) = data {
        if !request.headers.iter().any(|header| header.name.eq_ignore_ascii_case("content-type")) {
            // curl would add one of its own.
            text.push_str(" \\\n  -H 'Content-Type:'");
        }
        let _ = write!(text, " \\\n  {data}");
    }
    text.push('\n');
    text
}

/// What came back, in the order in which it came.
fn statuses(repeated: &[Request]) -> String {
    let told = repeated.chunk_by(|a, b| a.status == b.status).filter_map(|same| {
        let status = same.first()?.status?;
        Some(if repeated.len() == 1 { status.to_string() } else { format!("{status} ({})", times(same.len())) })
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() { String::new() } else { format!("# came back: {}\n", told.join(", then ")) }
}

fn times(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        _ => format!("{count} times"),
    }
}

/// The text as one word of a POSIX shell.
pub fn quoted(text: &str) -> String {
    let is_safe = |character: char| character.is_ascii_alphanumeric() || "-_./:=,@%+".contains(character);
    // `=` at the beginning is expanded by zsh.
    if !text.is_empty() && !text.starts_with('=') && text.chars().all(is_safe) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

fn address(path: &str) -> String {
    let is_safe = |character: char| character.is_ascii_alphanumeric() || "-_./:=,@%+?&~".contains(character);
    if path.chars().all(is_safe) {
        format!("\"$SERVER{path}\"")
    } else {
        format!("\"$SERVER\"'{}'", path.replace('\'', "'\\''"))
    }
}

fn header_option(name: &str, value: &str) -> Option<String> {
    if LEFT_TO_CURL.iter().any(|left| name.eq_ignore_ascii_case(left)) {
        return None;
    }
    if name.eq_ignore_ascii_case("authorization") {
        return Some("\"Authorization: Bearer $TOKEN\"".to_owned());
    }
    if value == PLACEHOLDER {
        return None;
    }
    // `-H 'Name:'` would remove the field, a semicolon sends it empty.
    Some(if value.is_empty() {
        quoted(&format!("{name};"))
    } else {
        format!("'{name}: {}'", value.replace('\'', "'\\''"))
    })
}

/// What goes before the command, and the option that names the body.
fn body(body: Option<&Body>) -> (String, Option<String>) {
    match body {
        None => (String::new(), None),
        // Not `--data-binary`, which takes a leading `@` for a file.
        Some(Body::Text(text)) if text.len() <= LONGEST_ARGUMENT && !text.contains('\0') => {
            (String::new(), Some(format!("--data-raw {}", quoted(text))))
        }
        Some(Body::Text(text)) => from_pipe(&STANDARD.encode(text)),
        Some(Body::Base64(encoded)) => from_pipe(encoded),
    }
}

/// Bytes that no command line carries come through a pipe.
fn from_pipe(encoded: &str) -> (String, Option<String>) {
    let mut lines = String::new();
    let mut rest = encoded;
    while !rest.is_empty() {
        // Base64 is ASCII; anything else was damaged, and then goes out in one piece.
        let (line, after) = rest.split_at_checked(76.min(rest.len())).unwrap_or((rest, ""));
        let _ = writeln!(lines, "{line}");
        rest = after;
    }
    (format!("base64 -d <<'END' |\n{lines}END\n"), Some("--data-binary @-".to_owned()))
}

#[cfg(test)]
mod tests;
