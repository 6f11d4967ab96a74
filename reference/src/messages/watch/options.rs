//! The options of a watch.

use std::time::Duration;

use crdible_semantics::release::Change;
use crdible_semantics::{Reason, Release, Violation, go_text, message};

use crate::base::status::Failure;
use crate::messages::request::{Query, integer, refuse, revision, violation};
use crate::messages::selectors::Selectors;

/// The timeout of a watch that sets none; upstream picks one between 30 and 60 minutes.
const USUAL_TIMEOUT: Duration = Duration::from_secs(45 * 60);

/// In seconds; a longer timeout could overflow the clock.
const LONGEST_TIMEOUT: u64 = 100 * 24 * 3600;

/// Options of a watch.
#[derive(Debug)]
pub(crate) struct WatchOptions {
    pub(crate) selectors: Selectors,
    pub(crate) start: Start,
    /// Whether the client requests bookmarks.
    pub(crate) bookmarks: bool,
    /// Whether existing objects are sent first (`sendInitialEvents=true`, or the default for a missing or zero
    /// revision), and a bookmark behind them if the client requests bookmarks.
    wants_initial_end: bool,
    pub(crate) timeout: Duration,
}

/// Where a watch starts (REST-061, REST-064).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// With the existing objects, in a state that is not older than this revision.
    Present(u64),
    /// With the existing objects in the current state.
    Current,
    /// With changes from now on.
    Now,
    /// With changes after this revision.
    Behind(u64),
}

impl WatchOptions {
    /// Checks the options, except for what only the start of the watch shows.
    pub(crate) fn check(query: &Query, release: Release) -> Result<(Selectors, i64), Failure> {
        // Upstream reads all parameters before it parses selectors.
        let seconds = query.first("timeoutSeconds").map_or(Ok(0), integer)?;
        query.first("limit").map_or(Ok(0), integer)?;
        let selectors = Selectors::parse(query)?;
        refuse("ListOptions", &violations(query, release))?;
        Ok((selectors, seconds))
    }

    pub(crate) fn parse(query: &Query, release: Release) -> Result<Self, Failure> {
        let (selectors, seconds) = Self::check(query, release)?;
        let revision = revision(query.text("resourceVersion"))?;
        let initial = query.first("sendInitialEvents").map(|_| query.flag("sendInitialEvents"));
        let is_any = !query.text("resourceVersion").is_empty();
        let start = match (initial, revision) {
            (Some(true) | None, 0) if is_any => Start::Present(0),
            (Some(true) | None, 0) => Start::Current,
            (Some(true), revision) => Start::Present(revision),
            (Some(false), 0) => Start::Now,
            (_, revision) => Start::Behind(revision),
        };
        let timeout = match u64::try_from(seconds) {
            Ok(0) => USUAL_TIMEOUT,
            Ok(seconds) => Duration::from_secs(seconds.min(LONGEST_TIMEOUT)),
            Err(_) => Duration::ZERO,
        };
        let bookmarks = query.flag("allowWatchBookmarks");
        let wants_initial_end =
            matches!(start, Start::Present(_) | Start::Current) && release.has(Change::InitialEvents);
        Ok(Self { selectors, start, bookmarks, wants_initial_end, timeout })
    }

    /// Whether a bookmark follows the existing objects.
    pub(crate) fn marks_initial_end(&self) -> bool {
        self.wants_initial_end && self.bookmarks
    }
}

