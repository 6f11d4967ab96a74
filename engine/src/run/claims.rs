//! What a target does not claim to do: it is not tried, not judged, and never a finding.

use std::collections::BTreeSet;

use crdible_scenario::{Capability, ScenarioSource, capabilities::API_SERVER};

use super::subject::blocking;

/// The capabilities that a target does not claim.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unclaimed(BTreeSet<Capability>);

impl Unclaimed {
    /// Whether it claims all of them.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The capabilities.
    pub fn iter(&self) -> impl Iterator<Item = Capability> {
        self.0.iter().copied()
    }

    /// Whether this one is not claimed.
    pub(super) fn contains(&self, capability: Capability) -> bool {
        self.0.contains(&capability)
    }

    /// The unclaimed capability without which nothing of a source can be judged, if there is one.
    pub fn keeps_from(&self, source: ScenarioSource) -> Option<Capability> {
        let capability = blocking(source, &self.with_what_follows())?;
        Some(self.cause_of(capability))
    }

    /// These capabilities, with those that depend on them.
    fn with_what_follows(&self) -> BTreeSet<Capability> {
        let mut all = self.0.clone();
        // Each comes after those on which it depends. What another test shows need not follow.
        for test in API_SERVER.iter().filter(|test| test.otherwise.is_none()) {
            if test.depends_on.iter().any(|basis| all.contains(basis)) {
                all.insert(test.capability);
            }
        }
        all
    }

    /// The unclaimed capability that implies that this one is missing.
    fn cause_of(&self, capability: Capability) -> Capability {
        if self.contains(capability) {
            return capability;
        }
        let missing = self.with_what_follows();
        let basis = capability.row().depends_on.iter().find(|basis| missing.contains(basis));
        basis.map_or(capability, |basis| self.cause_of(*basis))
    }
}

impl FromIterator<Capability> for Unclaimed {
    fn from_iter<T: IntoIterator<Item = Capability>>(capabilities: T) -> Self {
        Self(capabilities.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use crdible_scenario::Capability;

    use super::Unclaimed;

    fn keeps(unclaimed: &[Capability], property: &str) -> Option<Capability> {
        let property = crdible_properties::find(property).expect("a property");
        unclaimed.iter().copied().collect::<Unclaimed>().keeps_from(property.into())
    }

    #[test]
    fn what_needs_it_is_not_judged() {
        assert_eq!(keeps(&[Capability::Watches], "inv-055-replay"), Some(Capability::Watches));
        assert_eq!(keeps(&[Capability::Watches], "prune-001-unknown-keys"), None);
        assert_eq!(keeps(&[], "inv-055-replay"), None);
    }

    #[test]
    fn what_follows_is_not_judged_either() {
        assert_eq!(keeps(&[Capability::Storing], "inv-055-replay"), Some(Capability::Storing));
    }
}
