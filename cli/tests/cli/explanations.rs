//! What reports, `replay` and `explain` say about the rules of a failure.

use std::{borrow::Cow, sync::LazyLock};

use crdible_semantics::with;
use rstest::rstest;
use serde_json::Value;

use crate::{
    process::{Ended, Files, Folder},
    servers::{Right, adds_a_key, start},
    target_support::Fake,
};

const RUN: &str = "run --property cel-017-known-truth --cases 600 --seed 1 --failures kept --journal j.ndjson --json r.json \
                   --html r.html --markdown r.md";

/// A server on which `all` is `exists`.
fn server() -> Fake {
    Right::with(with::text_of_rule(|_, text| Cow::Owned(text.replace(".all(", ".exists(")))).serve()
}

/// Such a server, and what a run on it printed and wrote.
fn judged() -> (&'static Fake, Folder, &'static Ended) {
    static JUDGED: LazyLock<(Fake, Files, Ended)> = LazyLock::new(|| {
        let (server, folder) = (server(), Folder::new());
        let ended = folder.on(&server, RUN).ends(1);
        (server, folder.contents(), ended)
    });
    (&JUDGED.0, Folder::with(&JUDGED.1), &JUDGED.2)
}

/// The rules at a place of a schema, such as `openAPIV3Schema.properties[spec].x-kubernetes-validations[0]`.
fn rule_at<'v>(definition: &'v Value, field: &str) -> &'v Value {
    let mut at = &definition["spec"]["versions"][0]["schema"];
    for part in field.split('.') {
        let (name, key) = part.split_once('[').unwrap_or((part, ""));
        at = &at[name];
        if let Some(key) = key.strip_suffix(']') {
            at = key.parse::<usize>().map_or_else(|_| &at[key], |index| &at[index]);
        }
    }
    at
}

#[test]
fn a_report_names_rule_value_and_operands() {
    let (_, folder, ended) = judged();
    let report = folder.read_json("r.json");
    let failures = report["failures"].as_array().unwrap();
    let mut contradicted = 0;
    for failure in failures {
        let evaluations = failure["rules"]["evaluations"].as_array().unwrap();
        let evaluation = &evaluations[0];
        let text = |name: &str| evaluation[name].as_str().unwrap();
        assert!(text("rule").contains(".all("), "{evaluation}");
        let rule = rule_at(&failure["minimal"]["definitions"][0], text("field"));
        assert_eq!(rule["rule"], evaluation["rule"], "it is written there");
        let is_accepted = evaluation["status"].as_u64().unwrap() < 300;
        // It may also have refused an object rightly, with another cause.
        let is_contradicted = is_accepted != (text("outcome") == "true");
        contradicted += usize::from(is_contradicted);
        assert!(is_contradicted || !is_accepted, "{evaluation}");
        assert!(evaluation["because"][0]["value"].is_string(), "{evaluation}");

        let answered = if is_accepted { "was accepted (201), although" } else { "was refused (422), " };
        for shown in [&ended.stdout, &folder.read("r.md"), &folder.read("r.html")] {
            for words in ["what the rules say", answered, "  because ", "  written at: openAPIV3Schema."] {
                assert!(shown.contains(words), "no {words:?} in {shown}");
            }
        }
    }
    assert!(contradicted > 0, "{failures:?}");
    // The first failure is printed while the run goes on.
    ended.remarks(&["what the rules say", "  because "]);
}

/// The journal has no explanations: who reads it finds them again.
#[test]
fn a_report_of_a_journal_explains_the_same() {
    let (_, folder, _) = judged();
    folder.crdible("report render j.ndjson --json again.json").ends(0);
    let [first, again] = ["r.json", "again.json"].map(|name| folder.read_json(name)["failures"][0]["rules"].clone());
    assert!(first["evaluations"].is_array() && first == again, "{first} and {again}");
    assert!(!folder.read("j.ndjson").contains("evaluations"));
}

fn kept(folder: &Folder) -> String {
    folder.read_json("r.json")["failures"][0]["replay"]["path"].as_str().unwrap().to_owned()
}

#[test]
fn a_replay_explains_what_it_sees() {
    let (server, folder, _) = judged();
    let replay = format!("replay {}", kept(&folder));
    folder.on(server, &replay).ends(0).prints(&["reproduced: ", "\nwhat the rules say\n", ", although this rule is "]);
    let passes = folder.crdible(&replay).ends(1);
    passes.prints(&["not reproduced"]);
    passes.omits(&["rule"]);
}

#[test]
fn a_counterexample_is_explained_without_a_server() {
    let (_, folder, _) = judged();
    let path = kept(&folder);
    let failure = &folder.read_json("r.json")["failures"][0];
    let evaluation = &failure["rules"]["evaluations"][0];
    let explained = folder.crdible(&format!("explain {path}")).ends(0).without_remarks();
    explained.begins(failure["summary"].as_str().unwrap());
    let (rule, field) = (evaluation["rule"].as_str().unwrap(), evaluation["field"].as_str().unwrap());
    explained.prints(&[
        "CEL-017",
        "judged by Kubernetes 1.36",
        "\nsmallest definition\n",
        "\nexpected and actual\n",
        "\nwhat the rules say\n",
        &format!(
            ": this rule is {}\n  rule: {rule}\n  written at: {field} of v1\n",
            evaluation["outcome"].as_str().unwrap()
        ),
        "  because ",
        &format!("\nreplay\ncrdible replay {path}\n"),
    ]);
    // The answers of the embedded server are not those of the one that failed.
    explained.omits(&["response: ", "although", "scenario"]);
    folder.crdible(&format!("explain {path} --release 1.34")).complains(2, &["--release is for requirements"]);
}

#[rstest]
#[case::absent("explain absent.json", &["cannot read", "absent.json"])]
#[case::other("explain r.json", &["r.json", "its format is `crdible-report/1`"])]
fn what_is_no_counterexample_is_not_explained(#[case] command: &str, #[case] words: &[&str]) {
    judged().1.crdible(command).complains(2, words);
}

#[test]
fn where_no_rule_matters_nothing_is_said() {
    let (faulty, folder) = (start(adds_a_key()), Folder::new());
    let run = "run --property prune-001-unknown-keys --cases 3 --seed 3 --failures kept --json r.json --html r.html";
    folder.on(&faulty, run).ends(1).omits(&["what the rules say"]);
    assert!(!folder.read("r.json").contains("evaluations") && !folder.read("r.html").contains("what the rules say"));
    let explained = folder.crdible(&format!("explain {}", kept(&folder))).ends(0);
    explained.prints(&["PRUNE-001", "\nsmallest definition\n", "\nrequests\n", "planted"]);
    explained.omits(&["what the rules say"]);
}
