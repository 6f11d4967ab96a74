//! The smallest experiment of a failure as a shell script.

use std::fmt::Write as _;

use serde_json::Value;

use super::curl::{command, is_repeated_read};
use super::quoted as visible;
use crate::Failure;
use crate::journal::{Minimal, Request};
use crate::shell::quoted;

/// Where definitions are created.
const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// What every script begins with: how it reaches the server, and how it waits and removes what it created.
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

created=
remove() {
  for path in $created; do
    curl -sS -o /dev/null -X DELETE "$SERVER$path"
    wait_for 404 "$path"
  done
}
trap remove EXIT
"#;

/// The experiment as a script for a POSIX shell with curl. It prints each answer, and removes its
/// definitions at the end. It reads the URL of the server from `$SERVER`, a bearer token from
/// `$TOKEN`, and a file of certificates from `$CA`.
pub fn script(failure: &Failure, minimal: &Minimal) -> String {
    let mut script = String::from("#!/bin/sh\n");
    let about = format!("{} ({})", failure.signature, failure.requirements.join(", "));
    let (expected, actual) = (value(&failure.expected), value(&failure.actual));
    // Always one line each, whatever a server or a file says.
    for line in [&failure.summary, &about, &format!("Expected: {expected}"), &format!("Seen:     {actual}")] {
        let _ = writeln!(script, "# {}", visible(line));
    }
    script.push_str(FUNCTIONS);
    for repeated in minimal.requests.chunk_by(is_repeated_read) {
        let Some(request) = repeated.last() else { continue };
        // `echo` would read a backslash as an escape in some shells.
        let shown = quoted(&visible(&format!("--- {} {}", request.method, request.path)));
        let _ = write!(script, "\nprintf '%s\\n' {shown}\n{}echo\n", command(repeated));
        script.push_str(&waits(request));
    }
    let _ = write!(
        script,
        "\nprintf '%s\\n' \\\n  {} \\\n  {}\n",
        quoted(&visible(&format!("--- expected: {expected}"))),
        quoted(&visible(&format!("--- seen by crdible: {actual}"))),
    );
    script
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
            let mut text = format!("created=\"$created \"{}\n", quoted(&format!("{DEFINITIONS}/{name}")));
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::script;
    use crate::journal::Minimal;
    use crate::{Failure, Signature};

    #[test]
    fn what_servers_and_files_say_is_no_command() {
        let hostile = "a\nrm -rf /tmp/x; `id` $(id) 'b' \u{1b}[31m";
        let failure = Failure {
            signature: Signature::new("p", "c", hostile, "r"),
            requirements: vec![hostile.to_owned()],
            summary: hostile.to_owned(),
            expected: json!(hostile),
            actual: json!({ "message": hostile }),
            between: None,
        };
        let text = script(&failure, &Minimal::default());
        let (head, rest) = text.split_once("\nset -eu\n").expect("the functions");
        assert!(head.lines().filter(|line| !line.is_empty()).all(|line| line.starts_with('#')), "{head}");
        let summary: Vec<&str> = rest.lines().filter(|line| line.contains("/tmp/x")).collect();
        assert_eq!(summary.len(), 2, "{rest}");
        assert!(summary.iter().all(|line| line.starts_with("  '--- ")), "{summary:?}");
        assert!(!text.contains('\u{1b}'), "{text}");
        // The shell itself says how it reads it.
        let mut shell = std::process::Command::new("sh");
        let last = rest.rsplit_once("\n\n").expect("a last part").1;
        let shell = shell.args(["-c", last]).output().expect("a shell");
        let said = String::from_utf8_lossy(&shell.stdout).into_owned();
        assert!(said.lines().count() == 2 && said.contains("$(id)") && shell.stderr.is_empty(), "{said}");
    }
}
