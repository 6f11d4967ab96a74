//! A larger stack for deeply nested values.
//!
//! Bodies may nest 10,000 levels deep (REST-007), and all code that walks values is recursive. A request with deeper
//! nesting than usual runs on a stack that is large enough for the worst case, and so does every later request that may
//! read what it stored.

use std::cell::Cell;
use std::collections::HashSet;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{PoisonError, RwLock};

use corosensei::on_stack;
use corosensei::stack::{DefaultStack, Stack as _};
use http::header::ACCEPT;
use http::{HeaderValue, Method, Request};
use serde::Deserialize;

use crate::built_in;
use crate::json::{MAX_NESTING, nesting};
use crate::patch;
use crate::request::{ResourcePath, Route, body_nesting, media_type};

/// Nesting that any caller's stack can hold.
const USUAL_NESTING: usize = 100;

/// Enough for 10,000 levels of 20 KB each; debug builds need less per level. Only the pages that are used are touched.
const STACK_SIZE: usize = 256 << 20;

/// How often a thread uses its large stack before it unmaps it. To map one for each use costs more than most requests do;
/// unmapping gives back the pages that deep values have touched.
const MOST_USES: u32 = 100;

/// How many groups are tracked separately; with more deep groups, all count as deep.
const MAX_TRACKED_GROUPS: usize = 100;

/// Records where a server has deeply nested values.
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

/// The start of a definition; serde skips the rest without recursion.
#[derive(Deserialize)]
struct Named {
    metadata: Name,
}

#[derive(Deserialize)]
struct Name {
    name: String,
}

impl Depth {
    /// Records the nesting of a request's body, if it is deep. Returns whether it is.
    pub(crate) fn note_body<B: AsRef<[u8]>>(&self, route: &Route, request: &Request<B>) -> bool {
        let body = request.body().as_ref();
        let nesting = body_nesting(request.headers(), body);
        self.note(route, body, nesting);
        nesting > USUAL_NESTING
    }

    /// Records the nesting of a patch's result, if it is deep. Only a response in plain JSON shows the nesting; any
    /// other form counts as deep.
    pub(crate) fn note_patched<B>(&self, route: &Route, request: &Request<B>, answer: &[u8]) {
        let is_plain = |value: &HeaderValue| !value.as_bytes().windows(2).any(|letters| letters == b"as");
        let shows_nesting = answer.starts_with(b"{") && request.headers().get_all(ACCEPT).iter().all(is_plain);
        self.note(route, answer, if shows_nesting { nesting(answer) } else { MAX_NESTING });
    }

    /// Records the nesting of what a webhook answered, if it is deep. Returns whether this thread's stack can hold it; if not, it has to
    /// be read [`on_deep_stack`].
    pub(crate) fn note_answer(&self, answer: &[u8]) -> bool {
        if nesting(answer) <= USUAL_NESTING {
            return true;
        }
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Deep::Anywhere;
        remaining() > STACK_SIZE / 2
    }

    fn note(&self, route: &Route, content: &[u8], nesting: usize) {
        if nesting <= USUAL_NESTING {
            return;
        }
        let Route::Resource(path) = route else { return };
        let mut deep = self.0.write().unwrap_or_else(PoisonError::into_inner);
        match (&mut *deep, group(path, content)) {
            (Deep::Nowhere, Some(group)) => *deep = Deep::Groups(HashSet::from([group])),
            (Deep::Groups(groups), Some(group)) if groups.len() < MAX_TRACKED_GROUPS => {
                groups.insert(group);
            }
            // The group is unknown, for example of a definition with two names, which the server may accept
            // nevertheless.
            (_, None) | (Deep::Groups(_) | Deep::Anywhere, Some(_)) => *deep = Deep::Anywhere,
        }
    }

    /// Whether a request may read a deep value. Any request for definitions may once a deep value exists: lists contain
    /// definitions, and deleting a definition deletes its objects.
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

    /// Whether a deep value may exist.
    pub(crate) fn is_somewhere(&self) -> bool {
        !matches!(*self.0.read().unwrap_or_else(PoisonError::into_inner), Deep::Nowhere)
    }
}

/// A large stack, and how often it has been used.
struct Large {
    stack: DefaultStack,
    uses: u32,
}

thread_local! {
    /// The large stack that this thread keeps for its next use; none while it runs on it.
    static SPARE: Cell<Option<Large>> = const { Cell::new(None) };
    /// The lowest address of the large stack that this thread runs on.
    static LIMIT: Cell<Option<usize>> = const { Cell::new(None) };
}

/// How many bytes of the large stack are left; 0 if this thread runs on none.
fn remaining() -> usize {
    let here = 0_u8;
    let here = std::ptr::from_ref(&here).addr();
    LIMIT.get().map_or(0, |limit| here.saturating_sub(limit))
}

