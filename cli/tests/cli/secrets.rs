//! No output of a run contains the token, even if the server echoes it.

use rstest::rstest;

use crate::{
    process::Folder,
    servers::{Right, is_about_definitions, is_about_objects, start},
    target_support::{Seen, status},
};

const TOKEN: &str = "s3cr3t-token-value";

/// All headers of a request, as a careless server puts them into its errors.
fn headers(seen: &Seen) -> String {
    let said: Vec<String> = seen.headers.iter().map(|(name, value)| format!("{name}={value}")).collect();
    said.join("; ")
}

/// Objects that are stored, not dry runs.
fn is_stored(seen: &Seen) -> bool {
    is_about_objects(seen) && !seen.path.contains("dryRun") && seen.method == "POST"
}

fn any(_: &Seen) -> bool {
    true
}

fn is_write_of_definition(seen: &Seen) -> bool {
    is_about_definitions(seen) && seen.method == "POST"
}

#[rstest]
#[case::of_the_first_look("run", any, 401, 3)]
#[case::of_a_diagnosis("doctor", any, 401, 3)]
#[case::of_no_permission("run", is_write_of_definition, 403, 3)]
#[case::of_a_capability("run --cases 5", is_about_objects, 500, 1)]
#[case::of_cases("run --property prune-001-unknown-keys prune-020-* --cases 2", is_stored, 422, 1)]
fn in_errors(#[case] command: &str, #[case] fails: fn(&Seen) -> bool, #[case] code: u16, #[case] exit: i32) {
    let right = Right::new();
    let server = start(move |seen| match fails(seen) {
        true => status(code, "Invalid", &headers(seen)),
        false => right.answer(seen).send(),
    });
    let folder = Folder::new();
    let mut arguments = format!("{command} --token {TOKEN} --server {}", server.url());
    if command.starts_with("run") {
        arguments
            .push_str(" --patience 0.1 --journal j.ndjson --html report.html --junit junit.xml --markdown report.md");
        arguments.push_str(" --sarif report.sarif --badge badge.svg --badge-json badge.json");
    }
    let ended = folder.crdible(&arguments);
    assert_eq!(ended.code, Some(exit), "{ended:#?}");
    assert!(server.requests().iter().any(|seen| headers(seen).contains(TOKEN)), "the token is used");

    let mut printed = format!("{}{}", ended.stdout, ended.stderr);
    if exit == 1 {
        // All formats are rendered from the journal.
        for format in ["human", "json", "html", "junit", "markdown", "sarif", "github", "badge", "badge-json"] {
            let rendered = folder.crdible(&format!("report render j.ndjson --output {format}"));
            assert_eq!(rendered.code, Some(0), "{rendered:#?}");
            printed.push_str(&rendered.stdout);
        }
        assert!(folder.read("report.html").contains("[redacted]"), "the answers are reported");
    }
    let files = folder.everything();
    for (place, text) in [("stdout and stderr".into(), printed.clone())].into_iter().chain(files.clone()) {
        assert!(!text.contains(TOKEN), "{}: {text}", place.display());
    }
    let whole = printed + &files.into_iter().map(|(_, text)| text).collect::<String>();
    assert!(exit == 3 || whole.contains("authorization=Bearer [redacted]"), "the answers are reported: {whole}");
}

/// A comparison, in each of its formats.
#[test]
fn in_a_comparison() {
    let right = Right::new();
    let server = start(move |seen| match is_stored(seen) {
        true => status(422, "Invalid", &format!("{TOKEN} {}", headers(seen))),
        false => right.answer(seen).send(),
    });
    let folder = Folder::new();
    // The token of a kubeconfig, which the server echoes.
    folder.write(
        "config",
        &format!(
            "clusters: [{{name: c, cluster: {{server: '{}'}}}}]\n\
             contexts: [{{name: c, context: {{cluster: c, user: u}}}}]\n\
             users: [{{name: u, user: {{token: {TOKEN}}}}}]\ncurrent-context: c\n",
            server.url()
        ),
    );
    let ended = folder.crdible(
        "compare embedded config --property prune-001-unknown-keys --cases 2 --patience 0.1 --journal j.ndjson",
    );
    assert_eq!(ended.code, Some(1), "{ended:#?}");
    std::fs::remove_file(folder.path("config")).unwrap();
    let mut printed = format!("{}{}", ended.stdout, ended.stderr);
    for format in ["human", "json", "html", "junit", "markdown"] {
        let rendered = folder.crdible(&format!("report render j.ndjson --output {format}"));
        assert_eq!(rendered.code, Some(0), "{rendered:#?}");
        assert!(rendered.stdout.contains("[redacted]"), "the answers are shown: {}", rendered.stdout);
        printed.push_str(&rendered.stdout);
    }
    for (place, text) in [("stdout and stderr".into(), printed)].into_iter().chain(folder.everything()) {
        assert!(!text.contains(TOKEN), "{}: {text}", place.display());
    }
}

/// A plugin whose credentials are always expired is called before each request.
#[cfg(unix)]
#[test]
fn that_are_renewed_during_a_run() {
    use std::os::unix::fs::PermissionsExt;

    let right = Right::new();
    let server = start(move |seen| match is_stored(seen) {
        true => status(422, "Invalid", &headers(seen)),
        false => right.answer(seen).send(),
    });
    let folder = Folder::new();
    folder.write(
        "plugin",
        "#!/bin/sh\necho x >> runs\n\
         echo '{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\",\
         \"status\":{\"expirationTimestamp\":\"2001-01-01T00:00:00Z\",\
         \"token\":\"s3cr3t-'$(wc -l < runs | tr -d ' ')'-renewed\"}}'\n",
    );
    std::fs::set_permissions(folder.path("plugin"), PermissionsExt::from_mode(0o755)).unwrap();
    folder.write(
        "config",
        &format!(
            "clusters: [{{name: c, cluster: {{server: '{}'}}}}]\n\
             contexts: [{{name: c, context: {{cluster: c, user: u}}}}]\n\
             users: [{{name: u, user: {{exec: {{command: ./plugin, apiVersion: client.authentication.k8s.io/v1}}}}}}]\n\
             current-context: c\n",
            server.url()
        ),
    );
    let ended = folder.crdible(
        "run --property prune-001-unknown-keys --cases 2 --patience 0.1 \
         --kubeconfig config --journal j.ndjson --failures found",
    );
    assert_eq!(ended.code, Some(1), "{ended:#?}");
    let tokens = server.requests().iter().filter(|seen| headers(seen).contains("-renewed")).count();
    assert!(tokens > 10, "each request has its own token: {tokens}");
    let written = folder.read("j.ndjson") + &ended.stdout + &ended.stderr;
    assert!(written.contains("authorization=Bearer [redacted]"), "the answers are reported: {written}");
    for (path, text) in folder.everything().into_iter().filter(|(path, _)| path.starts_with(folder.path("found"))) {
        assert!(!text.contains("-renewed"), "{}: {text}", path.display());
    }
    assert!(!written.contains("-renewed"), "{written}");
}
