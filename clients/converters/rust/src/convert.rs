//! The conversion of one object, by way of v1.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::types::{
    Backup, GROUP,
    v1::{self, Limits, Retention, Source},
    v1alpha1::{self, Setting},
    v1beta1,
};

/// The annotation with [`Kept`].
const KEPT: &str = "converters.crdible.dev/kept";
/// The annotation with the names of settings in the order of v1alpha1, where these are not sorted.
const ORDER: &str = "converters.crdible.dev/settings-order";

/// Why an object cannot be converted, as a sentence for the user of the API.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    #[error("unknown version {0:?}")]
    Version(String),
    #[error("unknown kind {0:?}")]
    Kind(String),
    #[error("spec.timeout is not a number of seconds: {0:?}")]
    Timeout(String),
    #[error("the object does not have the form of its version: {0}")]
    Form(#[from] serde_json::Error),
}

/// What older versions have no place for.
#[derive(Default, PartialEq, Serialize, Deserialize)]
struct Kept {
    /// The targets after the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    targets: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    priority: Option<i32>,
}

#[derive(Clone, Copy, PartialEq)]
enum Version {
    V1alpha1,
    V1beta1,
    V1,
}

impl Version {
    fn of(api_version: &str) -> Result<Self, Refusal> {
        match api_version.split_once('/') {
            Some((GROUP, "v1alpha1")) => Ok(Self::V1alpha1),
            Some((GROUP, "v1beta1")) => Ok(Self::V1beta1),
            Some((GROUP, "v1")) => Ok(Self::V1),
            _ => Err(Refusal::Version(api_version.to_owned())),
        }
    }
}

/// An object in another version.
pub fn convert(object: Value, desired: &str) -> Result<Value, Refusal> {
    let text = |field: &str| object[field].as_str().unwrap_or_default().to_owned();
    let (from, to) = (Version::of(&text("apiVersion"))?, Version::of(desired)?);
    if text("kind") != "Backup" {
        return Err(Refusal::Kind(text("kind")));
    }
    if from == to {
        return Ok(object);
    }
    let mut hub = match from {
        Version::V1alpha1 => from_v1alpha1(serde_json::from_value(object)?)?,
        Version::V1beta1 => from_v1beta1(serde_json::from_value(object)?),
        Version::V1 => serde_json::from_value(object)?,
    };
    hub.api_version = desired.to_owned();
    let converted = match to {
        Version::V1alpha1 => serde_json::to_value(to_v1alpha1(hub)?),
        Version::V1beta1 => serde_json::to_value(to_v1beta1(hub)?),
        Version::V1 => serde_json::to_value(hub),
    };
    Ok(converted?)
}

fn from_v1beta1(object: v1beta1::Backup) -> v1::Backup {
    let mut metadata = object.metadata;
    let kept: Kept = take(&mut metadata, KEPT);
    let spec = object.spec.map(|spec| v1::Spec {
        source: spec.source,
        cron: spec.schedule,
        targets: spec.targets,
        excludes: spec.excludes,
        timeout: spec.timeout,
        retention: spec.retention,
        limits: spec.limits,
        paused: spec.suspend,
        settings: spec.settings,
        priority: kept.priority,
    });
    Backup { api_version: object.api_version, kind: object.kind, metadata, spec, status: object.status }
}

fn to_v1beta1(object: v1::Backup) -> Result<v1beta1::Backup, Refusal> {
    let mut metadata = object.metadata;
    take::<Kept>(&mut metadata, KEPT);
    let mut kept = Kept::default();
    let spec = object.spec.map(|spec| {
        kept.priority = spec.priority;
        v1beta1::Spec {
            source: spec.source,
            schedule: spec.cron,
            targets: spec.targets,
            excludes: spec.excludes,
            timeout: spec.timeout,
            retention: spec.retention,
            limits: spec.limits,
            suspend: spec.paused,
            settings: spec.settings,
        }
    });
    keep(&mut metadata, &kept)?;
    Ok(Backup { api_version: object.api_version, kind: object.kind, metadata, spec, status: object.status })
}

