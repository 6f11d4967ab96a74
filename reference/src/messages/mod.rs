//! Requests and their answers: what a request says, and the forms in which objects are shown, listed and watched.

pub(crate) mod answer;
pub(crate) mod error_message;
pub(crate) mod jsonpath;
pub(crate) mod patch;
pub(crate) mod representation;
pub(crate) mod request;
pub(crate) mod selectors;
pub(crate) mod table;
pub(crate) mod watch;
