//! Two servers side by side.

use std::fs;

use serde_json::Value;

use crate::{
    process::Folder,
    servers::{adds_a_key, start},
};

/// What in a comparison contradicts the published schema.
fn violations(comparison: &Value) -> Vec<String> {
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/../reports/schema/comparison-1.schema.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(schema).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    validator.iter_errors(comparison).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

const SMALL: &str = "--property prune-001-unknown-keys ver-004-spec-order --cases 10 --seed 3";

#[test]
fn one_server_is_like_itself() {
    let folder = Folder::new();
    let comparison = folder.crdible(&format!("compare embedded embedded {SMALL} --output json")).json(0);
    assert_eq!(violations(&comparison), Vec::<String>::new());
    assert_eq!((&comparison["verdict"], &comparison["stop"]), (&"alike".into(), &"finished".into()));
    assert!(comparison["properties"]["prune-001-unknown-keys"]["cases"].as_u64().unwrap() >= 10, "{comparison}");
    assert!(folder.everything().is_empty(), "there is nothing to keep");

    let told = folder.crdible(&format!("compare embedded embedded {SMALL}"));
    assert_eq!(told.code, Some(0), "{told:#?}");
    assert!(told.stdout.starts_with("verdict: alike\n") && told.stdout.contains("seed 3"), "{}", told.stdout);
}

#[test]
fn a_difference_is_told_kept_and_compared_again() {
    let folder = Folder::new();
    let faulty = start(adds_a_key());
    let url = faulty.url();
    let compare = format!("compare embedded {url}");
    let ended = folder.crdible(&format!(
        "{compare} --property prune-001-unknown-keys --cases 3 --seed 3 --output json --failures found"
    ));
    let comparison = ended.json(1);
    assert_eq!(violations(&comparison), Vec::<String>::new());
    assert_eq!(comparison["verdict"], "different");
    let found = comparison["differences"].as_array().unwrap();
    assert!(!found.is_empty());
    for difference in found {
        assert!(difference["signature"].as_str().unwrap().starts_with("prune-001-unknown-keys:"), "{difference}");
        assert!(difference["requirements"].as_array().is_some_and(|list| !list.is_empty()), "{difference}");
        assert_ne!(difference["first"], difference["second"]);
        let sent = difference["requests"].as_array().unwrap();
        assert!(sent.iter().all(|side| !side.as_array().unwrap().is_empty()), "both sides are shown: {difference}");
    }

    let path = found[0]["path"].as_str().unwrap();
    assert_eq!(found[0]["replay"], format!("crdible {compare} --replay {path}"));
    let again = folder.crdible(&format!("{compare} --replay {path}"));
    assert_eq!(again.code, Some(1), "{again:#?}");
    for words in
        ["verdict: different", "PRUNE-001", "CustomResourceDefinition", "curl ", "planted", "- A embedded", "+ B http"]
    {
        assert!(again.stdout.contains(words), "no {words:?} in {}", again.stdout);
    }
    assert_eq!(folder.crdible(&format!("compare embedded embedded --replay {path}")).code, Some(0));
    let on_one = folder.crdible(&format!("replay {path}"));
    assert!(on_one.code == Some(0) || on_one.code == Some(1), "it runs on one target, too: {on_one:#?}");
}

#[test]
fn what_is_known_of_one_is_no_difference() {
    let folder = Folder::new();
    let faulty = start(adds_a_key());
    let compare = format!(
        "compare embedded {} --property prune-001-unknown-keys --cases 3 --seed 3 --failures found --known known.toml",
        faulty.url()
    );
    let entry = |subject: &str| format!("[[known]]\n{subject}\nreleases = [\"1.36\"]\nreason = \"it adds a key\"\n");
    folder.write("known.toml", &entry("signature = \"prune-001-unknown-keys:*\""));
    let comparison = folder.crdible(&format!("{compare} --output json")).json(0);
    assert_eq!(violations(&comparison), Vec::<String>::new());
    assert_eq!(comparison["verdict"], "alike");
    let found = comparison["differences"].as_array().unwrap();
    assert!(!found.is_empty() && found.iter().all(|difference| difference["known"] == "it adds a key"), "{found:?}");
    let told = folder.crdible(&compare);
    assert_eq!(told.code, Some(0), "{told:#?}");
    assert!(
        told.stdout.starts_with("verdict: alike but for ") && told.stdout.contains("it adds a key"),
        "{}",
        told.stdout
    );
    let path = found[0]["path"].as_str().unwrap();
    let again = folder.crdible(&format!("compare embedded {} --replay {path} --known known.toml", faulty.url()));
    assert_eq!(again.code, Some(0), "{again:#?}");

    // At another release it is not known.
    folder.crdible(&format!("{compare} --release 1.35 --output json")).json(1);
    folder.write("known.toml", &entry("signature = \"prune-002-*\""));
    folder.crdible(&format!("{compare} --output json")).json(1);
    folder.write("known.toml", &entry("requirement = \"PRUNE-999\""));
    folder.crdible(&compare).complains(2, &["known.toml", "PRUNE-999"]);
}

#[test]
fn a_target_that_nobody_reaches() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let words = ["cannot reach", &address.to_string()];
    Folder::new().crdible(&format!("compare embedded http://{address}")).complains(3, &words);
    Folder::new().crdible(&format!("compare http://{address} embedded")).complains(3, &words);
}

#[test]
fn a_profile_of_ones_own() {
    let folder = Folder::new();
    folder.write("mine.toml", "name = \"mine\"\n[include]\nproperties = [\"ver-004-*\"]\n");
    let listed = folder.crdible("list --profile mine.toml");
    assert!(listed.stdout.contains("ver-004-spec-order") && !listed.stdout.contains("prune-001"), "{listed:#?}");
    let whole = folder.crdible("run --profile mine.toml --cases 60 --seed 1");
    assert_eq!(whole.code, Some(0), "{whole:#?}");
    assert!(whole.stdout.contains("conformant with profile mine"), "{}", whole.stdout);
    let part = folder.crdible("run --profile mine.toml --property ver-004-spec-order --cases 60 --seed 1");
    assert!(!part.stdout.contains("conformant with profile mine"), "a selection is not the profile: {}", part.stdout);
}
