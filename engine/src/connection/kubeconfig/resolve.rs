//! From the name of a context to the settings of a connection.

use std::path::Path;
use std::time::Duration;

use base64::Engine;
use http::{HeaderMap, HeaderName, HeaderValue};

use super::document::{Cluster, User};
use super::load::{Entry, Loaded};
use super::{KubeconfigError, shown};
use crate::connection::address::Address;
use crate::connection::credentials::{ClientIdentity, Credentials};
use crate::connection::exec::{ClusterInfo, ExecPlugin};
use crate::connection::http::{Proxy, Settings};
use crate::connection::login::{Login, Renewal};
use crate::connection::secret::{Secret, Secrets};

/// The settings of `context`, or of the current one.
pub(in crate::connection) fn resolve(
    loaded: &Loaded,
    context: Option<&str>,
    timeout: Duration,
    secrets: &Secrets,
) -> Result<Settings, KubeconfigError> {
    let name = context.or(loaded.current_context.as_deref()).ok_or_else(|| KubeconfigError::NoContext {
        file: loaded.files.clone(),
        known: known("contexts", loaded.contexts.keys()),
    })?;
    let entry = loaded.contexts.get(name).ok_or_else(|| KubeconfigError::Unknown {
        file: loaded.files.clone(),
        what: "context",
        name: name.to_owned(),
        wanted_by: String::new(),
        advice: known("contexts", loaded.contexts.keys()),
    })?;
    let unknown = |what: &'static str, missing: &str, names: String| KubeconfigError::Unknown {
        file: loaded.files.clone(),
        what,
        name: missing.to_owned(),
        wanted_by: format!(", which context {name:?} refers to"),
        advice: names,
    };

    let cluster_name = entry.value.cluster.as_deref().unwrap_or_default();
    let cluster = loaded
        .clusters
        .get(cluster_name)
        .ok_or_else(|| unknown("cluster", cluster_name, known("clusters", loaded.clusters.keys())))?;
    let mut settings = cluster_settings(cluster, timeout, secrets).map_err(|detail| KubeconfigError::Cluster {
        file: shown(&cluster.file),
        cluster: cluster_name.to_owned(),
        detail,
    })?;

    // Without a user, requests are anonymous.
    let user_name = entry.value.user.as_deref().unwrap_or_default();
    if !user_name.is_empty() {
        let user = loaded
            .users
            .get(user_name)
            .ok_or_else(|| unknown("user", user_name, known("users", loaded.users.keys())))?;
        let in_user = |detail| KubeconfigError::User { file: shown(&user.file), user: user_name.to_owned(), detail };
        settings.login = login(user, cluster, &settings, secrets).map_err(in_user)?;
        settings.headers = impersonation(&user.value).map_err(in_user)?;
    }
    Ok(settings)
}

fn known<'a>(what: &str, names: impl Iterator<Item = &'a String>) -> String {
    let names: Vec<_> = names.map(String::as_str).collect();
    if names.is_empty() { format!("it has no {what}") } else { format!("its {what} are {}", names.join(", ")) }
}

fn cluster_settings(entry: &Entry<Cluster>, timeout: Duration, secrets: &Secrets) -> Result<Settings, String> {
    let cluster = &entry.value;
    let server = non_empty(cluster.server.as_deref()).ok_or("it has no server: add `server: https://HOST:PORT`")?;
    let mut settings = Settings::new(Address::parse(server)?, timeout, secrets.clone());
    settings.ca = data_or_file(
        entry,
        "certificate-authority",
        cluster.certificate_authority_data.as_deref(),
        cluster.certificate_authority.as_deref(),
    )?;
    settings.insecure = cluster.insecure_skip_tls_verify.unwrap_or(false);
    if settings.insecure && settings.ca.is_some() {
        return Err("insecure-skip-tls-verify and certificate-authority contradict each other: remove one".to_owned());
    }
    settings.server_name = non_empty(cluster.tls_server_name.as_deref()).map(str::to_owned);
    settings.proxy = proxy(cluster, secrets)?;
    Ok(settings)
}

fn proxy(cluster: &Cluster, secrets: &Secrets) -> Result<Option<Proxy>, String> {
    let Some(proxy) = non_empty(cluster.proxy_url.as_ref().map(Secret::expose)) else {
        return Ok(None);
    };
    Proxy::parse(proxy, secrets).map(Some).map_err(|error| format!("proxy-url {error}"))
}

