//! How an answer is represented: handlers say *what* is answered, here is decided in which form and in which format (REST-006,
//! REST-069, TABLE-001).

mod listed;
mod negotiation;
mod shown;
mod view;

use serde_json::Value;

use crate::{json, yaml};

pub(crate) use listed::{Listing, refuse_unlisted};
pub(crate) use negotiation::{DiscoveryForm, discovery_form};
pub(crate) use shown::Shown;
pub(crate) use view::{Heads, Listed, View};

/// What a client wants: a form, written in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Representation {
    pub(crate) form: Form,
    pub(crate) format: Format,
}

/// Which part of an object is told. Other forms than the plain one have a version of `meta.k8s.io`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// All of it.
    Plain,
    /// Its metadata.
    PartialMetadata(MetaVersion),
    /// The metadata of the objects of a list.
    PartialMetadataList(MetaVersion),
    /// A row for each object.
    Table(MetaVersion),
}

/// `apiVersion` of partial metadata and tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MetaVersion {
    V1,
    V1Beta1,
}

impl MetaVersion {
    fn api_version(self) -> &'static str {
        match self {
            Self::V1 => "meta.k8s.io/v1",
            Self::V1Beta1 => "meta.k8s.io/v1beta1",
        }
    }
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Json,
    /// JSON for people.
    PrettyJson,
    Yaml,
}

impl Format {
    pub(crate) fn content_type(self) -> &'static str {
        match self {
            Self::Json | Self::PrettyJson => "application/json",
            Self::Yaml => "application/yaml",
        }
    }

    /// The text of a value.
    pub(crate) fn write(self, value: &Value) -> Vec<u8> {
        match self {
            Self::Json => {
                let mut text = json::write(value);
                text.push(b'\n');
                text
            }
            Self::PrettyJson => json::write_pretty(value),
            Self::Yaml => yaml::write(value),
        }
    }
}
