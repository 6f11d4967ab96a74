//! Kubeconfigs, valid and invalid.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::support::{Fake, good, serve, status};
use crdible::connection::{Environment, Target, TargetError, TargetKind, TargetOptions, connect_in};
use crdible::doctor::preflight;
use rstest::rstest;
use tempfile::TempDir;

/// A kubeconfig whose only context `main` uses `cluster` and `user` (YAML flow mappings).
fn config(cluster: &str, user: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: main\n\
         clusters: [{{name: c, cluster: {cluster}}}]\n\
         users: [{{name: u, user: {user}}}]\n\
         contexts: [{{name: main, context: {{cluster: c, user: u}}}}]\n"
    )
}

fn write(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn executable(folder: &TempDir, name: &str, script: &str) {
    let path = write(folder, name, script);
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn file(path: &Path) -> TargetOptions {
    TargetOptions { kubeconfig: Some(path.to_path_buf()), ..TargetOptions::default() }
}

async fn open(options: &TargetOptions) -> Result<Target, TargetError> {
    connect_in(options, &Environment::default()).await
}

async fn open_user(fake: &Fake, folder: &TempDir, user: &str) -> Result<Target, TargetError> {
    let text = config(&format!("{{server: '{}'}}", fake.url()), user);
    open(&file(&write(folder, "config", &text))).await
}

#[rstest]
#[case::anonymous("{}", None)]
#[case::token("{token: hunter2}", Some("Bearer hunter2"))]
#[case::token_file("{tokenFile: token.txt}", Some("Bearer from-file"))]
#[case::file_before_token("{token: hunter2, tokenFile: token.txt}", Some("Bearer from-file"))]
#[case::password("{username: joe, password: hunter2}", Some("Basic am9lOmh1bnRlcjI="))]
#[case::plugin(
    "{exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin, interactiveMode: Never}}",
    Some("Bearer from-plugin")
)]
#[tokio::test]
async fn ways_to_log_in(#[case] user: &str, #[case] header: Option<&str>) {
    let fake = serve(good).await;
    let folder = TempDir::new().unwrap();
    write(&folder, "token.txt", "from-file\n");
    executable(
        &folder,
        "plugin",
        "#!/bin/sh\necho '{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\",\"status\":{\"token\":\"from-plugin\"}}'\n",
    );
    let target = open_user(&fake, &folder, user).await.unwrap();
    preflight(&target).await.unwrap();
    assert_eq!(fake.requests()[0].header("authorization"), header);
    assert_eq!(target.description.kind, TargetKind::Server);
    let shown = format!("{target:?}");
    for secret in ["hunter2", "from-file", "from-plugin", "am9lOmh1bnRlcjI="] {
        assert!(!shown.contains(secret), "{shown}");
        let sent = header.is_some_and(|header| header.ends_with(secret));
        assert!(!sent || target.secrets().all().iter().any(|known| known == secret));
    }
}

#[tokio::test]
async fn impersonation_goes_with_every_request() {
    let fake = serve(good).await;
    let folder = TempDir::new().unwrap();
    let user = "{token: t, as: joe, as-uid: '7', as-groups: [a, b], as-user-extra: {scope: [x]}}";
    preflight(&open_user(&fake, &folder, user).await.unwrap()).await.unwrap();
    let seen = &fake.requests()[0];
    assert_eq!(seen.header("impersonate-user"), Some("joe"));
    assert_eq!(seen.header("impersonate-uid"), Some("7"));
    assert_eq!(seen.header("impersonate-extra-scope"), Some("x"));
    let groups: Vec<_> = seen.headers.iter().filter(|(key, _)| key == "impersonate-group").collect();
    assert_eq!(groups.len(), 2);
}

