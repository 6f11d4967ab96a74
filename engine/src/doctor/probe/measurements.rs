//! What is measured, and the results.

use std::time::Duration;

/// How many requests are in flight while rates are measured.
pub const WORKERS: usize = 16;

/// Something that was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// What it is.
    pub what: &'static str,
    /// The result.
    pub result: Measured,
}

/// The result of a measurement.
#[derive(Debug, Clone, PartialEq)]
pub enum Measured {
    /// How long it took.
    Time(Duration),
    /// Requests per second, [`WORKERS`] at once.
    Rate(f64),
    /// A number of things.
    Count(usize),
    /// It did not succeed: what was seen instead.
    Failed(String),
}

pub(super) const ESTABLISHED: &str = "definition created until Established";
pub(super) const SERVED: &str = "definition created until the first object is accepted";
pub(super) const DISCOVERED: &str = "definition created until discovery lists it";
pub(super) const CREATE: &str = "one create";
pub(super) const GET: &str = "one get";
pub(super) const LIST: &str = "one list";
pub(super) const PATCH: &str = "one merge patch";
pub(super) const DELETE: &str = "one delete";
pub(super) const CHANGED: &str = "schema changed until served";
pub(super) const CREATES: &str = "creates";
pub(super) const GETS: &str = "gets";
pub(super) const REMOVED: &str = "definition deleted until gone";
pub(super) const LEFT: &str = "objects left without their definition";

/// All measurements, in the order in which they are shown.
pub(super) const ALL: &[&str] =
    &[ESTABLISHED, SERVED, DISCOVERED, CREATE, GET, LIST, PATCH, DELETE, CHANGED, CREATES, GETS, REMOVED, LEFT];
