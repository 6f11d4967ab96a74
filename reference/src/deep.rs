//! Deep values on a deep stack.
//!
//! Bodies may nest 10,000 deep (REST-007), and everything that walks a value does so by recursion. A request that is deeper than
//! usual runs on a stack for the worst case, and so does from then on every request that may come across what it left.

use std::collections::HashSet;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{PoisonError, RwLock};

use http::header::ACCEPT;
use http::{HeaderValue, Method, Request};
use serde::Deserialize;

use crate::built_in;
use crate::json::{MAX_NESTING, nesting};
use crate::patch;
use crate::request::{ResourcePath, Route, body_nesting, media_type};

/// Nesting that fits any stack on which a server may be called.
const USUAL_NESTING: usize = 100;

/// Enough for 10,000 levels at 20 KB each, which the walks of a debug build stay below. The pages are touched only when used.
const STACK_SIZE: usize = 256 << 20;

/// Groups that are told apart; with more deep ones, all count as deep.
const MOST_GROUPS: usize = 100;

/// Where a server has deep values.
#[derive(Debug, Default)]
pub(crate) struct Depth(RwLock<Deep>);

#[derive(Debug, Default)]
enum Deep {
    #[default]
    Nowhere,
    /// In definitions or objects of these groups.
    Groups(HashSet<String>),
    Anywhere,
}

/// The start of a definition; serde passes over the rest without recursion.
#[derive(Deserialize)]
struct Named {
    metadata: Name,
}

#[derive(Deserialize)]
struct Name {
    name: String,
}

impl Depth {
    /// Takes note of what a request brings, if it is deep.
    pub(crate) fn note_body<B: AsRef<[u8]>>(&self, route: &Route, request: &Request<B>) {
        let body = request.body().as_ref();
        self.note(route, body, body_nesting(request.headers(), body));
    }

    /// Takes note of what a patch made, if it is deep. Only an answer in JSON and in no other form than the plain one tells.
    pub(crate) fn note_patched<B>(&self, route: &Route, request: &Request<B>, answer: &[u8]) {
        let is_told = |value: &HeaderValue| !value.as_bytes().windows(2).any(|letters| letters == b"as");
        let tells = answer.starts_with(b"{") && request.headers().get_all(ACCEPT).iter().all(is_told);
        self.note(route, answer, if tells { nesting(answer) } else { MAX_NESTING });
    }

    fn note(&self, route: &Route, content: &[u8], nesting: usize) {
        if nesting <= USUAL_NESTING {
            return;
        }
        let Route::Resource(path) = route else { return };
        let mut deep = self.0.write().unwrap_or_else(PoisonError::into_inner);
        match (&mut *deep, group(path, content)) {
            (Deep::Nowhere, Some(group)) => *deep = Deep::Groups(HashSet::from([group])),
            (Deep::Groups(groups), Some(group)) if groups.len() < MOST_GROUPS => {
                groups.insert(group);
            }
            // Whose it is cannot be told, as of a definition with two names, which the server may take all the same.
            (_, None) | (Deep::Groups(_) | Deep::Anywhere, Some(_)) => *deep = Deep::Anywhere,
        }
    }

    /// Whether a request may come across a deep value. What is about definitions may, as soon as there is one: definitions are
    /// listed, and take objects with them.
    pub(crate) fn concerns<B: AsRef<[u8]>>(&self, route: &Route, request: &Request<B>) -> bool {
        if body_nesting(request.headers(), request.body().as_ref()) > USUAL_NESTING || makes_depth(request) {
            return true;
        }
        match (&*self.0.read().unwrap_or_else(PoisonError::into_inner), route) {
            (Deep::Nowhere, _) => false,
            (Deep::Groups(groups), Route::Resource(path)) if is_of_instances(path) => groups.contains(&path.group),
            _ => true,
        }
    }

    /// Whether there may be a deep value at all.
    pub(crate) fn is_somewhere(&self) -> bool {
        !matches!(*self.0.read().unwrap_or_else(PoisonError::into_inner), Deep::Nowhere)
    }
}

/// Runs work on a deep stack; nothing comes back if the machine has no memory for one, or the work panics.
///
/// A stack and not a thread: it is mapped for each request, and a thread costs ten times as much.
pub(crate) fn on_deep_stack<T>(work: impl FnOnce() -> T) -> Option<T> {
    panic::catch_unwind(AssertUnwindSafe(|| stacker::grow(STACK_SIZE, work))).ok()
}

/// A JSON patch can copy a value into itself, again and again.
pub(crate) fn makes_depth<B>(request: &Request<B>) -> bool {
    request.method() == Method::PATCH && media_type(request.headers()) == patch::JSON
}

fn is_of_instances(path: &ResourcePath) -> bool {
    !built_in::has_group(&path.group)
}

/// The group whose resources the content is about: the path tells, or the name of the definition.
fn group(path: &ResourcePath, content: &[u8]) -> Option<String> {
    if is_of_instances(path) {
        return Some(path.group.clone());
    }
    let told = || serde_json::from_slice::<Named>(content).ok().map(|named| named.metadata.name);
    let name = path.name.clone().or_else(told)?;
    name.split_once('.').map(|(_, group)| group.to_owned())
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::Request;
    use rstest::rstest;

    use super::{Depth, USUAL_NESTING};
    use crate::request::route;

    const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    /// A body with these fields, and a deep one.
    fn deep(fields: &str) -> String {
        format!("{{{fields},\"x\":{}{}}}", "[".repeat(USUAL_NESTING), "]".repeat(USUAL_NESTING))
    }

    #[rstest]
    #[case::of_a_group("/apis/a.b/v1/things", r#""kind":"Thing""#, ["/apis/a.b/v1/things/c"], ["/apis/c.d/v1/things"])]
    #[case::of_a_definition(
        DEFINITIONS,
        r#""metadata":{"name":"things.a.b"}"#,
        ["/apis/a.b/v1/things"],
        ["/apis/c.d/v1/things"]
    )]
    #[case::of_whom_cannot_be_told(
        DEFINITIONS,
        r#""metadata":{},"metadata":{"name":"things.a.b"}"#,
        ["/apis/a.b/v1/things", "/apis/c.d/v1/things"],
        []
    )]
    fn later_requests_are_concerned<const DEEP: usize, const USUAL: usize>(
        #[case] path: &str,
        #[case] fields: &str,
        #[case] concerned: [&str; DEEP],
        #[case] unconcerned: [&str; USUAL],
    ) {
        let depth = Depth::default();
        depth.note_body(&route(path), &Request::new(deep(fields)));
        let concerns = |path: &str| depth.concerns(&route(path), &Request::new(Bytes::new()));
        assert!(concerns(DEFINITIONS));
        assert!(concerned.into_iter().all(concerns));
        assert!(!unconcerned.into_iter().any(concerns));
    }

    #[rstest]
    #[case::in_json("application/json", "{\"a\":{}}", false)]
    #[case::in_yaml("application/yaml", "a: {}\n", true)]
    #[case::as_a_table("application/json;as=Table;v=v1;g=meta.k8s.io", "{\"rows\":[]}", true)]
    fn an_answer_that_does_not_show_what_a_patch_made_counts_as_deep(
        #[case] accept: &str,
        #[case] answer: &str,
        #[case] is_deep: bool,
    ) {
        let depth = Depth::default();
        let request = Request::patch("/").header("accept", accept).body(Bytes::new()).expect("a request");
        depth.note_patched(&route("/apis/a.b/v1/things/c"), &request, answer.as_bytes());
        assert_eq!(depth.is_somewhere(), is_deep);
    }
}