#[rstest]
#[case::old_provider("{auth-provider: {name: oidc}}", "auth-provider oidc is not supported")]
#[case::bad_base64("{client-certificate-data: '***', client-key-data: aGk=}", "client-certificate-data is not base64")]
#[case::no_key("{client-certificate-data: aGk=}", "no client-key")]
#[case::no_certificate("{client-key-data: aGk=}", "no client-certificate")]
#[case::no_pem("{client-certificate-data: aGk=, client-key-data: aGk=}", "cannot be read as PEM")]
#[case::missing_file("{client-certificate: nowhere.pem, client-key: k.pem}", "nowhere.pem")]
#[case::missing_token_file("{tokenFile: nowhere.txt}", "nowhere.txt")]
#[case::empty_token_file("{tokenFile: empty.txt}", "is empty")]
#[case::token_and_password("{token: hunter2, username: joe}", "keep only one of them")]
#[case::exec_and_token(
    "{token: hunter2, exec: {command: x, apiVersion: client.authentication.k8s.io/v1}}",
    "keep only one of them"
)]
#[case::old_exec("{exec: {command: x, apiVersion: client.authentication.k8s.io/v1alpha1}}", "is not supported")]
#[case::exec_without_command("{exec: {command: '', apiVersion: client.authentication.k8s.io/v1}}", "has no command")]
#[case::interactive(
    "{exec: {command: x, interactiveMode: Always, apiVersion: client.authentication.k8s.io/v1}}",
    "requires user input"
)]
#[case::no_program(
    "{exec: {command: ./absent, installHint: get it somewhere, apiVersion: client.authentication.k8s.io/v1}}",
    "get it somewhere"
)]
#[case::failing("{exec: {command: ./failing, apiVersion: client.authentication.k8s.io/v1}}", "session expired")]
#[case::other_output(
    "{exec: {command: ./chatty, apiVersion: client.authentication.k8s.io/v1}}",
    "printed no ExecCredential"
)]
#[case::other_version(
    "{exec: {command: ./older, apiVersion: client.authentication.k8s.io/v1}}",
    "use the same apiVersion"
)]
#[case::nothing_issued("{exec: {command: ./hollow, apiVersion: client.authentication.k8s.io/v1}}", "issued neither")]
#[case::group_without_user("{as-groups: [a]}", "require `as`")]
#[tokio::test]
async fn users_that_cannot_be_used(#[case] user: &str, #[case] what: &str) {
    let folder = TempDir::new().unwrap();
    let credential = |version: &str, status: &str| {
        format!(
            "#!/bin/sh\necho '{{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/{version}\",\"status\":{status}}}'\n"
        )
    };
    write(&folder, "empty.txt", "\n");
    executable(&folder, "failing", "#!/bin/sh\necho hunter2\necho session expired >&2\nexit 3\n");
    executable(&folder, "chatty", "#!/bin/sh\necho token is hunter2\n");
    executable(&folder, "older", &credential("v1beta1", "{\"token\":\"hunter2\"}"));
    executable(&folder, "hollow", &credential("v1", "{}"));
    let path = write(&folder, "config", &config("{server: 'https://127.0.0.1:1'}", user));
    let error = open(&file(&path)).await.unwrap_err();
    let text = error.to_string();
    assert!(text.contains(what), "{text}");
    assert!(!text.contains("hunter2"), "{text}");
    // An invalid file is a usage error; credentials that are not accepted make the target unusable.
    let code = if matches!(error, TargetError::Kubeconfig(_)) { 2 } else { 3 };
    assert_eq!(error.exit_code(), code, "{text}");
}

#[rstest]
#[case::no_server("{}", "has no server")]
#[case::bad_server("{server: 'localhost:80'}", "is not an HTTP URL")]
#[case::contradiction(
    "{server: 'https://a', insecure-skip-tls-verify: true, certificate-authority-data: aGk=}",
    "contradict"
)]
#[case::bad_ca("{server: 'https://a', certificate-authority-data: '*'}", "not base64")]
#[case::missing_ca("{server: 'https://a', certificate-authority: nowhere.pem}", "nowhere.pem")]
#[case::socks("{server: 'https://a', proxy-url: 'socks5://joe:hunter2@b:1'}", "use an http or https proxy")]
#[case::bad_proxy("{server: 'https://a', proxy-url: 'http://joe:hunter2@b:port'}", "invalid port")]
#[tokio::test]
async fn clusters_that_cannot_be_used(#[case] cluster: &str, #[case] what: &str) {
    let folder = TempDir::new().unwrap();
    let path = write(&folder, "config", &config(cluster, "{}"));
    let error = open(&file(&path)).await.unwrap_err();
    let text = error.to_string();
    assert!(text.contains(what) && text.contains("cluster \"c\""), "{text}");
    assert!(text.contains(&path.display().to_string()), "{text}");
    assert!(!text.contains("hunter2"), "{text}");
    assert_eq!(error.exit_code(), 2, "{text}");
}

