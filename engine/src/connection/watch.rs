//! What the query of a request says about a watch.

use std::time::Duration;

/// Whether it asks for a watch.
pub(crate) fn is_watch(query: &str) -> bool {
    query.split('&').any(|parameter| matches!(parameter, "watch=1" | "watch=true"))
}

/// How long the watch that it asks for is to go on, if it says so.
pub(super) fn lasts(query: &str) -> Option<Duration> {
    let seconds = query.split('&').find_map(|parameter| parameter.strip_prefix("timeoutSeconds=")?.parse().ok());
    seconds.filter(|_| is_watch(query)).map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rstest::rstest;

    use super::lasts;

    #[rstest]
    #[case::watch("watch=true&timeoutSeconds=3", Some(3))]
    #[case::in_another_order("timeoutSeconds=3&watch=1", Some(3))]
    #[case::without_end("watch=true", None)]
    #[case::list("timeoutSeconds=3", None)]
    #[case::no_number("watch=true&timeoutSeconds=a", None)]
    #[case::nothing("", None)]
    fn watches_say_how_long(#[case] query: &str, #[case] seconds: Option<u64>) {
        assert_eq!(lasts(query), seconds.map(Duration::from_secs));
    }
}
