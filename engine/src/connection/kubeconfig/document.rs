//! The parts of a kubeconfig that are used. Unknown fields are ignored, as by `kubectl`.

use std::collections::BTreeMap;

use super::fields::{At, WrongType};
use crate::connection::secret::Secret;

#[derive(Debug, Clone, Default)]
pub(super) struct Document {
    pub(super) kind: Option<String>,
    pub(super) current_context: Option<String>,
    pub(super) clusters: Vec<(String, Cluster)>,
    pub(super) users: Vec<(String, User)>,
    pub(super) contexts: Vec<(String, Context)>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Cluster {
    pub(super) server: Option<String>,
    pub(super) tls_server_name: Option<String>,
    pub(super) insecure_skip_tls_verify: Option<bool>,
    pub(super) certificate_authority: Option<String>,
    pub(super) certificate_authority_data: Option<String>,
    pub(super) proxy_url: Option<Secret>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Context {
    pub(super) cluster: Option<String>,
    pub(super) user: Option<String>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct User {
    pub(super) client_certificate: Option<String>,
    pub(super) client_certificate_data: Option<String>,
    pub(super) client_key: Option<String>,
    pub(super) client_key_data: Option<Secret>,
    pub(super) token: Option<Secret>,
    pub(super) token_file: Option<String>,
    pub(super) username: Option<String>,
    pub(super) password: Option<Secret>,
    pub(super) impersonate: Option<String>,
    pub(super) as_uid: Option<String>,
    pub(super) as_groups: Option<Vec<String>>,
    pub(super) as_user_extra: Option<BTreeMap<String, Vec<String>>>,
    pub(super) auth_provider: Option<AuthProvider>,
    pub(super) exec: Option<ExecConfig>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct AuthProvider {
    pub(super) name: Option<String>,
}

/// The `exec` part of a user: how to run a credential plugin.
#[derive(Debug, Clone, Default)]
pub(in crate::connection) struct ExecConfig {
    pub(in crate::connection) api_version: Option<String>,
    pub(in crate::connection) command: String,
    pub(in crate::connection) args: Vec<String>,
    pub(in crate::connection) env: Vec<ExecVariable>,
    pub(in crate::connection) install_hint: Option<String>,
    pub(in crate::connection) provide_cluster_info: bool,
    pub(in crate::connection) interactive_mode: Option<String>,
}

/// An environment variable of the plugin. Its value may be a credential.
#[derive(Debug, Clone, Default)]
pub(in crate::connection) struct ExecVariable {
    pub(in crate::connection) name: String,
    pub(in crate::connection) value: Option<Secret>,
}

impl Document {
    /// Reads the fields of a document.
    ///
    /// # Errors
    /// A field has another type.
    pub(super) fn read(root: &At<'_>) -> Result<Self, WrongType> {
        root.object()?;
        Ok(Self {
            kind: root.text("kind")?,
            current_context: root.text("current-context")?,
            clusters: named(root, "clusters", "cluster", Cluster::read)?,
            users: named(root, "users", "user", User::read)?,
            contexts: named(root, "contexts", "context", Context::read)?,
        })
    }
}

/// The entries of a list, each with its name.
fn named<T: Default>(
    root: &At<'_>,
    list: &str,
    field: &str,
    read: impl Fn(&At<'_>) -> Result<T, WrongType>,
) -> Result<Vec<(String, T)>, WrongType> {
    let entry = |at: &At<'_>| {
        at.object()?;
        let value = at.member(field).map(|at| at.object().and_then(|()| read(&at))).transpose()?;
        Ok((at.required_text("name")?, value.unwrap_or_default()))
    };
    root.items(list)?.unwrap_or_default().iter().map(entry).collect()
}

impl Cluster {
    fn read(at: &At<'_>) -> Result<Self, WrongType> {
        Ok(Self {
            server: at.text("server")?,
            tls_server_name: at.text("tls-server-name")?,
            insecure_skip_tls_verify: at.flag("insecure-skip-tls-verify")?,
            certificate_authority: at.text("certificate-authority")?,
            certificate_authority_data: at.text("certificate-authority-data")?,
            proxy_url: at.secret("proxy-url")?,
        })
    }
}

impl Context {
    fn read(at: &At<'_>) -> Result<Self, WrongType> {
        Ok(Self { cluster: at.text("cluster")?, user: at.text("user")? })
    }
}

impl User {
    fn read(at: &At<'_>) -> Result<Self, WrongType> {
        let within = |field| at.member(field).map(|at| at.object().map(|()| at)).transpose();
        let provider = |at: At<'_>| Ok(AuthProvider { name: at.text("name")? });
        Ok(Self {
            client_certificate: at.text("client-certificate")?,
            client_certificate_data: at.text("client-certificate-data")?,
            client_key: at.text("client-key")?,
            client_key_data: at.secret("client-key-data")?,
            token: at.secret("token")?,
            token_file: at.text("tokenFile")?,
            username: at.text("username")?,
            password: at.secret("password")?,
            impersonate: at.text("as")?,
            as_uid: at.text("as-uid")?,
            as_groups: at.texts("as-groups")?,
            as_user_extra: extra(at)?,
            auth_provider: within("auth-provider")?.map(provider).transpose()?,
            exec: within("exec")?.map(|at| ExecConfig::read(&at)).transpose()?,
        })
    }
}

fn extra(user: &At<'_>) -> Result<Option<BTreeMap<String, Vec<String>>>, WrongType> {
    let Some(extra) = user.member("as-user-extra") else {
        return Ok(None);
    };
    let values = extra.keys()?.map(|key| Ok((key.clone(), extra.texts(key)?.unwrap_or_default())));
    values.collect::<Result<_, _>>().map(Some)
}

impl ExecConfig {
    fn read(at: &At<'_>) -> Result<Self, WrongType> {
        let variable =
            |at: &At<'_>| Ok(ExecVariable { name: at.text("name")?.unwrap_or_default(), value: at.secret("value")? });
        Ok(Self {
            api_version: at.text("apiVersion")?,
            command: at.text("command")?.unwrap_or_default(),
            args: at.texts("args")?.unwrap_or_default(),
            env: at.items("env")?.unwrap_or_default().iter().map(variable).collect::<Result<_, _>>()?,
            install_hint: at.text("installHint")?,
            provide_cluster_info: at.flag("provideClusterInfo")?.unwrap_or(false),
            interactive_mode: at.text("interactiveMode")?,
        })
    }
}
