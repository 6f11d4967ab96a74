//! All hooks of a run: what each answers, and what each was sent.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Mutex, MutexGuard, OnceLock, PoisonError},
};

use bytes::Bytes;
use crdible_webhooks::{Hook, HookAnswer};

use super::Authority;

/// A hook keeps at most this many calls: a server whose caches fail calls ten times a second.
const MOST_CALLS: usize = 10_000;

/// The number of a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HookId(u64);

impl HookId {
    /// The path of its URL.
    pub fn path(self) -> String {
        format!("/{}", self.0)
    }

    /// The hook in the path of a request, and what follows it there.
    fn of(path_and_query: &str) -> Option<(Self, &str)> {
        let rest = path_and_query.strip_prefix('/')?;
        let end = rest.find(|next: char| !next.is_ascii_digit()).unwrap_or(rest.len());
        let (number, rest) = rest.split_at(end);
        Some((Self(number.parse().ok()?), rest))
    }
}

/// A call as it arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// The moment of the hook: what [`Registry::set_moment`] said last.
    pub moment: usize,
    /// The HTTP method.
    pub method: String,
    /// What follows the hook's own path in the URL: further segments, and the query.
    pub path: String,
    /// `Content-Type`.
    pub content_type: Option<String>,
    /// The body.
    pub body: Bytes,
}

/// All hooks of a run.
#[derive(Default)]
pub struct Registry {
    authority: OnceLock<Option<Authority>>,
    hooks: Mutex<Hooks>,
}

#[derive(Default)]
struct Hooks {
    next: u64,
    known: BTreeMap<HookId, ServedHook>,
}

struct ServedHook {
    hook: Hook,
    was_wrong: bool,
    moment: usize,
    calls: Vec<Received>,
}

impl Registry {
    /// A new hook.
    pub fn add(&self, hook: impl Into<Hook>) -> HookId {
        let hook = hook.into();
        let mut hooks = self.hooks();
        let id = HookId(hooks.next);
        hooks.next += 1;
        let was_wrong = !hook.is_right();
        hooks.known.insert(id, ServedHook { hook, was_wrong, moment: 0, calls: Vec::new() });
        id
    }

    /// Makes a hook answer like this one from now on.
    pub fn set(&self, id: HookId, hook: impl Into<Hook>) {
        self.with(id, |served| {
            served.hook = hook.into();
            served.was_wrong |= !served.hook.is_right();
        });
    }

    /// The hook in the path of a URL as it answers now; none if there is no such hook.
    pub fn hook(&self, path_and_query: &str) -> Option<Hook> {
        let (id, _) = HookId::of(path_and_query)?;
        self.with(id, |served| served.hook.clone())
    }

    /// Whether a hook ever misbehaved. A server may show old states of its objects for a while,
    /// even when the hook is correct again (CONV-022).
    pub fn was_wrong(&self, id: HookId) -> bool {
        self.with(id, |served| served.was_wrong).unwrap_or_default()
    }

    /// Calls that arrive from now on are marked with this moment.
    pub fn set_moment(&self, id: HookId, moment: usize) {
        self.with(id, |served| served.moment = moment);
    }

    /// Takes the calls that have arrived so far, in their order.
    pub fn take_calls(&self, id: HookId) -> Vec<Received> {
        self.with(id, |served| std::mem::take(&mut served.calls)).unwrap_or_default()
    }

    /// The answer to a request. The path begins with that of a hook.
    pub fn answer(&self, method: &str, path_and_query: &str, content_type: Option<&str>, body: Bytes) -> HookAnswer {
        let unknown = || HookAnswer::error(404, "no such webhook");
        let Some((id, rest)) = HookId::of(path_and_query) else { return unknown() };
        let hook = self.with(id, |served| {
            if served.calls.len() < MOST_CALLS {
                served.calls.push(Received {
                    moment: served.moment,
                    method: method.to_owned(),
                    path: rest.to_owned(),
                    content_type: content_type.map(str::to_owned),
                    body: body.clone(),
                });
            }
            served.hook.clone()
        });
        hook.map_or_else(unknown, |hook| hook.answer(&body))
    }

    /// The authority that signs the certificates of all listeners; none if it cannot be generated.
    pub(crate) fn authority(&self) -> Option<&Authority> {
        self.authority.get_or_init(|| Authority::new().ok()).as_ref()
    }

    /// Does this with a hook, if there is one with this number.
    fn with<T>(&self, id: HookId, act: impl FnOnce(&mut ServedHook) -> T) -> Option<T> {
        self.hooks().known.get_mut(&id).map(act)
    }

    fn hooks(&self) -> MutexGuard<'_, Hooks> {
        self.hooks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Registry").field("hooks", &self.hooks().known.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use crdible_webhooks::{Chain, Converter};
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{HookId, Registry};

    fn review() -> Bytes {
        let object = json!({ "apiVersion": "g/v1", "kind": "K" });
        json!({ "request": { "uid": "u", "desiredAPIVersion": "g/v2", "objects": [object] } }).to_string().into()
    }

    #[test]
    fn a_hook_answers_and_remembers() {
        let registry = Registry::default();
        let (one, other) = (registry.add(Converter::default()), registry.add(Converter::default()));
        registry.set(one, Converter::right(Chain::identity(["v1", "v2"])));
        registry.set_moment(one, 3);
        let path = format!("{}/x?timeout=30s", one.path());
        let answer = registry.answer("POST", &path, Some("application/json"), review());
        let answered: Value = serde_json::from_slice(&answer.body).expect("JSON");
        assert_eq!(answered["response"]["convertedObjects"][0]["apiVersion"], "g/v2");
        let calls = registry.take_calls(one);
        assert_eq!((calls.len(), calls[0].moment, calls[0].path.as_str()), (1, 3, "/x?timeout=30s"));
        assert_eq!(registry.take_calls(one), []);
        assert_eq!(registry.take_calls(other), []);
        assert_eq!(registry.answer("POST", "/2/x?timeout=30s", None, review()).status, 404, "there is no such hook");
    }

    #[rstest]
    #[case("/7", Some((7, "")))]
    #[case("/7/a?b", Some((7, "/a?b")))]
    #[case("/7?b", Some((7, "?b")))]
    #[case("/x", None)]
    #[case("", None)]
    #[case("/99999999999999999999", None)]
    fn paths_name_a_hook(#[case] path: &str, #[case] expected: Option<(u64, &str)>) {
        assert_eq!(HookId::of(path), expected.map(|(number, rest)| (HookId(number), rest)));
    }
}
