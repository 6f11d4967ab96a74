#![allow(clippy::unwrap_used)]

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use proptest::prelude::*;
use rstest::rstest;
use serde_json::json;

use super::{PLACEHOLDER, Redactor};
use crate::failure::{Failure, Signature};
use crate::journal::{
    Body, Case, Event, Footer, Header, JournalWriter, Line, Minimal, Plan, PlannedProperty, RecordedFinding, Replay,
    Request, RequestHeader, Run, ServerVersion, Shrink, Target, Unsupported,
};
use crate::sample;

const SECRET: &str = "s3cr\"et/t\\ok+en é<1>";

fn redactor() -> Redactor {
    Redactor::new([SECRET.to_owned(), "  9876543 \n".to_owned(), "abc".to_owned()])
}

#[rstest]
#[case::plain(format!("a {SECRET} b {SECRET}"), "a [redacted] b [redacted]")]
#[case::trimmed("token 9876543.".to_owned(), "token [redacted].")]
#[case::too_short("abc".to_owned(), "abc")]
#[case::base64(format!("<{}>", STANDARD.encode(SECRET)), "<[redacted]>")]
#[case::json(json!({"t": SECRET}).to_string(), "{\"t\":\"[redacted]\"}")]
#[case::json_of_go("{\"t\":\"s3cr\\\"et/t\\\\ok+en é\\u003c1\\u003e\"}".to_owned(), "{\"t\":\"[redacted]\"}")]
#[case::percent("?t=s3cr%22et%2Ft%5Cok%2Ben%20%C3%A9%3C1%3E&x".to_owned(), "?t=[redacted]&x")]
#[case::percent_lower("?t=s3cr%22et%2ft%5cok%2ben%20%c3%a9%3c1%3e&x".to_owned(), "?t=[redacted]&x")]
#[case::form("t=s3cr%22et%2Ft%5Cok%2Ben+%C3%A9%3C1%3E".to_owned(), "t=[redacted]")]
#[case::some_percent("t=s3cr%22et/t%5Cok+en%20é<1%3E and more".to_owned(), "[redacted]")]
#[case::private_key(
    "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nb".to_owned(), "a\n[redacted]\nb")]
#[case::private_key_cut_off("a -----BEGIN PRIVATE KEY-----\nMIIE".to_owned(), "a [redacted]")]
#[case::certificate_stays(
    "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----".to_owned(),
    "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----")]
#[case::certificate_and_key(
    "-----BEGIN CERTIFICATE-----\n-----BEGIN EC PRIVATE KEY-----\nx\n-----END EC PRIVATE KEY-----".to_owned(),
    "-----BEGIN CERTIFICATE-----\n[redacted]")]
#[case::generated_url_stays("https://u:p@h/".to_owned(), "https://u:p@h/")]
#[case::plain_text("nothing here, 100% safe %zz é".to_owned(), "nothing here, 100% safe %zz é")]
fn texts(#[case] text: String, #[case] expected: &str) {
    assert_eq!(redactor().text(&text), expected);
}

#[rstest]
#[case::user_info("at https://u:p@h:1/x, http://v@[::1]", "at https://[redacted]@h:1/x, http://[redacted]@[::1]")]
#[case::at_in_path("https://h/a@b?c=d@e", "https://h/a@b?c=d@e")]
#[case::at_in_password("https://u:p@q@h/", "https://[redacted]@h/")]
#[case::parameters("/x?Token=abcd&a=1&password=#f", "/x?Token=[redacted]&a=1&password=[redacted]#f")]
#[case::other_parameters("/x?continue=abc&mytoken=1", "/x?continue=abc&mytoken=1")]
fn prose(#[case] text: &str, #[case] expected: &str) {
    assert_eq!(redactor().prose(text), expected);
}

#[test]
fn private_keys_in_base64_are_removed_and_certificates_are_kept() {
    let key = STANDARD.encode("-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----\n");
    let certificate = STANDARD.encode("-----BEGIN CERTIFICATE-----\nMIIBdzCCAR2gAwIBAgIBADAKBg==\n");
    let text = format!("client-key-data: {key}\nca: {certificate}\n");
    assert_eq!(Redactor::default().text(&text), format!("client-key-data: [redacted]\nca: {certificate}\n"));
}

