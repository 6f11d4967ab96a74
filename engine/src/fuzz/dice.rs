//! Random numbers for choices about the corpus.

use crdible_generators::choice::case_seed;

/// Numbers that follow from a seed and a name.
#[derive(Clone, Debug)]
pub(super) struct Dice {
    seed: u64,
    name: &'static str,
    thrown: u64,
}

impl Dice {
    pub(super) fn new(seed: u64, name: &'static str) -> Self {
        // Other numbers than those of the cases of a run.
        Self { seed: seed ^ 0x6e69_6768_7473_0000, name, thrown: 0 }
    }

    /// A seed.
    pub(super) fn seed(&mut self) -> u64 {
        self.thrown += 1;
        case_seed(self.seed, self.name, self.thrown)
    }

    /// A number below `count`; 0 if that is 0.
    pub(super) fn below(&mut self, count: usize) -> usize {
        let count = count.max(1) as u64;
        // The remainder is below a count of type usize.
        usize::try_from(self.seed() % count).unwrap_or(0)
    }

    /// True with the probability 1 / `count`.
    pub(super) fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}
