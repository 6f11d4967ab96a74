//! The steps of a scenario: requests with typed references instead of names.

use crdible_webhooks::Converter;
use serde::{Deserialize, Serialize};

use super::{Body, Conversion, Edit, Expectation, Version};

/// One step: a request or an installation, perhaps repeated, perhaps with assumptions about its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// What is done.
    pub action: Action,
    /// It is sent together with the step before it, without waiting for that step's answer. Such steps are requests
    /// without `until`, and refer only to steps before all of those that are sent together.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub concurrent: bool,
    /// What it answers depends on which of earlier steps that were sent together took effect first, on the time, or on
    /// what a server chooses. Comparisons leave it out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub varies: bool,
    /// Repeated until this holds, within the deadline of the run; the last answer counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Until>,
    /// If one of these does not hold of the answer, the case is discarded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assume: Vec<Expectation>,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Replaces the versions of an installed definition and waits until they are served. It has no answer.
    Install {
        /// Which definition.
        definition: usize,
        /// Its new `spec.versions`.
        versions: Vec<Version>,
        /// Its new `spec.conversion`, if that changes. Only for a definition of the scenario's own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        conversion: Option<Conversion>,
    },
    /// From now on the webhook of a definition converts like this. It has no answer.
    Convert {
        /// Which definition.
        definition: usize,
        /// How it converts.
        converter: Box<Converter>,
    },
    /// Sends one request.
    Send(Box<Request>),
}

/// When a repeated step may end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Until {
    /// Two answers in a row have the same `resourceVersion` (the specification's *settle*).
    Settled,
    /// This holds of the answer.
    Holds(Box<Expectation>),
    /// The answer has not changed for a while: to wait for controllers whose effect is unknown. Only for a GET.
    Quiet,
}

/// A request whose names are references.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// What it is sent to.
    pub resource: Resource,
    /// `dryRun=All`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
    /// Further query parameters, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub query: Vec<(String, String)>,
    /// Further query parameters, with values from earlier answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub query_from_answers: Vec<QueryFromAnswer>,
    /// `Accept`; absent means `application/json`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accept: Option<String>,
    /// `Content-Type`; absent means that of the method, empty that there is no such header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    /// `If-None-Match` with the `ETag` of this earlier answer, which is a published document ([`Resource::Published`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub if_none_match: Option<usize>,
    /// A watch that is a plain GET, also on a target that serves watches over WebSocket alone (REST-075).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub plain: bool,
    /// The body.
    #[serde(default, skip_serializing_if = "Body::is_none")]
    pub body: Body,
}

impl Request {
    /// A request that is not a dry run, without query and with the default `Accept`.
    pub fn new(method: Method, resource: Resource, body: Body) -> Self {
        Self {
            method,
            resource,
            dry_run: false,
            query: vec![],
            query_from_answers: vec![],
            accept: None,
            content_type: None,
            if_none_match: None,
            plain: false,
            body,
        }
    }

    /// GET of a resource.
    pub fn get(resource: Resource) -> Self {
        Self::new(Method::Get, resource, Body::None)
    }

    /// POST of a body to a collection.
    pub fn post(collection: Resource, body: impl Into<Body>) -> Self {
        Self::new(Method::Post, collection, body.into())
    }

    /// PUT of a resource.
    pub fn put(resource: Resource, body: impl Into<Body>) -> Self {
        Self::new(Method::Put, resource, body.into())
    }

    /// Merge patch of a resource.
    pub fn merge_patch(resource: Resource, patch: impl Into<Body>) -> Self {
        Self::new(Method::MergePatch, resource, patch.into())
    }

    /// JSON patch of a resource.
    pub fn json_patch(resource: Resource, patch: impl Into<Body>) -> Self {
        Self::new(Method::JsonPatch, resource, patch.into())
    }

    /// DELETE of a resource.
    pub fn delete(resource: Resource) -> Self {
        Self::delete_with(resource, Body::None)
    }

    /// DELETE of a resource, with these options.
    pub fn delete_with(resource: Resource, options: impl Into<Body>) -> Self {
        Self::new(Method::Delete, resource, options.into())
    }

    /// The same request as a dry run.
    #[must_use]
    pub fn as_dry_run(self) -> Self {
        Self { dry_run: true, ..self }
    }

