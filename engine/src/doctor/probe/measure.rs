//! The measurements of a probe, in sequence. Only how long a changed schema takes depends on capabilities of the
//! server: on one by which answers show their schema.

use std::{
    collections::BTreeSet,
    sync::{Arc, OnceLock},
    time::Duration,
};

use crdible_scenario::Capability;
use http::StatusCode;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{
    Probing, Problem,
    measurements::{Measure, Measured},
    names::{Names, versions},
    rates::rates,
};
use crate::{
    connection::TargetError,
    doctor::client::{Answer, Client},
    marks::DEFINITIONS,
};

/// How long objects may take to be served. In a highly available set-up a definition is established 5 s later.
const SERVING: Duration = Duration::from_secs(8);

/// How long conditions may take after objects are served.
const CONDITIONS: Duration = Duration::from_secs(3);

/// How long a server without conditions gets before the first object is tried.
const UNTRIED: Duration = Duration::from_millis(500);

/// How long discovery and a changed schema may take, on a server that is not slower with a new definition.
const SETTLED: Duration = Duration::from_secs(3);

/// The polling interval for something that changes within milliseconds, and the longest one.
const PAUSES: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(50));

/// What the target supports without exception.
pub(super) type Supported = BTreeSet<Capability>;

/// Runs all measurements, and notes each result at once.
pub(super) async fn all(
    api: &Arc<Client>,
    names: &Names,
    supported: Supported,
    probing: &mut Probing<'_>,
) -> Result<(), Problem> {
    let mut measuring = Measuring { api, names, supported, probing, tried: 0 };
    measuring.define().await?;
    measuring.one_of_each().await?;
    measuring.change_schema().await?;
    rates(api, names, measuring.probing).await?;
    Ok(())
}

/// What the measurements share.
struct Measuring<'a, 'p> {
    api: &'a Arc<Client>,
    names: &'a Names,
    supported: Supported,
    probing: &'a mut Probing<'p>,
    /// How many objects were tried: each gets a name of its own.
    tried: u32,
}

impl Measuring<'_, '_> {
    /// Creates the definition, and waits until objects are accepted and, at the same time, until it is discovered.
    async fn define(&mut self) -> Result<(), Problem> {
        let (api, names, begun) = (Arc::clone(self.api), self.names, Instant::now());
        api.post(DEFINITIONS, &names.document(1)).await?.accepted()?;
        let until = OnceLock::new();
        let establishing = async {
            let first = self.establish(begun).await;
            let settling = if first.is_ok() { self.settling() } else { Duration::ZERO };
            until.get_or_init(|| Instant::now() + settling);
            first
        };
        let (first, discovered) = tokio::join!(establishing, discover(&api, names, &until));
        let (first, (listed, unlisted)) = (first?, discovered?);
        let unlisted: Vec<String> = unlisted.iter().map(|answer| self.failed(answer, answer.described())).collect();
        let result = if unlisted.is_empty() {
            Measured::Time(listed.duration_since(begun))
        } else {
            Measured::Failed(unlisted.join("; "))
        };
        self.probing.note(Measure::Discovered, result);
        first
    }

    /// Waits until an object is accepted, and for the condition, if it may still come. The inner result says why no
    /// object is accepted.
    async fn establish(&mut self, begun: Instant) -> Result<Result<(), Problem>, Problem> {
        let path = self.names.definition_path();
        let mut pauses = Pauses::default();
        // When an object was first accepted, or why none is.
        let mut first: Option<Result<Instant, Problem>> = None;
        loop {
            let answer = self.api.get(&path).await?;
            let conditions = answer.json().unwrap_or_default()["status"]["conditions"].take();
            let conditions = conditions.as_array().map(Vec::as_slice).unwrap_or_default();
            let is_established =
                conditions.iter().any(|entry| entry["type"] == "Established" && entry["status"] == "True");
            if is_established {
                self.probing.note(Measure::Established, Measured::Time(begun.elapsed()));
            }
            let is_accepted = matches!(first, Some(Ok(_)));
            if !is_accepted && (is_established || begun.elapsed() >= UNTRIED) {
                first = Some(self.first_object(begun).await?);
            }
            // A server that writes conditions may be a highly available one.
            let accepted = first.as_ref().and_then(|first| first.as_ref().ok());
            let is_late = conditions.is_empty() && accepted.is_some_and(|at| at.elapsed() >= CONDITIONS);
            let is_over = (is_established && accepted.is_some()) || is_late || begun.elapsed() >= SERVING;
            if let Some(first) = first.take_if(|_| is_over) {
                let (waited, conditions) = (begun.elapsed(), json!(conditions));
                let seen = format!("not within {waited:.0?}; status.conditions is {conditions}");
                self.probing.note(Measure::Established, Measured::Failed(seen));
                return Ok(first.map(drop));
            }
            pauses.next().await;
        }
    }