#[test]
fn commands_lose_unknown_tokens() {
    let command =
        ["crdible", "run", "--token", "a b", "--token=xyz", "--server", "https://u:p@h", "--property", "it's"];
    assert_eq!(
        Redactor::default().command(command),
        "crdible run --token '[redacted]' '--token=[redacted]' --server 'https://[redacted]@h' --property 'it'\\''s'"
    );
}

#[rstest]
#[case("Authorization", "Bearer x", PLACEHOLDER)]
#[case("proxy-authorization", "Basic x", PLACEHOLDER)]
#[case("COOKIE", "a=b", PLACEHOLDER)]
#[case("Accept", "application/json", "application/json")]
#[case("X-Other", "so 9876543", "so [redacted]")]
fn headers(#[case] name: &str, #[case] value: &str, #[case] expected: &str) {
    assert_eq!(redactor().header(name, value), expected);
}

#[test]
fn secrets_are_removed_from_keys_strings_and_numbers_without_losing_entries() {
    let value = json!({SECRET: 1, "[redacted]": [SECRET, {"n": 198_765_430_u64}], "n": 9876, "t": true, "z": null});
    assert_eq!(
        redactor().value(&value),
        json!({"[redacted]": ["[redacted]", {"n": "[redacted]"}], "[redacted]+": 1, "n": 9876, "t": true, "z": null})
    );
}

#[test]
fn bytes_that_contain_a_secret_are_removed() {
    let mut bytes = vec![0xff, 0x00];
    assert_eq!(redactor().base64(&STANDARD.encode(&bytes)), STANDARD.encode(&bytes));
    bytes.extend_from_slice(SECRET.as_bytes());
    assert_eq!(redactor().base64(&STANDARD.encode(&bytes)), "");
}

#[test]
fn json_nested_too_deep_is_written_as_text() {
    let mut value = json!(SECRET);
    for _ in 0..200 {
        value = json!([value]);
    }
    let signature = sample::signature("default-missing", "c", "", "r");
    let mut finding = sample::finding("default-missing", 3, &["DEFAULT-001"], &signature);
    finding.replay.scenario = value;
    let mut journal = sample::clean();
    journal.findings.push(finding);
    let mut writer = JournalWriter::new(Vec::new(), redactor());
    journal.into_lines().for_each(|line| drop(writer.write(line).unwrap()));
    let bytes = writer.into_inner();
    let read = crate::journal::Journal::read(bytes.as_slice()).unwrap();
    let text = serde_json::to_string(&read.findings[0].replay.scenario).unwrap();
    assert_eq!(text.matches('[').count(), 201, "{text}");
    assert!(text.contains(PLACEHOLDER));
}

/// A line of each kind with the text in every field that holds text. The literals have no `..`, so that a new field
/// must be added here.
fn lines_full_of(text: &str) -> Vec<Line> {
    let string = || text.to_owned();
    let value = || json!({text: [text, {"x": text}]});
    let body = || Some(Body::Text(format!("{{\"a\":\"{text}\"}}")));
    let signature = || Signature::new(string(), string(), string(), string());
    let requests = || {
        vec![Request {
            method: string(),
            path: string(),
            headers: vec![RequestHeader { name: string(), value: string() }],
            body: body(),
            status: Some(200),
            response: Some(Body::Base64(STANDARD.encode(text))),
            about: Some(text.to_owned()),
        }]
    };
    let header = sample::header();
    let target = || Target {
        kind: header.target.kind,
        address: string(),
        version: Some(ServerVersion {
            git_version: string(),
            git_commit: Some(string()),
            build_date: Some(string()),
            platform: Some(string()),
        }),
        release: string(),
    };
    vec![
        Line::Header(Box::new(Header {
            run: Run {
                id: string(),
                started: string(),
                command: string(),
                seed: 1,
                cases: 1,
                time_seconds: None,
                workers: 1,
                qps: None,
                shard: None,
                fuzz: false,
            },
            target: target(),
            second_target: Some(target()),
            profile: string(),
            format: header.format,
            tool: header.tool,
            catalogue: header.catalogue,
            generator: header.generator,
        })),
        Line::Plan(Plan {
            properties: vec![PlannedProperty { id: string(), requirements: vec![string()], cases: 1, minimum: 1 }],
            profile_complete: true,
            unsupported: vec![Unsupported { requirement: string(), reason: string(), lacks: Some(string()) }],
        }),
        Line::Case(Case {
            property: string(),
            index: 0,
            outcome: crate::journal::Outcome::Pass,
            cases: 1,
            asserted: vec![0],
            requests: 1,
            ms: 1,
            detail: Some(string()),
            failures: vec![signature()],
        }),
        Line::Finding(Box::new(RecordedFinding {
            id: string(),
            index: 0,
            failure: Failure {
                signature: signature(),
                requirements: vec![string()],
                summary: string(),
                expected: value(),
                actual: value(),
                between: Some(Box::new([string(), string()])),
            },
            promise: string(),
            symptom: string(),
            lacks: Some(string()),
            minimal: Minimal { definitions: vec![value()], objects: vec![value()], requests: requests() },
            second_requests: requests(),
            replay: Replay { path: Some(string()), command: string(), scenario: value(), tape: value() },
            shrink: Some(Shrink { executions: 1, accepted: 1, initial_size: 1, final_size: 1, stopped_by: string() }),
            reproduced: crate::journal::Reproduced { attempts: 1, times: 1, races: 0 },
            unconfirmed: false,
            after_ms: Some(1),
        })),
        Line::Event(Event { kind: string(), property: Some(string()), detail: string() }),
        Line::Footer(Footer {
            complete: true,
            stop_reason: crate::journal::StopReason::Finished,
            verdict: string(),
            cases: 1,
            failures: 1,
            errors: 1,
            requests: 1,
            ended: string(),
        }),
    ]
}

