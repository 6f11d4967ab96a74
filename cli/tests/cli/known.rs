//! Known failures on the command line.

use rstest::rstest;

use crate::{
    process::Folder,
    servers::{adds_a_key, start},
};

const RIGHT: &str = "run --property ver-004-spec-order --cases 20";
const WRONG: &str = "run --property prune-001-unknown-keys --cases 2";

fn entry(keys: &str) -> String {
    format!(
        "[[known]]\n{keys}\nreleases = [\"1.36\"]\nreason = \"it adds a key\"\n\
         issue = \"https://example.org/issues/1\"\n"
    )
}

#[rstest]
#[case::by_signature("signature = \"prune-001-unknown-keys:*\"", 0, "conformant-with-known-failures", "failed")]
#[case::expired("signature = \"prune-001-*\"\nexpires = \"2020-02-02\"", 1, "nonconformant", "expired")]
#[case::another("requirement = \"VER-001\"", 1, "nonconformant", "not-exercised")]
fn failures(#[case] keys: &str, #[case] code: i32, #[case] verdict: &str, #[case] state: &str) {
    let folder = Folder::new();
    folder.write("known.toml", &entry(keys));
    let run = format!("{WRONG} --known known.toml --output json");
    let report = folder.on(&start(adds_a_key()), &run).json(code);
    assert_eq!(report["verdict"], verdict);
    assert_eq!(report["known_entries"][0]["state"], state);
    let counts = &report["counts"];
    let count = |of: &str| counts[of].as_u64().unwrap() > 0;
    assert_eq!((count("failures"), count("known_failures")), (code == 1, code == 0), "{counts}");
    let found = if code == 0 { &report["known"][0]["finding"] } else { &report["failures"][0] };
    let times = if code == 0 { 1 } else { 3 };
    assert_eq!(found["reproduced"]["times"], times, "a known failure is confirmed once: {found}");
    assert_eq!(found["shrink"]["stopped_by"] == "known", code == 0, "a known failure is not shrunk: {found}");

    folder.write("report.json", &report.to_string());
    let text = folder.crdible("report render report.json").stdout;
    assert_eq!(text.contains("known failure prune-001-unknown-keys:*: it adds a key"), code == 0, "{text}");
    assert_eq!(text.contains("expired: "), state == "expired", "{text}");
}

/// The embedded server says that it is `v1.36.0-crdible`.
#[rstest]
#[case::this_one("1.36.0", 0, "failed")]
#[case::another("1.36.1", 1, "other-release")]
fn an_entry_for_a_patch_release_covers_no_other(#[case] release: &str, #[case] code: i32, #[case] state: &str) {
    let folder = Folder::new();
    folder.write("known.toml", &entry("signature = \"prune-001-*\"").replace("1.36", release));
    let run = format!("{WRONG} --known known.toml --output json");
    let report = folder.on(&start(adds_a_key()), &run).json(code);
    assert_eq!(report["known_entries"][0]["state"], state);
    let found = if code == 0 { &report["known"][0]["finding"] } else { &report["failures"][0] };
    assert_eq!(found["shrink"]["stopped_by"] == "known", code == 0, "a known failure is not shrunk: {found}");
}

#[rstest]
#[case::held("requirement = \"VER-004\"", "unexpected-pass", true)]
#[case::not_tried("requirement = \"PRUNE-001\"", "not-exercised", false)]
fn what_did_not_fail(#[case] keys: &str, #[case] state: &str, #[case] is_reported: bool) {
    let folder = Folder::new();
    folder.write("known.toml", &entry(keys));
    let report = folder.crdible(&format!("{RIGHT} --known known.toml --output json")).json(0);
    assert_eq!(report["verdict"], "conformant");
    assert_eq!(report["known_entries"][0]["state"], state);
    folder.write("report.json", &report.to_string());
    let text = folder.crdible("report render report.json").stdout;
    assert_eq!(text.contains("unexpected pass: VER-004"), is_reported, "{text}");
}
