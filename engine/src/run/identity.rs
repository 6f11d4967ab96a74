//! The ID of a run, its seed unless one is given, and the seeds of the runs that follow it.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

/// A short, unique DNS label: `r` and eight hexadecimal digits.
pub fn new_run_id() -> String {
    format!("r{:08x}", random_seed() & 0xffff_ffff)
}

/// A random seed, from the keys that the operating system gives the standard library's hasher. Below 2^53: readers of
/// JSON that know only doubles do not round it.
pub fn random_seed() -> u64 {
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_i128(jiff::Timestamp::now().as_nanosecond());
    hasher.finish() >> 11
}

/// The seed of the run that follows one with this seed, when runs go on with ever new seeds: the next output of
/// `SplitMix64` from this state, without its lowest eleven bits. So the first seed determines all others, and each of
/// them is below 2^53, as random ones are.
pub fn next_seed(seed: u64) -> u64 {
    let mut mixed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed ^ (mixed >> 31)) >> 11
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::next_seed;

    #[test]
    fn a_seed_determines_all_that_follow() {
        // The first output of SplitMix64 from the states 0 and 1 is 0xe220a8397b1dcdaf and 0x910a2dec89025cc1.
        assert_eq!(next_seed(0), 0xe220_a839_7b1d_cdaf >> 11);
        assert_eq!(next_seed(1), 0x910a_2dec_8902_5cc1 >> 11);
        let following = std::iter::successors(Some(1), |seed| Some(next_seed(*seed)));
        let seeds: BTreeSet<u64> = following.skip(1).take(10_000).collect();
        assert_eq!(seeds.len(), 10_000, "none comes again");
        assert!(seeds.iter().all(|seed| *seed < 1 << 53));
    }
}
