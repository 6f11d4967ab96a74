//! Checks before a run whether the target can be used. Read-only, and done within seconds.

use std::time::Duration;

use http::StatusCode;
use serde_json::Value;

use super::client::{Answer, Client};
use crate::connection::{RequestSummary, Target, TargetError, TransportError};
use crate::marks::DEFINITIONS;

/// The time limit for all of it.
pub const PREFLIGHT_LIMIT: Duration = Duration::from_secs(5);

/// How long to honour a server's `Retry-After`; a preflight must be quick.
const PATIENCE: Duration = Duration::from_secs(2);

/// The version, platform and verbs of a usable server.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServerFacts {
    /// `gitVersion`, for example `v1.36.3`; `None` if `/version` is missing or invalid.
    pub version: Option<String>,
    /// The minor number of the Kubernetes release that it claims.
    pub minor: Option<u32>,
    /// `platform`, for example `linux/amd64`.
    pub platform: Option<String>,
    /// The verbs that discovery lists for definitions.
    pub definition_verbs: Vec<String>,
}

/// Checks whether `target` is a Kubernetes API server that serves definitions, and whether the user is authenticated
/// and authorized.
///
/// # Errors
/// A [`TargetError`] that explains what is wrong; exit code 3.
pub async fn preflight(target: &Target) -> Result<ServerFacts, TargetError> {
    preflight_within(target, PREFLIGHT_LIMIT).await
}

/// Like [`preflight`], with another time limit.
///
/// # Errors
/// As [`preflight`].
pub async fn preflight_within(target: &Target, limit: Duration) -> Result<ServerFacts, TargetError> {
    match tokio::time::timeout(limit, read_facts(target)).await {
        Ok(result) => result,
        Err(_) => Err(TargetError::Transport(TransportError::Timeout {
            place: RequestSummary {
                address: target.description.shown().to_owned(),
                request: "preflight: GET /version, discovery, list of definitions".to_owned(),
            },
            after: limit,
        })),
    }
}

async fn read_facts(target: &Target) -> Result<ServerFacts, TargetError> {
    let api = Client::new(target, PATIENCE);
    let mut facts = ServerFacts::default();
    version(&api.get("/version").await?, &mut facts)?;
    discovery(&api.get("/apis/apiextensions.k8s.io/v1").await?, &mut facts)?;

    let list = api.get(&format!("{DEFINITIONS}?limit=1")).await?.accepted_list()?;
    drop(list);
    Ok(facts)
}

fn version(answer: &Answer, facts: &mut ServerFacts) -> Result<(), TargetError> {
    if let Some(error) = foreign(answer) {
        return Err(error);
    }
    match answer.status {
        StatusCode::OK => {
            let body = answer.json().filter(|body| body["gitVersion"].is_string());
            let Some(body) = body else {
                return Err(not_kubernetes(answer, "check the address, port and path of the API server"));
            };
            let text = |key: &str| body[key].as_str().map(str::to_owned);
            facts.version = text("gitVersion");
            facts.platform = text("platform");
            facts.minor = text("minor").and_then(|minor| leading_number(&minor));
            Ok(())
        }
        StatusCode::UNAUTHORIZED => Err(answer.refusal()),
        // Hardened clusters hide the version, and not every server has one.
        StatusCode::FORBIDDEN if answer.is_kubernetes_status() => Ok(()),
        StatusCode::NOT_FOUND => Ok(()),
        status if status.is_server_error() && answer.is_kubernetes_status() => Err(answer.refusal()),
        _ => Err(not_kubernetes(answer, "check the address, port and path of the API server")),
    }
}

fn discovery(answer: &Answer, facts: &mut ServerFacts) -> Result<(), TargetError> {
    if let Some(error) = foreign(answer) {
        return Err(error);
    }
    let none = || TargetError::NoApiextensions {
        address: answer.address.clone(),
        request: answer.request.clone(),
        seen: answer.seen(),
    };
    match answer.status {
        StatusCode::OK => {
            let body = answer.json().filter(|body| body["kind"] == "APIResourceList");
            let Some(body) = body else {
                return Err(not_kubernetes(answer, "check the address, port and path of the API server"));
            };
            let resources = body["resources"].as_array().map(Vec::as_slice).unwrap_or_default();
            let entry = resources.iter().find(|entry| entry["name"] == "customresourcedefinitions");
            let verbs = entry.ok_or_else(none)?["verbs"].as_array().cloned().unwrap_or_default();
            facts.definition_verbs = verbs.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            Ok(())
        }
        // Without a version either, nothing indicates that this is Kubernetes.
        StatusCode::NOT_FOUND if facts.version.is_some() => Err(none()),
        StatusCode::NOT_FOUND => Err(not_kubernetes(answer, "check the address, port and path of the API server")),
        _ => Err(answer.refusal()),
    }
}

/// An answer that no Kubernetes API server gives to any request.
fn foreign(answer: &Answer) -> Option<TargetError> {
    if answer.status.is_redirection() {
        return Some(not_kubernetes(
            answer,
            "pass the address of the API server itself (a login page or a load balancer may be in front of it)",
        ));
    }
    // Go's TLS listener answers plain HTTP with this text.
    if answer.status == StatusCode::BAD_REQUEST && contains(&answer.body, b"HTTP request to an HTTPS") {
        return Some(not_kubernetes(answer, "the server uses TLS: write https:// instead of http://"));
    }
    None
}

fn not_kubernetes(answer: &Answer, advice: &str) -> TargetError {
    TargetError::NotKubernetes {
        address: answer.address.clone(),
        request: answer.request.clone(),
        seen: answer.seen(),
        advice: advice.to_owned(),
    }
}

impl Answer {
    /// The items of a list of definitions.
    pub(super) fn accepted_list(&self) -> Result<Vec<Value>, TargetError> {
        let mut body = self.accepted()?;
        match body["items"].take() {
            Value::Array(items) => Ok(items),
            // Go encodes some empty lists as null.
            Value::Null if body["kind"] == "CustomResourceDefinitionList" => Ok(Vec::new()),
            _ => Err(TargetError::Unexpected {
                address: self.address.clone(),
                request: self.request.clone(),
                seen: self.seen(),
            }),
        }
    }
}

fn leading_number(text: &str) -> Option<u32> {
    let digits = text.find(|letter: char| !letter.is_ascii_digit()).map_or(text, |end| &text[..end]);
    digits.parse().ok()
}

fn contains(text: &[u8], wanted: &[u8]) -> bool {
    text.windows(wanted.len()).any(|window| window == wanted)
}
