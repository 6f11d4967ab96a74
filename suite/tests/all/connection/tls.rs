//! TLS: which certificates the client trusts, which the server trusts, and the errors.

use crdible::connection::{TargetOptions, connect};
use crdible::doctor::preflight;
use tempfile::TempDir;

use crate::connection::authority::Authority;
use crate::support::{Fake, good, serve_over};

fn at(fake: &Fake) -> TargetOptions {
    TargetOptions { server: Some(format!("https://{}", fake.address)), ..TargetOptions::default() }
}

#[tokio::test]
async fn the_right_authority() {
    let authority = Authority::new();
    let fake = authority.serve(&["127.0.0.1"], false).await;
    let options = TargetOptions { ca: Some(authority.ca()), ..at(&fake) };
    preflight(&connect(&options).await.unwrap()).await.unwrap();
}

#[tokio::test]
async fn a_certificate_that_is_trusted_itself() {
    let authority = Authority::named(&["127.0.0.1"]);
    let fake = serve_over(good, Some(authority.own_acceptor())).await;
    let options = TargetOptions { ca: Some(authority.ca()), ..at(&fake) };
    preflight(&connect(&options).await.unwrap()).await.unwrap();

    let elsewhere = Authority::named(&["elsewhere.example"]);
    let fake = serve_over(good, Some(elsewhere.own_acceptor())).await;
    let options = TargetOptions { ca: Some(elsewhere.ca()), ..at(&fake) };
    let error = preflight(&connect(&options).await.unwrap()).await.unwrap_err();
    assert!(error.to_string().contains("is for another name"), "{error}");

    let options = TargetOptions { ca: Some(authority.ca()), ..options };
    let error = preflight(&connect(&options).await.unwrap()).await.unwrap_err();
    assert!(error.to_string().contains("not trusted"), "{error}");
    assert!(error.to_string().contains("--ca"), "{error}");
}

#[tokio::test]
async fn a_wrong_authority() {
    let authority = Authority::new();
    let other = Authority::new();
    let fake = authority.serve(&["127.0.0.1"], false).await;
    let options = TargetOptions { ca: Some(other.ca()), ..at(&fake) };
    let error = preflight(&connect(&options).await.unwrap()).await.unwrap_err();
    assert!(error.to_string().contains("signed by an authority that is not trusted"), "{error}");
    assert!(error.to_string().contains("--ca"), "{error}");
    assert_eq!(error.exit_code(), 3);
    assert!(fake.requests().is_empty(), "nothing is sent to a server that is not trusted");
}

#[tokio::test]
async fn verification_can_be_skipped() {
    let authority = Authority::new();
    let fake = authority.serve(&["elsewhere.example"], false).await;
    let options = TargetOptions { insecure: true, ..at(&fake) };
    preflight(&connect(&options).await.unwrap()).await.unwrap();
}

#[tokio::test]
async fn another_name() {
    let authority = Authority::new();
    let fake = authority.serve(&["elsewhere.example"], false).await;
    let options = TargetOptions { ca: Some(authority.ca()), ..at(&fake) };
    let error = preflight(&connect(&options).await.unwrap()).await.unwrap_err();
    assert!(error.to_string().contains("tls-server-name"), "{error}");
}

#[tokio::test]
async fn http_to_a_tls_server() {
    let authority = Authority::new();
    let fake = authority.serve(&["127.0.0.1"], false).await;
    let options = TargetOptions { server: Some(fake.url()), ..TargetOptions::default() };
    let error = preflight(&connect(&options).await.unwrap()).await.unwrap_err();
    assert!(error.to_string().contains("write https://"), "{error}");
}

#[tokio::test]
async fn a_client_certificate() {
    let authority = Authority::new();
    let fake = authority.serve(&["127.0.0.1"], true).await;
    let (certificate, key) = authority.sign(&["client"]);
    let (certificate_file, key_file) = (authority.folder.path().join("c.pem"), authority.folder.path().join("k.pem"));
    std::fs::write(&certificate_file, certificate).unwrap();
    std::fs::write(&key_file, &key).unwrap();
    let options = TargetOptions {
        ca: Some(authority.ca()),
        client_certificate: Some(certificate_file),
        client_key: Some(key_file),
        ..at(&fake)
    };
    let target = connect(&options).await.unwrap();
    preflight(&target).await.unwrap();
    assert_eq!(target.secrets().all(), [key]);
}

