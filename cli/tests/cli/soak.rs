//! `crdible run --soak`: runs with new seeds, on correct and incorrect servers.

use std::{collections::BTreeSet, fs};

use rstest::rstest;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::{
    process::{Ended, Folder, contains, wait_until},
    servers::{Right, adds_a_key, is_about_objects, start},
    target_support::status,
};

/// A small selection, in small rounds.
const SMALL: &str = "run --property ver-004-spec-order default-001-missing-property --cases 60";

/// The seeds that follow 7: outputs of `SplitMix64` without their lowest
/// eleven bits, computed independently of the program.
const AFTER_SEVEN: [u64; 3] = [3_511_274_219_185_729, 1_816_479_281_617_634, 6_415_235_629_008_336];

/// The lines about rounds.
fn rounds(ended: &Ended) -> Vec<&str> {
    ended.stderr.lines().filter(|line| line.starts_with("round ") && line.contains(": seed ")).collect()
}

/// The parts of a sum that are the same whenever a soak is repeated.
fn judged(sum: &Value) -> Value {
    let counts = &sum["counts"];
    let counts = ["rounds", "cases", "scenarios"].map(|part| counts[part].clone());
    json!([sum["seeds"], sum["properties"], sum["verdict"], counts])
}

#[test]
fn it_ends_after_so_many_cases_and_names_its_seeds() {
    let folder = Folder::new();
    let ended = folder.crdible(&format!("{SMALL} --soak 300 --seed 7")).ends(0);
    ended.remarks(&["until 300 cases are judged, first with seed 7"]);
    let lines = rounds(&ended);
    assert!(lines.len() >= 3, "a round is 120 cases, or a few more: {lines:?}");
    for ((line, seed), number) in lines.iter().zip([7].iter().chain(&AFTER_SEVEN)).zip(1..) {
        assert!(line.starts_with(&format!("round {number}: seed {seed}, ")), "{line}");
        assert!(line.contains(" cases, conformant"), "{line}");
    }
    ended.prints(&[
        "verdict: everything selected passed",
        "of 2 properties",
        "0 failures, 0 unconfirmed failures, 0 errors",
        "target the embedded server",
    ]);
    let seeds = ended.stdout.lines().find(|line| line.starts_with("seeds 7 ")).unwrap();
    assert_eq!(seeds.split(' ').skip(1).count(), lines.len(), "{seeds}");
    assert!(seeds.contains(&AFTER_SEVEN[1].to_string()), "{seeds}");
}

#[test]
fn the_same_first_seed_is_the_same_soak() {
    let folder = Folder::new();
    let soak = |seed: &str| folder.crdible(&format!("{SMALL} --soak 250 {seed} --output json")).json(0);
    let first = soak("--seed 7");
    assert_eq!(judged(&soak("--seed 7")), judged(&first));
    assert!(first["counts"]["cases"].as_u64() >= Some(250), "{first}");
    assert_eq!(first["seeds"].as_array().unwrap()[..3], [7, AFTER_SEVEN[0], AFTER_SEVEN[1]]);
    folder.with_variable("CRDIBLE_SEED", "");
    assert_ne!(soak("")["seeds"], first["seeds"], "a random one");
    folder.with_variable("CRDIBLE_SEED", "7");
    assert_eq!(soak("")["seeds"], first["seeds"], "the one that the variable says");

    // One that begins with the second seed goes on as the first did.
    let rest = soak(&format!("--seed {}", AFTER_SEVEN[0]));
    assert_eq!(rest["seeds"][1], first["seeds"][2]);
    // And a round is an ordinary run.
    let run = folder.crdible(&format!("{SMALL} --seed {} --output json", AFTER_SEVEN[0])).json(0);
    let soaked = folder.crdible(&format!("{SMALL} --soak 100 --seed {} --output json", AFTER_SEVEN[0])).json(0);
    assert_eq!(soaked["seeds"].as_array().unwrap().len(), 1, "{soaked}");
    assert!(run["counts"]["cases"].as_u64() >= soaked["counts"]["cases"].as_u64());
}

#[test]
fn the_sum_as_json() {
    let sum = Folder::new().crdible(&format!("{SMALL} --soak 150 --seed 7 --output json")).json(0);
    assert_eq!(sum["format"], "crdible-soak/1");
    assert_eq!(sum["asked"], json!({ "cases": 150 }));
    assert_eq!((&sum["verdict"], &sum["stop_reason"]), (&json!("conformant"), &json!("finished")));
    assert_eq!((&sum["target"]["kind"], &sum["target"]["release"]), (&json!("embedded"), &json!("1.36")));
    assert!(sum["target"]["version"]["git_version"].as_str().unwrap().starts_with("v1.36."), "{sum}");
    assert_eq!((&sum["profile"], &sum["profile_complete"]), (&json!("core"), &json!(false)));
    assert_eq!(sum["counts"]["rounds"], sum["seeds"].as_array().unwrap().len());
    for none in ["failures", "unconfirmed", "known", "errors"] {
        assert_eq!(sum[none], json!([]), "{none}");
    }
    assert!(sum["seconds"].as_f64() > Some(0.0));
}

