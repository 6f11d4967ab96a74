//! What is measured, and the results.

use std::{fmt, time::Duration};

/// How many requests are in flight while rates are measured.
pub const WORKERS: usize = 16;

/// What a probe measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// From the creation of the definition until its condition `Established`.
    Established,
    /// From the creation of the definition until an object is accepted.
    Served,
    /// From the creation of the definition until the three documents of discovery list it.
    Discovered,
    /// One create.
    Create,
    /// One get.
    Get,
    /// One list.
    List,
    /// One merge patch.
    Patch,
    /// One delete.
    Delete,
    /// From a change of the schema until it is served.
    Changed,
    /// Creates per second.
    Creates,
    /// Gets per second.
    Gets,
    /// From the deletion of the definition until it is gone.
    Removed,
    /// What is there of the objects once their definition is gone.
    Left,
}

impl Measure {
    /// All measures, in the order in which they are shown.
    pub const ALL: [Self; 13] = [
        Self::Established,
        Self::Served,
        Self::Discovered,
        Self::Create,
        Self::Get,
        Self::List,
        Self::Patch,
        Self::Delete,
        Self::Changed,
        Self::Creates,
        Self::Gets,
        Self::Removed,
        Self::Left,
    ];
}

/// What it is, in a few words.
impl fmt::Display for Measure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Established => "definition created until Established",
            Self::Served => "definition created until the first object is accepted",
            Self::Discovered => "definition created until discovery lists it",
            Self::Create => "one create",
            Self::Get => "one get",
            Self::List => "one list",
            Self::Patch => "one merge patch",
            Self::Delete => "one delete",
            Self::Changed => "schema changed until served",
            Self::Creates => "creates",
            Self::Gets => "gets",
            Self::Removed => "definition deleted until gone",
            Self::Left => "objects left without their definition",
        })
    }
}

/// Something that was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// What it is.
    pub what: Measure,
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
    /// There are none.
    Nothing,
    /// It did not succeed: what was seen instead.
    Failed(String),
}