#[tokio::test]
async fn a_missing_client_certificate() {
    let authority = Authority::new();
    let fake = authority.serve(&["127.0.0.1"], true).await;
    let options = TargetOptions { ca: Some(authority.ca()), ..at(&fake) };
    let error = preflight(&connect(&options).await.unwrap()).await.unwrap_err();
    assert!(error.to_string().contains("refuses the client's certificate"), "{error}");
}

#[tokio::test]
async fn files_that_hold_no_certificate() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("ca.pem");
    std::fs::write(&file, "hello").unwrap();
    let options =
        TargetOptions { server: Some("https://127.0.0.1:1".to_owned()), ca: Some(file), ..TargetOptions::default() };
    let error = connect(&options).await.unwrap_err();
    assert!(error.to_string().contains("has no PEM certificate"), "{error}");
    assert!(error.to_string().contains("ca.pem (--ca)"), "{error}");
    assert_eq!(error.exit_code(), 2);

    let options = TargetOptions { ca: Some(folder.path().join("absent")), ..options };
    let error = connect(&options).await.unwrap_err();
    assert!(error.to_string().contains("absent (--ca)"), "{error}");
}

#[tokio::test]
async fn a_kubeconfig_with_another_server_name() {
    let authority = Authority::new();
    let fake = authority.serve(&["kubernetes.example"], false).await;
    let file = authority.folder.path().join("config");
    let text = format!(
        "current-context: a\nclusters: [{{name: c, cluster: {{server: 'https://localhost:{}', certificate-authority: ca.pem, tls-server-name: kubernetes.example}}}}]\ncontexts: [{{name: a, context: {{cluster: c}}}}]\n",
        fake.address.port()
    );
    std::fs::write(&file, text).unwrap();
    let options = TargetOptions { kubeconfig: Some(file), ..TargetOptions::default() };
    preflight(&connect(&options).await.unwrap()).await.unwrap();
    let host = format!("localhost:{}", fake.address.port());
    assert_eq!(fake.requests()[0].header("host"), Some(host.as_str()));
}

#[tokio::test]
async fn a_wrong_server_name() {
    let authority = Authority::new();
    let fake = authority.serve(&["127.0.0.1"], false).await;
    let file = authority.folder.path().join("config");
    let text = format!(
        "current-context: a\nclusters: [{{name: c, cluster: {{server: 'https://{}', certificate-authority: ca.pem, tls-server-name: other.example}}}}]\ncontexts: [{{name: a, context: {{cluster: c}}}}]\n",
        fake.address
    );
    std::fs::write(&file, text).unwrap();
    let options = TargetOptions { kubeconfig: Some(file), ..TargetOptions::default() };
    let error = preflight(&connect(&options).await.unwrap()).await.unwrap_err();
    assert!(error.to_string().contains("for another name"), "{error}");
    assert!(fake.requests().is_empty());
}

#[tokio::test]
async fn a_system_authority_is_not_enough_for_a_private_certificate() {
    let authority = Authority::new();
    let fake = authority.serve(&["127.0.0.1"], false).await;
    let error = preflight(&connect(&at(&fake)).await.unwrap()).await.unwrap_err();
    assert!(error.to_string().contains("an authority that is not trusted"), "{error}");
}

#[tokio::test]
async fn a_client_key_must_match_its_certificate() {
    let authority = Authority::new();
    let fake = authority.serve(&["127.0.0.1"], true).await;
    let ((certificate, _), (_, other_key)) = (authority.sign(&["client"]), authority.sign(&["other"]));
    let files = ["c.pem", "k.pem"].map(|name| authority.folder.path().join(name));
    std::fs::write(&files[0], certificate).unwrap();
    let [certificate, key] = &files;
    let options = TargetOptions {
        ca: Some(authority.ca()),
        client_certificate: Some(certificate.clone()),
        client_key: Some(key.clone()),
        ..at(&fake)
    };
    for (text, what) in [(other_key.as_str(), "cannot be used"), ("hunter2", "cannot be read as PEM: no private key")] {
        std::fs::write(key, text).unwrap();
        let error = connect(&options).await.unwrap_err().to_string();
        assert!(error.contains(what) && !error.contains(text), "{error}");
    }
}
