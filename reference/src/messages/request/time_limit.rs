//! The time limit of a request (CONV-008, REST-012).

use std::time::{Duration, Instant};

use crdible_semantics::go_text::go_duration;
use http::Method;

use super::{Call, Query, Route};
use crate::base::status::Failure;

/// The limit of a request that states none, and the highest that one can state.
const LONGEST: Duration = Duration::from_secs(60);

/// Until when a request that begins now has to be answered.
pub(crate) fn deadline(query: &Query) -> Instant {
    let stated = go_duration(query.text("timeout")).ok().and_then(|stated| u64::try_from(stated).ok());
    let stated = stated.filter(|stated| *stated > 0).map(Duration::from_nanos);
    Instant::now() + stated.map_or(LONGEST, |stated| stated.min(LONGEST))
}

/// Refuses a time limit that is no duration, whatever the path is. Watches have no time limit.
pub(crate) fn check_time_limit(route: &Route, call: Call<'_>) -> Result<(), Failure> {
    let stated = call.query.text("timeout");
    if stated.is_empty() || is_watch(route, call) {
        return Ok(());
    }
    go_duration(stated)
        .map(|_| ())
        .map_err(|why| Failure::bad_request(format!("invalid timeout specified in the request URL - time: {why}")))
}

fn is_watch(route: &Route, call: Call<'_>) -> bool {
    let Route::Resource(path) = route else { return false };
    let is_list = path.name.is_none() && matches!(*call.method, Method::GET | Method::HEAD);
    path.verb.is_some() || (is_list && call.query.flag("watch"))
}
