//! The built-in profiles: which levels of promises a target claims to keep.

use crdible_scenario::Property;
use crdible_spec::{Catalogue, Level, Reference};

/// The default profile.
pub const CORE: &str = "core";

/// The built-in profiles, each with the levels that it asserts.
pub const BUILT_IN: [(&str, &[Level]); 3] = [
    (CORE, &[Level::Must]),
    ("full", &[Level::Must, Level::Should, Level::May]),
    ("quirks", &[Level::Must, Level::Should, Level::May, Level::Quirk]),
];

/// The levels of a built-in profile.
pub fn levels(name: &str) -> Option<&'static [Level]> {
    BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, levels)| *levels)
}

/// Whether everything that a property asserts has one of these levels.
pub fn is_within(property: &Property, levels: &[Level]) -> bool {
    property.asserts.iter().all(|reference| levels.contains(&level(reference)))
}

/// The level of a requirement or edge. One that is not in the catalogue counts as MUST, so that no profile silently
/// excludes it.
fn level(reference: &str) -> Level {
    let catalogue = Catalogue::embedded();
    let Ok(reference) = reference.parse::<Reference>() else { return Level::Must };
    let Some(requirement) = catalogue.iter().find(|requirement| requirement.id == reference.requirement) else {
        return Level::Must;
    };
    match reference.edge {
        Some(number) => requirement.edge(number).map_or(requirement.level, |edge| edge.level),
        None => requirement.level,
    }
}
