//! The smallest experiment of a failure as a shell script.

use std::fmt::Write as _;

use serde_json::Value;

use super::curl::{command, is_repeated_read};
use super::visible::{cut, text};
use crate::failure::Failure;
use crate::journal::{Minimal, Request};
use crate::shell::quoted;

/// Where definitions are created.
const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
/// So much of an expectation or an answer is shown in a comment.
const LONGEST_COMMENT: usize = 400;

/// What every script begins with: how it reaches the server, and how it waits and removes what it made.
const FUNCTIONS: &str = r#"
set -eu
: "${SERVER:?set it to the URL of the server; kubectl proxy prints one}"

# TOKEN is a bearer token, CA a file with certificates, for a server that asks for them.
curl() {
  if [ -n "${TOKEN:-}" ]; then set -- -H "Authorization: Bearer $TOKEN" "$@"; fi
  if [ -n "${CA:-}" ]; then set -- --cacert "$CA" "$@"; fi
  command curl "$@"
}

# Waits until a path is answered with this status.
wait_for() {
  tries=0
  until [ "$(curl -sS -o /dev/null -w '%{http_code}' "$SERVER$2")" = "$1" ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 300 ] || { echo "not $1 after 30 seconds: $2" >&2; exit 1; }
    sleep 0.1
  done
}

made=
remove() {
  for path in $made; do
    curl -sS -o /dev/null -X DELETE "$SERVER$path"
    wait_for 404 "$path"
  done
}
trap remove EXIT
"#;

/// The experiment as a script for a POSIX shell with curl. It prints each answer, and removes its definitions at the end. It reads the URL
/// of the server from `$SERVER`, a bearer token from `$TOKEN`, and a file of certificates from `$CA`.
pub fn script(failure: &Failure, minimal: &Minimal) -> String {
    let mut script = String::from("#!/bin/sh\n");
    let _ = writeln!(script, "# {}", comment(&failure.summary));
    let _ = writeln!(script, "# {} ({})", comment(&failure.signature.to_string()), failure.requirements.join(", "));
    let _ = writeln!(script, "# Expected: {}", comment(&value(&failure.expected)));
    let _ = writeln!(script, "# Seen:     {}", comment(&value(&failure.actual)));
    script.push_str(FUNCTIONS);
    for repeated in minimal.requests.chunk_by(is_repeated_read) {
        let Some(request) = repeated.last() else { continue };
        let shown = quoted(&format!("--- {} {}", request.method, request.path));
        let _ = write!(script, "\necho {shown}\n{}echo\n", command(repeated));
        script.push_str(&waits(request));
    }
    let _ = write!(
        script,
        "\necho {}\necho {}\n",
        quoted(&format!("--- expected: {}", comment(&value(&failure.expected)))),
        quoted(&format!("--- seen by crdible: {}", comment(&value(&failure.actual)))),
    );
    script
}

/// A text as one line of a comment.
pub fn comment(line: &str) -> String {
    let line = line.replace(['\n', '\r'], " ");
    let (shown, left) = cut(&line, LONGEST_COMMENT);
    let more = if left == 0 { "" } else { "…" };
    format!("{}{more}", text(shown))
}

fn value(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)
}

/// What must be awaited after a request: definitions are served some time after they are written.
fn waits(request: &Request) -> String {
    let path = request.path.split('?').next().unwrap_or_default();
    let is_write = !matches!(request.method.as_str(), "GET" | "HEAD" | "DELETE");
    if !path.starts_with(DEFINITIONS) || !is_write || request.path.contains("dryRun") {
        return String::new();
    }
    let definition = match &request.body {
        Some(crate::journal::Body::Text(text)) => serde_json::from_str(text).unwrap_or_default(),
        _ => Value::Null,
    };
    let name = definition["metadata"]["name"].as_str().filter(|_| path == DEFINITIONS);
    let is_accepted = request.status.is_none_or(|status| (200..300).contains(&status));
    match name {
        Some(name) if is_accepted => {
            let mut text = format!("made=\"$made \"{}\n", quoted(&format!("{DEFINITIONS}/{name}")));
            for path in served(&definition) {
                let _ = writeln!(text, "wait_for 200 {}", quoted(&path));
            }
            text
        }
        None if is_accepted => "# The server may serve the change a little later.\nsleep 2\n".to_owned(),
        _ => String::new(),
    }
}

/// The paths of the served versions of a definition.
fn served(definition: &Value) -> impl Iterator<Item = String> {
    let spec = &definition["spec"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (group, plural) = (text(&spec["group"]), text(&spec["names"]["plural"]));
    let versions = spec["versions"].as_array().into_iter().flatten();
    versions
        .filter(|version| version["served"] == true)
        .map(move |version| format!("/apis/{group}/{}/{plural}", text(&version["name"])))
}
