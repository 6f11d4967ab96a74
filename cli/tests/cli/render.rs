//! `crdible report render`, and the same formats as files of a run.

use std::sync::LazyLock;

use rstest::rstest;

use crate::{
    check_webhook::DEFINITION,
    process::{Files, Folder, short_run},
    servers::{Right, adds_a_key, start},
    target_support::Reply,
};

/// Each format that is printed, its flag for a file if it has one, and how it begins.
const FORMATS: &[(&str, &str, &str)] = &[
    ("human", "", "verdict: nonconformant: 1 failure"),
    ("json", "", "{\n  \"format\": \"crdible-report/1\""),
    ("html", "--html", "<!doctype html>"),
    ("junit", "--junit", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"crdible\""),
    ("markdown", "--markdown", "## ❌ nonconformant: 1 failure"),
    ("sarif", "--sarif", "{\n  \"$schema\""),
    ("github", "", "::error title=crdible::verdict: nonconformant"),
    ("badge", "--badge", "<svg "),
    ("badge-json", "--badge-json", "{\n  \""),
];

const WRONG: &str = "run --property prune-001-unknown-keys --cases 2 --seed 1";

/// A folder with the journal and the report of a run that found a failure, and the files that it wrote.
fn found() -> Folder {
    static FOUND: LazyLock<Files> = LazyLock::new(|| {
        let folder = Folder::new();
        let with_file = FORMATS.iter().filter(|(_, flag, _)| !flag.is_empty());
        let files = with_file.map(|(name, flag, _)| format!("{flag} run.{name}")).collect::<Vec<_>>().join(" ");
        let run = format!("{WRONG} --journal run.ndjson --output json {files}");
        folder.write("run.json", &folder.on(&start(adds_a_key()), &run).ends(1).stdout);
        folder.contents()
    });
    Folder::with(&FOUND)
}

#[test]
fn a_run_writes_what_its_journal_and_its_report_give_later() {
    let folder = found();
    for (name, flag, beginning) in FORMATS {
        let printed = folder.crdible(&format!("report render run.ndjson --output {name}")).ends(0).without_remarks();
        printed.begins(beginning);
        let of_report = folder.crdible(&format!("report render run.json --output {name}"));
        assert_eq!(printed.stdout, of_report.stdout, "{name}");
        if !flag.is_empty() {
            folder.crdible(&format!("report render run.json {flag} again")).ends(0).without_result();
            assert_eq!(folder.read("again").trim_end(), printed.stdout.trim_end(), "{name}");
            assert_eq!(folder.read(&format!("run.{name}")), folder.read("again"), "{name}");
        }
    }
    // Human is the default.
    folder.crdible("report render run.json").begins("verdict: ");
}

/// Each format of a comparison, and how it begins.
const OF_COMPARISONS: &[(&str, &str)] = &[
    ("human", "verdict: 1 difference"),
    ("json", "{\n  \"format\": \"crdible-comparison/1\""),
    ("html", "<!doctype html>"),
    ("junit", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"crdible compare\""),
    ("markdown", "## ❌ 1 difference"),
];

#[test]
fn a_comparison_in_every_format() {
    let folder = Folder::new();
    let server = start(adds_a_key());
    let compare = format!("compare embedded {} --property prune-001-unknown-keys --cases 2 --seed 3", server.url());
    folder.write("c.json", &folder.crdible(&format!("{compare} --output json --journal c.ndjson")).ends(1).stdout);
    for (name, beginning) in OF_COMPARISONS {
        let printed = folder.crdible(&format!("report render c.ndjson --output {name}")).ends(0).without_remarks();
        printed.begins(beginning);
        let of_json = folder.crdible(&format!("report render c.json --output {name}"));
        assert_eq!(printed.stdout, of_json.stdout, "{name}");
    }
    let files = "--html c.html --junit c.xml --markdown c.md";
    folder.crdible(&format!("report render c.ndjson {files}")).ends(0).without_result();
    assert!(folder.read("c.html").contains("requests to B http"), "both sides are shown");
    assert!(folder.read("c.xml").contains("<failure"));
    for format in ["sarif", "github", "badge", "badge-json"] {
        let ended = folder.crdible(&format!("report render c.ndjson --output {format}"));
        ended.complains(2, &["about one server", "html, junit or markdown"]);
    }
    folder.crdible("report render c.ndjson c.json --html both.html").complains(2, &["c.ndjson", "a comparison"]);
    folder.crdible("report matrix c.json").complains(2, &["c.json", "a comparison", "report render"]);
    assert!(!folder.path("both.html").exists());
}

