//! `crdible report validate`.

use std::{fs, path::Path, sync::LazyLock};

use rstest::rstest;
use serde_json::json;

use crate::{
    process::{Ended, Files, Folder, whole_run},
    servers::{adds_a_key, start},
};

const RUN: &str = "run --property ver-004-spec-order prune-001-unknown-keys --cases 20 --seed 5";

/// A folder with the journal and the report of a run that found a failure.
fn found() -> Folder {
    static FOUND: LazyLock<Files> = LazyLock::new(|| {
        let folder = Folder::new();
        let run = format!("{RUN} --journal j.ndjson --output json");
        folder.write("report.json", &folder.on(&start(adds_a_key()), &run).ends(1).stdout);
        folder.contents()
    });
    Folder::with(&FOUND)
}

/// Checks these files: asserts the exit code, and that these words are on stdout.
fn validate(folder: &Folder, files: &str, code: i32, words: &[&str]) -> Ended {
    let ended = folder.crdible(&format!("report validate {files}")).ends(code);
    ended.prints(words);
    ended
}

#[test]
fn journals_and_reports() {
    let folder = found();
    let journal = "valid: j.ndjson: the journal of a run on http://";
    let report = "valid: report.json: the report of a run on";
    validate(&folder, "j.ndjson report.json", 0, &[journal, report, "nonconformant"]);
    let text = folder.read("j.ndjson");
    let lines: Vec<&str> = text.lines().collect();

    // A run that was killed.
    folder.write("killed.ndjson", &format!("{}\n{}", lines[..lines.len() - 1].join("\n"), &lines[2][..30]));
    validate(
        &folder,
        "j.ndjson killed.ndjson",
        4,
        &["valid, but incomplete: killed.ndjson", &format!("line {} was cut off", lines.len())],
    );

    // A line that is doubled, and one that is missing.
    folder.write("doubled.ndjson", &[&lines[..3], &lines[2..]].concat().join("\n"));
    validate(
        &folder,
        "doubled.ndjson killed.ndjson",
        1,
        &["invalid: doubled.ndjson", "  line 4: scenario ", " is there twice", "the footer states "],
    );

    folder.write("changed.json", &folder.read("report.json").replace("nonconformant", "conformant"));
    validate(&folder, "changed.json", 1, &["invalid: changed.json", "/digest: it does not fit"]);
    folder.write("newer.ndjson", &text.replacen("crdible-journal/2", "crdible-journal/3", 1));
    validate(
        &folder,
        "newer.ndjson",
        1,
        &["its format is \"crdible-journal/3\"", "use the version of crdible that wrote it"],
    );

    folder.write("other.json", "{\"a\": 1}");
    folder.crdible("report validate other.json").complains(2, &["other.json", "not a journal"]);
    folder.crdible("report validate missing.ndjson").complains(2, &["cannot read missing.ndjson"]);
    folder.crdible("report validate .").complains(2, &["cannot read ."]);
    folder.crdible("report validate").complains(2, &["FILE"]);
    // The test changed them on purpose.
    for name in ["doubled.ndjson", "changed.json"] {
        fs::remove_file(folder.path(name)).unwrap();
    }
}

#[test]
fn parts_and_what_was_merged_and_resumed() {
    let folder = Folder::new();
    for part in 1..=2 {
        folder.crdible(&format!("{RUN} --shard {part}/2 --journal {part}.ndjson"));
    }
    folder.crdible("report merge 1.ndjson 2.ndjson --journal m.ndjson").ends(0);
    validate(&folder, "1.ndjson 2.ndjson m.ndjson", 0, &["a run, part 2 of 2 on the embedded"]);

    let text = folder.read("m.ndjson");
    let lines: Vec<&str> = text.lines().collect();
    folder.write("killed.ndjson", &format!("{}\n{{\"k\":\"cas", lines[..5].join("\n")));
    folder.crdible("run --resume killed.ndjson").ends(0);
    validate(&folder, "killed.ndjson", 0, &["valid: killed.ndjson"]);
}