    /// What it does, in a few words: `PUT of an object`, `dry-run POST of a definition`.
    pub fn summary(&self) -> String {
        let version = self.resource.version().map(|version| format!(" at {version}")).unwrap_or_default();
        format!("{}{version}", self.summary_at_any_version())
    }

    /// The same without the version.
    pub fn summary_at_any_version(&self) -> String {
        let dry = if self.dry_run { "dry-run " } else { "" };
        let verb = self.method.words();
        format!("{dry}{verb} of {}", self.resource.kind())
    }

    /// The numbers of the earlier steps whose answers fill in its query and its headers.
    pub(super) fn sources(&self) -> impl Iterator<Item = usize> {
        self.query_from_answers.iter().map(|parameter| parameter.step).chain(self.if_none_match)
    }

    /// The same, to be changed.
    pub(super) fn sources_mut(&mut self) -> impl Iterator<Item = &mut usize> {
        self.query_from_answers.iter_mut().map(|parameter| &mut parameter.step).chain(&mut self.if_none_match)
    }

    /// Whether it changes stored state: neither a read nor a dry run.
    pub fn writes(&self) -> bool {
        self.method != Method::Get && !self.dry_run
    }

    /// Whether it is a watch.
    pub fn is_watch(&self) -> bool {
        let is_asked = |(name, value): &(String, String)| name == "watch" && matches!(value.as_str(), "1" | "true");
        self.method == Method::Get && self.query.iter().any(is_asked)
    }

    /// The definitions that it names.
    pub(crate) fn definitions(&self) -> impl Iterator<Item = usize> + use<> {
        self.resource.definition().into_iter().chain(self.body.definition())
    }

    /// The one object that it is about: its definition and its number there.
    pub(crate) fn object(&self) -> Option<(usize, usize)> {
        match (&self.resource, &self.body) {
            (Resource::Object { definition, object, .. } | Resource::Subresource { definition, object, .. }, _)
            | (Resource::Objects { .. }, Body::Object { definition, object, .. }) => Some((*definition, *object)),
            (Resource::Objects { .. }, Body::Text { head: Some(head), .. }) => Some((head.definition, head.object)),
            (Resource::Objects { definition, .. }, Body::Answer { edits, .. }) => {
                edits.iter().find_map(|edit| match edit {
                    Edit::AsNew { object } => Some((*definition, *object)),
                    Edit::Set(..) | Edit::Remove(_) | Edit::Before { .. } => None,
                })
            }
            _ => None,
        }
    }
}

/// A query parameter whose value is in an earlier answer: the `continue` of a list, a `resourceVersion`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryFromAnswer {
    /// The parameter. What follows a `=` is the beginning of its value: `fieldSelector=metadata.name=`.
    pub name: String,
    /// The earlier step.
    pub step: usize,
    /// The JSON pointer to the value in its answer; if there is no string, the parameter is omitted.
    pub pointer: String,
}

impl QueryFromAnswer {
    /// The `resourceVersion` of the answer to a step, as the parameter of that name.
    pub fn revision_of(step: usize) -> Self {
        Self { name: "resourceVersion".to_owned(), step, pointer: "/metadata/resourceVersion".to_owned() }
    }
}

/// HTTP methods; those of PATCH carry the patch type, which is their `Content-Type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Method {
    /// GET.
    Get,
    /// POST.
    Post,
    /// PUT.
    Put,
    /// DELETE.
    Delete,
    /// PATCH with `application/merge-patch+json`.
    MergePatch,
    /// PATCH with `application/json-patch+json`.
    JsonPatch,
    /// PATCH with `application/apply-patch+yaml`: server-side apply. Its body is JSON, which is YAML.
    Apply,
}

impl Method {
    /// The method as it is sent, and the kind of a patch.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Delete => "DELETE",
            Self::MergePatch => "merge PATCH",
            Self::JsonPatch => "JSON PATCH",
            Self::Apply => "apply PATCH",
        }
    }
}

