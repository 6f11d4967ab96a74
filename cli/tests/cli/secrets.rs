//! No output of a run contains the token, even if the server echoes it.

use rstest::rstest;

use crate::{
    process::Folder,
    servers::{Right, is_about_definitions, is_about_objects},
    target_support::{Fake, Seen, status},
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

/// A kubeconfig for a server, with the credentials of its user.
fn kubeconfig(server: &Fake, user: &str) -> String {
    format!(
        "clusters: [{{name: c, cluster: {{server: '{}'}}}}]\n\
         contexts: [{{name: c, context: {{cluster: c, user: u}}}}]\n\
         users: [{{name: u, user: {{{user}}}}}]\ncurrent-context: c\n",
        server.url()
    )
}

#[rstest]
#[case::of_the_first_look("run", any, 401, 3)]
#[case::of_a_diagnosis("doctor", any, 401, 3)]
#[case::of_no_permission("run", is_write_of_definition, 403, 3)]
#[case::of_a_capability("run --cases 5", is_about_objects, 500, 1)]
#[case::of_cases("run --property prune-001-unknown-keys prune-020-* --cases 2", is_stored, 422, 1)]
fn in_errors(#[case] command: &str, #[case] fails: fn(&Seen) -> bool, #[case] code: u16, #[case] exit: i32) {
    let careless = move |seen: &Seen| fails(seen).then(|| status(code, "Invalid", &headers(seen)));
    let (folder, server) = (Folder::new(), Right::new().serve_except(careless));
    let mut arguments = format!("{command} --token {TOKEN}");
    if command.starts_with("run") {
        arguments += " --patience 0.1 --journal j.ndjson --html report.html --junit junit.xml --markdown report.md";
        arguments += " --sarif report.sarif --badge badge.svg --badge-json badge.json";
    }
    let ended = folder.on(&server, &arguments).ends(exit);
    assert!(server.requests().iter().any(|seen| headers(seen).contains(TOKEN)), "the token is used");

    let mut printed = format!("{}{}", ended.stdout, ended.stderr);
    if exit == 1 {
        // All formats are rendered from the journal.
        for format in ["human", "json", "html", "junit", "markdown", "sarif", "github", "badge", "badge-json"] {
            printed += &folder.crdible(&format!("report render j.ndjson --output {format}")).ends(0).stdout;
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
    // The token of a kubeconfig, which the server echoes.
    let echo = |seen: &Seen| status(422, "Invalid", &format!("{TOKEN} {}", headers(seen)));
    let server = Right::new().serve_except(move |seen| is_stored(seen).then(|| echo(seen)));
    let folder = Folder::new();
    folder.write("config", &kubeconfig(&server, &format!("token: {TOKEN}")));
    let compare = "compare embedded config --property prune-001-unknown-keys --cases 2";
    let ended = folder.crdible(&format!("{compare} --patience 0.1 --journal j.ndjson")).ends(1);
    std::fs::remove_file(folder.path("config")).unwrap();
    let mut printed = format!("{}{}", ended.stdout, ended.stderr);
    for format in ["human", "json", "html", "junit", "markdown"] {
        let rendered = folder.crdible(&format!("report render j.ndjson --output {format}")).ends(0);
        // The answers are shown.
        rendered.prints(&["[redacted]"]);
        printed += &rendered.stdout;
    }
    for (place, text) in [("stdout and stderr".into(), printed)].into_iter().chain(folder.everything()) {
        assert!(!text.contains(TOKEN), "{}: {text}", place.display());
    }
}

/// A plugin whose credentials are always expired is called before each request.
#[cfg(unix)]
#[test]
fn that_are_renewed_during_a_run() {
    let careless = |seen: &Seen| is_stored(seen).then(|| status(422, "Invalid", &headers(seen)));
    let (folder, server) = (Folder::new(), Right::new().serve_except(careless));
    folder.write_program(
        "plugin",
        "#!/bin/sh\necho x >> runs\n\
         echo '{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\",\
         \"status\":{\"expirationTimestamp\":\"2001-01-01T00:00:00Z\",\
         \"token\":\"s3cr3t-'$(wc -l < runs | tr -d ' ')'-renewed\"}}'\n",
    );
    let plugin = "exec: {command: ./plugin, apiVersion: client.authentication.k8s.io/v1}";
    folder.write("config", &kubeconfig(&server, plugin));
    let run = "run --property prune-001-unknown-keys --cases 2 --patience 0.1 --kubeconfig config";
    let ended = folder.crdible(&format!("{run} --journal j.ndjson --failures found")).ends(1);
    let tokens = server.requests().iter().filter(|seen| headers(seen).contains("-renewed")).count();
    assert!(tokens > 10, "each request has its own token: {tokens}");
    let written = folder.read("j.ndjson") + &ended.stdout + &ended.stderr;
    assert!(written.contains("authorization=Bearer [redacted]"), "the answers are reported: {written}");
    for (path, text) in folder.everything().into_iter().filter(|(path, _)| path.starts_with(folder.path("found"))) {
        assert!(!text.contains("-renewed"), "{}: {text}", path.display());
    }
    assert!(!written.contains("-renewed"), "{written}");
}
