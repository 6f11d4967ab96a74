//! The measurements of a probe, in sequence. None depends on an optional capability of the server.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use crdible_scenario::Capability;
use http::StatusCode;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{
    Probe, Problem,
    measurements::{CHANGED, CREATE, DELETE, DISCOVERED, ESTABLISHED, GET, LIST, Measured, PATCH, SERVED},
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

/// Runs all measurements, and notes each result in `probe` at once.
pub(super) async fn all(
    api: &Arc<Client>,
    names: &Names,
    supported: Supported,
    probe: &mut Probe,
) -> Result<(), Problem> {
    let mut measuring = Measuring { api, names, supported, probe, tried: 0 };
    let begun = Instant::now();
    let first = measuring.establish(begun).await?;
    measuring.discover(begun).await?;
    first?;
    measuring.one_of_each().await?;
    measuring.change_schema().await?;
    rates(api, names, measuring.probe).await?;
    Ok(())
}

/// What the measurements share.
struct Measuring<'a> {
    api: &'a Arc<Client>,
    names: &'a Names,
    supported: Supported,
    probe: &'a mut Probe,
    /// How many objects were tried: each gets a name of its own.
    tried: u32,
}

impl Measuring<'_> {
    /// Creates the definition, and waits until an object is accepted, and for the condition, if it may still come.
    /// The inner result says why no object is accepted.
    async fn establish(&mut self, begun: Instant) -> Result<Result<(), Problem>, Problem> {
        self.api.post(DEFINITIONS, &self.names.document(1)).await?.accepted()?;
        let path = self.names.definition_path();
        let mut first = Err(Problem::NotServed { waited: Duration::ZERO, seen: "nothing was tried".to_owned() });
        let (mut first_at, mut pauses) = (begun, Pauses::default());
        loop {
            let answer = self.api.get(&path).await?;
            let conditions = answer.json().unwrap_or_default()["status"]["conditions"].take();
            let conditions = conditions.as_array().map(Vec::as_slice).unwrap_or_default();
            let is_established =
                conditions.iter().any(|entry| entry["type"] == "Established" && entry["status"] == "True");
            if is_established {
                self.probe.note(ESTABLISHED, Measured::Time(begun.elapsed()));
            }
            if first.is_err() && (is_established || begun.elapsed() >= UNTRIED) {
                first = self.first_object(begun).await?;
                first_at = Instant::now();
            }
            // A server that writes conditions may be a highly available one.
            let is_late = conditions.is_empty() && first.is_ok() && first_at.elapsed() >= CONDITIONS;
            if (is_established && first.is_ok()) || is_late || begun.elapsed() >= SERVING {
                let (waited, conditions) = (begun.elapsed(), json!(conditions));
                let seen = format!("not within {waited:.0?}; status.conditions is {conditions}");
                self.probe.note(ESTABLISHED, Measured::Failed(seen));
                return Ok(first);
            }
            pauses.next().await;
        }
    }

    /// Tries to create the first object, each time under another name.
    async fn first_object(&mut self, begun: Instant) -> Result<Result<(), Problem>, TargetError> {
        self.tried += 1;
        let object = self.names.object(&format!("first-{}", self.tried), &json!({ "size": 1 }));
        let answer = self.api.post(&self.names.collection, &object).await?;
        if answer.status.is_success() {
            self.probe.note(SERVED, Measured::Time(begun.elapsed()));
            return Ok(Ok(()));
        }
        if matches!(answer.status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
            return Err(answer.refusal());
        }
        Ok(Err(Problem::NotServed { waited: begun.elapsed(), seen: answer.described() }))
    }

    /// Waits until the three documents of discovery list the definition.
    async fn discover(&mut self, begun: Instant) -> Result<(), Problem> {
        let names = self.names;
        let group = names.group.as_str();
        let has_named =
            |list: &Value, name: &str| list.as_array().is_some_and(|all| all.iter().any(|one| one["name"] == name));
        let until = Instant::now() + self.settling();
        let documents = ["/apis".to_owned(), format!("/apis/{group}"), format!("/apis/{group}/v1")];
        let lists = |path: &str, body: &Value| match path.matches('/').count() {
            1 => has_named(&body["groups"], group),
            2 => body["kind"] == "APIGroup" && body["name"] == group,
            _ => has_named(&body["resources"], "things"),
        };
        let mut missing = Vec::new();
        for path in documents {
            let (answer, is_listed) = self.settled(&path, |body| lists(&path, body), until).await?;
            if !is_listed {
                missing.push(self.failed(&answer, answer.described()));
            }
        }
        let result =
            if missing.is_empty() { Measured::Time(begun.elapsed()) } else { Measured::Failed(missing.join("; ")) };
        self.probe.note(DISCOVERED, result);
        Ok(())
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
        self.one(CREATE, api.post(&names.collection, &object), |answer| {
            let metadata = answer.json().unwrap_or_default()["metadata"].take();
            let is_missing = |key: &&str| metadata[*key].as_str().is_none_or(str::is_empty);
            let missing: Vec<_> = ["uid", "resourceVersion"].into_iter().filter(is_missing).collect();
            let without = format!("a created object has no {}", missing.join(" and no "));
            if missing.is_empty() { has_size(answer, 1) } else { Some(without) }
        })
        .await?;
        self.one(GET, api.get(&path), |answer| has_size(answer, 1)).await?;
        self.one(LIST, api.get(&names.collection), |answer| {
            let items = answer.json().and_then(|list| list["items"].as_array().map(Vec::len));
            (items.unwrap_or(0) == 0).then(|| "the list is empty".to_owned())
        })
        .await?;
        let patch = json!({ "spec": { "size": 2 } });
        self.one(PATCH, api.merge_patch(&path, &patch), |answer| has_size(answer, 2)).await?;
        self.one(DELETE, api.delete(&path, None), |_| None).await?;
        let again = api.delete(&path, None).await?;
        if again.status != StatusCode::NOT_FOUND && self.probe.took(DELETE).is_some() {
            let seen = format!("a second one is no 404: {}", self.failed(&again, again.described()));
            self.probe.measured.retain(|known| known.what != DELETE);
            self.probe.note(DELETE, Measured::Failed(seen));
        }
        Ok(())
    }

    /// Measures one request; `wrong` says what is wrong with a successful answer.
    async fn one<E: Into<Problem>>(
        &mut self,
        what: &'static str,
        request: impl Future<Output = Result<Answer, E>>,
        wrong: impl FnOnce(&Answer) -> Option<String>,
    ) -> Result<(), Problem> {
        let begun = Instant::now();
        let answer = request.await.map_err(Into::into)?;
        let took = begun.elapsed();
        let wrong = if answer.status.is_success() { wrong(&answer) } else { Some(answer.described()) };
        let result = wrong.map_or(Measured::Time(took), |seen| Measured::Failed(self.failed(&answer, seen)));
        self.probe.note(what, result);
        Ok(())
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
        let spec = spec_of(&answer);
        let seen = match spec.get("revision") {
            Some(revision) if defaults => format!("spec.revision is still {revision}"),
            _ if spec.is_object() => "spec.added is still pruned".to_owned(),
            _ => self.failed(&answer, answer.described()),
        };
        let took = begun.elapsed();
        let failed = || Measured::Failed(format!("{seen} after {took:.0?}"));
        self.probe.note(CHANGED, if is_served { Measured::Time(took) } else { failed() });
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
        let slowest = self.probe.took(ESTABLISHED).max(self.probe.took(SERVED));
        SETTLED.max(slowest.unwrap_or_default() + Duration::from_secs(1))
    }

    /// Asks until `is_so` or the answer will not come any more; returns the last answer.
    async fn settled(
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

    /// What was seen instead of a success. Notes the permission if that is what is missing.
    fn failed(&mut self, answer: &Answer, seen: String) -> String {
        if answer.status == StatusCode::FORBIDDEN {
            self.probe.missing_permissions.insert(answer.request.clone());
        }
        // The group is generated, and long.
        seen.replace(&self.names.group, "…")
    }
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
