//! Comparing two servers.

use crdible_reports::KnownFailures;

use crate::{
    process::Folder,
    servers::{adds_a_key, start},
};

const SMALL: &str = "--property prune-001-unknown-keys ver-004-spec-order --cases 10 --seed 3";

const WRONG: &str = "--property prune-001-unknown-keys --cases 3 --seed 3";

#[test]
fn a_server_does_not_differ_from_itself() {
    let folder = Folder::new();
    let comparison = folder.crdible(&format!("compare embedded embedded {SMALL} --output json")).json(0);
    assert_eq!((&comparison["verdict"], &comparison["stop_reason"]), (&"no-differences".into(), &"finished".into()));
    assert!(comparison["properties"]["prune-001-unknown-keys"]["cases"].as_u64().unwrap() >= 10, "{comparison}");
    assert!(folder.everything().is_empty(), "there is nothing to keep");

    let ended = folder.crdible(&format!("compare embedded embedded {SMALL}")).ends(0);
    ended.begins("verdict: no differences\n");
    ended.prints(&["seed 3"]);
}

#[test]
fn a_difference_is_reported_written_and_compared_again() {
    let folder = Folder::new();
    let faulty = start(adds_a_key());
    let compare = format!("compare embedded {}", faulty.url());
    let flags = "--output json --failures found --journal j.ndjson";
    let comparison = folder.crdible(&format!("{compare} {WRONG} {flags}")).json(1);
    assert_eq!(comparison["verdict"], "different");
    let found = comparison["differences"].as_array().unwrap();
    assert!(!found.is_empty());
    for difference in found {
        assert!(difference["signature"].as_str().unwrap().starts_with("prune-001-unknown-keys:"), "{difference}");
        assert!(difference["requirements"].as_array().is_some_and(|list| !list.is_empty()), "{difference}");
        assert_ne!(difference["expected"], difference["actual"]);
        for requests in [&difference["minimal"]["requests"], &difference["second_requests"]] {
            assert!(!requests.as_array().unwrap().is_empty(), "both sides are shown: {difference}");
        }
    }

    let today = "2026-01-01".parse().unwrap();
    let folded = crdible_reports::compare(&folder.journal("j.ndjson"), &KnownFailures::default(), today);
    let mut unsealed = comparison.clone();
    unsealed.as_object_mut().unwrap().remove("digest");
    assert_eq!(serde_json::to_value(folded).unwrap(), unsealed, "the journal holds everything");

    let path = found[0]["replay"]["path"].as_str().unwrap();
    assert_eq!(found[0]["replay"]["command"], format!("crdible {compare} --replay {path}"));
    let again = folder.crdible(&format!("{compare} --replay {path} --journal again.ndjson")).ends(1);
    folder.journal("again.ndjson");
    again.prints(&[
        "verdict: 1 difference",
        "PRUNE-001",
        "CustomResourceDefinition",
        "curl ",
        "planted",
        "- A embedded",
        "+ B http",
    ]);
    folder.crdible(&format!("compare embedded embedded --replay {path}")).ends(0);
    let on_one = folder.crdible(&format!("replay {path}"));
    assert!(matches!(on_one.code, Some(0 | 1)), "it runs on one target, too: {on_one:#?}");
}

#[test]
fn known_failures_of_one_target_are_not_counted() {
    let folder = Folder::new();
    let faulty = start(adds_a_key());
    let server = faulty.url();
    let compare = format!("compare embedded {server} {WRONG} --failures found --known known.toml");
    let entry = |subject: &str| format!("[[known]]\n{subject}\nreleases = [\"1.36\"]\nreason = \"it adds a key\"\n");
    folder.write("known.toml", &entry("signature = \"prune-001-unknown-keys:*\""));
    let comparison = folder.crdible(&format!("{compare} --output json")).json(0);
    assert_eq!(comparison["verdict"], "no-differences");
    let found = comparison["differences"].as_array().unwrap();
    assert!(!found.is_empty() && found.iter().all(|difference| difference["known"] == "it adds a key"), "{found:?}");
    folder.write("comparison.json", &comparison.to_string());
    let ended = folder.crdible("report render comparison.json");
    ended.begins("verdict: no differences except ");
    ended.prints(&["it adds a key"]);
    let path = found[0]["replay"]["path"].as_str().unwrap();
    folder.crdible(&format!("compare embedded {server} --replay {path} --known known.toml")).ends(0);

    // The entry does not apply to another release.
    folder.crdible(&format!("{compare} --release 1.35 --output json")).json(1);
    folder.write("known.toml", &entry("signature = \"prune-002-*\""));
    folder.crdible(&format!("{compare} --output json")).json(1);
    folder.write("known.toml", &entry("requirement = \"PRUNE-999\""));
    folder.crdible(&compare).complains(2, &["known.toml", "PRUNE-999"]);
}

#[test]
fn a_target_that_cannot_be_reached() {
    let address = "127.0.0.1:1";
    let words = ["cannot reach", address];
    Folder::new().crdible(&format!("compare embedded http://{address}")).complains(3, &words);
    Folder::new().crdible(&format!("compare http://{address} embedded")).complains(3, &words);
}

#[test]
fn a_custom_profile() {
    let folder = Folder::new();
    folder.write("mine.toml", "name = \"mine\"\n[include]\nproperties = [\"ver-004-*\"]\n");
    let listed = folder.crdible("list --profile mine.toml");
    listed.prints(&["ver-004-spec-order"]);
    listed.omits(&["prune-001"]);
    folder.crdible("run --profile mine.toml --cases 60 --seed 1").ends(0).prints(&["conformant with profile mine"]);
    // A selection is not the profile.
    let part = folder.crdible("run --profile mine.toml --property ver-004-spec-order --cases 60 --seed 1");
    part.omits(&["conformant with profile mine"]);
}