#[test]
fn comparisons() {
    let folder = Folder::new();
    let faulty = start(adds_a_key());
    let compare = format!("compare embedded {} --property prune-001-unknown-keys --cases 3 --seed 3", faulty.url());
    let ended = folder.crdible(&format!("{compare} --journal j.ndjson --output json")).ends(1);
    folder.write("comparison.json", &ended.stdout);
    let words = ["the journal of a comparison on embedded", "the comparison of embedded", "different"];
    validate(&folder, "j.ndjson comparison.json", 0, &words);
}

/// A file whose text would control a terminal, or command a CI server.
#[test]
fn hostile_files_are_shown_as_text() {
    let folder = Folder::new();
    folder.write(
        "bad.ndjson",
        "{\"k\":\"header\",\"format\":\"crdible-journal/2\",\"tool\":\"\\u001b[2J\\n::error::x\"}\n",
    );
    let ended = validate(&folder, "bad.ndjson", 1, &["invalid: bad.ndjson", "line 1, /tool"]);
    ended.omits(&["\u{1b}", "\n::error"]);
    fs::remove_file(folder.path("bad.ndjson")).unwrap();
}

/// The results of this repository are submissions, too, and the sums of its soaks are valid.
#[test]
fn the_published_results_are_acceptable() {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results");
    let (mut submissions, mut soaks) = (0, 0);
    for folder in fs::read_dir(results).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
        if folder.ends_with("soak") {
            for sum in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                validate(&Folder::new(), &sum.display().to_string(), 0, &["valid: ", "soak"]);
                soaks += 1;
            }
        } else {
            let submission = format!("--submission {}", folder.display());
            validate(&Folder::new(), &submission, 0, &["acceptable: ", "profile "]);
            submissions += 1;
        }
    }
    assert!(submissions >= 2 && soaks >= 3, "{submissions} submissions, {soaks} soaks");
}

#[test]
fn results_in_submissions_are_called_by_their_implementations() {
    let folder = Folder::new();
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results");
    let embedded = results.join("embedded/1.36.json");
    let both = format!("{} {}", embedded.display(), results.join("kube-apiserver/1.36.json").display());
    let table = folder.crdible(&format!("report matrix {both}")).ends(0);
    table.prints(&["embedded v1.36.0-crdible", "kube-apiserver v1.36.3"]);
    table.omits(&["judged by"]);
    folder.crdible(&format!("report render {both} --html both.html"));
    folder.crdible(&format!("report render {} --html one.html", embedded.display()));
    assert!(folder.read("both.html").contains("kube-apiserver v1.36.3"));
    assert!(folder.read("one.html").contains("<h1 id=\"verdict-title\">embedded v1.36.0-crdible: conformant"));
    // Elsewhere no file names the implementation.
    folder.write("alone.json", &fs::read_to_string(&embedded).unwrap());
    folder.crdible("report render alone.json --output markdown").ends(0).omits(&["embedded v1"]);
}

const IMPLEMENTATION: &str = "\
organization = 'crdible'
project = 'embedded server'
url = 'https://crdible.example'
contact = 'crdible@example.com'

[[result]]
file = 'core.json'
version = 'v1.36.0'
";

/// A submission with a report of the whole profile.
fn submission() -> Folder {
    let folder = Folder::new();
    folder.write("s/implementation.toml", IMPLEMENTATION);
    folder.write("s/README.md", "# Embedded\n\n## Reproduce\n\n```sh\ncrdible run --cases 50\n```\n");
    folder.write("s/core.json", &whole_run().report);
    folder.write("run.ndjson", &whole_run().journal);
    folder
}

