//! What the measurements share: the server that is asked, and the features that it was seen to have.

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use serde_json::Value;
use tokio::time::Instant;

use super::names::Names;
use super::{Feature, Probe, Support};
use crate::connection::TargetError;
use crate::doctor::client::{Answer, Client};

/// How long discovery and a changed schema may take, on a server that is not slower with a new definition.
const SETTLED: Duration = Duration::from_secs(3);

/// The polling interval for something that changes within milliseconds, and the longest one.
const PAUSES: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(50));

/// What the measurements share.
pub(super) struct Probing<'a> {
    pub(super) api: &'a Arc<Client>,
    pub(super) names: &'a Names,
    pub(super) probe: &'a mut Probe,
    /// Whether dry runs of objects store nothing: then objects that are only tried are dry runs.
    pub(super) dry_runs: bool,
    /// How many objects were tried: each gets a name of its own.
    pub(super) tried: u32,
}

impl<'a> Probing<'a> {
    /// The start of a probe.
    pub(super) fn new(api: &'a Arc<Client>, names: &'a Names, probe: &'a mut Probe) -> Self {
        Self { api, names, probe, dry_runs: false, tried: 0 }
    }

    /// Creates an object that nothing reads again, with these query parameters: as a dry
    /// run if that works, else it is removed at once.
    pub(super) async fn try_create(&mut self, spec: &Value, query: &str) -> Result<Answer, TargetError> {
        self.tried += 1;
        let name = format!("tried-{}", self.tried);
        let dry_run = if self.dry_runs { "dryRun=All" } else { "" };
        let path = match (query, dry_run) {
            ("", "") => self.names.collection.clone(),
            ("", parameters) | (parameters, "") => format!("{}?{parameters}", self.names.collection),
            _ => format!("{}?{query}&{dry_run}", self.names.collection),
        };
        let answer = self.api.post(&path, &self.names.object(&name, spec)).await?;
        if !self.dry_runs && answer.status.is_success() {
            self.api.delete(&self.names.path("v1", &name), None).await?;
        }
        Ok(answer)
    }

    /// How long discovery and a changed schema may take: longer on a server that took long to serve the definition.
    pub(super) fn settling(&self) -> Duration {
        let slowest = self.probe.costs.established.max(self.probe.costs.served);
        SETTLED.max(slowest.unwrap_or_default() + Duration::from_secs(1))
    }

    /// Asks until `is_so` or the answer will not come any more; returns the last answer.
    pub(super) async fn settled(
        &self,
        path: &str,
        is_so: impl Fn(&Value) -> bool,
        until: Instant,
    ) -> Result<(Answer, bool), TargetError> {
        let mut pauses = Pauses::default();
        loop {
            let answer = self.api.get(path).await?;
            let so = answer.status.is_success() && answer.json().is_some_and(|body| is_so(&body));
            if so || Instant::now() >= until {
                return Ok((answer, so));
            }
            pauses.next().await;
        }
    }

    /// Notes a feature that shows in an object: this value in its `spec`.
    pub(super) fn note_value(
        &mut self,
        what: &'static str,
        requirement: &'static str,
        answer: &Answer,
        (key, wanted): (&str, i64),
    ) {
        let spec = spec_of(answer);
        self.add(what, &[requirement], answer, spec[key] == wanted, || match spec.get(key) {
            _ if !answer.status.is_success() => answer.described(),
            None => format!("spec.{key} is missing"),
            Some(value) => format!("spec.{key} is {value} instead of {wanted}"),
        });
    }

    /// Notes a feature; the answer is the detail if it is missing.
    pub(super) fn note(&mut self, what: &'static str, requirement: &'static str, answer: &Answer, works: bool) {
        self.add(what, &[requirement], answer, works, || answer.described());
    }

    /// Notes a feature with its own detail, which is computed if it is missing. The answer must be the one that
    /// decides: a refused or failed request says nothing about the feature.
    pub(super) fn add(
        &mut self,
        what: &'static str,
        requirements: &[&'static str],
        answer: &Answer,
        works: bool,
        detail: impl FnOnce() -> String,
    ) {
        if answer.status == StatusCode::FORBIDDEN {
            self.probe.missing_permissions.insert(answer.request.clone());
        }
        let (support, detail) = match works {
            true => (Support::Works, String::new()),
            false if hides(answer) => (Support::NotTried, answer.described()),
            false => (Support::Missing, detail()),
        };
        self.push(what, requirements, support, &detail);
    }

    /// Notes a feature on which no single answer decides.
    pub(super) fn push(&mut self, what: &'static str, requirements: &[&'static str], support: Support, detail: &str) {
        // The group is generated, and long.
        let detail = detail.replace(&self.names.group, "…");
        self.probe.features.push(Feature { what, requirements: requirements.to_vec(), support, detail });
    }
}

/// Whether the answer hides what the server can do: no permission, or an error of the server other than that it
/// implements no such thing.
pub(super) fn hides(answer: &Answer) -> bool {
    let status = answer.status;
    matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN)
        || status.is_server_error() && status != StatusCode::NOT_IMPLEMENTED
}

/// The `spec` of an accepted object.
pub(super) fn spec_of(answer: &Answer) -> Value {
    if answer.status.is_success() { answer.json().unwrap_or_default()["spec"].take() } else { Value::Null }
}

/// Pauses between polls, longer each time.
pub(super) struct Pauses(Duration);

impl Default for Pauses {
    fn default() -> Self {
        Self(PAUSES.0)
    }
}

impl Pauses {
    pub(super) async fn next(&mut self) {
        tokio::time::sleep(self.0).await;
        self.0 = (self.0 * 2).min(PAUSES.1);
    }
}