/// What a request is sent to. `definition` and `object` are numbers within the scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resource {
    /// The collection of a definition's objects at a version.
    Objects {
        /// Which definition.
        definition: usize,
        /// The version in the URL.
        version: String,
    },
    /// One object at a version.
    Object {
        /// Which definition.
        definition: usize,
        /// The version in the URL.
        version: String,
        /// Which object of the definition.
        object: usize,
    },
    /// A subresource of an object: `status`, `scale`.
    Subresource {
        /// Which definition.
        definition: usize,
        /// The version in the URL.
        version: String,
        /// Which object of the definition.
        object: usize,
        /// The last segment of the URL.
        subresource: String,
    },
    /// Any path. `$group`, `$plural` and `$namespace` in it are replaced by those of the definition, `$elsewhere` by
    /// another namespace that servers have, and `$object-3` by the name of the object with this number.
    Path {
        /// Which definition.
        definition: usize,
        /// The path, without a query.
        path: String,
    },
    /// The collection of definitions.
    Definitions,
    /// One definition.
    Definition {
        /// Which definition.
        definition: usize,
    },
    /// `/apis`, of which one group counts.
    Groups {
        /// Whose group.
        definition: usize,
    },
    /// `/apis/<group>`.
    Group {
        /// Whose group.
        definition: usize,
    },
    /// `/apis/<group>/<version>`.
    GroupVersion {
        /// Whose group.
        definition: usize,
        /// The version in the URL.
        version: String,
    },
    /// An `OpenAPI` document, of which only what is about the group of a definition counts.
    Published {
        /// Which definition.
        definition: usize,
        /// Which document.
        document: Document,
    },
}

/// A document of `OpenAPI`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Document {
    /// `/openapi/v3`: where the documents of version 3 are.
    Index,
    /// `/openapi/v3/apis/<group>/<version>`, with this version in the URL.
    V3(String),
    /// `/openapi/v2`: one document for everything.
    V2,
}

impl Resource {
    /// The collection of a definition's objects at a version.
    pub fn objects(definition: usize, version: impl Into<String>) -> Self {
        Self::Objects { definition, version: version.into() }
    }

    /// The subresource of an object with this name, such as `status`. Another resource stays as it is.
    #[must_use]
    pub fn subresource(self, name: &str) -> Self {
        match self {
            Self::Object { definition, version, object } => {
                Self::Subresource { definition, version, object, subresource: name.to_owned() }
            }
            other => other,
        }
    }

    /// The definition that it belongs to.
    pub(crate) fn definition(&self) -> Option<usize> {
        match self {
            Self::Objects { definition, .. }
            | Self::Object { definition, .. }
            | Self::Subresource { definition, .. }
            | Self::Path { definition, .. }
            | Self::Definition { definition }
            | Self::Groups { definition }
            | Self::Group { definition }
            | Self::GroupVersion { definition, .. }
            | Self::Published { definition, .. } => Some(*definition),
            Self::Definitions => None,
        }
    }

    /// Whether it is a document of discovery.
    pub fn is_of_discovery(&self) -> bool {
        matches!(self, Self::Groups { .. } | Self::Group { .. } | Self::GroupVersion { .. })
    }

    /// What it is, without the numbers: `objects`, `definition`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Objects { .. } => "objects",
            Self::Object { .. } => "object",
            Self::Subresource { .. } => "subresource",
            Self::Path { .. } => "path",
            Self::Definitions => "definitions",
            Self::Definition { .. } => "definition",
            Self::Groups { .. } => "groups",
            Self::Group { .. } => "group",
            Self::GroupVersion { .. } => "group version",
            Self::Published { document: Document::Index, .. } => "OpenAPI index",
            Self::Published { document: Document::V3(_), .. } => "OpenAPI v3",
            Self::Published { document: Document::V2, .. } => "OpenAPI v2",
        }
    }

    /// The version in the URL.
    pub(crate) fn version(&self) -> Option<&str> {
        match self {
            Self::Objects { version, .. }
            | Self::Object { version, .. }
            | Self::Subresource { version, .. }
            | Self::GroupVersion { version, .. }
            | Self::Published { document: Document::V3(version), .. } => Some(version),
            _ => None,
        }
    }

    /// The same, to be changed.
    pub(super) fn definition_mut(&mut self) -> Option<&mut usize> {
        match self {
            Self::Objects { definition, .. }
            | Self::Object { definition, .. }
            | Self::Subresource { definition, .. }
            | Self::Path { definition, .. }
            | Self::Definition { definition }
            | Self::Groups { definition }
            | Self::Group { definition }
            | Self::GroupVersion { definition, .. }
            | Self::Published { definition, .. } => Some(definition),
            Self::Definitions => None,
        }
    }
}