#[test]
fn submissions() {
    let folder = submission();
    let check = |code: i32, words: &[&str]| validate(&folder, "--submission s", code, words);
    check(0, &["acceptable: s: crdible embedded server, 1 result", "core.json: v1.36.0: conformant, profile core"]);

    // A journal is as good as a report.
    fs::rename(folder.path("run.ndjson"), folder.path("s/run.ndjson")).unwrap();
    check(1, &["not acceptable: s", "run.ndjson: implementation.toml does not name it"]);
    let both = format!("{IMPLEMENTATION}\n[[result]]\nfile = 'run.ndjson'\nversion = '4f2c8d1'\n");
    folder.write("s/implementation.toml", &both);
    check(0, &["run.ndjson: 4f2c8d1: conformant"]);
    let journal = folder.read("s/run.ndjson");
    let lines: Vec<&str> = journal.lines().collect();
    folder.write("s/run.ndjson", &lines[..lines.len() - 1].join("\n"));
    check(1, &["run.ndjson: its verdict is incomplete: the run was killed"]);
    fs::remove_file(folder.path("s/run.ndjson")).unwrap();
    check(1, &["run.ndjson: implementation.toml names it, but it is not in the folder"]);

    // A part of a profile, or another one.
    let report = folder.read("s/core.json");
    folder.write("s/implementation.toml", IMPLEMENTATION);
    folder.write("mine.toml", "name = 'mine'\n[exclude]\nproperties = ['prune-*']\n");
    for (flags, words) in [
        ("--property ver-004-spec-order --cases 50", "it is a run of a part of the profile"),
        ("--property ver-004-spec-order --cases 10", "ver-004-spec-order was to be judged in 1"),
        ("--property ver-004-spec-order --cases 50", "of its profile left out, such as "),
        ("--property ver-004-spec-order --profile mine.toml", "its profile mine is not core, full or quirks"),
        ("--property ver-004-spec-order --shard 1/2 --seed 1", "it is one part of a divided run"),
    ] {
        folder.write("s/core.json", &folder.crdible(&format!("run {flags} --output json")).stdout);
        check(1, &[words]);
    }
    // Changed files, and files of other programs.
    folder.write("s/core.json", &report.replacen("\"seed\": ", "\"seed\": 1", 1));
    check(1, &["core.json: /digest: it does not fit"]);
    let mut unsealed: serde_json::Value = serde_json::from_str(&report).unwrap();
    unsealed.as_object_mut().unwrap().remove("digest");
    folder.write("s/core.json", &unsealed.to_string());
    check(1, &["core.json: it has no digest"]);
    folder.write("s/core.json", "{}");
    check(1, &["core.json: it is neither a report nor a journal"]);
    folder.write("s/core.json", &report);
    check(0, &[]);
}

#[rstest]
#[case::branch("version = 'v1.36.0'", "version = 'main'", "the version \"main\" may be another one tomorrow")]
#[case::no_project("project = 'embedded server'\n", "", "missing field `project`")]
#[case::empty("organization = 'crdible'", "organization = ' '", "`organization` is empty")]
#[case::url("url = 'https://crdible.example'", "url = 'crdible'", "`url` is not the address")]
#[case::contact("contact = 'crdible@example.com'", "contact = 'me'", "`contact` is neither")]
#[case::unknown("project =", "colour = 1\nproject =", "unknown field `colour`")]
#[case::path(
    "file = 'core.json'",
    "file = '../core.json'",
    "../core.json: implementation.toml names it, but it is not in the folder"
)]
#[case::hostile("organization = 'crdible'", "organization = \"\\u001b[2J\"", "`url` is not the address")]
fn implementations(#[case] text: &str, #[case] replaced: &str, #[case] words: &str) {
    let folder = Folder::new();
    let implementation = IMPLEMENTATION.replace(text, replaced);
    let implementation = if words.contains("`url`") { implementation.replace("https://", "") } else { implementation };
    folder.write("s/implementation.toml", &implementation);
    let ended = validate(&folder, "--submission s", 1, &["not acceptable: s", words, "README.md: "]);
    ended.omits(&["\u{1b}"]);
    folder.crdible("report validate --submission missing").complains(2, &["cannot read missing"]);
}

/// Values that a run could not have.
#[test]
fn sums_that_overflow_are_no_panic() {
    let folder = found();
    let mut report = folder.read_json("report.json");
    for property in report["properties"].as_array_mut().unwrap() {
        property["cases"] = json!(u64::MAX);
    }
    folder.write("report.json", &report.to_string());
    validate(&folder, "report.json", 1, &["/digest"]);
    let journal = folder.read("j.ndjson").replace("\"ms\":", "\"ms\":18446744073709551615,\"x\":");
    folder.write("large.ndjson", &journal);
    validate(&folder, "large.ndjson", 1, &["the digest does not fit"]);
    fs::remove_file(folder.path("large.ndjson")).unwrap();
}
