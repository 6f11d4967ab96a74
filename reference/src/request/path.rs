//! Paths (REST-001): `/apis/GROUP/VERSION/[namespaces/NAMESPACE/]RESOURCE[/NAME[/SUBRESOURCE]]`, with or without a verb behind the version
//! (REST-077), and what stands beside it.

use super::query::decode;
use crate::built_in;
use crate::health::Health;

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
    /// A collection, an object or a part of it.
    Resource(ResourcePath),
    /// A verb, and nothing behind it.
    NoResource,
    /// `/version`.
    Version,
    /// `/readyz`, `/livez`, `/healthz`, with or without a check's name behind.
    Health(Health),
    /// `/`.
    Paths,
    /// Nothing, below what a server always has.
    Nothing,
    /// `/openapi/…`.
    OpenApi(OpenApiPath),
    /// Anything else.
    Unknown,
}

/// Which document of `OpenAPI`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum OpenApiPath {
    /// `/openapi/v3`: where the others are.
    Index,
    /// `/openapi/v3/PATH`: one group version, as `apis/GROUP/VERSION`.
    GroupVersion(String),
    /// `/openapi/v2`.
    Everything,
}

/// The address of a collection (no name), of an object, or of a part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ResourcePath {
    pub(crate) verb: Option<PathVerb>,
    pub(crate) group: String,
    pub(crate) version: String,
    /// Only present if the path has one; it may be empty.
    pub(crate) namespace: Option<String>,
    pub(crate) resource: String,
    pub(crate) name: Option<String>,
    pub(crate) subresource: Option<String>,
}

/// What is wanted by a word before the resource, and not by the method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathVerb {
    /// A watch of a collection, or of one object: the older form of `?watch=true`.
    Watch,
    /// What no resource offers any more.
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

    /// The word.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Watch => "watch",
            Self::Proxy => "proxy",
        }
    }
}

/// Reads a path.
///
/// Slashes at the end and what follows a subresource are ignored, as upstream does (REST-003 [Q]). An empty name is none.
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

/// Every slash counts here.
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
    // `/namespaces`, `/namespaces/NAME` and its parts are objects of their own; what else follows a namespace is in it.
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
    // Of what the server was compiled with, nothing is behind a part.
    if built_in::has_group(&group) && next().is_some() {
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
    fn rest_077_verbs(#[case] path: &str, #[case] verb: PathVerb, #[case] behind: Route) {
        let Route::Resource(behind) = behind else { unreachable!("resources alone") };
        assert_eq!(
            route(&format!("/apis/g.io/v1/{path}")),
            Route::Resource(ResourcePath { verb: Some(verb), ..behind })
        );
    }
}
