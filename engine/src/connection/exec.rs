//! Credential plugins: programs that the kubeconfig names, and that print an `ExecCredential`.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use base64::Engine;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::json;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, Command};

use super::credentials::ClientIdentity;
use super::group;
use super::kubeconfig::ExecConfig;
use super::secret::Secret;

const SUPPORTED: [&str; 2] = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"];

/// The time limit of a plugin. One that prompts for input would wait forever.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// The limit of a plugin's output, in bytes.
const LONGEST_OUTPUT: u64 = 1 << 20;

/// How long before their expiry credentials are renewed, so that none expires during a request.
const MARGIN: Duration = Duration::from_secs(10);

/// A plugin that can be run.
#[derive(Debug, Clone)]
pub(super) struct ExecPlugin {
    api_version: String,
    program: PathBuf,
    arguments: Vec<String>,
    variables: Vec<(String, Secret)>,
    install_hint: String,
    /// The value of `KUBERNETES_EXEC_INFO`. A secret, because it may contain the password of a proxy.
    info: Secret,
    time_limit: Duration,
}

/// What a plugin is sent about the cluster if it asks for it (`provideClusterInfo`).
#[derive(Debug, Clone, Default)]
pub(super) struct ClusterInfo {
    pub(super) server: String,
    pub(super) tls_server_name: Option<String>,
    pub(super) insecure: bool,
    pub(super) ca: Option<Vec<u8>>,
    pub(super) proxy: Option<Secret>,
}

/// The credentials that a plugin issued.
#[derive(Debug, Clone, Default)]
pub(super) struct Issued {
    pub(super) token: Option<Secret>,
    pub(super) identity: Option<ClientIdentity>,
    pub(super) valid_until: Option<Instant>,
}

impl ExecPlugin {
    /// Checks `config`, whose relative paths start in `folder`. Runs nothing.
    ///
    /// # Errors
    /// A sentence: what is missing or unsupported, and what to do.
    pub(super) fn new(config: &ExecConfig, folder: &Path, cluster: &ClusterInfo) -> Result<Self, String> {
        let api_version = config.api_version.clone().unwrap_or_default();
        if !SUPPORTED.contains(&api_version.as_str()) {
            return Err(format!(
                "exec plugin with apiVersion {api_version:?} is not supported: use {}",
                SUPPORTED.join(" or ")
            ));
        }
        if config.command.is_empty() {
            return Err("exec has no command: add `command`".to_owned());
        }
        if config.interactive_mode.as_deref() == Some("Always") {
            return Err(format!(
                "the exec plugin {} requires user input (interactiveMode \
                 Always), which is not supported: log in first and use a token",
                config.command
            ));
        }
        // As in kubectl: a bare name is looked up in PATH, anything with a slash is a path.
        let program =
            if config.command.contains('/') { folder.join(&config.command) } else { PathBuf::from(&config.command) };
        let mut info = json!({
            "kind": "ExecCredential",
            "apiVersion": api_version,
            "spec": { "interactive": false },
        });
        if config.provide_cluster_info {
            info["spec"]["cluster"] = cluster.to_json();
        }
        let variables = config
            .env
            .iter()
            .map(|variable| (variable.name.clone(), variable.value.clone().unwrap_or_else(|| Secret::from(""))))
            .collect();
        Ok(Self {
            api_version,
            program,
            arguments: config.args.clone(),
            variables,
            install_hint: config.install_hint.clone().unwrap_or_default(),
            info: Secret::from(info.to_string()),
            time_limit: TIME_LIMIT,
        })
    }

