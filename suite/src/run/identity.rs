//! The ID of a run, and its seed unless one is given.

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
