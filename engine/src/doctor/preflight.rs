//! Checks before a run whether the target can be used. Read-only, and done within seconds.

use std::time::Duration;

use crdible_semantics::release::Version;
use http::StatusCode;
use serde_json::Value;

use super::client::{Answer, Client};
use crate::connection::{RequestSummary, Target, TargetError, TransportError};
use crate::marks::DEFINITIONS;

/// The time limit for all of it.
pub const PREFLIGHT_LIMIT: Duration = Duration::from_secs(5);

/// How long to honour a server's `Retry-After`; a preflight must be quick.
const PATIENCE: Duration = Duration::from_secs(2);

/// Advice about a server that is not an API server.
const CHECK_ADDRESS: &str = "check the address, port and path of the API server";

/// The version, platform and verbs of a usable server.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServerFacts {
    /// `gitVersion`, for example `v1.36.3`, else major and minor number; `None` if `/version` reports neither.
    pub version: Option<String>,
    /// The version of Kubernetes 1 that it claims, by `gitVersion` or by major and minor number.
    pub release: Option<Version>,
    /// The release that it emulates, if that is not the one that it is.
    pub emulated: Option<Version>,
    /// `platform`, for example `linux/amd64`.
    pub platform: Option<String>,
    /// The verbs that discovery lists for definitions.
    pub definition_verbs: Vec<String>,
    /// What discovery returned, if it does not list definitions although the server has them.
    pub unlisted: Option<String>,
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
    let discovered = api.get("/apis/apiextensions.k8s.io/v1").await?;
    discovery(&discovered, &mut facts)?;
    let list = api.get(&format!("{DEFINITIONS}?limit=1")).await?;
    if facts.unlisted.is_none() {
        list.accepted_list()?;
        return Ok(facts);
    }
    // The list decides. If the version is unknown, the list must look like one of Kubernetes.
    match list.status {
        StatusCode::OK if list.accepted_list().is_ok() && (facts.version.is_some() || is_list(&list)) => Ok(facts),
        StatusCode::OK | StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED => Err(absent(&discovered, &facts)),
        _ => Err(list.refusal()),
    }
}

/// Reads the version. Only an answer that no Kubernetes API server gives is an error: nothing else needs a version.
fn version(answer: &Answer, facts: &mut ServerFacts) -> Result<(), TargetError> {
    if let Some(error) = not_of_kubernetes(answer) {
        return Err(error);
    }
    match answer.status {
        StatusCode::OK => {
            let body = answer.json().ok_or_else(|| not_kubernetes(answer, CHECK_ADDRESS))?;
            let text = |key: &str| body[key].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
            // Mocks report major 0 and minor 0, which is not a release; some write numbers.
            let numbers = |major: &str, minor: &str| {
                let of = |key: &str| text(key).or_else(|| body[key].as_u64().map(|number| number.to_string()));
                let (major, minor) = (of(major)?, of(minor)?);
                (major != "0").then(|| format!("{major}.{minor}"))
            };
            let parsed = |text: &Option<String>| text.as_deref().and_then(|text| text.parse::<Version>().ok());
            let (git_version, by_numbers) = (text("gitVersion"), numbers("major", "minor"));
            facts.release = parsed(&git_version).or_else(|| parsed(&by_numbers));
            facts.emulated = parsed(&numbers("emulationMajor", "emulationMinor"))
                .filter(|emulated| facts.release.is_some_and(|release| release.minor() != emulated.minor()));
            facts.version = git_version.or(by_numbers);
            facts.platform = text("platform");
            Ok(())
        }
        StatusCode::UNAUTHORIZED => Err(answer.refusal()),
        StatusCode::NOT_FOUND => Ok(()),
        // Hardened clusters hide the version, and not every server has one.
        status if status.is_client_error() && answer.is_kubernetes_status() => Ok(()),
        status if status.is_server_error() && answer.is_kubernetes_status() => Err(answer.refusal()),
        _ => Err(not_kubernetes(answer, CHECK_ADDRESS)),
    }
}

/// Reads the verbs of definitions, or how discovery answered without them.
fn discovery(answer: &Answer, facts: &mut ServerFacts) -> Result<(), TargetError> {
    if let Some(error) = not_of_kubernetes(answer) {
        return Err(error);
    }
    let body = match answer.status {
        StatusCode::OK => answer.json().ok_or_else(|| not_kubernetes(answer, CHECK_ADDRESS))?,
        StatusCode::NOT_FOUND => Value::Null,
        _ => return Err(answer.refusal()),
    };
    let resources = body["resources"].as_array().map(Vec::as_slice).unwrap_or_default();
    match resources.iter().find(|entry| entry["name"] == "customresourcedefinitions") {
        Some(entry) => {
            let verbs = entry["verbs"].as_array().into_iter().flatten();
            facts.definition_verbs = verbs.filter_map(Value::as_str).map(str::to_owned).collect();
        }
        None => facts.unlisted = Some(answer.described()),
    }
    Ok(())
}

/// Why a server that neither lists definitions in discovery nor returns any cannot be used.
fn absent(discovered: &Answer, facts: &ServerFacts) -> TargetError {
    let is_discovery = discovered.json().is_some_and(|body| body["kind"] == "APIResourceList");
    if facts.version.is_none() && !is_discovery {
        // Nothing indicates that this is Kubernetes.
        return not_kubernetes(discovered, CHECK_ADDRESS);
    }
    TargetError::NoApiextensions {
        address: discovered.address.clone(),
        request: discovered.request.clone(),
        seen: discovered.seen(),
    }
}

/// Whether the answer says that it is a list.
fn is_list(answer: &Answer) -> bool {
    answer.json().is_some_and(|body| body["kind"].as_str().is_some_and(|kind| kind.ends_with("List")))
}

/// An answer that no Kubernetes API server gives to any request.
fn not_of_kubernetes(answer: &Answer) -> Option<TargetError> {
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

/// Whether these bytes are somewhere in a text.
fn contains(text: &[u8], wanted: &[u8]) -> bool {
    text.windows(wanted.len()).any(|window| window == wanted)
}
