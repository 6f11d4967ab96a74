//! Paths (REST-001): `/apis/GROUP/VERSION/[namespaces/NAMESPACE/]RESOURCE[/NAME[/SUBRESOURCE]]`, optionally with a verb
//! after the version (REST-077), and the paths that are not resources.

use super::health::Health;
use super::query::decode;
use crate::kinds::{self, BuiltIn};

/// What a path addresses.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// `/api`.
    CoreVersions,
    /// `/apis`.
    Groups,
    /// `/apis/GROUP`.
    Group(String),
    /// `/api/v1`, `/apis/GROUP/VERSION`.
    Resources { group: String, version: String },
    /// A collection, an object or a subresource.
    Resource(ResourcePath),
    /// A verb without a resource after it.
    NoResource,
    /// `/version`.
    Version,
    /// `/readyz`, `/livez`, `/healthz`, optionally followed by the name of a check.
    Health(Health),
    /// `/`.
    Paths,
    /// A path that does not exist, below one that every server has.
    Nothing,
    /// `/openapi/…`.
    OpenApi(OpenApiPath),
    /// Anything else.
    Unknown,
}

/// The path of an `OpenAPI` document.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum OpenApiPath {
    /// `/openapi/v3`: the index of the documents.
    Index,
    /// `/openapi/v3/PATH`: the document of a group version; holds `apis/GROUP/VERSION`.
    GroupVersion(String),
    /// `/openapi/v2`.
    Everything,
}

/// The path of a collection (without a name), of an object, or of a subresource.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ResourcePath {
    pub(crate) verb: Option<PathVerb>,
    pub(crate) group: String,
    pub(crate) version: String,
    /// `None` if the path has no namespace segment; an empty segment is kept.
    pub(crate) namespace: Option<String>,
    pub(crate) resource: String,
    pub(crate) name: Option<String>,
    pub(crate) subresource: Option<String>,
}

impl ResourcePath {
    /// The built-in resource that it addresses: a namespaced one requires a namespace, except for collections over all
    /// namespaces (REST-002).
    pub(crate) fn built_in(&self) -> Option<&'static BuiltIn> {
        kinds::all().find(|resource| {
            (resource.group, resource.version, resource.plural) == (&*self.group, &*self.version, &*self.resource)
                && (resource.namespaced == self.namespace.is_some() || (resource.namespaced && self.name.is_none()))
        })
    }
}

/// A verb in the path, before the resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathVerb {
    /// Watches a collection or an object: the deprecated form of `?watch=true`.
    Watch,
    /// Not supported by any resource.
    Proxy,
}

impl PathVerb {
    fn of(segment: &str) -> Option<Self> {
        match segment {
            "watch" => Some(Self::Watch),
            "proxy" => Some(Self::Proxy),
            _ => None,
        }
    }

    /// The path segment.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Watch => "watch",
            Self::Proxy => "proxy",
        }
    }
}

/// Parses a path.
///
/// As upstream, ignores trailing slashes and segments after a subresource (REST-003 `[Q]`). An empty name counts as no
/// name.
pub(crate) fn route(path: &str) -> Route {
    let decoded = decode(path, false);
    let Some(path) = decoded.as_deref().and_then(|path| path.strip_prefix('/')) else {
        return Route::Unknown;
    };
    if matches!(path, "" | "index.html") {
        return Route::Paths;
    }
    if let Some(health) = Health::of_path(path) {
        return Route::Health(health);
    }
    // Upstream handles `/apis` apart from what is below it.
    if path.strip_prefix("apis/").is_some_and(|below| !below.is_empty() && below.trim_matches('/').is_empty()) {
        return Route::Unknown;
    }
    let mut segments = path.trim_end_matches('/').split('/');
    match segments.next() {
        Some("api") => match segments.next() {
            None => Route::CoreVersions,
            Some(version) => resource(String::new(), version, segments),
        },
        Some("apis") => match (segments.next(), segments.next()) {
            (None, _) => Route::Groups,
            (Some(""), _) => Route::Unknown,
            (Some(group), None) => Route::Group(group.to_owned()),
            (Some(group), Some(version)) => resource(group.to_owned(), version, segments),
        },
        Some("version") => segments.next().map_or(Route::Version, |_| Route::Nothing),
        Some("openapi") => openapi(path),
        _ => Route::Unknown,
    }
}

/// Parses a path of an `OpenAPI` document, in which all slashes are significant.
fn openapi(path: &str) -> Route {
    match path.strip_prefix("openapi/") {
        Some("v2") => Route::OpenApi(OpenApiPath::Everything),
        Some("v3") => Route::OpenApi(OpenApiPath::Index),
        Some(path) => path.strip_prefix("v3/").map_or(Route::Unknown, |group_version| {
            Route::OpenApi(OpenApiPath::GroupVersion(group_version.to_owned()))
        }),
        None => Route::Unknown,
    }
}

