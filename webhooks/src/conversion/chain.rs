//! A chain of versions.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::reshape::Step;

/// How objects of one version become those of another: versions in a row,
/// each with its differences from the one before.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Chain {
    /// The names of the versions. Their order has no other meaning.
    pub versions: Vec<String>,
    /// The differences from each version to the next, one list fewer than versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Vec<Step>>,
}

/// Why an object cannot be converted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unconvertible(String);

impl fmt::Display for Unconvertible {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Unconvertible {}

impl Chain {
    /// Versions that differ only in their name.
    pub fn identity(versions: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { versions: versions.into_iter().map(Into::into).collect(), steps: Vec::new() }
    }

    /// Converts the content of an object from one version to another; `apiVersion` stays.
    pub fn reshape(&self, object: &mut Value, from: &str, to: &str) -> Result<(), Unconvertible> {
        let (from, to) = (self.position(from)?, self.position(to)?);
        let steps = |at: usize| self.steps.get(at).map_or(&[][..], Vec::as_slice);
        for at in from..to {
            steps(at).iter().for_each(|step| step.apply(object, false));
        }
        for at in (to..from).rev() {
            steps(at).iter().rev().for_each(|step| step.apply(object, true));
        }
        Ok(())
    }

    /// Converts an object to another `apiVersion` of its group.
    pub fn convert(&self, object: &mut Value, desired: &str) -> Result<(), Unconvertible> {
        let api_version = object.get("apiVersion").and_then(Value::as_str).unwrap_or_default().to_owned();
        let (Some((group, from)), Some((desired_group, to))) = (api_version.rsplit_once('/'), desired.rsplit_once('/'))
        else {
            return Err(Unconvertible(format!("cannot convert `{api_version}` to `{desired}`")));
        };
        if group != desired_group {
            return Err(Unconvertible(format!("cannot convert group `{group}` to `{desired_group}`")));
        }
        self.reshape(object, from, to)?;
        object["apiVersion"] = json!(desired);
        Ok(())
    }

    fn position(&self, version: &str) -> Result<usize, Unconvertible> {
        let position = self.versions.iter().position(|known| known == version);
        position.ok_or_else(|| Unconvertible(format!("unknown version `{version}`")))
    }
}
