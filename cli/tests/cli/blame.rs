//! Who is to blame for a failure: crdible itself, if the server is known to be correct.

use std::{fs, path::Path};

use crate::{
    process::Folder,
    servers::{adds_a_key, start},
};

const DEFECT: &str = "this is a defect of crdible itself: please report it with the file ";
const ISSUES: &str = "https://github.com/crdible/crdible/issues";

/// The embedded server is correct and cannot produce a failure, so the journal of a
/// faulty server claims to be of the embedded one.
#[test]
fn a_failure_on_the_embedded_server_says_that_crdible_is_wrong() {
    let folder = Folder::new();
    let wrong = start(adds_a_key());
    let run = "run --property prune-001-unknown-keys --cases 3 --seed 3 --journal run.ndjson";
    let ended = folder.on(&wrong, run).ends(1);
    assert!(!ended.stdout.contains("defect of crdible"), "that server is a third party's: {}", ended.stdout);

    let journal = folder.read("run.ndjson");
    let (header, rest) = journal.split_once('\n').unwrap();
    let header = header.replace("\"kind\":\"server\"", "\"kind\":\"embedded\"");
    folder.write("embedded.ndjson", &format!("{header}\n{rest}"));
    let human = folder.crdible("report render embedded.ndjson").stdout;
    let last = human.lines().last().unwrap();
    assert!(last.contains(&format!("{DEFECT}crdible-failures/")) && last.ends_with(ISSUES), "{last}");
    let path = last.split(DEFECT).nth(1).unwrap().split(" at ").next().unwrap();
    assert!(folder.path(path).is_file(), "{path}");
    folder.crdible("report render embedded.ndjson --output markdown").prints(&["a defect of crdible itself"]);
}

#[test]
fn a_run_without_failures_says_nothing_of_the_kind() {
    let ended = Folder::new().crdible("run --property ver-004-spec-order --cases 5").ends(0);
    assert!(!ended.stdout.contains("defect of crdible") && !ended.stderr.contains("defect of crdible"), "{ended:#?}");
}

/// The templates for reports say the same.
#[test]
fn readme_and_issue_template_say_so_too() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for file in ["README.md", ".github/ISSUE_TEMPLATE/false-verdict.md"] {
        let text = fs::read_to_string(root.join(file)).unwrap();
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ").replace("**", "");
        for words in [
            "embedded server",
            "a defect of crdible itself",
            "real kube-apiserver",
            "until proven otherwise",
            "known-defects.toml",
        ] {
            assert!(text.contains(words), "{file} does not say {words:?}");
        }
    }
}