fn resource<'a>(group: String, version: &str, mut rest: impl Iterator<Item = &'a str>) -> Route {
    let version = version.to_owned();
    let Some(first) = rest.next() else {
        return Route::Resources { group, version };
    };
    let verb = PathVerb::of(first);
    let Some(first) = (if verb.is_some() { rest.next() } else { Some(first) }) else {
        return Route::NoResource;
    };
    let mut next = || rest.next().map(str::to_owned);
    // `/namespaces`, `/namespaces/NAME` and its subresources address namespaces; any other resource after a name is in
    // that namespace.
    let (namespace, resource, name, subresource) = if first == "namespaces" {
        let namespace = next();
        match next() {
            None => (None, first.to_owned(), namespace, None),
            Some(part) if matches!(part.as_str(), "status" | "finalize") => {
                (None, first.to_owned(), namespace, Some(part))
            }
            Some(resource) => (namespace, resource, next(), next()),
        }
    } else {
        (None, first.to_owned(), next(), next())
    };
    // Built-in resources have no paths below a subresource.
    if kinds::has_group(&group) && next().is_some() {
        return Route::Nothing;
    }
    let name = name.filter(|name| !name.is_empty());
    Route::Resource(ResourcePath { verb, group, version, namespace, resource, name, subresource })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn at(namespace: Option<&str>, resource: &str, name: Option<&str>, subresource: Option<&str>) -> Route {
        Route::Resource(ResourcePath {
            verb: None,
            group: "g.io".into(),
            version: "v1".into(),
            namespace: namespace.map(Into::into),
            resource: resource.into(),
            name: name.map(Into::into),
            subresource: subresource.map(Into::into),
        })
    }

    #[rstest]
    #[case("/apis", Route::Groups)]
    #[case("/apis/", Route::Groups)]
    #[case("/apis/g.io", Route::Group("g.io".into()))]
    #[case("/apis/g.io/v1", Route::Resources { group: "g.io".into(), version: "v1".into() })]
    #[case("/api/v1", Route::Resources { group: String::new(), version: "v1".into() })]
    #[case("/apis/g.io/v1/things", at(None, "things", None, None))]
    #[case("/apis/g.io/v1/things/a/status/x/", at(None, "things", Some("a"), Some("status")))]
    #[case("/apis/g.io/v1/namespaces/n/things", at(Some("n"), "things", None, None))]
    #[case("/apis/g.io/v1/namespaces/n/things/a/scale", at(Some("n"), "things", Some("a"), Some("scale")))]
    #[case("/apis/g.io/v1/namespaces/n%2Fthings", at(Some("n"), "things", None, None))]
    #[case("/apis/g.io/v1/namespaces/n", at(None, "namespaces", Some("n"), None))]
    #[case("/apis/g.io/v1/things//status", at(None, "things", None, Some("status")))]
    #[case("/apis/g.io/v1/things//", at(None, "things", None, None))]
    #[case("/apis/g.io/v1/namespaces//things", at(Some(""), "things", None, None))]
    #[case("/apis//", Route::Unknown)]
    #[case("/api//", Route::CoreVersions)]
    #[case("/apis//g.io", Route::Unknown)]
    #[case("//apis", Route::Unknown)]
    #[case("apis", Route::Unknown)]
    #[case("/readyz/ping", Route::Health(Health::Check))]
    #[case("/readyz/x", Route::Unknown)]
    #[case("/version", Route::Version)]
    #[case("/openapi/v2", Route::OpenApi(OpenApiPath::Everything))]
    #[case("/openapi/v2/", Route::Unknown)]
    #[case("/openapi//v2", Route::Unknown)]
    #[case("/openapi/v3", Route::OpenApi(OpenApiPath::Index))]
    #[case("/openapi/v3/apis/g.io/v1", Route::OpenApi(OpenApiPath::GroupVersion("apis/g.io/v1".into())))]
    #[case("/openapi/v3/apis/g.io/v1/", Route::OpenApi(OpenApiPath::GroupVersion("apis/g.io/v1/".into())))]
    #[case("/openapi/v4", Route::Unknown)]
    #[case("/openapi", Route::Unknown)]
    #[case("/", Route::Paths)]
    #[case("/version/", Route::Version)]
    #[case("/version/x", Route::Nothing)]
    #[case("/api/v1/namespaces/a/status/x", Route::Nothing)]
    #[case("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/a/status/x", Route::Nothing)]
    #[case("/apis/%zz", Route::Unknown)]
    #[case("/apis/g.io/v1/watch", Route::NoResource)]
    #[case("/api/v1/watch/", Route::NoResource)]
    #[case("/apis/watch/v1", Route::Resources { group: "watch".into(), version: "v1".into() })]
    fn rest_001_paths(#[case] path: &str, #[case] expected: Route) {
        assert_eq!(route(path), expected);
    }

    #[rstest]
    #[case("watch/things", PathVerb::Watch, at(None, "things", None, None))]
    #[case("watch/things/a", PathVerb::Watch, at(None, "things", Some("a"), None))]
    #[case("watch/namespaces/n/things/a/status", PathVerb::Watch, at(Some("n"), "things", Some("a"), Some("status")))]
    #[case("watch/namespaces/n", PathVerb::Watch, at(None, "namespaces", Some("n"), None))]
    #[case("watch/watch", PathVerb::Watch, at(None, "watch", None, None))]
    #[case("proxy/things", PathVerb::Proxy, at(None, "things", None, None))]
    fn rest_077_verbs(#[case] path: &str, #[case] verb: PathVerb, #[case] resource: Route) {
        let Route::Resource(resource) = resource else { unreachable!("only resources have verbs") };
        assert_eq!(
            route(&format!("/apis/g.io/v1/{path}")),
            Route::Resource(ResourcePath { verb: Some(verb), ..resource })
        );
    }
}
