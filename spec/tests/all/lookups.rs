//! Lookups in the catalogue.

use crdible_spec::{Catalogue, Level, RequirementId, Resolved};

#[test]
fn references_resolve_down_to_the_edge() {
    let catalogue = Catalogue::embedded();
    let resolved = |text: &str| catalogue.resolve(&text.parse().unwrap());
    assert!(matches!(resolved("PRUNE-017"), Some(Resolved::Requirement(item)) if item.id.number() == 17));
    let edge = resolved("PRUNE-017/e2").unwrap();
    assert_eq!((edge.level(), edge.requirement().id.to_string()), (Level::Quirk, "PRUNE-017".to_owned()));
    assert!(edge.line() > edge.requirement().line);
    assert_eq!(resolved("PRUNE-017/e5"), None);
    assert_eq!(resolved("PRUNE-999"), None);
}

#[test]
fn patterns_select_requirements() {
    let catalogue = Catalogue::embedded();
    let count = |pattern: &str| catalogue.matching(pattern).count();
    assert_eq!(count("PRUNE-*"), 30);
    assert_eq!(count("prune"), 30);
    assert_eq!(count("INV-00?"), 9);
    assert_eq!(count("PRUNE-004"), 1);
    assert_eq!(count("*"), catalogue.iter().count());
    assert_eq!(count("PRUN"), 0);
    assert_eq!(count(""), 0);
}

#[test]
fn typos_are_corrected() {
    let nearest =
        |text: &str| Catalogue::embedded().nearest(text).iter().map(RequirementId::to_string).collect::<Vec<_>>();
    for typo in ["PRUN-004", "prune-4", "PRUNE004", "prune_4", "PRUEN-004", "PRUNE-004/e9", " PRUNE-04 "] {
        assert_eq!(nearest(typo).first().map(String::as_str), Some("PRUNE-004"), "{typo}");
    }
    assert!(nearest("PRUNE-999").len() <= 5);
    assert!(nearest("something else").is_empty());
    assert!(nearest(&"PRUNE-004".repeat(1000)).is_empty());
}

#[test]
fn digest_depends_only_on_the_text() {
    let digest = |files: Vec<(String, String)>| Catalogue::parse(files).expect("a valid text").digest();
    let files: Vec<(String, String)> =
        Catalogue::embedded_files().map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
    let same = Catalogue::embedded().digest();
    assert_eq!(same.len(), 16);
    assert_eq!(digest(files.iter().rev().cloned().collect()), same, "order of files");
    assert_eq!(digest(files.iter().map(|(name, text)| (format!("spec/{name}"), text.clone())).collect()), same);
    assert_eq!(
        digest(files.iter().map(|(name, text)| (name.clone(), text.replace('\n', "\r\n"))).collect()),
        same,
        "line ends"
    );
    let mut changed = files;
    changed[5].1 = changed[5].1.replacen("a ", "the ", 1);
    assert_ne!(digest(changed), same, "one word");
}

#[test]
fn requirements_serialize_to_json() {
    let json = serde_json::to_value(Catalogue::embedded().get("PRUNE-006".parse().unwrap()).unwrap()).unwrap();
    assert_eq!(json["id"], "PRUNE-006");
    assert_eq!(json["level"], "QUIRK");
    assert_eq!(json["since"]["first"], 16);
}
