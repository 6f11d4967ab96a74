//! Where raw choices come from.

use arbitrary::Unstructured;

use super::random::SplitMix;

/// A source of raw numbers; a tape is no such source, since it holds decided choices.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// The random stream of a seed.
    Random(SplitMix),
    /// A fuzzer's bytes, and how many of them are used up.
    Bytes { data: Vec<u8>, used: usize },
    /// The recorded choices of each stream; the first argument of a draw says which.
    Tape,
}

impl Source {
    /// A number in `0..=max`; total: bytes that ran out give 0.
    pub(crate) fn up_to(&mut self, max: u64) -> u64 {
        match self {
            Self::Random(random) => random.up_to(max),
            Self::Bytes { data, used } => {
                let mut rest = Unstructured::new(&data[*used..]);
                let before = rest.len();
                let value = rest.int_in_range(0..=max).unwrap_or(0);
                *used += before - rest.len();
                value
            }
            Self::Tape => 0,
        }
    }
}
