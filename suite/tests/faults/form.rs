//! Whether the table of faults is in form.

use std::collections::{BTreeMap, BTreeSet};

use crdible::properties;
use crdible_semantics::Release;
use crdible_spec::{Catalogue, Level};
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
            let known = requirement.parse().is_ok_and(|id| Catalogue::embedded().resolve(&id).is_some());
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

/// A fault that is blamed on more items shows of none of them that it is checked.
const NARROW: usize = 5;

/// What is asserted and has no narrow fault: one that breaks it beside others, and why none is blamed on it alone.
const BESIDE_OTHERS: &[(&str, &str, &str)] = &[
    ("DEFAULT-021/e1", "replaces-nulls-of-nullable-fields", "what replaces nulls does so in defaulting at large"),
    ("FSEL-005", "absent-fields-have-no-value", SELECTION),
    ("FSEL-005/e1", "absent-fields-have-no-value", SELECTION),
    ("FSEL-006", "absent-fields-have-no-value", SELECTION),
    ("FSEL-010", "absent-fields-have-no-value", SELECTION),
    ("INV-038", "sorts-in-one-pass", "what orders triples otherwise orders lists otherwise"),
    ("INV-045", "absent-fields-have-no-value", SELECTION),
    ("REST-073", "unknown-types-are-invalid", "what refuses a request names its reason, and is checked first"),
    ("SUB-020", "reads-brackets-as-indices", "a scale at another path differs in all that it shows"),
];
const SELECTION: &str = "a list of what is selected shows all of how values are compared";

/// The requirements and edges of level MUST that a property asserts, with the properties that assert them.
fn asserted() -> BTreeMap<&'static str, Vec<&'static str>> {
    let is_must = |reference: &str| {
        let resolved = reference.parse().ok().and_then(|reference| Catalogue::embedded().resolve(&reference));
        resolved.is_some_and(|resolved| resolved.level() == Level::Must)
    };
    let mut asserted: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for property in properties::all() {
        for reference in property.asserts.iter().copied().filter(|reference| is_must(reference)) {
            asserted.entry(reference).or_default().push(property.id);
        }
    }
    asserted
}

/// What is asserted must be blamed for some fault that a property finds which asserts it, and for few others beside:
/// otherwise nothing shows that it is checked.
pub(crate) fn every_requirement_is_blamed() -> Result<(), Failed> {
    let asserted = asserted();
    let mut wrong = Vec::new();
    for (reference, asserting) in &asserted {
        let item = item_of(reference);
        let is_found = |fault: &Fault| fault.properties.iter().any(|property| asserting.contains(property));
        let has_narrow = table::all().filter(|fault| is_found(fault)).any(|fault| {
            let blamed: BTreeSet<&str> = fault.blamed().iter().map(|blamed| item_of(blamed)).collect();
            blamed.contains(item) && blamed.len() <= NARROW
        });
        let breaks = |name: &str| table::all().any(|fault| fault.name == name && fault.breaks(item) && is_found(fault));
        match BESIDE_OTHERS.iter().find(|(other, ..)| other == reference) {
            None if !has_narrow => wrong.push(format!(
                "no fault is blamed on {reference} and at most {} others, which {} assert",
                NARROW - 1,
                asserting.join(", ")
            )),
            Some(_) if has_narrow => wrong.push(format!("a fault is blamed on {reference}: it needs no reason")),
            Some((_, wide, _)) if !breaks(wide) => {
                wrong.push(format!("{wide} does not break {reference}, or is not found by what asserts it"));
            }
            _ => {}
        }
    }
    let unasserted = BESIDE_OTHERS.iter().filter(|(reference, ..)| !asserted.contains_key(reference));
    wrong.extend(unasserted.map(|(reference, ..)| format!("no property asserts {reference}: it needs no reason")));
    if wrong.is_empty() { Ok(()) } else { Err(Failed::from(wrong.join("\n"))) }
}

/// The findings of all trials together name each requirement that is asserted, except for those with a reason.
pub(crate) fn every_requirement_is_named(named: &BTreeSet<&str>) -> Result<(), Failed> {
    let items: BTreeSet<&str> = asserted().into_keys().map(item_of).collect();
    let has_reason = |item: &str| BESIDE_OTHERS.iter().any(|(other, ..)| *other == item);
    let unnamed: Vec<&str> = items.into_iter().filter(|item| !named.contains(item) && !has_reason(item)).collect();
    if unnamed.is_empty() {
        Ok(())
    } else {
        Err(Failed::from(format!("these are asserted, and no finding names them: {}", unnamed.join(", "))))
    }
}
