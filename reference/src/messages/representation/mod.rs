//! The representation of responses: handlers decide *what* is returned, this module decides in which form and format
//! (REST-006, REST-069, TABLE-001).

mod clause;
mod listed;
mod negotiation;
mod shown;
mod view;

use serde_json::Value;

use crate::wire::json;
use crate::wire::protobuf;
use crate::wire::yaml;

pub(crate) use listed::{Listing, refuse_unlisted};
pub(crate) use negotiation::{DiscoveryForm, discovery_form};
pub(crate) use shown::Shown;
pub(crate) use view::{ClientView, ColumnDefinitions, Listed};

/// The form and the format that a client requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Representation {
    pub(crate) form: Form,
    pub(crate) format: Format,
}

/// The part of an object that is returned. Every form except the plain one has a version of `meta.k8s.io`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The complete object.
    Plain,
    /// The metadata of an object.
    PartialMetadata(MetaVersion),
    /// The metadata of the objects of a list.
    PartialMetadataList(MetaVersion),
    /// A table with a row for each object.
    Table(MetaVersion),
}

/// The `apiVersion` of partial metadata and tables.
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

/// The format of a response body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Json,
    /// Indented JSON.
    PrettyJson,
    Yaml,
    Protobuf,
}

impl Format {
    pub(crate) fn content_type(self) -> &'static str {
        match self {
            Self::Json | Self::PrettyJson => "application/json",
            Self::Yaml => "application/yaml",
            Self::Protobuf => protobuf::MEDIA_TYPE,
        }
    }

    /// Encodes a value.
    pub(crate) fn write(self, value: &Value) -> Vec<u8> {
        match self {
            Self::Json => {
                let mut text = json::write(value);
                text.push(b'\n');
                text
            }
            Self::PrettyJson => json::write_pretty(value),
            Self::Yaml => yaml::write(value),
            Self::Protobuf => protobuf::write(value),
        }
    }
}
