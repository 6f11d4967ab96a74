//! Rules of a known cost (section 7.5).

use crate::prelude::*;

/// Compares each of n integers with each: it costs 7n² + 5n + 2, as an estimate and when it is evaluated.
pub(super) const SQUARE: &str = "self.all(x, self.all(y, x + y >= 0))";
/// This number of elements costs about 0.6 million: less than one evaluation may.
pub(super) const CHEAP: usize = 300;
/// Each of these numbers of elements costs 4.5 million and more: less than an estimate may, and more than one evaluation
/// may.
pub(super) const DEAR: [usize; 3] = [800, 900, 1000];

/// A list of at most this number of integers.
pub(super) fn integers(most: impl Into<Value>) -> Value {
    json!({ "type": "array", "maxItems": most.into(), "items": { "type": "integer" } })
}

/// A number of elements within the budget, mostly a small one: 10 million take a server seconds.
pub(super) fn cheap(choices: &mut Choices) -> usize {
    if choices.chance(1, 8) { CHEAP - choices.index(10) } else { 1 + choices.index(60) }
}

/// A list of zeros: numbers, none of which is negative.
pub(super) fn zeros(count: usize) -> Value {
    vec![json!(0); count].into()
}