/// Runs `work` on a large stack; `None` if its memory cannot be allocated, or if `work` panics.
///
/// If the caller runs on a large stack already, `work` gets another one.
pub(crate) fn on_deep_stack<T>(work: impl FnOnce() -> T) -> Option<T> {
    let new = || DefaultStack::new(STACK_SIZE).ok().map(|stack| Large { stack, uses: 0 });
    // A thread that is ending has none, and keeps none: a server may be dropped by the destructor of a thread-local.
    let spare = SPARE.try_with(Cell::take).ok().flatten();
    let Some(mut large) = spare.or_else(new) else {
        // What it owns may be too deep to be dropped on this stack.
        std::mem::forget(work);
        return None;
    };
    let outer = LIMIT.replace(Some(large.stack.limit().get()));
    let done = panic::catch_unwind(AssertUnwindSafe(|| on_stack(&mut large.stack, work))).ok();
    LIMIT.set(outer);
    large.uses += 1;
    if large.uses < MOST_USES {
        let _ = SPARE.try_with(|spare| spare.set(Some(large)));
    }
    done
}

/// Unmaps the large stack that this thread keeps: it was used for a deep value, or will not be needed for long.
pub(crate) fn give_back() {
    drop(SPARE.try_with(Cell::take));
}

/// Whether a request is a JSON patch, which can copy a value into itself repeatedly.
pub(crate) fn makes_depth<B>(request: &Request<B>) -> bool {
    request.method() == Method::PATCH && media_type(request.headers()) == patch::JSON
}

fn is_of_instances(path: &ResourcePath) -> bool {
    !built_in::has_group(&path.group)
}

/// The group whose resources the content is about, from the path or from the name of the definition.
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
    use std::cell::RefCell;
    use std::sync::mpsc::{self, Sender};
    use std::thread;

    use bytes::Bytes;
    use http::Request;
    use rstest::rstest;

    use super::*;
    use crate::request::route;

    const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    /// A body with these fields and a deep one.
    fn deep(fields: &str) -> String {
        format!("{{{fields},\"x\":{}{}}}", "[".repeat(USUAL_NESTING), "]".repeat(USUAL_NESTING))
    }

    /// Does something where three fifths of a large stack are in use.
    fn deeply<T>(work: &dyn Fn() -> T) -> T {
        let used = std::hint::black_box([0_u8; 1024]);
        let done = if remaining() < STACK_SIZE / 5 * 2 { work() } else { deeply(work) };
        std::hint::black_box(used);
        done
    }

    #[test]
    fn each_use_has_a_whole_stack() {
        for _ in 0..2 {
            assert_eq!(on_deep_stack(|| deeply(&|| on_deep_stack(|| deeply(&|| 7)))), Some(Some(7)));
            assert_eq!(on_deep_stack(|| deeply(&|| panic!("on purpose"))), None::<()>);
        }
    }

    #[test]
    fn what_is_left_of_a_stack_is_known() {
        let is_much = || remaining() > STACK_SIZE / 2;
        let seen = on_deep_stack(|| (is_much(), deeply(&is_much), on_deep_stack(is_much), is_much()));
        assert_eq!(seen, Some((true, false, Some(true), true)));
        assert!(!is_much());
    }

    /// How often the large stack that this thread keeps has been used.
    fn uses() -> Option<u32> {
        let spare = SPARE.take();
        let uses = spare.as_ref().map(|large| large.uses);
        SPARE.set(spare);
        uses
    }

    #[test]
    fn a_thread_keeps_a_stack_for_many_uses() {
        let used = || on_deep_stack(|| ()).and(uses());
        let counts: Vec<Option<u32>> = thread::spawn(move || {
            let counts = (0..=MOST_USES).map(|_| used()).collect();
            give_back();
            assert_eq!(uses(), None);
            counts
        })
        .join()
        .expect("no panic");
        assert_eq!(counts[..3], [Some(1), Some(2), Some(3)]);
        assert_eq!(counts[MOST_USES as usize - 2..], [Some(MOST_USES - 1), None, Some(1)]);
    }

    /// Works on a large stack when it is dropped, as a server with deep values does.
    struct Last(Sender<Option<u8>>);

    impl Drop for Last {
        fn drop(&mut self) {
            let _ = self.0.send(on_deep_stack(|| 7));
        }
    }

    thread_local! {
        static LAST: RefCell<Option<Last>> = const { RefCell::new(None) };
    }

    #[test]
    fn a_thread_that_ends_still_gets_a_stack() {
        let (sender, receiver) = mpsc::channel();
        let ending = thread::spawn(move || {
            // Its destructor runs after that of the large stack, which is registered later.
            LAST.replace(Some(Last(sender)));
            on_deep_stack(|| ())
        });
        assert_eq!(ending.join().expect("no panic"), Some(()));
        assert_eq!(receiver.recv(), Ok(Some(7)));
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
        assert!(depth.note_body(&route(path), &Request::new(deep(fields))));
        let concerns = |path: &str| depth.concerns(&route(path), &Request::new(Bytes::new()));
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
        depth.note_patched(&route("/apis/a.b/v1/things/c"), &request, answer.as_bytes());
        assert_eq!(depth.is_somewhere(), is_deep);
    }
}