    /// Tries to create the first object, each time under another name.
    async fn first_object(&mut self, begun: Instant) -> Result<Result<Instant, Problem>, TargetError> {
        self.tried += 1;
        let object = self.names.object(&format!("first-{}", self.tried), &json!({ "size": 1 }));
        let answer = self.api.post(&self.names.collection, &object).await?;
        if answer.status.is_success() {
            self.probing.note(Measure::Served, Measured::Time(begun.elapsed()));
            return Ok(Ok(Instant::now()));
        }
        if matches!(answer.status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
            return Err(answer.refusal());
        }
        Ok(Err(Problem::NotServed { waited: begun.elapsed(), seen: answer.described() }))
    }

    /// One request of each kind, about one object.
    async fn one_of_each(&mut self) -> Result<(), Problem> {
        let (api, names) = (self.api, self.names);
        let path = names.path("one");
        let has_size = |answer: &Answer, wanted: i64| {
            let spec = spec_of(answer);
            match spec.get("size") {
                Some(size) if *size == wanted => None,
                Some(size) => Some(format!("spec.size is {size} instead of {wanted}")),
                None => Some("spec.size is missing".to_owned()),
            }
        };
        let object = names.object("one", &json!({ "size": 1 }));
        self.one(Measure::Create, api.post(&names.collection, &object), |answer| {
            let metadata = answer.json().unwrap_or_default()["metadata"].take();
            let is_missing = |key: &&str| metadata[*key].as_str().is_none_or(str::is_empty);
            let missing: Vec<_> = ["uid", "resourceVersion"].into_iter().filter(is_missing).collect();
            let without = format!("a created object has no {}", missing.join(" and no "));
            if missing.is_empty() { has_size(answer, 1) } else { Some(without) }
        })
        .await?;
        self.one(Measure::Get, api.get(&path), |answer| has_size(answer, 1)).await?;
        self.one(Measure::List, api.get(&names.collection), |answer| {
            let items = answer.json().and_then(|list| list["items"].as_array().map(Vec::len));
            (items.unwrap_or(0) == 0).then(|| "the list is empty".to_owned())
        })
        .await?;
        let patch = json!({ "spec": { "size": 2 } });
        self.one(Measure::Patch, api.merge_patch(&path, &patch), |answer| has_size(answer, 2)).await?;
        let mut deleted = self.timed(api.delete(&path, None), |_| None).await?;
        let again = api.delete(&path, None).await?;
        if again.status != StatusCode::NOT_FOUND && matches!(deleted, Measured::Time(_)) {
            let seen = format!("a second one is no 404: {}", self.failed(&again, again.described()));
            deleted = Measured::Failed(seen);
        }
        self.probing.note(Measure::Delete, deleted);
        Ok(())
    }

    /// Measures one request, and notes the result; see [`Measuring::timed`].
    async fn one<E: Into<Problem>>(
        &mut self,
        what: Measure,
        request: impl Future<Output = Result<Answer, E>>,
        wrong: impl FnOnce(&Answer) -> Option<String>,
    ) -> Result<(), Problem> {
        let result = self.timed(request, wrong).await?;
        self.probing.note(what, result);
        Ok(())
    }

    /// Measures one request; `wrong` says what is wrong with a successful answer.
    async fn timed<E: Into<Problem>>(
        &mut self,
        request: impl Future<Output = Result<Answer, E>>,
        wrong: impl FnOnce(&Answer) -> Option<String>,
    ) -> Result<Measured, Problem> {
        let begun = Instant::now();
        let answer = request.await.map_err(Into::into)?;
        let took = begun.elapsed();
        let wrong = if answer.status.is_success() { wrong(&answer) } else { Some(answer.described()) };
        Ok(wrong.map_or(Measured::Time(took), |seen| Measured::Failed(self.failed(&answer, seen))))
    }

