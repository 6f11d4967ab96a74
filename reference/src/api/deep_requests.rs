//! Which requests have to do with deeply nested values.

use http::header::ACCEPT;
use http::{HeaderValue, Method, Request};
use serde::Deserialize;

use crate::kinds;
use crate::messages::patch;
use crate::messages::request::{ResourcePath, Route, body_nesting, media_type};
use crate::wire::deep::{Depth, USUAL_NESTING};
use crate::wire::json::{MAX_NESTING, nesting};

/// The start of a definition; serde skips the rest without recursion.
#[derive(Deserialize)]
struct Named {
    metadata: Name,
}

#[derive(Deserialize)]
struct Name {
    name: String,
}

/// Records the nesting of a request's body, if it is deep. Returns whether it is.
pub(crate) fn note_body<B: AsRef<[u8]>>(depth: &Depth, route: &Route, request: &Request<B>) -> bool {
    let body = request.body().as_ref();
    let nesting = body_nesting(request.headers(), body);
    note(depth, route, body, nesting);
    nesting > USUAL_NESTING
}

/// Records the nesting of a patch's result, if it is deep. Only a response in plain JSON shows the nesting; any
/// other form counts as deep.
pub(crate) fn note_patched<B>(depth: &Depth, route: &Route, request: &Request<B>, answer: &[u8]) {
    let is_plain = |value: &HeaderValue| !value.as_bytes().windows(2).any(|letters| letters == b"as");
    let shows_nesting = answer.starts_with(b"{") && request.headers().get_all(ACCEPT).iter().all(is_plain);
    note(depth, route, answer, if shows_nesting { nesting(answer) } else { MAX_NESTING });
}

fn note(depth: &Depth, route: &Route, content: &[u8], nesting: usize) {
    if nesting > USUAL_NESTING
        && let Route::Resource(path) = route
    {
        depth.note(group(path, content));
    }
}

/// Whether a request has a deep body, or may read a deep value. Any request for definitions may once a deep value
/// exists: lists contain definitions, and deleting a definition deletes its objects.
pub(crate) fn needs_deep_stack<B: AsRef<[u8]>>(depth: &Depth, route: &Route, request: &Request<B>) -> bool {
    if body_nesting(request.headers(), request.body().as_ref()) > USUAL_NESTING || makes_depth(request) {
        return true;
    }
    match route {
        Route::Resource(path) if is_of_instances(path) => depth.may_be_in(Some(&path.group)),
        _ => depth.is_somewhere(),
    }
}

/// Whether a request is a JSON patch, which can copy a value into itself repeatedly.
pub(crate) fn makes_depth<B>(request: &Request<B>) -> bool {
    request.method() == Method::PATCH && media_type(request.headers()) == patch::JSON
}

fn is_of_instances(path: &ResourcePath) -> bool {
    !kinds::has_group(&path.group)
}

/// The group whose resources the content is about, from the path or from the name of the definition. `None` if it is
/// unknown, for example of a definition with two names, which the server may accept nevertheless.
fn group(path: &ResourcePath, content: &[u8]) -> Option<String> {
    if is_of_instances(path) {
        return Some(path.group.clone());
    }
    let named = || serde_json::from_slice::<Named>(content).ok().map(|named| named.metadata.name);
    let name = path.name.clone().or_else(named)?;
    name.split_once('.').map(|(_, group)| group.to_owned())
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::Request;
    use rstest::rstest;

    use super::*;
    use crate::messages::request::route;

    const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    /// A body with these fields and a deep one.
    fn deep(fields: &str) -> String {
        format!("{{{fields},\"x\":{}{}}}", "[".repeat(USUAL_NESTING), "]".repeat(USUAL_NESTING))
    }

    #[rstest]
    #[case::object("/apis/a.b/v1/things", r#""kind":"Thing""#, ["/apis/a.b/v1/things/c"], ["/apis/c.d/v1/things"])]
    #[case::definition(
        DEFINITIONS,
        r#""metadata":{"name":"things.a.b"}"#,
        ["/apis/a.b/v1/things"],
        ["/apis/c.d/v1/things"]
    )]
    #[case::definition_with_an_ambiguous_name(
        DEFINITIONS,
        r#""metadata":{},"metadata":{"name":"things.a.b"}"#,
        ["/apis/a.b/v1/things", "/apis/c.d/v1/things"],
        []
    )]
    fn later_requests_that_may_read_a_deep_value_are_found<const DEEP: usize, const USUAL: usize>(
        #[case] path: &str,
        #[case] fields: &str,
        #[case] concerned: [&str; DEEP],
        #[case] unconcerned: [&str; USUAL],
    ) {
        let depth = Depth::default();
        assert!(note_body(&depth, &route(path), &Request::new(deep(fields))));
        let concerns = |path: &str| needs_deep_stack(&depth, &route(path), &Request::new(Bytes::new()));
        assert!(concerns(DEFINITIONS));
        assert!(concerned.into_iter().all(concerns));
        assert!(!unconcerned.into_iter().any(concerns));
    }

    #[rstest]
    #[case::in_json("application/json", "{\"a\":{}}", false)]
    #[case::in_yaml("application/yaml", "a: {}\n", true)]
    #[case::as_a_table("application/json;as=Table;v=v1;g=meta.k8s.io", "{\"rows\":[]}", true)]
    fn a_response_that_does_not_show_the_patched_object_counts_as_deep(
        #[case] accept: &str,
        #[case] answer: &str,
        #[case] is_deep: bool,
    ) {
        let depth = Depth::default();
        let request = Request::patch("/").header("accept", accept).body(Bytes::new()).expect("a request");
        note_patched(&depth, &route("/apis/a.b/v1/things/c"), &request, answer.as_bytes());
        assert_eq!(depth.is_somewhere(), is_deep);
    }
}
