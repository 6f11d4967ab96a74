#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use rstest::rstest;

use super::{curl, quoted, script};
use crate::journal::{Body, Request, RequestHeader};

fn request(method: &str, path: &str, headers: &[(&str, &str)], body: Option<Body>) -> Request {
    Request {
        method: method.to_owned(),
        path: path.to_owned(),
        headers: headers
            .iter()
            .map(|&(name, value)| RequestHeader { name: name.to_owned(), value: value.to_owned() })
            .collect(),
        body,
        status: None,
        response: None,
        about: None,
    }
}

#[rstest]
#[case::plain(request("GET", "/api?a=b&c=d", &[], None), "curl -sS -X GET \"$SERVER/api?a=b&c=d\"\n")]
#[case::status(
    Request { status: Some(404), ..request("DELETE", "/a", &[], None) },
    "# response: 404\ncurl -sS -X DELETE \"$SERVER/a\"\n")]
#[case::head(request("HEAD", "/a", &[], None), "curl -sS --head \"$SERVER/a\"\n")]
#[case::path_to_quote(request("GET", "/a$(x)'", &[], None), "curl -sS -X GET \"$SERVER\"'/a$(x)'\\'''\n")]
#[case::path_to_leave_alone(
    request("GET", "/a/../[1-2]", &[], None), "curl -sS -X GET --globoff --path-as-is \"$SERVER\"'/a/../[1-2]'\n")]
#[case::token(
    request("GET", "/a", &[("authorization", "[redacted]"), ("Cookie", "[redacted]"), ("Host", "h")], None),
    "curl -sS -X GET \"$SERVER/a\" \\\n  -H \"Authorization: Bearer $TOKEN\"\n")]
#[case::body(
    request("POST", "/a", &[("Content-Type", "application/json")], Some(Body::Text("{\"a\":\"it's\"}".to_owned()))),
    "curl -sS -X POST \"$SERVER/a\" \\\n  -H 'Content-Type: application/json' \\\n  \
     --data-raw '{\"a\":\"it'\\''s\"}'\n")]
#[case::no_content_type(
    request("POST", "/a", &[("X-Empty", "")], Some(Body::Text("@f".to_owned()))),
    "curl -sS -X POST \"$SERVER/a\" \\\n  -H 'X-Empty;' \\\n  -H 'Content-Type:' \\\n  --data-raw @f\n")]
#[case::bytes(
    request("PUT", "/a", &[("content-type", "x")], Some(Body::from_bytes(&[0xff, 0xfe]))),
    "base64 -d <<'END' |\n//4=\nEND\n\
     curl -sS -X PUT \"$SERVER/a\" \\\n  -H 'content-type: x' \\\n  --data-binary @-\n")]
fn commands(#[case] request: Request, #[case] expected: &str) {
    assert_eq!(curl(&request), expected);
}

#[test]
fn a_repeated_read_is_shown_once() {
    let read = |status| Request { status, ..request("GET", "/a", &[], None) };
    let write = |status| Request { status: Some(status), ..request("POST", "/a", &[], None) };
    let rendered = |requests: &[Request]| {
        let script = script(requests);
        script.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect::<Vec<String>>()
    };
    let get = "curl -sS -X GET \"$SERVER/a\"";
    let post = "curl -sS -X POST \"$SERVER/a\"";
    assert_eq!(
        rendered(&[read(Some(404)), read(Some(404)), read(None), read(Some(200)), write(201), read(Some(200))]),
        ["# response: 404 (2 times), then 200 (once)", get, "# response: 201", post, "# response: 200", get]
    );
    let watch = || request("GET", "/a?watch=true", &[], None);
    assert_eq!(rendered(&[watch(), watch()]).len(), 2);
    // A write that is sent twice is sent twice.
    assert_eq!(rendered(&[write(201), write(409)]), ["# response: 201", post, "# response: 409", post]);
}

/// What a shell passes to `curl`, by a `curl` that prints its arguments, then its standard input.
#[cfg(unix)]
fn run(script: &str) -> Vec<u8> {
    let script = format!(
        "SERVER=https://s\nTOKEN=t\n\
         curl() {{ printf '%s\\0' \"$@\"; case \"$*\" in *--data-binary*) cat ;; esac; }}\n{script}"
    );
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), script).unwrap();
    let output = std::process::Command::new("sh").arg(file.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

#[cfg(unix)]
proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_shell_hands_curl_exactly_what_was_sent(
        path in "/[ -~é]{0,12}",
        value in "[!-~é][ -~é]{0,12}",
        body in "[ -~é\n\t\\\\'\"$`!]{0,40}",
    ) {
        let sent = request("POST", &path, &[("X-Value", &value)], Some(Body::Text(body.clone())));
        let arguments = String::from_utf8(run(&curl(&sent))).unwrap();
        let arguments: Vec<&str> = arguments.split('\0').collect();
        prop_assume!(!super::is_for_ci(&body));
        prop_assert!(arguments.contains(&format!("https://s{path}").as_str()), "{:?}", arguments);
        prop_assert!(arguments.contains(&format!("X-Value: {value}").as_str()), "{:?}", arguments);
        let data = arguments.iter().position(|&argument| argument == "--data-raw").unwrap();
        prop_assert_eq!(arguments[data + 1], &body);
    }

    #[test]
    fn bytes_come_through_the_pipe(mut all in prop::collection::vec(any::<u8>(), 0..200)) {
        all.push(0xff);
        let sent = request("POST", "/a", &[], Some(Body::from_bytes(&all)));
        let output = run(&script(&[sent.clone(), sent]));
        prop_assert!(output.ends_with(&all));
        prop_assert_eq!(output.len() % 2, 0);
    }

    #[test]
    fn one_word_stays_one_word(text in "[ -~é\n]{0,30}") {
        let output = run(&format!("printf %s {}", quoted(&text)));
        prop_assert_eq!(output, text.into_bytes());
    }
}

#[cfg(unix)]
#[test]
fn what_ci_servers_would_take_for_a_command_comes_through_the_pipe() {
    let text = script(&[request("POST", "/a", &[], Some(Body::Text("a\n ::error::b".to_owned())))]);
    assert!(!text.contains("::error"), "{text}");
    assert!(run(&text).ends_with(b"a\n ::error::b"));
}

#[cfg(unix)]
#[test]
fn a_body_too_long_for_a_command_line_comes_through_the_pipe() {
    let long = "x".repeat(super::LONGEST_ARGUMENT + 1);
    let output = run(&curl(&request("POST", "/a", &[], Some(Body::Text(long.clone())))));
    assert!(output.ends_with(long.as_bytes()));
}
