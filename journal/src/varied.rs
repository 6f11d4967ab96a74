//! What matters to a failure: the parts of the smallest definition and objects that were varied, and what that showed.

use serde_json::Value;

/// What varying a part showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// It failed no longer, whatever else was there.
    Matters,
    /// It failed with some, and no longer with others.
    Depends,
    /// It failed with all that were tried.
    Free,
}

/// A definition, or what a request sends.
#[derive(Clone, Debug, PartialEq)]
pub struct VariedDocument {
    /// What it is.
    pub title: String,
    /// Its content.
    pub content: Value,
    /// The parts that were varied.
    pub parts: Vec<VariedPart>,
}

/// A part of a document, and what else was there.
#[derive(Clone, Debug, PartialEq)]
pub struct VariedPart {
    /// The segments of its JSON pointer.
    pub pointer: Vec<String>,
    /// What was there when it failed as well; `None` is nothing.
    pub failing: Vec<Option<Value>>,
    /// What was there when it failed no longer.
    pub passing: Vec<Option<Value>>,
}

impl VariedPart {
    /// A part in whose place nothing else has been yet.
    pub fn new(pointer: Vec<String>) -> Self {
        Self { pointer, failing: Vec::new(), passing: Vec::new() }
    }

    /// What that showed.
    pub fn weight(&self) -> Weight {
        match (self.failing.is_empty(), self.passing.is_empty()) {
            (false, false) => Weight::Depends,
            (_, true) => Weight::Free,
            (true, false) => Weight::Matters,
        }
    }
}
