//! The measurements of a probe, in sequence.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::{Costs, Feature, Probe, Problem, WORKERS};
use crate::connection::{TargetError, TransportError};
use crate::doctor::client::{Answer, Client};
use crate::marks::{ALIVE_UNTIL, DEFINITIONS, RUN_LABEL, alive_until};

/// Established comes 5 s later in a highly available set-up; anything above this is a defect.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// The polling interval for something that changes within milliseconds.
const PAUSE: Duration = Duration::from_millis(2);

/// Rates are measured over this many requests, or for [`RATE_TIME`].
const RATE_REQUESTS: usize = 400;

/// See [`RATE_REQUESTS`].
const RATE_TIME: Duration = Duration::from_secs(2);

/// Runs all measurements, and writes each result to `probe` at once.
pub(super) async fn all(api: &Arc<Client>, probe: &mut Probe) -> Result<(), Problem> {
    let names = Names::new(&probe.run);
    establish(api, &names, probe).await?;
    serve(api, &names, &mut probe.costs).await?;
    features(api, &names, probe).await?;
    change_schema(api, &names, probe).await?;
    rates(api, &names, &mut probe.costs).await
}

/// The names of a probe's definition.
struct Names {
    run: String,
    definition: String,
    collection: String,
    api_version: String,
    group: String,
}

impl Names {
    fn new(run: &str) -> Self {
        let group = format!("{run}.crdible.dev");
        Self {
            run: run.to_owned(),
            definition: format!("probes.{group}"),
            collection: format!("/apis/{group}/v1/probes"),
            api_version: format!("{group}/v1"),
            group,
        }
    }

    /// The definition whose schema has `revision` as a default.
    fn definition(&self, revision: i64) -> Value {
        json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {
                "name": self.definition,
                "labels": { RUN_LABEL: self.run },
                "annotations": { ALIVE_UNTIL: alive_until(Timestamp::now()) },
            },
            "spec": {
                "group": self.group,
                "scope": "Cluster",
                "names": { "plural": "probes", "singular": "probe", "kind": "Probe", "listKind": "ProbeList" },
                "versions": [Self::version(revision)],
            },
        })
    }

    fn version(revision: i64) -> Value {
        json!({
            "name": "v1",
            "served": true,
            "storage": true,
            "schema": { "openAPIV3Schema": {
                "type": "object",
                "properties": { "spec": {
                    "type": "object",
                    "properties": {
                        "revision": { "type": "integer", "default": revision },
                        "colour": { "type": "string", "enum": ["red", "green"] },
                        "size": { "type": "integer" },
                    },
                } },
            } },
        })
    }

    fn object(&self, name: &str, spec: &Value) -> Value {
        json!({
            "apiVersion": self.api_version,
            "kind": "Probe",
            "metadata": { "name": name },
            "spec": spec,
        })
    }

    fn dry_run(&self) -> String {
        format!("{}?dryRun=All", self.collection)
    }
}

impl From<TransportError> for Problem {
    fn from(error: TransportError) -> Self {
        Self::Target(TargetError::Transport(error))
    }
}

impl From<TargetError> for Problem {
    fn from(error: TargetError) -> Self {
        Self::Target(error)
    }
}

async fn establish(api: &Client, names: &Names, probe: &mut Probe) -> Result<(), Problem> {
    let begun = Instant::now();
    api.post(DEFINITIONS, &names.definition(1)).await?.accepted()?;
    let path = format!("{DEFINITIONS}/{}", names.definition);
    until("the definition to become Established", async || {
        let definition = api.get(&path).await?.accepted()?;
        let conditions = definition["status"]["conditions"].as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(conditions.iter().any(|condition| condition["type"] == "Established" && condition["status"] == "True"))
    })
    .await?;
    probe.costs.established = Some(begun.elapsed());
    Ok(())
}

async fn serve(api: &Client, names: &Names, costs: &mut Costs) -> Result<(), Problem> {
    let begun = Instant::now();
    until("an object of the definition to be accepted", async || {
        let answer = api.post(&names.dry_run(), &names.object("first", &json!({}))).await?;
        match answer.status {
            StatusCode::NOT_FOUND => Ok(false),
            status if status.is_success() => Ok(true),
            _ => Err(answer.refusal().into()),
        }
    })
    .await?;
    costs.served = Some(begun.elapsed());
    Ok(())
}

