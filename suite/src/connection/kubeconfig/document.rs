//! The parts of a kubeconfig document that are used. Unknown fields are ignored, as `kubectl` does.

use serde::Deserialize;

use crate::connection::secret::Secret;

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Document {
    pub(super) kind: Option<String>,
    pub(super) current_context: Option<String>,
    pub(super) clusters: Option<Vec<NamedCluster>>,
    pub(super) users: Option<Vec<NamedUser>>,
    pub(super) contexts: Option<Vec<NamedContext>>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct NamedCluster {
    pub(super) name: String,
    #[serde(default)]
    pub(super) cluster: Option<Cluster>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Cluster {
    pub(super) server: Option<String>,
    pub(super) tls_server_name: Option<String>,
    pub(super) insecure_skip_tls_verify: Option<bool>,
    pub(super) certificate_authority: Option<String>,
    pub(super) certificate_authority_data: Option<String>,
    pub(super) proxy_url: Option<Secret>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct NamedContext {
    pub(super) name: String,
    #[serde(default)]
    pub(super) context: Option<Context>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Context {
    pub(super) cluster: Option<String>,
    pub(super) user: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct NamedUser {
    pub(super) name: String,
    #[serde(default)]
    pub(super) user: Option<User>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct User {
    pub(super) client_certificate: Option<String>,
    pub(super) client_certificate_data: Option<String>,
    pub(super) client_key: Option<String>,
    pub(super) client_key_data: Option<Secret>,
    pub(super) token: Option<Secret>,
    #[serde(rename = "tokenFile")]
    pub(super) token_file: Option<String>,
    pub(super) username: Option<String>,
    pub(super) password: Option<Secret>,
    #[serde(rename = "as")]
    pub(super) impersonate: Option<String>,
    pub(super) as_uid: Option<String>,
    pub(super) as_groups: Option<Vec<String>>,
    pub(super) as_user_extra: Option<std::collections::BTreeMap<String, Vec<String>>>,
    pub(super) auth_provider: Option<AuthProvider>,
    pub(super) exec: Option<ExecConfig>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct AuthProvider {
    pub(super) name: Option<String>,
}

/// The `exec` part of a user: how a credential plugin is called.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::connection) struct ExecConfig {
    pub(in crate::connection) api_version: Option<String>,
    pub(in crate::connection) command: String,
    pub(in crate::connection) args: Option<Vec<String>>,
    pub(in crate::connection) env: Option<Vec<ExecVariable>>,
    pub(in crate::connection) install_hint: Option<String>,
    pub(in crate::connection) provide_cluster_info: Option<bool>,
    pub(in crate::connection) interactive_mode: Option<String>,
}

/// A variable for the plugin's environment; its value may be a credential.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(in crate::connection) struct ExecVariable {
    pub(in crate::connection) name: String,
    pub(in crate::connection) value: Option<Secret>,
}
