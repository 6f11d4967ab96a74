//! Where the cases of a run come from, if not from its seed alone.

use std::fmt;

use crdible_scenario::{Case, ScenarioSource, transcript::Transcript};

/// Plans the cases of a run and learns from their results. A run without a supply takes them in a fixed order:
/// hand-made scenarios first, then those that follow from its seed.
///
/// Scheduling, judging, confirming and shrinking are the same for both.
pub trait Supply: fmt::Debug + Send + Sync {
    /// Plans the case of a source at an index; each index is asked for once. `Err`
    /// holds the reason why the generator discarded it.
    fn plan(&self, source: ScenarioSource, index: u64) -> Result<Case, &'static str>;

    /// Takes note of a planned case that has run. There are no answers if it ended in an error or was not sent.
    fn learn(&self, source: ScenarioSource, case: &Case, answers: Option<&Transcript>);

    /// What a case of this source counts when the work is shared: a source with
    /// half the price gets twice the cases. At least 1.
    fn price(&self, source: ScenarioSource) -> u64;

    /// Whether the run should end, because more cases are not worth their time.
    fn is_exhausted(&self) -> bool;
}