async fn features(api: &Client, names: &Names, probe: &mut Probe) -> Result<(), Problem> {
    let create = async |path: &str, name: &str, spec: Value| api.post(path, &names.object(name, &spec)).await;
    let dry = names.dry_run();

    let answer = create(&dry, "pruned", json!({ "unknown": 1, "size": 1 })).await?;
    let spec = spec_of(&answer);
    probe.add("pruning of unknown fields", &answer, spec["size"] == 1 && spec.get("unknown").is_none());

    let answer = create(&dry, "defaulted", json!({})).await?;
    probe.add("defaulting", &answer, spec_of(&answer)["revision"] == 1);

    let answer = create(&dry, "refused", json!({ "colour": "blue" })).await?;
    probe.add(
        "rejection of a value outside an enum",
        &answer,
        answer.status == StatusCode::UNPROCESSABLE_ENTITY && answer.is_kubernetes_status(),
    );

    let answer = create(&dry, "typed", json!({ "size": "large" })).await?;
    probe.add("rejection of a wrong type", &answer, answer.status == StatusCode::UNPROCESSABLE_ENTITY);

    let answer = create(&format!("{dry}&fieldValidation=Strict"), "strict", json!({ "unknown": 1 })).await?;
    probe.add("strict field validation", &answer, answer.status == StatusCode::BAD_REQUEST);

    let answer = api.get(&format!("{}/defaulted", names.collection)).await?;
    probe.add("dry run stores nothing", &answer, answer.status == StatusCode::NOT_FOUND);

    let stored = create(&names.collection, "stored", json!({ "size": 1 })).await?;
    probe.add("create", &stored, stored.status == StatusCode::CREATED);
    let one = format!("{}/stored", names.collection);
    let answer = api.get(&one).await?;
    probe.add("get", &answer, spec_of(&answer)["size"] == 1);
    let answer = api.merge_patch(&one, &json!({ "spec": { "size": 2 } })).await?;
    probe.add("merge patch", &answer, spec_of(&answer)["size"] == 2);
    let answer = api.get(&names.collection).await?;
    let listed = answer.json().is_some_and(|list| list["items"].as_array().is_some_and(|items| !items.is_empty()));
    probe.add("list", &answer, listed);
    let answer = api.delete(&one, None).await?;
    probe.add("delete", &answer, answer.status.is_success());
    Ok(())
}

async fn change_schema(api: &Client, names: &Names, probe: &mut Probe) -> Result<(), Problem> {
    let defaults = probe.features.iter().any(|known| known.what == "defaulting" && known.works);
    if !defaults {
        // The new default shows that the new schema is served.
        return Ok(());
    }
    let begun = Instant::now();
    let patch = json!({ "spec": { "versions": [Names::version(2)] } });
    let answer = api.merge_patch(&format!("{DEFINITIONS}/{}", names.definition), &patch).await?;
    answer.accepted()?;
    until("a changed schema to be served", async || {
        let answer = api.post(&names.dry_run(), &names.object("changed", &json!({}))).await?;
        answer.accepted()?;
        Ok(spec_of(&answer)["revision"] == 2)
    })
    .await?;
    probe.costs.schema_change = Some(begun.elapsed());
    Ok(())
}

async fn rates(api: &Arc<Client>, names: &Names, costs: &mut Costs) -> Result<(), Problem> {
    let collection: Arc<str> = names.collection.as_str().into();
    let objects: Arc<Vec<Value>> = Arc::new(
        (0..RATE_REQUESTS).map(|number| names.object(&format!("rate-{number}"), &json!({ "size": number }))).collect(),
    );
    let into = Arc::clone(&collection);
    let created = rate(api, move |api, number| {
        let (collection, objects) = (Arc::clone(&into), Arc::clone(&objects));
        async move { api.post(&collection, &objects[number]).await?.accepted() }
    })
    .await?;
    costs.creates = Some(created);
    let read = rate(api, move |api, number| {
        let collection = Arc::clone(&collection);
        // The first worker's objects certainly exist, even if time ran out above.
        async move { api.get(&format!("{collection}/rate-{}", number % WORKERS)).await?.accepted() }
    })
    .await?;
    costs.gets = Some(read);
    Ok(())
}

/// Requests per second with [`WORKERS`] at once. Worker `w` sends numbers `w`, `w + WORKERS`, ….
async fn rate<F, R>(api: &Arc<Client>, request: F) -> Result<f64, Problem>
where
    F: Fn(Arc<Client>, usize) -> R + Clone + Send + 'static,
    R: Future<Output = Result<Value, TargetError>> + Send,
{
    let begun = Instant::now();
    let mut workers = JoinSet::new();
    for worker in 0..WORKERS {
        let (api, request) = (Arc::clone(api), request.clone());
        workers.spawn(async move {
            let mut done = 0_u32;
            for number in (worker..RATE_REQUESTS).step_by(WORKERS) {
                request(Arc::clone(&api), number).await?;
                done += 1;
                if begun.elapsed() > RATE_TIME {
                    break;
                }
            }
            Ok::<u32, TargetError>(done)
        });
    }
    let mut done = 0_u32;
    while let Some(worker) = workers.join_next().await {
        // A worker that panicked or was cancelled does not count.
        done += worker.unwrap_or(Ok(0))?;
    }
    Ok(f64::from(done) / begun.elapsed().as_secs_f64().max(f64::EPSILON))
}

/// Polls until `is_so`, for at most [`LONGEST_WAIT`].
async fn until(what: &'static str, mut is_so: impl AsyncFnMut() -> Result<bool, Problem>) -> Result<(), Problem> {
    let begun = Instant::now();
    while !is_so().await? {
        if begun.elapsed() > LONGEST_WAIT {
            return Err(Problem::TooSlow(what, LONGEST_WAIT));
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}

fn spec_of(answer: &Answer) -> Value {
    if answer.status.is_success() { answer.json().unwrap_or_default()["spec"].take() } else { Value::Null }
}

impl Probe {
    fn add(&mut self, what: &'static str, answer: &Answer, works: bool) {
        if answer.status == StatusCode::FORBIDDEN {
            self.missing_permissions.insert(answer.request.clone());
        }
        let detail = if works { String::new() } else { format!("{} gave {}", answer.request, answer.seen()) };
        self.features.push(Feature { what, works, detail });
    }
}