fn violations(query: &Query, release: Release) -> Vec<Violation> {
    let matching = query.text("resourceVersionMatch");
    let sends_initial = query.first("sendInitialEvents").is_some();
    let mut violations = Vec::new();
    let mut forbid = |field, requirement, detail| {
        violations.push(violation(field, Reason::Forbidden, requirement, detail));
    };
    if sends_initial && matching != "NotOlderThan" {
        let detail = "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
        forbid("resourceVersionMatch", "REST-064", detail);
    }
    if sends_initial && !release.has(Change::InitialEvents) {
        let detail = "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled";
        forbid("sendInitialEvents", "REST-064", detail);
    }
    if !matching.is_empty() && !sends_initial {
        let detail = "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided";
        forbid("resourceVersionMatch", "REST-064", detail);
    }
    if !query.text("continue").is_empty() && release.has(Change::InitialEvents) {
        forbid("resourceVersionMatch", "REST-061", "resourceVersionMatch is forbidden when continue is provided");
    }
    if !matches!(matching, "" | "NotOlderThan") {
        let detail = message::unsupported(go_text::quoted(matching), ["NotOlderThan"]);
        violations.push(violation("resourceVersionMatch", Reason::NotSupported, "REST-064", &detail));
    }
    violations
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{Release, Start, WatchOptions, violations};
    use crate::messages::request::Query;

    #[rstest]
    #[case::nothing("watch=1", Start::Current)]
    #[case::zero("watch=1&resourceVersion=0", Start::Present(0))]
    #[case::after_a_revision("watch=1&resourceVersion=7", Start::Behind(7))]
    #[case::initial_at_any(
        "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=0",
        Start::Present(0)
    )]
    #[case::initial_now("sendInitialEvents=true&resourceVersionMatch=NotOlderThan", Start::Current)]
    #[case::initial("sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=7", Start::Present(7))]
    #[case::no_initial("sendInitialEvents=false&resourceVersionMatch=NotOlderThan", Start::Now)]
    #[case::no_initial_after_a_revision(
        "sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=7",
        Start::Behind(7)
    )]
    fn rest_061_start_of_a_watch(#[case] query: &str, #[case] expected: Start) {
        assert_eq!(
            WatchOptions::parse(&Query::parse(query), Release::BASELINE).expect("a valid query").start,
            expected
        );
    }

    #[rstest]
    #[case::requested("sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=7", true)]
    #[case::no_revision("", true)]
    #[case::zero("resourceVersion=0", true)]
    #[case::a_revision("resourceVersion=7", false)]
    #[case::not_requested("sendInitialEvents=false&resourceVersionMatch=NotOlderThan", false)]
    fn rest_064_the_end_of_the_initial_events_is_marked(#[case] query: &str, #[case] is_marked: bool) {
        let parsed = |bookmarks: &str| {
            let query = Query::parse(&format!("{query}&allowWatchBookmarks={bookmarks}"));
            WatchOptions::parse(&query, Release::BASELINE).expect("a valid query").marks_initial_end()
        };
        assert_eq!((parsed("true"), parsed("false")), (is_marked, false));
    }

    #[rstest]
    #[case("sendInitialEvents=true&resourceVersionMatch=NotOlderThan", &["sendInitialEvents"])]
    #[case("sendInitialEvents=false", &["resourceVersionMatch", "sendInitialEvents"])]
    #[case("allowWatchBookmarks=true", &[])]
    fn rest_064_e3_the_oldest_release_has_no_initial_events(#[case] query: &str, #[case] forbidden: &[&str]) {
        let query = Query::parse(query);
        let found = violations(&query, Release::OLDEST);
        let fields: Vec<&str> = found.iter().map(|violation| violation.field.as_str()).collect();
        assert_eq!(fields, forbidden);
        if let Ok(options) = WatchOptions::parse(&query, Release::OLDEST) {
            assert_eq!((options.start, options.marks_initial_end()), (Start::Current, false));
        }
    }

    #[rstest]
    #[case::only_match("resourceVersion=7&resourceVersionMatch=NotOlderThan", 422)]
    #[case::only_initial("sendInitialEvents=true", 422)]
    #[case::exact("sendInitialEvents=true&resourceVersionMatch=Exact", 422)]
    #[case::continue_token("continue=abc", 422)]
    #[case::not_a_number("resourceVersion=x", 400)]
    #[case::selector("labelSelector=a%20b", 400)]
    fn rest_061_invalid_options_are_refused(#[case] query: &str, #[case] code: u16) {
        assert_eq!(
            WatchOptions::parse(&Query::parse(query), Release::BASELINE).expect_err("an invalid query").code,
            code
        );
    }
}
