//! Sources of raw choices.

use super::bytes;
use super::random::SplitMix;

/// A source of raw numbers. A tape holds decided choices, so it has none.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// The random stream of a seed.
    Random(SplitMix),
    /// A fuzzer's bytes, and how many of them are used.
    Bytes { data: Vec<u8>, used: usize },
    /// The recorded choices of each stream, which [`Streams`](super::streams::Streams) holds.
    Tape,
    /// The same where a choice is recorded that is possible, and otherwise the random stream of a seed.
    Varied(SplitMix),
}

impl Source {
    /// Draws a number in `0..=max`. Never fails: 0 after the last byte.
    pub(crate) fn up_to(&mut self, max: u64) -> u64 {
        match self {
            Self::Random(random) | Self::Varied(random) => random.up_to(max),
            Self::Bytes { data, used } => {
                let (value, taken) = bytes::read(&data[*used..], max);
                *used += taken;
                value
            }
            Self::Tape => 0,
        }
    }
}
