//! Patterns for properties and requirements, and the error for one that matches nothing.

use crdible_reports::glob::matches;
use crdible_spec::Catalogue;

use crdible::properties;

/// Checks that a pattern matches the ID of a property; the error suggests a similar one.
pub(crate) fn check_property_pattern(pattern: &str) -> Result<(), String> {
    check_id_pattern(pattern, properties::all().map(|property| property.id))
}

/// The same for other IDs.
pub(crate) fn check_id_pattern(pattern: &str, ids: impl Iterator<Item = &'static str> + Clone) -> Result<(), String> {
    if ids.clone().any(|id| matches(pattern, id)) {
        return Ok(());
    }
    let syntax = if pattern.contains([',', '[', '{', '|']) {
        "; `*` and `?` are the only wildcards, and several patterns are separate words: 'a-*' 'b-*'"
    } else {
        ""
    };
    let similar = suggestion(pattern, ids);
    Err(format!("no property matches `{pattern}`; `crdible list` lists all of them{similar}{syntax}"))
}

/// Checks that some property asserts what matches a pattern; the error suggests a similar requirement.
pub(crate) fn check_requirement_pattern(pattern: &str) -> Result<(), String> {
    if properties::all().any(|property| asserts(property.asserts, pattern)) {
        return Ok(());
    }
    let catalogue = Catalogue::embedded();
    let wanted = pattern.to_ascii_uppercase();
    if catalogue.matching(&wanted).next().is_some() {
        return Err(format!("no property asserts `{pattern}` yet; `crdible list --coverage` shows what is asserted"));
    }
    Err(format!("no requirement matches `{pattern}`{}", similar_requirements(&wanted)))
}

/// `; did you mean …?` with the requirements whose IDs are most like this one, if any is.
pub(crate) fn similar_requirements(wanted: &str) -> String {
    let similar: Vec<String> = Catalogue::embedded().nearest(wanted).iter().map(ToString::to_string).collect();
    if similar.is_empty() { String::new() } else { format!("; did you mean {}?", similar.join(" or ")) }
}

/// Whether one of these references matches a pattern, ignoring case.
pub(crate) fn asserts(references: &[&str], pattern: &str) -> bool {
    let pattern = pattern.to_ascii_uppercase().replace("/E", "/e");
    let requirement = |reference: &str| reference.split('/').next().is_some_and(|id| matches(&pattern, id));
    references.iter().any(|reference| matches(&pattern, reference) || requirement(reference))
}

/// `; did you mean …?` with the name that shares the longest prefix, if that is at least half of the pattern.
fn suggestion<'a>(pattern: &str, names: impl Iterator<Item = &'a str>) -> String {
    let shared = |name: &&str| name.bytes().zip(pattern.bytes()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
    match names.max_by_key(shared) {
        Some(name) if shared(&name) * 2 >= pattern.len() && !pattern.is_empty() => format!("; did you mean `{name}`?"),
        _ => String::new(),
    }
}
