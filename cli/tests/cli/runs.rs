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
        let run = format!("{RUN} --release {release} --journal {release}.ndjson --output json");
        folder.write(&format!("{release}.json"), &folder.crdible(&run).ends(0).stdout);
    }
    // A report, and the journal of another run.
    let diff = folder.crdible("report diff 1.34.json 1.35.ndjson").ends(0).without_remarks();
    diff.prints(&["From v1.34.", "VALUE-014/e1 (not-promised → pass): since 1.35: "]);
    let matrix = folder.crdible("report matrix 1.34.ndjson 1.35.json --output markdown").ends(0).without_remarks();
    matrix.prints(&["| requirements by chapter | v1.34.", "| 3 Pruning", "| VALUE-014/e1 | not-promised | pass |"]);
}

#[test]
fn a_new_failure_has_an_exit_code() {
    let folder = Folder::new();
    let faulty = start(adds_a_key());
    folder.crdible(&format!("{RUN} --journal right.ndjson")).ends(0);
    let run = "run --property prune-001-unknown-keys --cases 60 --seed 3 --journal wrong.ndjson";
    folder.on(&faulty, run).ends(1);
    folder.crdible("report diff right.ndjson wrong.ndjson").ends(1).prints(&["Fails now\n\n  PRUNE-001"]);
    folder.crdible("report diff wrong.ndjson right.ndjson").ends(0);
}
