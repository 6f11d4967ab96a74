//! Fuzz runs: runs whose cases learn from earlier ones.
//!
//! A run takes its cases from a seed, each independent of all others. [`Fuzzer`] is another
//! [`Supply`](crate::run::Supply) of cases for the same run: it watches what a case generates and what is answered,
//! keeps the choices that reached something new, and draws further cases from them. Workers, judge, confirmation,
//! shrinking and counterexamples are those of a run.
//!
//! # What is new
//!
//! A [`Feature`] is something that a case reached, for one property: what is new to a property counts there, whatever
//! other properties have reached. Of the scenario, known before it is sent:
//! - cells of keyword × position × class of value ([`cells`](crate::cells)) in what its checks judge;
//! - pairs of keywords in one schema;
//! - the branches that the generator took ([`decisions`](crdible_generators::choice::Recording::decisions));
//! - kinds of requests, and which follow each other.
//!
//! And of the answers: status code, reason, the shapes of the field paths of causes with their reasons, for
//! each kind of request. That is all that is visible of a server over HTTP. No more is used of the embedded
//! server: its code would have to be instrumented.
//!
//! # Where a case comes from
//!
//! 1. the hand-made scenarios of the property, as in a run;
//! 2. the corpus of earlier fuzz runs, first what adds most to the features reached so far;
//! 3. for one in four, the random case that a run has at this index: so a fuzz run finds what a run finds, if later;
//! 4. otherwise the best of a few candidates, which cost microseconds since they are not sent: random ones,
//!    entries of the corpus that are changed or crossed ([`Mutation`](crdible_generators::choice::Mutation)).
//!    The best is the one whose features are rarest;
//! 5. now and then a smaller variant of an entry that is not yet minimal.
//!
//! Entries that were drawn from often without a result are drawn from less. Properties that have not reached anything
//! new for a while get fewer cases, but never less than a fraction ([`Supply::price`](crate::run::Supply::price)).
//!
//! # What is kept
//!
//! An [`Entry`]: property and tape, from which the case can be planned again. It owns the features that it was the
//! first to reach, and is shrunk as long as it reaches all of them; what the scenario shows is tried without sending
//! it. The corpus is bounded: entries and features of each property, and so its memory, whatever a server answers.
//!
//! Nothing here reads or writes files: the caller hands in the entries that it has, and receives [`CorpusChange`]s.

mod dice;
mod entry;
mod features;
mod fuzzer;
mod minimise;
mod shelf;

pub use entry::{Entry, EntryError, FORMAT};
pub use features::{Feature, Kind};
pub use fuzzer::{CorpusChange, FuzzOptions, Fuzzer, Reached};
