//! Deep values on a deep stack.
//!
//! Bodies may nest 10,000 deep (REST-007), and everything that walks a value does so by recursion. A request that is deeper than
//! usual runs on a stack for the worst case, and so does from then on every request that may come across what it left.

use std::collections::HashSet;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{PoisonError, RwLock};

use http::{Method, Request};
use serde::Deserialize;

use crate::definitions;
use crate::json::nesting;
use crate::patch;
use crate::request::{ResourcePath, Route, media_type};

/// Nesting that fits any stack on which a server may be called.
const USUAL_NESTING: usize = 100;

/// Enough for 10,000 levels at 20 KB each, which the walks of a debug build stay below. The pages are touched only when used.
const STACK_SIZE: usize = 256 << 20;

/// Groups that are told apart; with more deep ones, all count as deep.
const MOST_GROUPS: usize = 1_000;

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
    /// Takes note of a text with the content of a resource, if it is deep: what the request brings, or what a patch made.
    pub(crate) fn note(&self, route: &Route, content: &[u8]) {
        if nesting(content) <= USUAL_NESTING {
            return;
        }
        let Some(group) = group(route, content) else { return };
        let mut deep = self.0.write().unwrap_or_else(PoisonError::into_inner);
        match &mut *deep {
            Deep::Nowhere => *deep = Deep::Groups(HashSet::from([group])),
            Deep::Groups(groups) if groups.len() < MOST_GROUPS => {
                groups.insert(group);
            }
            Deep::Groups(_) | Deep::Anywhere => *deep = Deep::Anywhere,
        }
    }

    /// Whether a request may come across a deep value. What is about definitions may, as soon as there is one: definitions are
    /// listed, and take objects with them.
    pub(crate) fn concerns<B: AsRef<[u8]>>(&self, route: &Route, request: &Request<B>) -> bool {
        if nesting(request.body().as_ref()) > USUAL_NESTING || makes_depth(request) {
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

/// Runs work on a deep stack; nothing comes back if the machine has no memory for one.
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
    !path.group.is_empty() && path.group != definitions::GROUP
}

/// The group whose resources the content is about: the path tells, or the name of the definition.
fn group(route: &Route, content: &[u8]) -> Option<String> {
    let Route::Resource(path) = route else { return None };
    if is_of_instances(path) {
        return Some(path.group.clone());
    }
    let told = || serde_json::from_slice::<Named>(content).ok().map(|named| named.metadata.name);
    let name = path.name.clone().or_else(told)?;
    name.split_once('.').map(|(_, group)| group.to_owned())
}
