//! Small oracles: what follows from the values that a scenario sends.
//!
//! Whether a write changes something, whether two values are equal, which number is kept and what its text is, and what
//! counts as nothing: each is decided here, once, by the sentence of the specification that its function names, and is
//! tested against the examples of that sentence. Nothing here comes from `semantics` or `reference`, which are under
//! test.
//!
//! What the specification leaves open stays open: a property must neither require nor forbid it.
//!
//! | question | answer |
//! |---|---|
//! | Is the second value a change of the first? | [`change`] |
//! | What are revision and generation after such a write? | [`Change::revision`], [`Change::generation`] |
//! | What is stored of this value, to be the first one of the next question? | [`stored`] |
//! | Are two values equal? | [`equal`] |
//! | Which elements repeat earlier ones? | [`repeated`] |
//! | What does a field selector compare? | [`selected_text`] |
//! | What does a cell of a table show? | [`cell_text`], [`cell_integer`] |
//! | Is there nothing? | [`is_nothing`], [`or_none`] |

mod emptiness;
mod equality;
mod numbers;
mod texts;
mod writes;

pub(in super::super) use emptiness::{is_nothing, or_none};
pub(in super::super) use equality::{equal, repeated};
pub(in super::super) use texts::{cell_integer, cell_text, selected_text};
pub(in super::super) use writes::{Change, change, stored};
