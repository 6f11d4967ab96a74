//! Requests as commands that a shell runs.

use std::fmt::Write as _;
use std::slice;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::visible::{has_command, is_invisible};
use crate::journal::{Body, Request};
use crate::redact::PLACEHOLDER;
use crate::shell::quoted;

/// The longest body that is passed on the command line; the kernel rejects an argument of 128 KiB.
const LONGEST_ARGUMENT: usize = 100_000;

/// Headers that curl sets itself, or that would make its output unreadable.
const LEFT_TO_CURL: [&str; 5] = ["host", "content-length", "connection", "accept-encoding", "transfer-encoding"];

/// The requests as a script for a POSIX shell. It reads the URL of the server from `$SERVER` and, if a request had
/// credentials, the token from `$TOKEN`. A read that was repeated appears once.
pub fn script(requests: &[Request]) -> String {
    let commands: Vec<String> = requests.chunk_by(is_repeated_read).map(command).collect();
    commands.join("\n")
}

/// One request as a command, with the status of the response as a comment above it.
pub fn curl(request: &Request) -> String {
    command(slice::from_ref(request))
}

/// Whether a request repeats the read before it. Two watches are not repeats: each ends on its own.
pub(super) fn is_repeated_read(before: &Request, request: &Request) -> bool {
    request.method == "GET"
        && request.body.is_none()
        && !request.path.contains("watch")
        && (&before.method, &before.path, &before.headers, &before.body)
            == (&request.method, &request.path, &request.headers, &request.body)
}

/// Equal requests as one command, with the statuses of the responses as a comment above it.
pub(super) fn command(repeated: &[Request]) -> String {
    let Some(request) = repeated.first() else { return String::new() };
    let mut text = request.about.as_ref().map_or_else(String::new, |about| format!("# {}\n", about.replace('\n', " ")));
    text.push_str(&statuses(repeated));
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

/// The statuses of the responses, in order.
fn statuses(repeated: &[Request]) -> String {
    let statuses = repeated.chunk_by(|a, b| a.status == b.status).filter_map(|same| {
        let status = same.first()?.status?;
        Some(if repeated.len() == 1 { status.to_string() } else { format!("{status} ({})", times(same.len())) })
    });
    let statuses: Vec<String> = statuses.collect();
    if statuses.is_empty() { String::new() } else { format!("# response: {}\n", statuses.join(", then ")) }
}

fn times(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        _ => format!("{count} times"),
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

/// What precedes the command, and the option that passes the body.
fn body(body: Option<&Body>) -> (String, Option<String>) {
    match body {
        None => (String::new(), None),
        // `--data-binary` would read a text with a leading `@` as the name of a file.
        Some(Body::Text(text))
            if text.len() <= LONGEST_ARGUMENT && !text.contains(is_invisible) && !is_for_ci(text) =>
        {
            (String::new(), Some(format!("--data-raw {}", quoted(text))))
        }
        Some(Body::Text(text)) => from_pipe(&STANDARD.encode(text)),
        Some(Body::Base64(encoded)) => from_pipe(encoded),
    }
}

/// Whether a CI server would take a line of the body for a command. The first
/// one does not stand at the beginning of a line.
fn is_for_ci(body: &str) -> bool {
    body.split_once('\n').is_some_and(|(_, lines)| has_command(lines)) || body.contains("##[")
}

/// Passes bytes through a pipe that cannot be on the command line.
fn from_pipe(encoded: &str) -> (String, Option<String>) {
    let mut lines = String::new();
    let mut rest = encoded;
    while !rest.is_empty() {
        // Base64 is ASCII; if the text is damaged, it is passed in one piece.
        let (line, after) = rest.split_at_checked(76.min(rest.len())).unwrap_or((rest, ""));
        let _ = writeln!(lines, "{line}");
        rest = after;
    }
    (format!("base64 -d <<'END' |\n{lines}END\n"), Some("--data-binary @-".to_owned()))
}

#[cfg(test)]
mod tests;