#[rstest]
#[case::not_yaml("a: [hunter2", "invalid syntax")]
#[case::other_yaml("- 1\n- 2\n", "line 1: the document must be a map")]
#[case::other_kind("kind: Pod\n", "its kind is \"Pod\"")]
#[case::wrong_type("a: 1\nclusters: 7\n", "line 2: clusters must be a list")]
#[case::number_as_password(
    "users:\n- name: u\n  user:\n    password: 4711\n",
    "line 4: users[0].user.password must be a text: put it in quotes"
)]
#[case::no_name("users:\n- user: {token: hunter2}\n", "line 2: users[0].name must be set")]
#[case::repeated_key(
    "kind: Config\nusers: [{name: u, user: {token: hunter2, token: hunter2}}]\n",
    "line 2: a key is repeated"
)]
#[case::empty("", "no current-context")]
#[case::no_context("contexts: [{name: one, context: {cluster: c}}]", "its contexts are one")]
#[case::unknown_context("current-context: two\ncontexts: [{name: one, context: {cluster: c}}]", "no context \"two\"")]
#[case::unknown_cluster(
    "current-context: one\ncontexts: [{name: one, context: {cluster: c}}]",
    "no cluster \"c\", which context \"one\" refers to"
)]
#[case::unknown_user(
    "current-context: one\nclusters: [{name: c, cluster: {server: 'https://a'}}]\ncontexts: [{name: one, context: {cluster: c, user: u}}]",
    "no user \"u\", which context \"one\" refers to"
)]
#[tokio::test]
async fn files_that_cannot_be_used(#[case] text: &str, #[case] what: &str) {
    let folder = TempDir::new().unwrap();
    let path = write(&folder, "config", text);
    let error = open(&file(&path)).await.unwrap_err();
    let text = error.to_string();
    assert!(text.contains(what), "{text}");
    assert!(text.contains(&path.display().to_string()), "{text}");
    assert!(!text.contains("hunter2"), "{text}");
    assert_eq!(error.exit_code(), 2);
}

#[tokio::test]
async fn files_that_are_not_there() {
    let folder = TempDir::new().unwrap();
    let error = open(&file(&folder.path().join("absent"))).await.unwrap_err();
    assert!(error.to_string().contains("cannot read the kubeconfig"), "{error}");
    let error = open(&file(folder.path())).await.unwrap_err();
    assert!(error.to_string().contains("it is a folder"), "{error}");

    let environment = Environment { kubeconfig: None, home: Some(folder.path().to_path_buf()) };
    let options = TargetOptions { context: Some("main".to_owned()), ..TargetOptions::default() };
    let error = connect_in(&options, &environment).await.unwrap_err();
    assert!(error.to_string().contains("there is no kubeconfig"), "{error}");
}

#[tokio::test]
async fn of_several_files_the_first_definition_wins() {
    let fake = serve(good).await;
    let folder = TempDir::new().unwrap();
    let near = TempDir::new().unwrap();
    write(&near, "token.txt", "near");
    write(&folder, "token.txt", "far");
    let first = write(&near, "first", "users: [{name: u, user: {tokenFile: token.txt}}]\ncurrent-context: ''\n");
    let second = write(&folder, "second", &config(&format!("{{server: '{}'}}", fake.url()), "{token: wrong}"));
    let paths = [first, folder.path().join("absent"), second];
    let environment = Environment { kubeconfig: Some(std::env::join_paths(paths).unwrap()), home: None };
    let options = TargetOptions { context: Some("main".to_owned()), ..TargetOptions::default() };
    let target = connect_in(&options, &environment).await.unwrap();
    preflight(&target).await.unwrap();
    assert_eq!(fake.requests()[0].header("authorization"), Some("Bearer near"));
}

#[tokio::test]
async fn of_several_files_the_first_cluster_and_user_win() {
    let (right, wrong) = (serve(good).await, serve(good).await);
    let folder = TempDir::new().unwrap();
    let text = |fake: &Fake, token: &str| {
        let cluster = format!("{{server: '{}'}}", fake.url());
        config(&cluster, &format!("{{token: {token}}}"))
    };
    let first = write(&folder, "first", &text(&right, "right"));
    let second = write(&folder, "second", &text(&wrong, "wrong"));
    let environment = Environment { kubeconfig: Some(std::env::join_paths([first, second]).unwrap()), home: None };
    let both = TargetOptions { context: Some("main".to_owned()), ..TargetOptions::default() };
    let target = connect_in(&both, &environment).await.unwrap();
    preflight(&target).await.unwrap();
    assert_eq!(right.requests()[0].header("authorization"), Some("Bearer right"));
    assert!(wrong.requests().is_empty());
}

#[tokio::test]
async fn no_option_means_the_embedded_server_even_with_a_kubeconfig() {
    let folder = TempDir::new().unwrap();
    let path = write(&folder, "config", &config("{server: 'https://production.example'}", "{}"));
    let environment = Environment { kubeconfig: Some(path.into_os_string()), home: Some(folder.path().to_path_buf()) };
    let target = connect_in(&TargetOptions::default(), &environment).await.unwrap();
    assert_eq!(target.description.kind, TargetKind::Embedded);
    assert_eq!(target.description.address, None);
}