    /// Runs the plugin and parses its output.
    ///
    /// # Errors
    /// A sentence: the plugin cannot be started, failed, took too long or printed something else. Its output is never
    /// quoted; the end of its standard error is.
    pub(super) async fn run(&self) -> Result<Issued, String> {
        let name = self.program.display();
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .env("KUBERNETES_EXEC_INFO", self.info.expose())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        for (variable, value) in &self.variables {
            command.env(variable, value.expose());
        }
        let mut child = command.spawn().map_err(|error| {
            let hint = if self.install_hint.is_empty() {
                "install it, or correct `command`".to_owned()
            } else {
                self.install_hint.trim().to_owned()
            };
            format!("cannot start the exec plugin {name}: {error}; {hint}")
        })?;
        let group = child.id();
        let finished = tokio::time::timeout(self.time_limit, collect(&mut child)).await;
        // A plugin that ended by itself may leave a helper behind; one that is stopped may not. It has not been waited
        // for yet, so its ID cannot belong to another process.
        if let (Err(_), Some(leader)) = (&finished, group) {
            group::kill(leader);
        }
        let (status, output, complaint) = finished
            .map_err(|_| {
                format!(
                    "the exec plugin {name} did not finish within {:?} and was stopped; \
                     run it manually to see what it waits for",
                    self.time_limit
                )
            })?
            .map_err(|error| format!("cannot read the output of the exec plugin {name}: {error}"))?;
        if !status.success() {
            let complaint = String::from_utf8_lossy(&complaint);
            return Err(format!(
                "the exec plugin {name} failed ({status}): {}; log in again, or run it manually",
                tail(&complaint)
            ));
        }
        self.read(&output).map_err(|detail| format!("the exec plugin {name} {detail}"))
    }

    fn read(&self, output: &[u8]) -> Result<Issued, String> {
        // The message of serde may quote a value, so only the position is reported.
        let credential: ExecCredential = serde_json::from_slice(output)
            .map_err(|error| format!("printed no ExecCredential (line {}, column {})", error.line(), error.column()))?;
        if credential.api_version != self.api_version || credential.kind != "ExecCredential" {
            return Err(format!(
                "printed {} of {}, but the kubeconfig requires ExecCredential of {}: use the same apiVersion in both",
                credential.kind, credential.api_version, self.api_version
            ));
        }
        let status = credential.status.ok_or("printed an ExecCredential without a status")?;
        let identity = match (status.client_certificate_data, status.client_key_data) {
            (Some(certificate), Some(key)) => Some(ClientIdentity { certificate: certificate.into_bytes(), key }),
            (None, None) => None,
            _ => {
                return Err("issued only one of client certificate and key: it must issue both".to_owned());
            }
        };
        let token = status.token.filter(|token| !token.expose().is_empty());
        if token.is_none() && identity.is_none() {
            return Err("issued neither a token nor a client certificate: log in again".to_owned());
        }
        let valid_until = match status.expiration_timestamp.as_deref() {
            None => None,
            Some(text) => {
                let end: Timestamp =
                    text.parse().map_err(|_| "printed an expirationTimestamp that is not RFC 3339".to_owned())?;
                let left = end.as_second().saturating_sub(Timestamp::now().as_second());
                let left = Duration::from_secs(u64::try_from(left).unwrap_or(0)).saturating_sub(MARGIN);
                Instant::now().checked_add(left)
            }
        };
        Ok(Issued { token, identity, valid_until })
    }
}

impl ClusterInfo {
    fn to_json(&self) -> serde_json::Value {
        let mut cluster = json!({ "server": self.server });
        if let Some(name) = &self.tls_server_name {
            cluster["tls-server-name"] = json!(name);
        }
        if self.insecure {
            cluster["insecure-skip-tls-verify"] = json!(true);
        }
        if let Some(ca) = &self.ca {
            cluster["certificate-authority-data"] = json!(base64::engine::general_purpose::STANDARD.encode(ca));
        }
        if let Some(proxy) = &self.proxy {
            cluster["proxy-url"] = json!(proxy.expose());
        }
        cluster
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExecCredential {
    #[serde(default)]
    kind: String,
    #[serde(default)]
    api_version: String,
    status: Option<Status>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    token: Option<Secret>,
    client_certificate_data: Option<String>,
    client_key_data: Option<Secret>,
    expiration_timestamp: Option<String>,
}

type Collected = (std::process::ExitStatus, Vec<u8>, Vec<u8>);

async fn collect(child: &mut Child) -> std::io::Result<Collected> {
    let output = read_some(child.stdout.take());
    let complaint = read_some(child.stderr.take());
    let (output, complaint) = tokio::try_join!(output, complaint)?;
    Ok((child.wait().await?, output, complaint))
}

async fn read_some(stream: Option<impl AsyncRead + Unpin>) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        stream.take(LONGEST_OUTPUT).read_to_end(&mut bytes).await?;
    }
    Ok(bytes)
}

/// The last 500 characters, on one line.
fn tail(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.is_empty() {
        return "no message on standard error".to_owned();
    }
    let skip = words.chars().count().saturating_sub(500);
    words.chars().skip(skip).collect()
}
