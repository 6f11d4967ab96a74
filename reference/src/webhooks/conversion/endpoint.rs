//! The URL of a webhook (CONV-008).

use crdible_semantics::definition::ClientConfig;
use http::Uri;

use crate::wire::base64;

/// The query that every call has.
const QUERY: &str = "timeout=30s";

/// Where a webhook is, and whom to trust there.
pub(super) struct Endpoint {
    /// With the query.
    pub(super) url: String,
    /// Certificates in PEM; empty for those of the system.
    pub(super) ca_bundle: Vec<u8>,
}

impl Endpoint {
    pub(super) fn of(client: Option<&ClientConfig>) -> Self {
        let Some(client) = client else { return Self { url: String::new(), ca_bundle: Vec::new() } };
        let url = match (&client.url, &client.service) {
            (Some(url), _) => {
                let (base, path) = split(url);
                format!("{base}{}?{QUERY}", cleaned(path))
            }
            (None, Some(service)) => {
                let path = cleaned(service.path.as_deref().unwrap_or_default());
                format!(
                    "https://{}.{}.svc:{}{path}?{QUERY}",
                    service.name,
                    service.namespace,
                    service.port.unwrap_or(443)
                )
            }
            (None, None) => String::new(),
        };
        let bundle = base64::decode(&client.ca_bundle).unwrap_or_default();
        // Blanks count as nothing.
        let ca_bundle = if bundle.iter().all(u8::is_ascii_whitespace) { Vec::new() } else { bundle };
        Self { url, ca_bundle }
    }
}

/// The part of a URL up to its path, and the path without query and fragment.
fn split(url: &str) -> (&str, &str) {
    let begin = url.find("://").map_or(0, |at| at + 3);
    let path = url[begin..].find(['/', '?', '#']).map_or(url.len(), |at| begin + at);
    let end = url[path..].find(['?', '#']).map_or(url.len(), |at| path + at);
    (&url[..path], &url[path..end])
}

/// An absolute path without empty segments, `.`, `..` and a slash at its end.
fn cleaned(path: &str) -> String {
    let mut segments: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => drop(segments.pop()),
            segment => segments.push(segment),
        }
    }
    format!("/{}", segments.join("/"))
}

/// The URL to which a `Location` leads from another.
pub(super) fn resolved(from: &str, location: &str) -> Option<String> {
    let location = location.split('#').next().unwrap_or_default();
    let (base, path) = split(from);
    let resolved = if location.contains("://") {
        location.to_owned()
    } else if let Some(rest) = location.strip_prefix("//") {
        format!("{}://{rest}", base.split("://").next().unwrap_or("https"))
    } else if location.starts_with('/') {
        format!("{base}{location}")
    } else if location.starts_with('?') {
        format!("{base}{path}{location}")
    } else {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        format!("{base}{folder}/{location}")
    };
    let uri: Uri = resolved.parse().ok()?;
    uri.host().is_some().then_some(resolved)
}

#[cfg(test)]
mod tests {
    use crdible_semantics::definition::{ClientConfig, Service};
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::no_path("https://h", "https://h/?timeout=30s")]
    #[case::root("https://h:8443/", "https://h:8443/?timeout=30s")]
    #[case::trailing_slash("https://h/p/", "https://h/p?timeout=30s")]
    #[case::doubled("https://h//a//b", "https://h/a/b?timeout=30s")]
    #[case::upwards("https://h/a/../b/./c", "https://h/b/c?timeout=30s")]
    #[case::escaped("https://[::1]:1/a%20b", "https://[::1]:1/a%20b?timeout=30s")]
    fn conv_008_paths_are_cleaned(#[case] url: &str, #[case] expected: &str) {
        let client = ClientConfig { url: Some(url.to_owned()), ..ClientConfig::default() };
        assert_eq!(Endpoint::of(Some(&client)).url, expected);
    }

    #[rstest]
    #[case::all(Some("/a/b/"), Some(8443), "https://n.ns.svc:8443/a/b?timeout=30s")]
    #[case::defaults(None, None, "https://n.ns.svc:443/?timeout=30s")]
    fn conv_008_services_have_a_host_name(
        #[case] path: Option<&str>,
        #[case] port: Option<i64>,
        #[case] expected: &str,
    ) {
        let service = Service { name: "n".into(), namespace: "ns".into(), path: path.map(str::to_owned), port };
        let client = ClientConfig { service: Some(service), ca_bundle: "IAo=".into(), ..ClientConfig::default() };
        let endpoint = Endpoint::of(Some(&client));
        assert_eq!((endpoint.url.as_str(), endpoint.ca_bundle.len()), (expected, 0));
    }

    #[rstest]
    #[case("https://other/x", Some("https://other/x"))]
    #[case("/x?y", Some("https://h:1/x?y"))]
    #[case("x", Some("https://h:1/a/x"))]
    #[case("?z", Some("https://h:1/a/b?z"))]
    #[case("//i/x", Some("https://i/x"))]
    #[case("ht tp://x", None)]
    fn redirects_are_resolved(#[case] location: &str, #[case] expected: Option<&str>) {
        assert_eq!(resolved("https://h:1/a/b?q", location).as_deref(), expected);
    }
}
