//! Whether the table of faults is in form.

use std::collections::BTreeSet;

use crdible::properties;
use crdible_semantics::Release;
use libtest_mimic::Failed;

use crate::{
    settings::at,
    table::{self, Fault, item_of},
    trials,
};

/// Fewer faults mean that a table was lost.
const LEAST: usize = 900;

/// The areas of which each fault states what the first finding must blame, by the beginnings of their names.
const BLAMING: &[&str] = &["pruning", "metadata", "unknown_fields", "requests", "objects/", "watches/"];
/// A reader can follow this number of one property, and one more for each further property.
const MOST_BLAMED: usize = 3;

/// How many requirements the first finding of a fault may blame.
fn most_blamed(fault: &Fault) -> usize {
    MOST_BLAMED + fault.properties.len().saturating_sub(1)
}

/// At least 900 faults, some in each area, a third of them subtle, no name twice, and each with known properties and
/// requirements. Each is a fault at some release.
pub(crate) fn table_is_in_form() -> Result<(), Failed> {
    let faults: Vec<&Fault> = table::all().collect();
    let names: BTreeSet<&str> = faults.iter().map(|fault| fault.name).collect();
    let subtle = faults.iter().filter(|fault| fault.subtle).count();
    let mut wrong = Vec::new();
    if names.len() < faults.len() {
        wrong.push("two faults have one name".to_owned());
    }
    if faults.len() < LEAST || subtle * 3 < faults.len() {
        wrong.push(format!("{} faults, of which {subtle} are subtle", faults.len()));
    }
    for area in table::AREAS {
        if area.faults.is_empty() {
            wrong.push(format!("{} has no faults", area.name));
        }
        if BLAMING.iter().any(|start| area.name.starts_with(start)) {
            let vague = { area.faults }.iter().filter(|fault| fault.blamed().len() > most_blamed(fault));
            wrong.extend(vague.map(|fault| format!("{} must state what is blamed first", fault.name)));
        }
    }
    for fault in faults {
        let (narrowed, most) = (fault.narrowed, most_blamed(fault));
        let is_blamed = |item: &str| narrowed.iter().any(|blamed| item_of(blamed) == item);
        let is_narrower = !fault.requirements.iter().all(|reference| is_blamed(item_of(reference)));
        let is_broken = narrowed.iter().all(|blamed| fault.breaks(blamed));
        if !narrowed.is_empty() && (narrowed.len() > most || !is_narrower || !is_broken) {
            wrong.push(format!("{} must blame one to {most} of the items that it breaks, and not all", fault.name));
        }
        if fault.properties.is_empty() || fault.requirements.is_empty() {
            wrong.push(format!("{} lacks requirements or properties", fault.name));
        }
        if !Release::all().any(|release| at(release, || fault.applies())) {
            wrong.push(format!("{} breaks nothing that any release promises", fault.name));
        }
        for property in fault.properties {
            if properties::find(property).is_none() && !trials::is_capability(property) {
                wrong.push(format!("{} names the property {property}, which does not exist", fault.name));
            }
        }
        for requirement in fault.requirements {
            let known = requirement.parse().is_ok_and(|id| crdible_spec::Catalogue::embedded().resolve(&id).is_some());
            if !known {
                wrong.push(format!("{} names the requirement {requirement}, which does not exist", fault.name));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Failed::from(wrong.join("\n"))) }
}

/// Passing a property that finds no fault means nothing.
pub(crate) fn every_property_catches_a_fault() -> Result<(), Failed> {
    let catching: BTreeSet<&str> = trials::catching().map(|property| property.id).collect();
    let applying = properties::all().filter(|property| table::applies(property)).map(|property| property.id);
    let idle: Vec<&str> = applying.filter(|id| !catching.contains(id)).collect();
    if idle.is_empty() {
        Ok(())
    } else {
        Err(Failed::from(format!("these catch no fault of the table: {}", idle.join(", "))))
    }
}
