//! `doctor --probe --write-profile`: a profile of what a server does, and runs with it.

use crate::{
    process::Folder,
    servers::Right,
    target_support::{Fake, status},
};

/// A server that does everything right and has no watches.
fn without_watches() -> Fake {
    let refused = || status(405, "MethodNotAllowed", "no watches here");
    Right::new().serve_except(move |seen| seen.path.contains("watch=").then(refused))
}

const SELECTED: &str =
    "--property inv-055-replay prune-001-unknown-keys --cases 60 --seed 1 --patience 3 --output json";

#[test]
fn missing_capabilities_are_proposed_and_then_not_judged() {
    let server = without_watches();
    let folder = Folder::new();
    folder.on(&server, "doctor --probe --write-profile mine.toml").ends(0);
    let profile = folder.read("mine.toml");
    let lines: Vec<&str> = profile.lines().map(str::trim).collect();
    assert!(lines.contains(&"name = \"mine\""), "{profile}");
    let at = lines.iter().position(|line| *line == "\"watches\",").unwrap_or_else(|| panic!("{profile}"));
    assert!(lines[at - 1].starts_with("# ") && lines[at - 1].contains("watch"), "{profile}");
    assert_eq!(lines.iter().filter(|line| line.starts_with('"')).count(), 1, "{profile}");

    let claimed = folder.on(&server, &format!("run {SELECTED}")).json(1);
    assert_eq!(claimed["failures"][0]["property"], "capability-watches");
    let report = folder.on(&server, &format!("run --profile mine.toml {SELECTED}")).json(0);
    assert_eq!(report["failures"], serde_json::json!([]));
    assert_eq!(report["lacks"], serde_json::json!([]));
    let note = "not claimed by the profile, and not judged: watches (1 property)";
    assert_eq!(report["notes"], serde_json::json!([note]));
    let nothing = folder.on(&server, "run --profile mine.toml --property inv-055-replay");
    nothing.complains(2, &["the profile `mine` does not claim", "watches"]);
}

#[test]
fn a_server_that_does_everything_claims_everything() {
    let folder = Folder::new();
    folder.crdible("doctor --probe --write-profile all.toml").ends(0);
    assert!(folder.read("all.toml").ends_with("name = \"all\"\nnot-claimed = []\n"), "{}", folder.read("all.toml"));
    folder.crdible("run --profile all.toml --property ver-004-spec-order --cases 60 --seed 1").ends(0);
}