    /// Changes the schema, and waits until what the server does with it shows that it is served.
    async fn change_schema(&mut self) -> Result<(), Problem> {
        // By what an answer shows which schema is served: a default has the number of its revision, a field that only
        // the second revision declares is pruned, a value that only this one allows is rejected.
        let [defaults, prunes, validates] = [Capability::Defaulting, Capability::Pruning, Capability::Validation]
            .map(|capability| self.supported.contains(&capability));
        if !defaults && !prunes && !validates {
            // Nothing could show that the new schema is served.
            return Ok(());
        }
        let (begun, limit) = (Instant::now(), self.settling());
        let patch = json!({ "spec": { "versions": versions(2) } });
        let mut answer = self.api.merge_patch(&self.names.definition_path(), &patch).await?;
        let (mut is_served, mut pauses) = (false, Pauses::default());
        if answer.status.is_success() {
            while !is_served && begun.elapsed() < limit {
                pauses.next().await;
                answer = self.try_create(&json!({ "added": 1, "colour": "blue" })).await?;
                let spec = spec_of(&answer);
                is_served = answer.status.is_success()
                    && (!defaults || spec["revision"] == 2)
                    && (!prunes || spec["added"] == 1);
            }
        }
        let took = begun.elapsed();
        let result = if is_served {
            Measured::Time(took)
        } else {
            let spec = spec_of(&answer);
            let seen = match spec.get("revision") {
                _ if !spec.is_object() => self.failed(&answer, answer.described()),
                Some(revision) if defaults && *revision != 2 => format!("spec.revision is still {revision}"),
                None if defaults => "spec.revision is missing".to_owned(),
                _ => "spec.added is still pruned".to_owned(),
            };
            Measured::Failed(format!("{seen} after {took:.0?}"))
        };
        self.probing.note(Measure::Changed, result);
        Ok(())
    }

    /// Creates an object that nothing reads again: as a dry run if that works, else it is removed at once.
    async fn try_create(&mut self, spec: &Value) -> Result<Answer, TargetError> {
        self.tried += 1;
        let name = format!("tried-{}", self.tried);
        let is_dry = self.supported.contains(&Capability::ObjectDryRun);
        let query = if is_dry { "?dryRun=All" } else { "" };
        let path = format!("{}{query}", self.names.collection);
        let answer = self.api.post(&path, &self.names.object(&name, spec)).await?;
        if !is_dry && answer.status.is_success() {
            self.api.delete(&self.names.path(&name), None).await?;
        }
        Ok(answer)
    }

    /// How long discovery and a changed schema may take: longer on a server that took long to serve the definition.
    fn settling(&self) -> Duration {
        let slowest = self.probing.took(Measure::Established).max(self.probing.took(Measure::Served));
        SETTLED.max(slowest.unwrap_or_default() + Duration::from_secs(1))
    }

    /// What was seen instead of a success. Notes the permission if that is what is missing.
    fn failed(&mut self, answer: &Answer, seen: String) -> String {
        if answer.status == StatusCode::FORBIDDEN {
            self.probing.found.missing_permissions.insert(answer.request.clone());
        }
        // The group is generated, and long.
        seen.replace(&self.names.group, "…")
    }
}

/// Whether a document of discovery lists the definition with these names.
type Lists = fn(&Names, &Value) -> bool;

/// The three documents of discovery, each with what it must list.
fn documents(names: &Names) -> [(String, Lists); 3] {
    fn has_named(list: &Value, name: &str) -> bool {
        list.as_array().is_some_and(|all| all.iter().any(|one| one["name"] == name))
    }
    let group = &names.group;
    [
        ("/apis".to_owned(), |names, body| has_named(&body["groups"], &names.group)),
        (format!("/apis/{group}"), |names, body| body["kind"] == "APIGroup" && body["name"] == *names.group),
        (format!("/apis/{group}/v1"), |_, body| has_named(&body["resources"], "things")),
    ]
}

/// Waits until each document of discovery lists the definition, but not longer than `until`, once that is known.
/// Returns the last answers of those that do not, and when the last one did.
async fn discover(
    api: &Client,
    names: &Names,
    until: &OnceLock<Instant>,
) -> Result<(Instant, Vec<Answer>), TargetError> {
    let mut unlisted = Vec::new();
    for (path, lists) in documents(names) {
        let mut pauses = Pauses::default();
        loop {
            let answer = api.get(&path).await?;
            if answer.status.is_success() && answer.json().is_some_and(|body| lists(names, &body)) {
                break;
            }
            if until.get().is_some_and(|until| Instant::now() >= *until) {
                unlisted.push(answer);
                break;
            }
            pauses.next().await;
        }
    }
    Ok((Instant::now(), unlisted))
}

/// The `spec` of an accepted object.
fn spec_of(answer: &Answer) -> Value {
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
