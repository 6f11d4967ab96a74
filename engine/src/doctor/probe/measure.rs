//! The measurements of a probe, in sequence. None depends on a feature that a server may lack.

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::names::{Names, definition_path, versions};
use super::rates::rates;
use super::{Feature, Probe, Problem, Support, definitions, objects, webhooks};
use crate::connection::TargetError;
use crate::doctor::client::{Answer, Client};
use crate::marks::DEFINITIONS;
use crate::webhook::Host;

/// How long objects may take to be served. In a highly available set-up a definition is established 5 s later.
const SERVING: Duration = Duration::from_secs(8);

/// How long conditions may take after objects are served.
const CONDITIONS: Duration = Duration::from_secs(3);

/// How long discovery and a changed schema may take, on a server that is not slower with a new definition.
const SETTLED: Duration = Duration::from_secs(3);

/// The polling interval for something that changes within milliseconds, and the longest one.
const PAUSES: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(50));

/// How long a server without conditions gets before the first object is tried.
const UNTRIED: Duration = Duration::from_millis(500);

/// What the measurements share.
pub(super) struct Probing<'a> {
    pub(super) api: &'a Arc<Client>,
    pub(super) names: &'a Names,
    pub(super) probe: &'a mut Probe,
    /// Whether dry runs of objects store nothing: then objects that are only tried are dry runs.
    pub(super) dry_runs: bool,
    /// How many objects were tried: each gets a name of its own.
    tried: u32,
}

/// Runs all measurements, and writes each result to `probe` at once.
pub(super) async fn all(api: &Arc<Client>, names: &Names, hooks: &Host, probe: &mut Probe) -> Result<(), Problem> {
    let mut probing = Probing { api, names, probe, dry_runs: false, tried: 0 };
    let served = probing.establish().await?;
    definitions::features(&mut probing).await?;
    let (first, created) = served?;
    objects::features(&mut probing, &first, &created).await?;
    probing.change_schema().await?;
    webhooks::feature(&mut probing, hooks).await?;
    rates(api, names, &mut probing.probe.costs).await?;
    Ok(())
}

impl Probing<'_> {
    /// Creates the definition, and waits until an object is accepted, and for the condition as long as makes sense.
    /// Returns the first object's name and the answer to its creation, or why there is none.
    async fn establish(&mut self) -> Result<Result<(String, Answer), Problem>, Problem> {
        let begun = Instant::now();
        self.api.post(DEFINITIONS, &self.names.document(1)).await?.accepted()?;
        let path = definition_path(&self.names.definition);
        let mut first = Err(Problem::NotServed { waited: Duration::ZERO, seen: "nothing was tried".to_owned() });
        let (mut first_at, mut pauses) = (begun, Pauses::default());
        loop {
            let answer = self.api.get(&path).await?;
            let conditions = answer.json().unwrap_or_default()["status"]["conditions"].take();
            let conditions = conditions.as_array().map(Vec::as_slice).unwrap_or_default();
            let is_established =
                conditions.iter().any(|entry| entry["type"] == "Established" && entry["status"] == "True");
            if is_established {
                self.probe.costs.established.get_or_insert(begun.elapsed());
            }
            if first.is_err() && (is_established || begun.elapsed() >= UNTRIED) {
                first = self.first_object(begun).await?;
                first_at = Instant::now();
            }
            // A server that writes conditions may be a highly available one.
            let is_late = conditions.is_empty() && first.is_ok() && first_at.elapsed() >= CONDITIONS;
            if (is_established && first.is_ok()) || is_late || begun.elapsed() >= SERVING {
                let waited = begun.elapsed();
                self.add("condition Established", &["LIFE-002"], &answer, is_established, || {
                    format!("not within {waited:.0?}; status.conditions is {}", json!(conditions))
                });
                return Ok(first);
            }
            pauses.next().await;
        }
    }

    /// Tries to create the first object, each time under another name.
    async fn first_object(&mut self, begun: Instant) -> Result<Result<(String, Answer), Problem>, TargetError> {
        self.tried += 1;
        let name = format!("first-{}", self.tried);
        let answer = self.api.post(&self.names.collection, &self.names.object(&name, &json!({ "size": 1 }))).await?;
        if answer.status.is_success() {
            self.probe.costs.served = Some(begun.elapsed());
            return Ok(Ok((name, answer)));
        }
        if matches!(answer.status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
            return Err(answer.refusal());
        }
        Ok(Err(Problem::NotServed { waited: begun.elapsed(), seen: answer.described() }))
    }

    /// Changes the schema, and waits until what the server does with it shows that it is served.
    async fn change_schema(&mut self) -> Result<(), Problem> {
        let works = |what| self.probe.works(what);
        let (defaults, prunes, checks) = (works(objects::DEFAULTING), works(objects::PRUNING), works(objects::ENUM));
        if !defaults && !prunes && !checks {
            // Nothing could show that the new schema is served.
            return Ok(());
        }
        let (begun, limit) = (Instant::now(), self.settling());
        let patch = json!({ "spec": { "versions": versions(2) } });
        let mut answer = self.api.merge_patch(&definition_path(&self.names.definition), &patch).await?;
        let (mut is_served, mut pauses) = (false, Pauses::default());
        if answer.status.is_success() {
            while !is_served && begun.elapsed() < limit {
                pauses.next().await;
                answer = self.try_create(&json!({ "added": 1, "colour": "blue" }), "").await?;
                let spec = spec_of(&answer);
                is_served = answer.status.is_success()
                    && (!defaults || spec["revision"] == 2)
                    && (!prunes || spec["added"] == 1);
            }
        }
        if is_served {
            self.probe.costs.schema_change = Some(begun.elapsed());
        }
        self.add("a changed schema is served", &["LIFE-024"], &answer, is_served, || {
            let spec = spec_of(&answer);
            let seen = match spec.get("revision") {
                Some(revision) if defaults => format!("spec.revision is still {revision}"),
                _ if spec.is_object() => "spec.added is still pruned".to_owned(),
                _ => answer.described(),
            };
            format!("{seen} after {:.0?}", begun.elapsed())
        });
        Ok(())
    }

    /// Creates an object that nothing reads again, with these query parameters: as a dry run if that works, else it is removed at once.
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

    /// Notes a feature; the answer is the detail if it is lacking.
    pub(super) fn note(&mut self, what: &'static str, requirement: &'static str, answer: &Answer, works: bool) {
        self.add(what, &[requirement], answer, works, || answer.described());
    }

    /// Notes a feature with its own detail, which is asked for if it is lacking. The answer must be the one that decides:
    /// a refused or failed request says nothing about the feature.
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
            false => (Support::Lacks, detail()),
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
struct Pauses(Duration);

impl Default for Pauses {
    fn default() -> Self {
        Self(PAUSES.0)
    }
}

impl Pauses {
    async fn next(&mut self) {
        tokio::time::sleep(self.0).await;
        self.0 = (self.0 * 2).min(PAUSES.1);
    }
}
