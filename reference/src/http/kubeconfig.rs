//! The kubeconfig with which kubectl and client libraries connect to a server.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::http::access::Token;
use crate::http::tls::ClientIdentity;

/// The name of cluster, user and context.
const NAME: &str = "crdible";
/// The first line of generated files; only files that start with it are overwritten.
const FIRST_LINE: &str = "# Made by crdible for one run of its embedded API server; replaced by the next.";

/// A token for servers without authentication. With TLS, kubectl prompts for a user name if the kubeconfig has no
/// credential.
const NO_TOKEN: &str = "not-required";

/// The address of a server, and the credential for it, as a kubeconfig file.
///
/// It may contain secrets: `Debug` does not print them, and [`Kubeconfig::write`] makes the file readable only for its
/// owner.
#[derive(Clone)]
pub struct Kubeconfig {
    content: Value,
}

/// How a client authenticates.
pub(crate) enum Login {
    Anonymous,
    Token(Token),
    Certificate(ClientIdentity),
}

impl Kubeconfig {
    /// A kubeconfig for a server at `url`; `authority` is the certificate of the authority that signed the server's, if
    /// any.
    pub(crate) fn new(url: &str, authority: Option<&str>, login: &Login) -> Self {
        let mut cluster = json!({"server": url});
        if let Some(authority) = authority {
            cluster["certificate-authority-data"] = STANDARD.encode(authority).into();
        }
        let user = match login {
            Login::Anonymous if authority.is_some() => json!({"token": NO_TOKEN}),
            Login::Anonymous => json!({}),
            Login::Token(token) => json!({"token": token.expose()}),
            Login::Certificate(identity) => json!({
                "client-certificate-data": STANDARD.encode(&identity.certificate),
                "client-key-data": STANDARD.encode(&identity.key),
            }),
        };
        let content = json!({
            "apiVersion": "v1", "kind": "Config",
            "clusters": [{"name": NAME, "cluster": cluster}],
            "users": [{"name": NAME, "user": user}],
            "contexts": [{"name": NAME, "context": {"cluster": NAME, "user": NAME}}],
            "current-context": NAME,
        });
        Self { content }
    }

    /// The content of the file.
    pub fn to_yaml(&self) -> String {
        let mut yaml = format!("{FIRST_LINE}\n");
        yaml.push_str(&String::from_utf8_lossy(&crate::wire::yaml::write(&self.content)));
        yaml
    }

    /// Writes the file atomically, with mode 0600. Overwrites only a file that this method wrote.
    ///
    /// # Errors
    /// `AlreadyExists` if the file exists and was not written by crdible, so that no other kubeconfig is lost;
    /// otherwise the error of the file system.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        match is_own(path) {
            Ok(true) => {}
            Ok(false) => {
                let why = "the file exists and was not written by crdible; remove it or choose another path";
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let name =
            path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path has no file name"))?;
        let temporary = path.with_file_name(format!(".{}.{}", name.to_string_lossy(), std::process::id()));
        let written = write_private(&temporary, &self.to_yaml()).and_then(|()| fs::rename(&temporary, path));
        if written.is_err() {
            // The partial file may contain a secret.
            let _ = fs::remove_file(&temporary);
        }
        written
    }
}

impl fmt::Debug for Kubeconfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kubeconfig")
            .field("server", &self.content["clusters"][0]["cluster"]["server"])
            .finish_non_exhaustive()
    }
}

/// Whether a file is one that crdible wrote. Of a device or a pipe nothing is read: it may have no end.
fn is_own(path: &Path) -> io::Result<bool> {
    if !fs::metadata(path)?.is_file() {
        return Ok(false);
    }
    let mut beginning = Vec::new();
    File::open(path)?.take(FIRST_LINE.len() as u64).read_to_end(&mut beginning)?;
    Ok(beginning == FIRST_LINE.as_bytes())
}

/// Writes a new file that only its owner can read.
fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kubeconfig(url: &str) -> Kubeconfig {
        Kubeconfig::new(url, None, &Login::Anonymous)
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_private_and_overwrites_only_generated_files() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("it.yaml");
        kubeconfig("http://127.0.0.1:1").write(&path).expect("a file");
        kubeconfig("http://127.0.0.1:2").write(&path).expect("the file, replaced");
        let text = fs::read_to_string(&path).expect("the file");
        assert!(text.contains("http://127.0.0.1:2") && !text.contains("http://127.0.0.1:1"), "{text}");
        assert_eq!(fs::metadata(&path).expect("the file").permissions().mode() & 0o777, 0o600);

        fs::write(&path, "kind: Config\n").expect("another file");
        let error = kubeconfig("http://127.0.0.1:3").write(&path).expect_err("another file is not overwritten");
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).expect("the file"), "kind: Config\n");
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1, "no temporary file is left");
        let endless = kubeconfig("http://127.0.0.1:4").write(Path::new("/dev/zero")).expect_err("it is a device");
        assert_eq!(endless.kind(), io::ErrorKind::AlreadyExists);
    }

    /// Without a credential, kubectl 1.32 prompts for a user name.
    #[test]
    fn with_tls_there_is_always_a_credential() {
        let of = |authority| Kubeconfig::new("https://127.0.0.1:1", authority, &Login::Anonymous).to_yaml();
        assert!(of(Some("pem")).contains("    token: "));
        assert!(!of(None).contains("    token: "));
    }

    #[test]
    fn debug_shows_no_secret() {
        let token = Token::random().expect("a token");
        let kubeconfig = Kubeconfig::new("https://127.0.0.1:1", Some("pem"), &Login::Token(token.clone()));
        assert!(kubeconfig.to_yaml().contains(token.expose()));
        assert!(!format!("{kubeconfig:?}").contains(token.expose()));
    }
}
