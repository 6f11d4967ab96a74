//! What is known of a definition on the server: its names, its present
//! versions, how it converts, and whether it is served.

use crdible_scenario::{Version, Webhook};
use serde_json::Value;

use super::names::Names;
use crate::webhook::HookId;

/// How far it is known that a schema is served, and how far to wait for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Readiness {
    /// Nothing is known: no objects are sent.
    Unknown,
    /// Each served version has answered with it once.
    Answered,
    /// Many concurrent requests were all answered with it: also those to replicas that learn of it late.
    Agreed,
}

/// A definition on the server.
#[derive(Debug)]
pub(crate) struct Slot {
    pub(crate) names: Names,
    /// Its present versions.
    pub(crate) versions: Vec<Version>,
    /// How it converts; on a definition of the pool that never changes, except for what its hook answers.
    pub(crate) converting: Converting,
    /// The number of its schema, which the sentinel shows.
    pub(crate) revision: u64,
    /// `metadata.resourceVersion` of the definition as last seen.
    pub(crate) resource_version: Option<String>,
    /// The code with which the server answered its create.
    pub(crate) created_with: Option<u16>,
    /// How far it is known that these versions are served.
    pub(crate) readiness: Readiness,
}

impl Slot {
    /// A definition that has only names and a conversion so far.
    pub(crate) fn new(names: Names, converting: Converting) -> Self {
        Self {
            names,
            versions: Vec::new(),
            converting,
            revision: 0,
            resource_version: None,
            created_with: None,
            readiness: Readiness::Unknown,
        }
    }

    /// Whether the schema of this version can be seen: not through a webhook that cannot be reached.
    pub(crate) fn shows(&self, version: &Version) -> bool {
        self.hook().is_none_or(|(_, webhook)| version.storage || webhook.endpoint.is_reachable())
    }

    /// The hook that converts its objects, and what the scenario wants of it; none without a webhook of this run.
    pub(crate) fn hook(&self) -> Option<(HookId, &Webhook)> {
        match &self.converting {
            Converting::Hooked { hook, webhook, .. } => Some((*hook, webhook)),
            Converting::Fixed(_) => None,
        }
    }

    /// The text of the sentinel in its present schemas.
    pub(crate) fn revision_name(&self) -> String {
        revision_name(self.revision)
    }
}

/// How a definition converts its objects.
#[derive(Debug)]
pub(crate) enum Converting {
    /// By this `spec.conversion`; none means the strategy `None`.
    Fixed(Option<Value>),
    /// By a webhook of this run.
    Hooked {
        /// The hook.
        hook: HookId,
        /// What the scenario wants of it.
        webhook: Box<Webhook>,
        /// `spec.conversion`.
        document: Value,
    },
}

impl Converting {
    /// `spec.conversion`.
    pub(crate) fn document(&self) -> Option<&Value> {
        match self {
            Self::Fixed(document) => document.as_ref(),
            Self::Hooked { document, .. } => Some(document),
        }
    }
}

/// The text of the sentinel in the schemas of the revision with this number.
pub(crate) fn revision_name(revision: u64) -> String {
    format!("r{revision}")
}
