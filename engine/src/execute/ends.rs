//! Requests to which the connection ended without an answer.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use super::wire::{Outgoing, verb};
use crate::connection::is_watch;

/// At most this many kinds of requests are named.
const MOST: usize = 5;

/// How often the connection ended without an answer, for each kind of request.
#[derive(Debug, Default)]
pub(super) struct Ends(Mutex<BTreeMap<String, u64>>);

impl Ends {
    /// The connection ended this often, although the target had this request.
    pub(super) fn note(&self, outgoing: &Outgoing, times: u32) {
        if times > 0 {
            let kind = format!("{} {}", verb(outgoing.method), without_names(&outgoing.path));
            let mut ends = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            *ends.entry(kind).or_default() += u64::from(times);
        }
    }

    /// How often it ended for requests that are not for a subresource.
    pub(super) fn elsewhere(&self) -> u64 {
        let ends = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ends.iter().filter(|(kind, _)| !kind.contains("/NAME/")).map(|(_, times)| times).sum()
    }

    /// A note about them, if there are any: those that were most often.
    pub(super) fn in_words(&self) -> Option<String> {
        let ends = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let sum: u64 = ends.values().sum();
        let mut kinds: Vec<(&String, &u64)> = ends.iter().collect();
        kinds.sort_by_key(|(kind, times)| (std::cmp::Reverse(**times), *kind));
        let mut named: Vec<String> =
            kinds.iter().take(MOST).map(|(kind, times)| format!("{kind} ({})", often(**times))).collect();
        if kinds.len() > MOST {
            named.push(format!("and {} more", kinds.len() - MOST));
        }
        (sum > 0).then(|| {
            format!(
                "the connection ended {} without an answer, although the target had the whole request; look for a \
                 crash in its log: {}",
                often(sum),
                named.join(", ")
            )
        })
    }
}

fn often(times: u64) -> String {
    match times {
        1 => "once".to_owned(),
        times => format!("{times} times"),
    }
}

/// A path without what is generated or particular: of an object only its version and its subresource remain, and of a
/// query whether it is a watch.
fn without_names(path: &str) -> String {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let mut segments: Vec<&str> = path.split('/').collect();
    if let ["", "apis", group, rest @ ..] | ["", "openapi", "v3", "apis", group, rest @ ..] = &mut segments[..] {
        let is_own = *group == "apiextensions.k8s.io";
        if !is_own {
            *group = "GROUP";
        }
        let rest = match rest {
            [_, "namespaces", namespace, rest @ ..] => {
                *namespace = "NAMESPACE";
                rest
            }
            [_, rest @ ..] => rest,
            [] => &mut [],
        };
        for (segment, name) in rest.iter_mut().zip(["PLURAL", "NAME"]) {
            if !(is_own && name == "PLURAL") {
                *segment = name;
            }
        }
    }
    format!("{}{}", segments.join("/"), if is_watch(query) { "?watch=true" } else { "" })
}

#[cfg(test)]
mod tests {
    use crdible_scenario::Method;
    use rstest::rstest;

    use super::{Ends, Outgoing, without_names};

    #[rstest]
    #[case::object(
        "/apis/g1.example/v1/namespaces/default/things/a/status",
        "/apis/GROUP/v1/namespaces/NAMESPACE/PLURAL/NAME/status"
    )]
    #[case::of_the_cluster("/apis/g1.example/v1/things/a?dryRun=All", "/apis/GROUP/v1/PLURAL/NAME")]
    #[case::watch("/apis/g1.example/v1/things?timeoutSeconds=1&watch=true", "/apis/GROUP/v1/PLURAL?watch=true")]
    #[case::definition(
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.g1.example",
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/NAME"
    )]
    #[case::group("/apis/g1.example", "/apis/GROUP")]
    #[case::version("/apis/g1.example/v1", "/apis/GROUP/v1")]
    #[case::document("/openapi/v3/apis/g1.example/v1?hash=A", "/openapi/v3/apis/GROUP/v1")]
    #[case::all_groups("/apis", "/apis")]
    #[case::other("/openapi/v2", "/openapi/v2")]
    fn kinds_of_requests(#[case] path: &str, #[case] kind: &str) {
        assert_eq!(without_names(path), kind);
    }

    #[test]
    fn the_most_frequent_are_named() {
        let ends = Ends::default();
        assert_eq!(ends.in_words(), None);
        ends.note(&Outgoing::new(Method::Get, "/version"), 0);
        assert_eq!((ends.in_words(), ends.elsewhere()), (None, 0));
        ends.note(&Outgoing::new(Method::Get, "/version"), 1);
        ends.note(&Outgoing::new(Method::Apply, "/apis/g/v1/things/a"), 2);
        assert_eq!(ends.elsewhere(), 3);
        let note = ends.in_words().expect("a note");
        assert!(note.starts_with("the connection ended 3 times without an answer"), "{note}");
        assert!(note.ends_with(": PATCH /apis/GROUP/v1/PLURAL/NAME (2 times), GET /version (once)"), "{note}");
        (0..5).for_each(|number| ends.note(&Outgoing::new(Method::Get, format!("/{number}")), 1));
        let note = ends.in_words().expect("a note");
        assert!(note.ends_with("and 2 more"), "{note}");
        let subresource = "/apis/g/v1/namespaces/a/things/a/status";
        ends.note(&Outgoing::new(Method::Get, subresource), 1);
        assert_eq!(ends.elsewhere(), 8);
    }
}