#[test]
fn it_ends_when_the_time_is_over() {
    let folder = Folder::new();
    let ended = folder.crdible("run --property ver-004-spec-order --cases 5 --soak 3s --journal j");
    // How much is judged until then depends on the machine.
    assert!(matches!(ended.code, Some(0 | 4)), "{ended:#?}");
    ended.remarks(&["until 3 s are over, first with seed "]);
    let sum = folder.read_json("j/sum.json");
    assert_eq!((&sum["asked"], &sum["stop_reason"]), (&json!({ "seconds": 3.0 }), &json!("finished")));
    assert!(sum["seconds"].as_f64() >= Some(3.0), "{sum}");
    assert_eq!(rounds(&ended).len(), sum["seeds"].as_array().unwrap().len());
}

#[test]
fn each_round_has_a_journal_that_is_an_ordinary_one() {
    let folder = Folder::new();
    let soak = format!("{SMALL} --soak 200 --seed 7 --journal j --output json");
    let sum = folder.crdible(&soak).json(0);
    let first = "j/000001-7.ndjson";
    let second = format!("j/000002-{}.ndjson", AFTER_SEVEN[0]);
    let reports = [first, &second].map(|path| folder.crdible(&format!("report render {path} --output json")).json(0));
    let cases: u64 = reports.iter().map(|report| report["counts"]["cases"].as_u64().unwrap()).sum();
    assert_eq!(sum["counts"]["cases"], cases);
    assert_eq!(reports.each_ref().map(|report| report["seed"].as_u64().unwrap()), [7, AFTER_SEVEN[0]]);
    let command = reports[1]["run"]["command"].as_str().unwrap();
    contains(command, &[&format!("--seed {} --cases ", AFTER_SEVEN[0])]);
    assert!(!command.contains("--soak"), "{command}");
    folder.crdible(&format!("report validate {first} {second} j/sum.json")).ends(0);
    folder.crdible(&format!("report merge {first}")).ends(0);
    folder.crdible("report render j/sum.json").ends(0).prints(&[&format!("seeds 7 {}", AFTER_SEVEN[0])]);
    let page = folder.crdible("report render j/sum.json --html x.html");
    page.complains(2, &["the sum of a soak is shown as human or json"]);
    folder.crdible("report matrix j/sum.json").complains(2, &["j/sum.json", "it is the sum of a soak"]);
    folder.crdible(&soak).complains(2, &["j is not empty", "name an empty folder"]);
    assert_eq!(judged(&folder.read_json("j/sum.json")), judged(&sum), "nothing is overwritten");
}

/// The limit counts what looks the same once, in all rounds together.
#[test]
fn a_wrong_server_is_reported_with_the_seed_of_the_round() {
    let folder = Folder::new();
    let wrong = start(adds_a_key());
    let soak = "run --property prune-001-unknown-keys --cases 20 --seed 7";
    let ended = folder.on(&wrong, &format!("{soak} --soak 5m --max-failures 1 --journal j --output json"));
    let sum = ended.json(1);
    assert_eq!((&sum["verdict"], &sum["stop_reason"]), (&json!("nonconformant"), &json!("failure-limit")));
    assert_eq!(sum["seeds"], json!([7]), "it ended in the first round");
    // Failures that are reported together with another one have only a command, which names the file.
    let failure = sum["failures"].as_array().unwrap().iter().find(|failure| failure["path"].is_string()).unwrap();
    assert_eq!((&failure["seed"], &failure["level"]), (&json!(7), &json!("MUST")));
    let path = failure["path"].as_str().unwrap();
    assert!(path.starts_with("crdible-failures/") && folder.path(path).is_file(), "{path}");
    let replay = failure["replay"].as_str().unwrap();
    assert_eq!(replay, format!("crdible replay {path} --server {}", wrong.url()));
    // It is there again.
    folder.crdible(replay.strip_prefix("crdible ").unwrap()).ends(0);
    assert!(rounds(&ended)[0].starts_with("round 1: seed 7, ") && rounds(&ended)[0].contains("nonconformant, "));
    assert!(!ended.stderr.contains("defect of crdible"), "the server is not the embedded one: {}", ended.stderr);

    // A limit that is never reached: each round finds the same, and a failure has one file, whatever the round.
    let ended = folder.on(&wrong, &format!("{soak} --soak 50 --max-failures 99 --failures all --output json"));
    let sum = ended.json(1);
    let count = sum["seeds"].as_array().unwrap().len() as u64;
    assert!(count >= 2, "{sum}");
    assert!(sum["failures"].as_array().unwrap().iter().any(|failure| failure["rounds"] == count), "{sum}");
    let files: BTreeSet<String> = fs::read_dir(folder.path("all"))
        .unwrap()
        .map(|file| format!("all/{}", file.unwrap().file_name().display()))
        .filter(|path| !path.ends_with("-unsure.json"))
        .collect();
    let failures = sum["failures"].as_array().unwrap();
    let replayed = |failure: &Value| failure["replay"].as_str()?.split(' ').nth(2).map(str::to_owned);
    let replayed: BTreeSet<String> = failures.iter().filter_map(replayed).collect();
    assert_eq!((&replayed, replayed.len()), (&files, failures.len()), "each failure has a file of its own");
    assert_eq!(ended.stderr.matches("── the first failure ──").count(), 1, "{}", ended.stderr);
    let human = folder.on(&wrong, &format!("{soak} --soak 20"));
    human.prints(&["verdict: nonconformant", "\nfailures\n", "seed 7; ", "    crdible replay crdible-failures/"]);
}