#[tokio::test]
async fn a_plugin_gets_the_cluster_and_runs_again_when_its_token_is_refused() {
    static EXPIRED: AtomicBool = AtomicBool::new(false);
    let fake = serve(|seen| {
        let stale = seen.header("authorization") == Some("Bearer token-1");
        if EXPIRED.load(Ordering::SeqCst) && stale { status(401, "Unauthorized", "expired") } else { good(seen) }
    })
    .await;
    let folder = TempDir::new().unwrap();
    executable(
        &folder,
        "plugin",
        "#!/bin/sh\ncd \"$FOLDER\"\necho x >> runs\necho \"$KUBERNETES_EXEC_INFO\" > info\n\
         echo '{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\",\"status\":{\"token\":\"token-'$(wc -l < runs | tr -d ' ')'\"}}'\n",
    );
    let user = format!(
        "{{exec: {{command: ./plugin, provideClusterInfo: true, apiVersion: client.authentication.k8s.io/v1, env: [{{name: FOLDER, value: '{}'}}]}}}}",
        folder.path().display()
    );
    let target = open_user(&fake, &folder, &user).await.unwrap();
    preflight(&target).await.unwrap();
    let info: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("info")).unwrap()).unwrap();
    assert_eq!(info["kind"], "ExecCredential");
    assert_eq!(info["spec"]["interactive"], false);
    assert_eq!(info["spec"]["cluster"]["server"], fake.url());

    EXPIRED.store(true, Ordering::SeqCst);
    preflight(&target).await.unwrap();
    assert_eq!(target.secrets().all(), ["token-1", "token-2"]);
}

#[tokio::test]
async fn an_expired_credential_is_renewed_before_it_is_used() {
    let fake = serve(good).await;
    let folder = TempDir::new().unwrap();
    executable(
        &folder,
        "plugin",
        "#!/bin/sh\ncd \"$FOLDER\"\necho x >> runs\n\
         echo '{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\",\"status\":{\"expirationTimestamp\":\"2001-01-01T00:00:00Z\",\"token\":\"token-'$(wc -l < runs | tr -d ' ')'\"}}'\n",
    );
    let user = format!(
        "{{exec: {{command: ./plugin, apiVersion: client.authentication.k8s.io/v1, env: [{{name: FOLDER, value: '{}'}}]}}}}",
        folder.path().display()
    );
    let target = open_user(&fake, &folder, &user).await.unwrap();
    preflight(&target).await.unwrap();
    let tokens: Vec<_> = fake.requests().iter().map(|seen| seen.header("authorization").unwrap().to_owned()).collect();
    assert_eq!(tokens, ["Bearer token-2", "Bearer token-3", "Bearer token-4"]);
}

#[rstest]
#[case::server_and_launch(TargetOptions { launch: Some("x".into()), ..server() }, "two targets")]
#[case::server_and_kubeconfig(TargetOptions { kubeconfig: Some("x".into()), ..server() }, "two targets")]
#[case::server_and_context(TargetOptions { context: Some("x".into()), ..server() }, "two targets")]
#[case::launch_and_kubeconfig(TargetOptions { launch: Some("x".into()), kubeconfig: Some("x".into()), ..TargetOptions::default() }, "two targets")]
#[case::token_alone(TargetOptions { token: Some("t".into()), ..TargetOptions::default() }, "--token requires a server")]
#[case::insecure_alone(TargetOptions { insecure: true, ..TargetOptions::default() }, "requires a server")]
#[case::token_and_kubeconfig(TargetOptions { token: Some("t".into()), kubeconfig: Some("x".into()), ..TargetOptions::default() }, "cannot be used with")]
#[case::half_a_certificate(TargetOptions { client_key: Some("x".into()), ..server() }, "requires its key")]
#[case::ca_and_insecure(TargetOptions { ca: Some("x".into()), insecure: true, ..server() }, "contradict")]
#[case::ca_without_tls(TargetOptions { ca: Some("x".into()), server: Some("http://a".into()), ..TargetOptions::default() }, "does not use TLS")]
#[case::empty_token(TargetOptions { token: Some(" ".into()), ..server() }, "--token is empty")]
#[case::no_time(TargetOptions { request_timeout: Some(std::time::Duration::ZERO), ..server() }, "timeout is 0")]
#[tokio::test]
async fn options_that_contradict_each_other(#[case] options: TargetOptions, #[case] what: &str) {
    let error = open(&options).await.unwrap_err();
    assert_eq!(error.exit_code(), 2, "{error}");
    assert!(error.to_string().contains(what), "{error}");
}

fn server() -> TargetOptions {
    TargetOptions { server: Some("https://127.0.0.1:1".into()), ..TargetOptions::default() }
}
