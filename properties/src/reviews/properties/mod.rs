//! What a converter owes, each promise checked with generated scenarios.

mod batches;
mod edits;
mod metadata;
mod plan;
mod protocol;
mod refusals;
mod schemas;
mod trips;

use crdible_scenario::reviews::ReviewProperty;

/// All of them, in the order of the specification.
pub fn all() -> impl Iterator<Item = &'static ReviewProperty> + Clone {
    PROPERTIES.iter()
}

/// The property with this ID.
pub fn find(id: &str) -> Option<&'static ReviewProperty> {
    all().find(|property| property.id == id)
}

static PROPERTIES: &[ReviewProperty] = &[
    protocol::PROTOCOL,
    protocol::EMPTY_LIST,
    protocol::BETA,
    batches::ORDER,
    metadata::IDENTITY,
    metadata::OTHERS,
    metadata::LABELS,
    metadata::OWN,
    trips::ROUND_TRIPS,
    trips::EDITS,
    trips::SETTLES,
    trips::LONG_WAYS,
    trips::DIRECT_WAYS,
    schemas::DECLARED,
    schemas::VALID,
    batches::ONE_BY_ONE,
    batches::NO_STATE,
    protocol::EVERY_OBJECT,
    protocol::AS_IN_A_CREATE,
    protocol::ODD_TIMES,
    protocol::INCOMPLETE,
    batches::LARGE,
    batches::AT_ONCE,
    refusals::UNKNOWN,
    refusals::SAME_VERSION,
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crdible_spec::{Catalogue, Level, Reference};

    use super::all;

    #[test]
    fn properties_name_what_they_assert() {
        let mut seen = BTreeSet::new();
        for property in all() {
            assert!(seen.insert(property.id), "{} is there twice", property.id);
            let first = property.asserts[0].split('/').next().unwrap_or_default().to_lowercase();
            assert!(property.id.starts_with(&first), "{} begins with the first requirement", property.id);
            for reference in property.asserts {
                let parsed: Reference = reference.parse().expect("a reference");
                assert!(Catalogue::embedded().resolve(&parsed).is_some(), "{reference} does not exist");
            }
        }
    }

    /// CONV-051 allows something: what is kept in annotations is a note of the report.
    #[test]
    fn every_requirement_is_asserted() {
        let asserted: BTreeSet<&str> = all().flat_map(|property| property.asserts).copied().collect();
        for number in (30..=50).chain([52]) {
            let id = format!("CONV-{number:03}");
            assert!(asserted.contains(id.as_str()), "{id} is asserted by nothing");
        }
        assert_eq!(all().filter(|property| property.level() != Level::Must).count(), 10);
    }
}