#[test]
fn known_failures_do_not_count() {
    let folder = Folder::new();
    folder.write("known.toml", "[[known]]\nsignature = \"prune-001-*\"\nreason = \"it adds a key\"\n");
    let soak = "run --property prune-001-unknown-keys --cases 60 --known known.toml --soak 80";
    let sum = folder.on(&start(adds_a_key()), &format!("{soak} --max-failures 1 --output json")).json(0);
    assert_eq!(sum["verdict"], "conformant-with-known-failures");
    assert_eq!((&sum["failures"], &sum["stop_reason"]), (&json!([]), &json!("finished")));
    assert_eq!(sum["known"][0]["entry"], "prune-001-*");
    folder.write("held.toml", "[[known]]\nrequirement = \"VER-004\"\nreason = \"sorted by name\"\n");
    let held = "run --property ver-004-spec-order --cases 60 --known held.toml --soak 60";
    folder.crdible(held).ends(0);
    // It no longer fails.
    folder.crdible(&format!("{held} --strict-known")).ends(1);
}

/// No finished work is lost, and what was created is removed if possible.
#[rstest]
#[case::ctrl_c(Signal::INT, Some(130))]
#[case::killed(Signal::KILL, None)]
fn one_that_ends_early_keeps_what_was_finished(#[case] signal: Signal, #[case] code: Option<i32>) {
    let (folder, right) = (Folder::new(), Right::new());
    let running = folder.start_on(&right.serve(), &format!("{SMALL} --soak 1h --journal j"));
    let journals = || {
        let names = fs::read_dir(folder.path("j")).into_iter().flatten().map(|entry| entry.unwrap().path());
        names.filter(|path| path.extension().is_some_and(|extension| extension == "ndjson")).count()
    };
    wait_until("the third round has begun", || journals() >= 3);
    let ended = running.end(signal);
    assert_eq!(ended.code, code, "{ended:#?}");
    let sum = folder.read_json("j/sum.json");
    assert!(sum["counts"]["rounds"].as_u64() >= Some(2) && sum["counts"]["cases"].as_u64() >= Some(200), "{sum}");
    assert_eq!(sum["failures"], json!([]));
    if code.is_some() {
        assert_eq!(sum["stop_reason"], "interrupted");
        // The sum so far is printed.
        ended.prints(&["incomplete: the run was interrupted", "\nseeds "]);
        assert_eq!(right.definitions(), 0, "what was created is removed");
    } else {
        assert_eq!(sum["stop_reason"], Value::Null);
        folder.crdible("report validate j/sum.json").ends(4).prints(&["killed"]);
    }
}

/// A round that judges nothing is the last one: the next would judge nothing, too.
#[test]
fn what_cannot_be_judged_ends_it() {
    let not_served = || status(404, "NotFound", "not served");
    let server = Right::new().serve_except(move |seen| is_about_objects(seen).then(not_served));
    let folder = Folder::new();
    // Its objects are not served, which is a failure.
    let ended = folder.on(&server, &format!("{SMALL} --soak 1000000 --patience 1s --journal j")).ends(1);
    assert_eq!(rounds(&ended).len(), 1, "{}", ended.stderr);
    let sum = folder.read_json("j/sum.json");
    assert_eq!(sum["counts"]["cases"], 0);
    assert!(sum["reasons"].to_string().contains("judged nothing") && sum["lacks"] != json!({}), "{sum}");
}