#[test]
fn a_badge_has_a_command_of_its_own() {
    let folder = found();
    for (flag, name) in [("", "badge"), ("--json", "badge-json")] {
        let badge = folder.crdible(&format!("report badge run.ndjson {flag}")).ends(0).without_remarks();
        assert_eq!(badge.stdout, folder.crdible(&format!("report render run.json --output {name}")).stdout);
    }
}

#[test]
fn the_journal_of_a_killed_run_is_incomplete_in_every_format() {
    let folder = Folder::new();
    let lines: Vec<&str> = short_run().lines().collect();
    folder.write("killed.ndjson", &format!("{}\n{{\"k\":\"ca", lines[..lines.len() - 1].join("\n")));
    for format in ["human", "html", "junit", "markdown", "sarif", "github", "badge", "badge-json"] {
        let ended = folder.crdible(&format!("report render killed.ndjson --output {format}")).ends(0);
        assert!(ended.stdout.contains("incomplete") || ended.stdout.contains("killed"), "{format}: {}", ended.stdout);
    }
}

#[test]
fn known_failures_are_read_for_a_journal() {
    let folder = found();
    folder.write("known.toml", "[[known]]\nsignature = \"prune-001-*\"\nreason = \"it adds a key\"\n");
    let text = folder.crdible("report render run.ndjson --known known.toml --output markdown").stdout;
    assert!(text.starts_with("## ☑️ everything selected passed") && text.contains("it adds a key"), "{text}");
}

#[test]
fn html_puts_several_runs_side_by_side_and_nothing_else_does() {
    let folder = found();
    folder.write("other.ndjson", short_run());
    let both = folder.crdible("report render run.json other.ndjson --html both.html");
    both.ends(0).without_result().without_remarks();
    assert!(folder.read("both.html").contains("2 runs side by side"));
    folder.write("kept.xml", "kept");
    for flags in ["--output junit", "--junit kept.xml --html new.html", "--output human"] {
        let ended = folder.crdible(&format!("report render run.json other.ndjson {flags}"));
        ended.complains(2, &["only HTML puts several runs side by side", "report matrix"]);
    }
    assert_eq!(folder.read("kept.xml"), "kept", "what was there stays");
    assert!(!folder.path("new.html").exists(), "and no empty file is left");
}

#[rstest]
#[case::nowhere("run --html no/such/report.html", &["no/such/report.html", "No such file"])]
#[case::a_folder("run --junit .", &["cannot write .", "directory"])]
#[case::twice("run --html r.html --junit r.html", &["r.html", "twice"])]
#[case::summary("run --step-summary", &["GITHUB_STEP_SUMMARY", "--markdown"])]
fn a_path_that_cannot_be_written_is_found_before_anything_is_sent(#[case] arguments: &str, #[case] words: &[&str]) {
    let (folder, server) = (Folder::new(), Right::new().serve());
    folder.on(&server, arguments).complains(2, words);
    assert!(server.requests().is_empty(), "nothing is sent");
    assert!(folder.everything().is_empty(), "nothing is written");
}

#[test]
fn an_input_is_not_overwritten() {
    let folder = found();
    let before = folder.read("run.json");
    folder.crdible("report render run.json --html ./run.json").complains(2, &["./run.json", "twice"]);
    assert_eq!(folder.read("run.json"), before);
}

/// The webhook must not be asked before the files can be written.
#[test]
fn a_path_that_cannot_be_written_is_found_before_a_webhook_is_asked() {
    let server = start(|_| Reply::Close);
    let folder = Folder::new();
    folder.write("crd.yaml", DEFINITION);
    let check = format!("check-webhook {} --crd crd.yaml --html no/such/report.html", server.url());
    folder.crdible(&check).complains(2, &["no/such/report.html", "No such file"]);
    assert!(server.requests().is_empty(), "nothing is sent");
}

#[test]
fn an_existing_file_is_replaced_and_a_full_disk_is_reported() {
    let folder = found();
    folder.write("report.html", &"x".repeat(2_000_000));
    folder.crdible("report render run.json --html report.html").ends(0);
    assert!(folder.read("report.html").trim_end().ends_with("</html>"));
    let full = folder.crdible("report render run.json --html /dev/full");
    full.complains(2, &["cannot write /dev/full", "No space left"]);
}

#[test]
fn the_summary_of_a_job_is_extended() {
    let folder = found();
    folder.write("summary.md", "before\n");
    folder.with_variable("GITHUB_STEP_SUMMARY", "summary.md");
    folder.crdible("report render run.json --step-summary").ends(0).without_result();
    let text = folder.read("summary.md");
    assert!(text.starts_with("before\n## ❌ nonconformant"), "{text}");
}
