//! What kubectl and client libraries need to find a server, and to be known by it.

use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::access::Token;
use crate::tls::ClientIdentity;

/// The name of cluster, user and context.
const NAME: &str = "crdible";
/// By this first line a file is known as one that may be replaced.
const FIRST_LINE: &str = "# Made by crdible for one run of its embedded API server; replaced by the next.";

/// Stands for a token where none is asked for. In TLS kubectl does: it wants a user name from whoever has no credential.
const NO_TOKEN: &str = "nobody-asks-for-it";

/// Address and credentials of a server. It holds secrets: neither printed by `Debug`, nor readable for others where
/// [`Kubeconfig::write`] puts it.
#[derive(Clone)]
pub struct Kubeconfig {
    content: Value,
}

/// How a client is known.
pub(crate) enum Login {
    Nobody,
    Token(Token),
    Certificate(ClientIdentity),
}

impl Kubeconfig {
    /// For a server at this URL, whose certificate the authority signed, if it has one.
    pub(crate) fn new(url: &str, authority: Option<&str>, login: &Login) -> Self {
        let mut cluster = json!({"server": url});
        if let Some(authority) = authority {
            cluster["certificate-authority-data"] = STANDARD.encode(authority).into();
        }
        let user = match login {
            Login::Nobody if authority.is_some() => json!({"token": NO_TOKEN}),
            Login::Nobody => json!({}),
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

    /// The text of the file.
    pub fn to_yaml(&self) -> String {
        let mut yaml = format!("{FIRST_LINE}\n");
        yaml.push_str(&String::from_utf8_lossy(&crate::yaml::write(&self.content)));
        yaml
    }

    /// Writes the file, for its owner alone (mode 0600), and whole or not at all. A file that was made by this replaced.
    ///
    /// # Errors
    /// `AlreadyExists` for a file that somebody else made: clusters that one needs are easily lost. Else those of the file system.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        match fs::read(path) {
            Ok(present) if present.starts_with(FIRST_LINE.as_bytes()) => {}
            Ok(_) => {
                let why = "there is a file that crdible did not make, and it would be lost";
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "this names no file"))?;
        let passing = path.with_file_name(format!(".{}.{}", name.to_string_lossy(), std::process::id()));
        let written = write_private(&passing, &self.to_yaml()).and_then(|()| fs::rename(&passing, path));
        if written.is_err() {
            // What is left of it may hold a secret.
            let _ = fs::remove_file(&passing);
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

/// Puts a text into a new file that only its owner may read.
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
        Kubeconfig::new(url, None, &Login::Nobody)
    }

    #[cfg(unix)]
    #[test]
    fn its_file_is_for_its_owner_alone_and_replaces_only_its_like() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("it.yaml");
        kubeconfig("http://127.0.0.1:1").write(&path).expect("a file");
        kubeconfig("http://127.0.0.1:2").write(&path).expect("the file, replaced");
        let text = fs::read_to_string(&path).expect("the file");
        assert!(text.contains("http://127.0.0.1:2") && !text.contains("http://127.0.0.1:1"), "{text}");
        assert_eq!(fs::metadata(&path).expect("the file").permissions().mode() & 0o777, 0o600);

        fs::write(&path, "kind: Config\n").expect("another file");
        let error = kubeconfig("http://127.0.0.1:3").write(&path).expect_err("it is somebody's");
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).expect("the file"), "kind: Config\n");
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1, "nothing else is left there");
    }

    /// What kubectl 1.32 does without: it asks at the terminal for a user name.
    #[test]
    fn in_tls_there_is_always_something_to_be_known_by() {
        let of = |authority| Kubeconfig::new("https://127.0.0.1:1", authority, &Login::Nobody).to_yaml();
        assert!(of(Some("pem")).contains("    token: "));
        assert!(!of(None).contains("    token: "));
    }

    #[test]
    fn debug_tells_no_secret() {
        let token = Token::random().expect("a token");
        let kubeconfig = Kubeconfig::new("https://127.0.0.1:1", Some("pem"), &Login::Token(token.clone()));
        assert!(kubeconfig.to_yaml().contains(token.expose()));
        assert!(!format!("{kubeconfig:?}").contains(token.expose()));
    }
}
