//! One case of a property: a function of (seed, property, index) alone.

use crdible_generators::choice::{Choices, Recording, Tape, case_seed};

use crate::{properties::Property, scenario::Scenario};

/// A planned scenario, and where it comes from.
#[derive(Clone, Debug)]
pub struct Case {
    /// The position within the property: hand-made scenarios first, then random ones.
    pub index: u64,
    /// The scenario.
    pub scenario: Scenario,
    /// The choices behind it; none for a hand-made scenario, which is not shrunk.
    pub recording: Option<Recording>,
}

impl Case {
    /// The case of a property at this index. `Err` holds the reason why the generator gave it up.
    pub fn plan(property: &Property, seed: u64, index: u64) -> Result<Self, &'static str> {
        if let Some(edge) = usize::try_from(index).ok().and_then(|index| property.edges.get(index)) {
            return Ok(Self { index, scenario: (edge.plan)(), recording: None });
        }
        Self::from_choices(property, index, Choices::random(case_seed(seed, property.id, index)))
    }

    /// The case that these choices make.
    pub fn replay(property: &Property, index: u64, tape: &Tape) -> Result<Self, &'static str> {
        Self::from_choices(property, index, Choices::replay(tape))
    }

    fn from_choices(property: &Property, index: u64, mut choices: Choices) -> Result<Self, &'static str> {
        let scenario = (property.plan)(&mut choices);
        let recording = choices.finish();
        match recording.discarded {
            Some(reason) => Err(reason),
            // What checks nothing would count as judged.
            None if scenario.checks.is_empty() && !property.is_exploration() => Err("nothing to check was generated"),
            None => Ok(Self { index, scenario, recording: Some(recording) }),
        }
    }
}

/// A digest of what the generators and properties of this version make: it changes whenever the same seed means another
/// scenario (FNV-1a, 64 bits, over the first scenarios of each property at seed 0, as 16 hexadecimal digits).
pub fn generator_digest() -> String {
    let mut digest = 0xcbf2_9ce4_8422_2325_u64;
    for property in crate::properties::all() {
        let first_random = property.edges.len() as u64;
        for index in 0..first_random + SAMPLE {
            let text = match Case::plan(property, 0, index) {
                Ok(case) => serde_json::to_string(&case.scenario).unwrap_or_default(),
                Err(reason) => reason.to_owned(),
            };
            let bytes = property.id.bytes().chain(text.bytes());
            digest = bytes.fold(digest, |digest, byte| (digest ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
        }
    }
    format!("{digest:016x}")
}

/// Random scenarios of each property that count in the digest.
const SAMPLE: u64 = 4;
