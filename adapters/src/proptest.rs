//! proptest strategies over the generators; they shrink the recorded choices.
//!
//! ```
//! use crdible_adapters::proptest::{objects, schemas, version_lists};
//! use proptest::prelude::*;
//!
//! proptest!(ProptestConfig::with_cases(16), |(
//!     schema in schemas(),
//!     (other, content) in objects(),
//!     versions in version_lists(),
//! )| {
//!     prop_assert!(schema.properties.contains_key("spec"));
//!     prop_assert!(content.is_object(), "{:?}", other);
//!     prop_assert!(versions.len() >= 2);
//! });
//! ```

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

use ::proptest::prelude::Rng as _;
use ::proptest::strategy::{NewTree, Strategy, ValueTree};
use ::proptest::test_runner::TestRunner;
use crdible_generators::{
    choice::{Choices, Recording, Shrinker, Tape},
    schema::{self, SchemaShape},
    value,
    versions::{self, VersionMix},
};
use crdible_semantics::Schema;
use serde_json::Value;

/// How often a discarded case is drawn again before the strategy fails; fewer than 5 % of cases are discarded.
const MOST_DISCARDS: usize = 100;

/// A generator as a proptest strategy. Its tree shrinks the recorded choices, so that values which depend on earlier
/// draws stay consistent (an object stays valid under its schema).
pub struct ChoiceStrategy<T> {
    generate: Arc<dyn Fn(&mut Choices) -> T + Send + Sync>,
}

impl<T> ChoiceStrategy<T> {
    /// The strategy that draws from a generator.
    pub fn new(generate: impl Fn(&mut Choices) -> T + Send + Sync + 'static) -> Self {
        Self { generate: Arc::new(generate) }
    }
}

impl<T> Clone for ChoiceStrategy<T> {
    fn clone(&self) -> Self {
        Self { generate: Arc::clone(&self.generate) }
    }
}

impl<T> fmt::Debug for ChoiceStrategy<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChoiceStrategy").finish_non_exhaustive()
    }
}

/// Structural schemas, valid by construction.
pub fn schemas() -> ChoiceStrategy<Schema> {
    ChoiceStrategy::new(|c| schema::schema(c, &SchemaShape::default()))
}

/// A schema, and an object that is valid under it (without `apiVersion`, `kind` and `metadata`).
pub fn objects() -> ChoiceStrategy<(Schema, Value)> {
    ChoiceStrategy::new(|c| {
        let schema = schema::schema(c, &SchemaShape::default());
        let value = c.keyed("object", |c| value::valid(c, &schema));
        (schema, value)
    })
}

/// Two to eight different version names without ties.
pub fn version_lists() -> ChoiceStrategy<Vec<String>> {
    ChoiceStrategy::new(|c| versions::version_list(c, &VersionMix::default()))
}

impl<T: fmt::Debug> Strategy for ChoiceStrategy<T> {
    type Tree = ChoiceTree<T>;
    type Value = T;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        for _ in 0..MOST_DISCARDS {
            // Derived from proptest's seed, so a persisted seed makes the same case again.
            let mut choices = Choices::random(runner.rng().next_u64());
            (self.generate)(&mut choices);
            let recording = choices.finish();
            if recording.discarded.is_none() {
                return Ok(ChoiceTree::new(self.clone(), recording));
            }
        }
        Err("the generator discards every case".into())
    }
}

/// A case and its shrinker.
pub struct ChoiceTree<T> {
    strategy: ChoiceStrategy<T>,
    shrinker: Shrinker,
    /// The candidate that [`ValueTree::current`] returns; if there is none, it returns the best case.
    candidate: Option<Recording>,
    /// Whether the candidate was read: at its limit, proptest asks for the next candidate without running this one.
    was_read: Cell<bool>,
}

impl<T> ChoiceTree<T> {
    fn new(strategy: ChoiceStrategy<T>, recording: Recording) -> Self {
        Self { strategy, shrinker: Shrinker::new(recording), candidate: None, was_read: Cell::new(false) }
    }

    /// The choices of the current case, for replays outside proptest.
    pub fn tape(&self) -> &Tape {
        &self.candidate.as_ref().unwrap_or_else(|| self.shrinker.best()).tape
    }

    /// Moves to the next candidate; false if there is none.
    fn advance(&mut self) -> bool {
        let generate = Arc::clone(&self.strategy.generate);
        self.candidate = self.shrinker.next_cases(1, |c| generate(c)).pop().map(|(_, recording)| recording);
        self.was_read.set(false);
        self.candidate.is_some()
    }
}

impl<T> fmt::Debug for ChoiceTree<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChoiceTree").field("tape", self.tape()).finish_non_exhaustive()
    }
}

impl<T: fmt::Debug> ValueTree for ChoiceTree<T> {
    type Value = T;

    fn current(&self) -> T {
        self.was_read.set(true);
        (self.strategy.generate)(&mut Choices::replay(self.tape()))
    }

    /// The current case fails, so it becomes the best.
    fn simplify(&mut self) -> bool {
        if let Some(failing) = self.candidate.take() {
            self.shrinker.accept(failing);
        }
        self.advance()
    }

    /// The current candidate passes: moves to the next one, or back to the best case.
    fn complicate(&mut self) -> bool {
        if self.candidate.is_some() && self.was_read.get() {
            return self.advance();
        }
        self.candidate = None;
        false
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use ::proptest::test_runner::{Config, TestCaseError, TestError, TestRunner};

    use crdible_generators::walk::nodes;

    use super::*;

    fn has_large_minimum(schema: &Schema) -> bool {
        nodes(schema).iter().any(|node| node.schema.values.minimum.is_some_and(|minimum| minimum > 500.0))
    }

    /// What a failure of schemas with a large minimum is shrunk to.
    fn shrunk(config: Config) -> Schema {
        let config = Config { cases: 5_000, failure_persistence: None, ..config };
        let outcome = TestRunner::new(config).run(&schemas(), |schema| {
            if has_large_minimum(&schema) { Err(TestCaseError::fail("large")) } else { Ok(()) }
        });
        let Err(TestError::Fail(_, minimal)) = outcome else { panic!("no failure: {outcome:?}") };
        minimal
    }

    #[test]
    fn proptest_shrinks_to_a_minimal_schema() {
        let minimal = shrunk(Config::default());
        assert!(has_large_minimum(&minimal));
        assert!(minimal.size() <= 3, "{}", minimal.to_json());
    }

    #[test]
    fn a_limited_shrink_ends_at_a_failing_case() {
        assert!(has_large_minimum(&shrunk(Config { max_shrink_iters: 3, ..Config::default() })));
    }

    #[test]
    fn a_generator_that_discards_everything_is_an_error_not_a_loop() {
        let strategy = ChoiceStrategy::new(|c: &mut Choices| c.discard("always"));
        assert!(strategy.new_tree(&mut TestRunner::default()).is_err());
    }
}
