//! What tells versions of crdible apart whose seeds mean different cases.

use std::{panic::resume_unwind, sync::LazyLock, thread};

use crdible_scenario::{Case, Property, fnv::Fnv};

use super::all;

/// A digest of what the generators and properties of this version generate: it changes whenever a hand-made scenario or
/// what all generators share does, and nearly always when the same seed means another scenario (FNV-1a, 64 bits, of the
/// digests of all properties, as 16 hexadecimal digits). It is worked out once.
pub fn generator_digest() -> String {
    static DIGEST: LazyLock<String> = LazyLock::new(|| {
        let properties: Vec<&'static Property> = all().collect();
        let cores = thread::available_parallelism().map_or(1, usize::from);
        // Not one after the other: neighbours take equally long.
        let of_part =
            |first: usize| properties.iter().skip(first).step_by(cores).map(|property| digest_of(property)).collect();
        let parts: Vec<Vec<u64>> = thread::scope(|scope| {
            let parts: Vec<_> = (0..cores).map(|first| scope.spawn(move || of_part(first))).collect();
            parts.into_iter().map(|part| part.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
        });
        let mut digest = Fnv::default();
        (0..properties.len()).for_each(|at| digest.add(&parts[at % cores][at / cores].to_le_bytes()));
        digest.to_string()
    });
    DIGEST.clone()
}

/// Of this number of random cases some are not discarded.
const TRIED: u64 = 20;

/// The digest of the hand-made scenarios of a property and of its first random one, at seed 0. More would hardly show
/// more, since most generators are used by many properties, and each command that runs something waits for it.
fn digest_of(property: &'static Property) -> u64 {
    let mut digest = Fnv::default();
    digest.add(property.id.as_bytes());
    let first_random = property.edges.len() as u64;
    let planned = |index| Case::plan(property, 0, index).ok();
    let random = (first_random..first_random + TRIED).find_map(planned);
    for case in (0..first_random).filter_map(planned).chain(random) {
        // It cannot fail: the digest takes everything, and scenarios are data.
        serde_json::to_writer(&mut digest, &case.scenario).unwrap_or_default();
    }
    digest.value()
}