/// The forms of a secret.
fn disguised(secret: &str, prefix: &str, disguise: u8) -> String {
    let wrapped = format!("{prefix}{secret}{prefix}");
    match disguise {
        0 => wrapped,
        1 => STANDARD.encode(wrapped),
        2 => URL_SAFE_NO_PAD.encode(wrapped),
        3 => wrapped.bytes().fold(String::new(), |text, byte| text + &format!("%{byte:02X}")),
        4 => json!({"x": wrapped}).to_string(),
        _ => wrapped.replace('%', "%25").replace('/', "%2F").replace(' ', "%20"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_secret_is_in_the_written_bytes(
        secrets in prop::collection::vec("[!-~é][ -~é]{2,22}[!-~é]", 1..3),
        prefix in "[ -~é]{0,7}",
        disguise in 0_u8..6,
    ) {
        let bytes_without_input = {
            let mut writer = JournalWriter::new(Vec::new(), Redactor::default());
            for line in lines_full_of("") {
                writer.write(line).unwrap();
            }
            String::from_utf8(writer.into_inner()).unwrap()
        };
        let mut writer = JournalWriter::new(Vec::new(), Redactor::new(secrets.clone()));
        for secret in &secrets {
            for line in lines_full_of(&disguised(secret, &prefix, disguise)) {
                writer.write(line).unwrap();
            }
        }
        let written = String::from_utf8(writer.into_inner()).unwrap();
        for secret in &secrets {
            // A secret that is a word of the format itself (`case`, `":[`) cannot be kept out of it.
            prop_assume!(!bytes_without_input.contains(secret.as_str()) && !PLACEHOLDER.contains(secret.as_str()));
            let touches_format = |piece: &str| piece.chars().all(|c| "\"[]{}:,\\+ ".contains(c));
            prop_assume!(!touches_format(secret));
            prop_assert!(!written.contains(secret.as_str()), "{secret:?} in {written}");
            for encoded in [STANDARD.encode(secret), URL_SAFE_NO_PAD.encode(secret)] {
                prop_assert!(!written.contains(&encoded), "{encoded} in {written}");
            }
        }
    }

    #[test]
    fn decoded_strings_hold_no_secret(secret in "[!-~é][ -~é]{2,22}[!-~é]", prefix in "[ -~é]{0,7}", disguise in 0_u8..6) {
        prop_assume!(!PLACEHOLDER.contains(&secret));
        let text = Redactor::new([secret.clone()]).text(&disguised(&secret, &prefix, disguise));
        prop_assert!(!text.contains(&secret), "{text}");
        if let Ok(bytes) = STANDARD.decode(&text) {
            prop_assert!(!String::from_utf8_lossy(&bytes).contains(&secret), "{text}");
        }
        prop_assert!(!super::encodings::percent_decoded(&text).contains(&secret), "{text}");
    }
}
