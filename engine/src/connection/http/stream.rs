//! Streams: how long they are asked to go on.

use std::time::Duration;

use crate::connection::transport::HttpRequest;

/// How long the stream that is asked for is to go on, if it is a watch that says so.
pub(super) fn lasts(request: &HttpRequest) -> Option<Duration> {
    let parameters = || request.uri().query().unwrap_or_default().split('&');
    let is_watch = parameters().any(|parameter| matches!(parameter, "watch=1" | "watch=true"));
    let seconds = parameters().find_map(|parameter| parameter.strip_prefix("timeoutSeconds=")?.parse().ok());
    seconds.filter(|_| is_watch).map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bytes::Bytes;
    use rstest::rstest;

    use super::lasts;

    #[rstest]
    #[case::watch("/things?watch=true&timeoutSeconds=3", Some(3))]
    #[case::in_another_order("/things?timeoutSeconds=3&watch=1", Some(3))]
    #[case::without_end("/things?watch=true", None)]
    #[case::list("/things?timeoutSeconds=3", None)]
    #[case::no_number("/things?watch=true&timeoutSeconds=a", None)]
    fn watches_say_how_long(#[case] path: &str, #[case] seconds: Option<u64>) {
        let request = http::Request::get(path).body(Bytes::new()).expect("a request");
        assert_eq!(lasts(&request), seconds.map(Duration::from_secs));
    }
}
