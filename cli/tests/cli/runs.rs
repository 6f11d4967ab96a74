//! `crdible report`: several runs side by side.

use crate::{
    process::Folder,
    servers::{adds_a_key, start},
};

const RUN: &str = "run --property prune-001-unknown-keys value-014-formats --cases 60 --seed 3";

#[test]
fn runs_by_two_releases_are_compared() {
    let folder = Folder::new();
    for release in ["1.34", "1.35"] {
        let ended = folder.crdible(&format!("{RUN} --release {release} --journal {release}.ndjson --output json"));
        assert_eq!(ended.code, Some(0), "{ended:#?}");
        std::fs::write(folder.path(&format!("{release}.json")), &ended.stdout).unwrap();
    }
    // A report, and the journal of another run.
    let diff = folder.crdible("report diff 1.34.json 1.35.ndjson");
    assert_eq!((diff.code, diff.stderr.as_str()), (Some(0), ""), "{diff:#?}");
    for words in ["From v1.34.", "VALUE-014/e1 (not-promised → pass): since 1.35: "] {
        assert!(diff.stdout.contains(words), "no {words:?} in {}", diff.stdout);
    }
    let matrix = folder.crdible("report matrix 1.34.ndjson 1.35.json --output markdown");
    assert_eq!((matrix.code, matrix.stderr.as_str()), (Some(0), ""), "{matrix:#?}");
    for words in ["| requirements by chapter | v1.34.", "| 3 Pruning", "| VALUE-014/e1 | not-promised | pass |"] {
        assert!(matrix.stdout.contains(words), "no {words:?} in {}", matrix.stdout);
    }
}

#[test]
fn a_new_failure_has_an_exit_code() {
    let folder = Folder::new();
    let faulty = start(adds_a_key());
    assert_eq!(folder.crdible(&format!("{RUN} --journal right.ndjson")).code, Some(0));
    let run = "run --property prune-001-unknown-keys --cases 60 --seed 3 --journal wrong.ndjson";
    assert_eq!(folder.crdible(&format!("{run} --server {}", faulty.url())).code, Some(1));
    let worse = folder.crdible("report diff right.ndjson wrong.ndjson");
    assert_eq!(worse.code, Some(1), "{worse:#?}");
    assert!(worse.stdout.contains("Fails now\n\n  PRUNE-001"), "{}", worse.stdout);
    assert_eq!(folder.crdible("report diff wrong.ndjson right.ndjson").code, Some(0));
}
