//! The smallest experiment of a failure as a shell script.

use std::fmt::Write as _;

use serde_json::Value;

use super::curl::{command, is_repeated_read};
use super::quoted as visible;
use crate::Failure;
use crate::journal::{Body, Minimal, Request};
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

# A member of the metadata of the last answer, or else what it was for crdible. Without escapes, every other part
# between two quotes is a string; metadata is a member of the outermost object.
member() {
  found=$(printf '%s' "$answer" | sed 's/\\.//g' | awk -v RS='"' -v name="$1" '
    NR % 2 { between = $0; depth += gsub(/[{[]/, "") - gsub(/[]}]/, ""); next }
    is_named && between ~ /^[ \t\r\n]*:[ \t\r\n]*$/ { found = $0 }
    { is_named = depth == 2 && is_metadata && $0 == name }
    depth == 1 { is_metadata = $0 == "metadata" }
    END { print found }')
  [ -n "$found" ] || printf 'no %s in this answer: what crdible saw is sent, %s\n' "$1" "$2" >&2
  printf '%s' "${found:-$2}"
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
    let mut learned = Vec::new();
    let mut rest = minimal.requests.as_slice();
    for repeated in minimal.requests.chunk_by(is_repeated_read) {
        rest = &rest[repeated.len()..];
        let Some(request) = repeated.last() else { continue };
        // `echo` would read a backslash as an escape in some shells.
        let shown = quoted(&visible(&format!("--- {} {}", request.method, request.path)));
        let _ = write!(script, "\nprintf '%s\\n' {shown}\n");
        let command = with_variables(command(repeated), &learned);
        let new = needed(request, rest, learned.len());
        if new.is_empty() {
            let _ = writeln!(script, "{command}echo");
        } else {
            let _ = write!(script, "answer=$(\n{command})\nprintf '%s\\n' \"$answer\"\n");
        }
        for Learned { variable, member, value } in &new {
            let _ = writeln!(script, "{variable}=$(member {member} {})", quoted(value));
        }
        learned.extend(new);
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

/// A member of the metadata of an answer that later requests send back. Another server gives it another value.
struct Learned {
    variable: String,
    member: &'static str,
    value: String,
}

impl Learned {
    /// The member in the body of a request.
    fn in_body(&self) -> String {
        format!("\"{}\":\"{}\"", self.member, self.value)
    }

    /// The member as a parameter.
    fn in_path(&self) -> String {
        format!("{}={}", self.member, self.value)
    }

    fn is_sent_by(&self, request: &Request) -> bool {
        let is_in_body = matches!(&request.body, Some(Body::Text(text)) if text.contains(&self.in_body()));
        is_in_body || request.path.split(['?', '&']).any(|parameter| parameter == self.in_path())
    }
}

/// What later requests send back of the answer to this one.
fn needed(request: &Request, later: &[Request], known: usize) -> Vec<Learned> {
    let Some(Body::Text(answer)) = &request.response else { return Vec::new() };
    let answer: Value = serde_json::from_str(answer).unwrap_or_default();
    let members = ["resourceVersion", "uid"].into_iter().filter_map(|member| {
        let value = answer["metadata"][member].as_str().filter(|value| !value.is_empty())?;
        Some(Learned { variable: String::new(), member, value: value.to_owned() })
    });
    let sent = members.filter(|learned| later.iter().any(|request| learned.is_sent_by(request)));
    sent.enumerate().map(|(at, learned)| Learned { variable: format!("v{}", known + at + 1), ..learned }).collect()
}

/// A command that sends what was learned; of equal values, the one that was learned last. Bodies are in single quotes,
/// paths in double ones; of what is quoted in another way, the value stays.
fn with_variables(command: String, learned: &[Learned]) -> String {
    learned.iter().rev().fold(command, |command, learned| {
        let Learned { variable, member, .. } = learned;
        let path = learned.in_path();
        command
            .replace(&learned.in_body(), &format!("\"{member}\":\"'\"${variable}\"'\""))
            .replace(&format!("{path}\""), &format!("{member}=${variable}\""))
            .replace(&format!("{path}&"), &format!("{member}=${variable}&"))
    })
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
        Some(Body::Text(text)) => serde_json::from_str(text).unwrap_or_default(),
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
    use crate::journal::{Body, Minimal, Request};
    use crate::{Failure, Signature};

    fn request(method: &str, path: &str, body: Option<&str>, response: &str) -> Request {
        Request {
            method: method.to_owned(),
            path: path.to_owned(),
            headers: Vec::new(),
            body: body.map(|body| Body::Text(body.to_owned())),
            status: Some(200),
            response: Some(Body::Text(response.to_owned())),
            about: None,
        }
    }

    /// The next server gives other versions.
    #[test]
    fn what_an_answer_gave_is_sent_back() {
        let metadata = r#"{"metadata":{"resourceVersion":"7","uid":"u-1"}}"#;
        let requests = vec![
            request("POST", "/a", Some("{}"), metadata),
            request("PUT", "/a", Some(r#"{"metadata":{"resourceVersion":"7"}}"#), "{}"),
            request("GET", "/a?watch=1&resourceVersion=7", None, "{}"),
            request("GET", "/a?resourceVersion=77", None, "{}"),
        ];
        let text = script(&failure("s"), &Minimal { requests, ..Minimal::default() });
        for part in [
            "v1=$(member resourceVersion 7)\n",
            r#"--data-raw '{"metadata":{"resourceVersion":"'"$v1"'"}}'"#,
            r#""$SERVER/a?watch=1&resourceVersion=$v1""#,
            r#""$SERVER/a?resourceVersion=77""#,
        ] {
            assert!(text.contains(part), "no {part} in {text}");
        }
        assert!(!text.contains("member uid"), "nothing sends it: {text}");

        // A shell reads the member of the answer, or takes what it was.
        let functions = text.split_once("member() {").expect("the function").1.split_once("\n}\n").expect("its end").0;
        let read = |answer: &str| {
            let script = format!(
                "set -eu\nanswer=$1\nmember() {{{functions}\n}}\nv1=$(member resourceVersion 7)\nprintf '%s' \"$v1\""
            );
            let shell = std::process::Command::new("sh").args(["-c", &script, "sh", answer]).output().expect("a shell");
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            (text(&shell.stdout), text(&shell.stderr))
        };
        let found = |value: &str| (value.to_owned(), String::new());
        let nested = json!({
            "kind": "metadata",
            "spec": { "metadata": { "resourceVersion": "1" }, "resourceVersion": "2", "text": "} \\\" ]\\" },
            "metadata": {
                "annotations": { "resourceVersion": "3", "json": "{\"a\":[{" },
                "managedFields": [{ "resourceVersion": "4" }],
                "name": "resourceVersion",
                "resourceVersion": "12",
                "uid": "u",
            },
            "status": { "resourceVersion": "5" },
        });
        assert_eq!(read(&nested.to_string()), found("12"));
        assert_eq!(read(&format!("{nested:#}\n")), found("12"));
        for without in ["{}", "", "{\"resourceVersion\":\"3\",\"metadata\":{\"a\":{\"resourceVersion\":\"4\"}}}"] {
            let (value, errors) = read(without);
            assert_eq!(value, "7", "{without}");
            assert_eq!(errors, "no resourceVersion in this answer: what crdible saw is sent, 7\n");
        }
    }

    /// Two objects may have the same version, or one may be read again.
    #[test]
    fn of_equal_values_the_last_one_is_sent() {
        let metadata = r#"{"metadata":{"resourceVersion":"7"}}"#;
        let requests = vec![
            request("POST", "/a", Some("{}"), metadata),
            request("POST", "/b", Some("{}"), metadata),
            request("PUT", "/b?resourceVersion=7", Some(metadata), "{}"),
        ];
        let text = script(&failure("s"), &Minimal { requests, ..Minimal::default() });
        let (_, put) = text.split_once("--- PUT").expect("the last request");
        assert!(put.contains(r#"/b?resourceVersion=$v2""#), "{put}");
        assert!(put.contains(r#"{"resourceVersion":"'"$v2"'"}"#) && !put.contains("$v1"), "{put}");
    }

    fn failure(text: &str) -> Failure {
        Failure {
            signature: Signature::new("p", "c", text, "r"),
            requirements: vec![text.to_owned()],
            summary: text.to_owned(),
            expected: json!(text),
            actual: json!({ "message": text }),
            between: None,
        }
    }

    #[test]
    fn what_servers_and_files_say_is_no_command() {
        let hostile = "a\nrm -rf /tmp/x; `id` $(id) 'b' \u{1b}[31m";
        let text = script(&failure(hostile), &Minimal::default());
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
