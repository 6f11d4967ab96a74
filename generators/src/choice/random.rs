//! The random stream of a run.

/// `SplitMix64` (Steele, Lea, Flood 2014): 64 bits of state, one addition and two multiplications per number.
///
/// Implemented here, not in a dependency, because a case must remain a function of seed, property and index: an update
/// of a dependency must not change the meaning of a seed. A test pins the stream.
#[derive(Clone, Debug)]
pub(crate) struct SplitMix {
    state: u64,
}

impl SplitMix {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.state)
    }

    /// Draws a number in `0..=max` by multiplication. The bias is below `max / 2^64`, too small for any test to notice.
    pub(crate) fn up_to(&mut self, max: u64) -> u64 {
        let raw = self.next();
        if max == u64::MAX {
            return raw;
        }
        let scaled = (u128::from(raw) * (u128::from(max) + 1)) >> 64;
        // The product is below `(max + 1) * 2^64`, so the shifted value is at most `max`.
        u64::try_from(scaled).unwrap_or(max)
    }
}

fn mix(state: u64) -> u64 {
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The seed of one case: depends only on the run's seed, the property's name and the index of the case.
///
/// Neighbouring seeds and indices give unrelated streams. Seeds keep their meaning, so this function must never change.
pub fn case_seed(seed: u64, property: &str, index: u64) -> u64 {
    let mut state = mix(seed.wrapping_add(0x9E37_79B9_7F4A_7C15));
    for byte in property.bytes() {
        state = mix((state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3));
    }
    mix(state ^ mix(index.wrapping_add(0x9E37_79B9_7F4A_7C15)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_of_a_seed_never_changes() {
        // The first numbers of the published SplitMix64 for the seed 1234567.
        let mut random = SplitMix::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| random.next()).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn up_to_reaches_both_ends_and_nothing_beyond() {
        let mut random = SplitMix::new(7);
        let seen: std::collections::BTreeSet<u64> = (0..200).map(|_| random.up_to(4)).collect();
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert_eq!(random.up_to(0), 0);
    }

    #[test]
    fn case_seeds_differ_in_each_argument() {
        let base = case_seed(1, "prune", 1);
        assert_ne!(base, case_seed(2, "prune", 1));
        assert_ne!(base, case_seed(1, "prunf", 1));
        assert_ne!(base, case_seed(1, "prune", 2));
        assert_eq!(base, case_seed(1, "prune", 1));
    }
}