fn from_v1alpha1(object: v1alpha1::Backup) -> Result<v1::Backup, Refusal> {
    let mut metadata = object.metadata;
    let kept: Kept = take(&mut metadata, KEPT);
    take::<Vec<String>>(&mut metadata, ORDER);
    if let Some(settings) = object.spec.as_ref().and_then(|spec| spec.settings.as_ref())
        && !settings.is_sorted_by_key(|setting| &setting.name)
    {
        let names: Vec<&str> = settings.iter().map(|setting| setting.name.as_str()).collect();
        put(&mut metadata, ORDER, &names)?;
    }
    let spec = object.spec.map(|spec| v1::Spec {
        source: spec.source.map(split),
        cron: spec.schedule,
        targets: spec.target.map(|target| [target].into_iter().chain(kept.targets).collect()),
        // Nothing joined is the empty text, of which `split` makes one part.
        excludes: spec.excludes.map(|joined| match joined.as_str() {
            "" => Vec::new(),
            joined => joined.split(',').map(str::to_owned).collect(),
        }),
        timeout: spec.timeout_seconds.map(|seconds| format!("{seconds}s")),
        retention: spec.keep.map(|keep| Retention { count: Some(keep) }),
        limits: (spec.max_bytes.is_some() || spec.max_rate.is_some())
            .then_some(Limits { bytes: spec.max_bytes, rate: spec.max_rate }),
        paused: spec.suspend,
        settings: spec.settings.map(|list| list.into_iter().map(|setting| (setting.name, setting.value)).collect()),
        priority: kept.priority,
    });
    let status = object
        .status
        .map(|status| v1::Status { phase: renamed(status.state, "Idle", "Waiting"), last_run: status.last_run });
    Ok(Backup { api_version: object.api_version, kind: object.kind, metadata, spec, status })
}

fn to_v1alpha1(object: v1::Backup) -> Result<v1alpha1::Backup, Refusal> {
    let mut metadata = object.metadata;
    take::<Kept>(&mut metadata, KEPT);
    let order: Vec<String> = take(&mut metadata, ORDER);
    let mut kept = Kept::default();
    let spec = object.spec.map(|spec| {
        let mut targets = spec.targets.into_iter().flatten();
        let target = targets.next();
        kept = Kept { targets: targets.collect(), priority: spec.priority };
        let (max_bytes, max_rate) = spec.limits.map_or((None, None), |limits| (limits.bytes, limits.rate));
        Ok::<_, Refusal>(v1alpha1::Spec {
            source: spec.source.and_then(joined),
            schedule: spec.cron,
            target,
            excludes: spec.excludes.map(|excludes| excludes.join(",")),
            timeout_seconds: spec.timeout.map(seconds).transpose()?,
            keep: spec.retention.and_then(|retention| retention.count),
            max_bytes,
            max_rate,
            suspend: spec.paused,
            settings: spec.settings.map(|settings| sorted(settings, order)),
        })
    });
    let spec = spec.transpose()?;
    keep(&mut metadata, &kept)?;
    let status = object
        .status
        .map(|status| v1alpha1::Status { state: renamed(status.phase, "Waiting", "Idle"), last_run: status.last_run });
    Ok(Backup { api_version: object.api_version, kind: object.kind, metadata, spec, status })
}

/// The value with one name replaced by another.
fn renamed(value: Option<String>, from: &str, to: &str) -> Option<String> {
    value.map(|value| if value == from { to.to_owned() } else { value })
}

/// The host, and the port if there is one.
fn split(source: String) -> Source {
    match source.rsplit_once(':').and_then(|(host, port)| Some((host.to_owned(), port.parse().ok()?))) {
        Some((host, port)) => Source { host: Some(host), port: Some(port) },
        None => Source { host: Some(source), port: None },
    }
}

/// The host and the port in one text.
fn joined(source: Source) -> Option<String> {
    Some(match (source.host?, source.port) {
        (host, Some(port)) => format!("{host}:{port}"),
        (host, None) => host,
    })
}

fn seconds(timeout: String) -> Result<i64, Refusal> {
    let number = timeout.strip_suffix('s').and_then(|digits| digits.parse().ok());
    number.ok_or(Refusal::Timeout(timeout))
}

/// The settings as a list: those that the order names, as far as they are still there, then all others by name.
fn sorted(mut settings: BTreeMap<String, String>, order: Vec<String>) -> Vec<Setting> {
    let first = order.into_iter().filter_map(|name| settings.remove_entry(&name));
    let mut list: Vec<(String, String)> = first.collect();
    list.extend(settings);
    list.into_iter().map(|(name, value)| Setting { name, value }).collect()
}

/// Removes an annotation and returns its content, or nothing if that is not readable: any
/// user who may write an object may write it.
fn take<T: DeserializeOwned + Default>(metadata: &mut ObjectMeta, key: &str) -> T {
    let text = metadata.annotations.as_mut().and_then(|annotations| annotations.remove(key));
    text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

fn put(metadata: &mut ObjectMeta, key: &str, content: &impl Serialize) -> Result<(), Refusal> {
    let text = serde_json::to_string(content)?;
    metadata.annotations.get_or_insert_default().insert(key.to_owned(), text);
    Ok(())
}

fn keep(metadata: &mut ObjectMeta, kept: &Kept) -> Result<(), Refusal> {
    if *kept == Kept::default() { Ok(()) } else { put(metadata, KEPT, kept) }
}
