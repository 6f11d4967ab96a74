//! What runs leave on a server: objects with a run's label and heartbeat.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::client::Client;
use crate::connection::TargetError;
use crate::created::{CREATED, CreatedObject, CreatedResource};
use crate::marks::{ALIVE_FOR, ALIVE_UNTIL, RUN_LABEL, escaped};

/// A heartbeat further in the future is invalid: clocks do not differ by that much.
const NOT_BELIEVED_BEYOND: SignedDuration = SignedDuration::from_hours(24);

/// Whether `run` can be the value of [`RUN_LABEL`]: 1 to 63 letters, digits, `-`, `_`, `.`, with a
/// letter or digit at both ends. Anything else could change the meaning of a selector.
///
/// # Errors
/// [`TargetError::Usage`].
pub fn check_run_id(run: &str) -> Result<(), TargetError> {
    let inner = |letter: u8| letter.is_ascii_alphanumeric() || b"-_.".contains(&letter);
    let bytes = run.as_bytes();
    let ends = bytes.first().zip(bytes.last());
    let fits = ends.is_some_and(|(first, last)| first.is_ascii_alphanumeric() && last.is_ascii_alphanumeric());
    if fits && bytes.len() <= 63 && bytes.iter().copied().all(inner) {
        return Ok(());
    }
    Err(TargetError::Usage(format!(
        "{run:?} is not a run ID: use the one that the run printed, or that `crdible doctor` lists"
    )))
}

/// What one run has left on the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leftovers {
    /// The run's identifier.
    pub run: String,
    /// Its objects, sorted.
    pub objects: Vec<CreatedObject>,
    /// Until when it counts as alive; in the past if it has ended or was killed.
    pub alive_until: Timestamp,
}

impl Leftovers {
    /// Whether the run counts as alive at `now`.
    pub fn is_alive(&self, now: Timestamp) -> bool {
        self.alive_until > now
    }
}

/// One object with a run's label.
#[derive(Debug, Clone)]
pub(super) struct Labelled {
    pub(super) object: CreatedObject,
    /// `None` on a server that sets none: then name and label identify the object.
    pub(super) uid: Option<String>,
    pub(super) resource_version: Option<String>,
    pub(super) run: String,
    pub(super) alive_until: Timestamp,
    pub(super) is_deleting: bool,
    pub(super) finalizers: Vec<String>,
}

/// All objects with the label, or those of one run.
///
/// Each item's label is checked again here, so nothing else is removed on a server that ignores selectors.
pub(super) async fn labelled(api: &Client, run: Option<&str>, now: Timestamp) -> Result<Vec<Labelled>, TargetError> {
    let mut found = Vec::new();
    for resource in CREATED {
        found.extend(labelled_of(api, resource, run, now).await?);
    }
    Ok(found)
}

async fn labelled_of(
    api: &Client,
    resource: CreatedResource,
    run: Option<&str>,
    now: Timestamp,
) -> Result<Vec<Labelled>, TargetError> {
    let selector = escaped(&run.map_or_else(|| RUN_LABEL.to_owned(), |run| format!("{RUN_LABEL}={run}")));
    let first = format!("{}?labelSelector={selector}&limit=500", resource.path);
    let mut found = Vec::new();
    let mut names = BTreeSet::new();
    let mut path = first.clone();
    loop {
        let answer = api.get(&path).await?;
        let next = answer.json().and_then(|body| body["metadata"]["continue"].as_str().map(escaped));
        let items = answer.accepted_list()?;
        let before = names.len();
        for item in &items {
            // A server that ignores the token lists everything on each page.
            if names.insert(item["metadata"]["name"].to_string()) {
                found.extend(Labelled::read(resource, item, now));
            }
        }
        match next {
            // Stop at a page without a new name, which could repeat forever.
            Some(token) if !token.is_empty() && names.len() > before => {
                path = format!("{first}&continue={token}");
            }
            _ => break,
        }
    }
    found.retain(|labelled| run.is_none_or(|run| labelled.run == run));
    Ok(found)
}

/// The objects by run, sorted by the runs' identifiers.
pub(super) fn by_run(all: &[Labelled]) -> Vec<Leftovers> {
    let mut runs: BTreeMap<&str, Leftovers> = BTreeMap::new();
    for labelled in all {
        let leftovers = runs.entry(&labelled.run).or_insert_with(|| Leftovers {
            run: labelled.run.clone(),
            objects: Vec::new(),
            alive_until: labelled.alive_until,
        });
        leftovers.objects.push(labelled.object.clone());
        leftovers.alive_until = leftovers.alive_until.max(labelled.alive_until);
    }
    let mut runs: Vec<_> = runs.into_values().collect();
    for leftovers in &mut runs {
        leftovers.objects.sort();
    }
    runs
}

impl Labelled {
    /// Whether both are one object, as far as names and uids show.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.object == other.object && self.uid == other.uid
    }

    /// The uid, or nothing on a server that gives none.
    pub(super) fn uid_or_empty(&self) -> &str {
        self.uid.as_deref().unwrap_or_default()
    }

    fn read(resource: CreatedResource, item: &Value, now: Timestamp) -> Option<Self> {
        let metadata = &item["metadata"];
        let run = metadata["labels"][RUN_LABEL].as_str().filter(|run| !run.is_empty())?;
        Self::of_run(run, resource, item, now)
    }

    /// An object of this run, whatever its labels are.
    pub(super) fn of_run(run: &str, resource: CreatedResource, item: &Value, now: Timestamp) -> Option<Self> {
        let metadata = &item["metadata"];
        let name = metadata["name"].as_str()?;
        let text = |value: &Value| value.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        let time = |value: &Value| value.as_str().and_then(|text| text.parse::<Timestamp>().ok());
        let created = time(&metadata["creationTimestamp"]).unwrap_or(Timestamp::MIN);
        let promised =
            time(&metadata["annotations"][ALIVE_UNTIL]).filter(|until| until.duration_since(now) < NOT_BELIEVED_BEYOND);
        let finalizers = metadata["finalizers"].as_array().into_iter().flatten();
        Some(Self {
            object: CreatedObject { resource, name: name.to_owned() },
            uid: text(&metadata["uid"]),
            resource_version: text(&metadata["resourceVersion"]),
            run: run.to_owned(),
            // An object without a valid heartbeat may have just been created.
            alive_until: promised.unwrap_or_else(|| later(created, ALIVE_FOR)),
            is_deleting: metadata["deletionTimestamp"].is_string(),
            finalizers: finalizers.filter_map(Value::as_str).map(str::to_owned).collect(),
        })
    }
}

/// `time` plus `duration`, or the latest time there is.
fn later(time: Timestamp, duration: Duration) -> Timestamp {
    time.checked_add(duration).unwrap_or(Timestamp::MAX)
}