fn login(
    entry: &Entry<User>,
    cluster: &Entry<Cluster>,
    settings: &Settings,
    secrets: &Secrets,
) -> Result<Login, String> {
    let user = &entry.value;
    if let Some(provider) = &user.auth_provider {
        let name = provider.name.as_deref().unwrap_or("without a name");
        return Err(format!(
            "auth-provider {name} is not supported (kubectl has removed \
             it, too): use an exec plugin, a token or a client certificate"
        ));
    }
    let token = non_empty(user.token.as_ref().map(Secret::expose));
    let token_file = non_empty(user.token_file.as_deref());
    let password = user.username.as_deref().filter(|name| !name.is_empty());
    if user.exec.is_some() && (token.is_some() || token_file.is_some() || password.is_some()) {
        return Err("there are both exec and a token or a password: keep only one of them".to_owned());
    }
    if password.is_some() && (token.is_some() || token_file.is_some()) {
        return Err("there are both a token and a password: keep only one of them".to_owned());
    }

    let mut fixed = Credentials::default();
    if let Some(identity) = identity(entry)? {
        fixed = fixed.with_identity(identity, secrets);
    }
    let mut renewal = None;
    if let Some(exec) = &user.exec {
        let cluster = ClusterInfo {
            server: settings.address.shown(),
            tls_server_name: settings.server_name.clone(),
            insecure: settings.insecure,
            ca: settings.ca.clone(),
            proxy: cluster.value.proxy_url.clone(),
        };
        let folder = entry.file.parent().unwrap_or_else(|| Path::new(""));
        renewal = Some(Renewal::Exec(Box::new(ExecPlugin::new(exec, folder, &cluster)?)));
    } else if let Some(path) = token_file {
        // As in kubectl, the file has precedence over the token.
        renewal = Some(Renewal::TokenFile(entry.path(path)));
    } else if let Some(token) = token {
        fixed = fixed.with_token(&Secret::from(token), secrets);
    } else if let Some(name) = password {
        let empty = Secret::from("");
        fixed = fixed.with_password(name, user.password.as_ref().unwrap_or(&empty), secrets);
    }
    Ok(Login { fixed, renewal })
}

fn identity(entry: &Entry<User>) -> Result<Option<ClientIdentity>, String> {
    let user = &entry.value;
    let certificate = data_or_file(
        entry,
        "client-certificate",
        user.client_certificate_data.as_deref(),
        user.client_certificate.as_deref(),
    )?;
    let key = data_or_file(
        entry,
        "client-key",
        user.client_key_data.as_ref().map(Secret::expose),
        user.client_key.as_deref(),
    )?;
    match (certificate, key) {
        (None, None) => Ok(None),
        (Some(certificate), Some(key)) => {
            let key = String::from_utf8(key).map_err(|_| "client-key is not PEM text".to_owned())?;
            Ok(Some(ClientIdentity { certificate, key: Secret::from(key) }))
        }
        (Some(_), None) => Err("it has a client-certificate but no client-key: add the key".to_owned()),
        (None, Some(_)) => Err("it has a client-key but no client-certificate: add the certificate".to_owned()),
    }
}

/// The bytes of `{field}-data`, else of the file in `{field}`.
fn data_or_file<T>(
    entry: &Entry<T>,
    field: &str,
    data: Option<&str>,
    file: Option<&str>,
) -> Result<Option<Vec<u8>>, String> {
    if let Some(data) = non_empty(data) {
        let compact: String = data.split_ascii_whitespace().collect();
        return base64::engine::general_purpose::STANDARD
            .decode(compact)
            .map(Some)
            .map_err(|_| format!("{field}-data is not base64: encode the PEM text once"));
    }
    let Some(named) = non_empty(file) else {
        return Ok(None);
    };
    let path = entry.path(named);
    std::fs::read(&path).map(Some).map_err(|error| {
        format!(
            "cannot read {field} {}: {error}; check the path (it is relative to the folder of the kubeconfig)",
            path.display()
        )
    })
}

fn impersonation(user: &User) -> Result<HeaderMap, String> {
    let mut headers = HeaderMap::new();
    let mut add = |name: &str, value: &str| -> Result<(), String> {
        let refused = || format!("{value:?} cannot be sent in the header {name} (impersonation)");
        let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| refused())?;
        headers.append(header, HeaderValue::from_str(value).map_err(|_| refused())?);
        Ok(())
    };
    if let Some(name) = non_empty(user.impersonate.as_deref()) {
        add("impersonate-user", name)?;
        if let Some(uid) = non_empty(user.as_uid.as_deref()) {
            add("impersonate-uid", uid)?;
        }
        for group in user.as_groups.iter().flatten() {
            add("impersonate-group", group)?;
        }
        for (key, values) in user.as_user_extra.iter().flatten() {
            for value in values {
                add(&format!("impersonate-extra-{key}"), value)?;
            }
        }
    } else if user.as_uid.is_some() || user.as_groups.is_some() || user.as_user_extra.is_some() {
        return Err("as-uid, as-groups and as-user-extra require `as`: add the user to impersonate".to_owned());
    }
    Ok(headers)
}

fn non_empty(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.is_empty())
}
