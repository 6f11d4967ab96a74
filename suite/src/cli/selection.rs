//! Which properties are run: patterns for properties and requirements.

use std::iter;

use crdible_spec::Catalogue;

use super::{failure::CliError, profile::Profile};
use crate::properties::{self, Property};

/// The properties of a profile that these patterns select. No pattern at all selects the whole profile; a pattern that selects
/// nothing is an error that names what is near.
pub(super) fn select(
    profile: &Profile,
    by_id: &[String],
    by_requirement: &[String],
) -> Result<Vec<&'static Property>, CliError> {
    select_with(profile, iter::empty(), by_id, by_requirement)
}

/// The same out of the properties and these explorations.
pub(super) fn select_with(
    profile: &Profile,
    explorations: impl Iterator<Item = &'static Property> + Clone,
    by_id: &[String],
    by_requirement: &[String],
) -> Result<Vec<&'static Property>, CliError> {
    let explored = |pattern: &String| explorations.clone().any(|exploration| fits(pattern, exploration.id));
    let mut unexplored = by_id.iter().filter(|pattern| !explored(pattern));
    unexplored.try_for_each(|pattern| known_property(pattern)).map_err(CliError::Usage)?;
    by_requirement.iter().try_for_each(|pattern| known_requirement(pattern)).map_err(CliError::Usage)?;
    let fitting = properties::all()
        .chain(explorations.clone())
        .filter(|property| by_id.is_empty() || by_id.iter().any(|pattern| fits(pattern, property.id)))
        .filter(|property| by_requirement.is_empty() || by_requirement.iter().any(|pattern| asserts(property, pattern)))
        .collect::<Vec<_>>();
    if fitting.is_empty() {
        return Err(CliError::Usage(
            "each pattern selects something, but no property fits both --property and --requirement".to_owned(),
        ));
    }
    let outside = fitting[0].id;
    let selected: Vec<&Property> = fitting.into_iter().filter(|property| profile.holds(property)).collect();
    if selected.is_empty() {
        return Err(CliError::Usage(format!(
            "the profile `{}` holds nothing of what --property and --requirement select, such as `{outside}`; `--profile quirks` holds everything",
            profile.name
        )));
    }
    Ok(selected)
}

/// Whether a pattern fits the ID of a property; else what is near.
pub(super) fn known_property(pattern: &str) -> Result<(), String> {
    if properties::all().any(|property| fits(pattern, property.id)) {
        return Ok(());
    }
    let near = nearest(pattern, properties::all().map(|property| property.id));
    Err(format!("no property is called `{pattern}`{near}; `crdible list` lists them all"))
}

/// Whether some property asserts what fits a pattern; else what is near.
pub(super) fn known_requirement(pattern: &str) -> Result<(), String> {
    if properties::all().any(|property| asserts(property, pattern)) { Ok(()) } else { Err(nothing_asserts(pattern)) }
}

/// Whether a property asserts a requirement or edge that fits a pattern, in any case.
pub(super) fn asserts(property: &Property, pattern: &str) -> bool {
    let pattern = pattern.to_ascii_uppercase().replace("/E", "/e");
    property
        .asserts
        .iter()
        .any(|reference| fits(&pattern, reference) || reference.split('/').next().is_some_and(|id| fits(&pattern, id)))
}

fn nothing_asserts(pattern: &str) -> String {
    let catalogue = Catalogue::embedded();
    let wanted = pattern.to_ascii_uppercase();
    if catalogue.matching(&wanted).next().is_some() {
        return format!("no property asserts `{pattern}` yet; `crdible list --coverage` tells what is asserted");
    }
    let near: Vec<String> = catalogue.nearest(&wanted).iter().map(ToString::to_string).collect();
    let near = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) };
    format!("no requirement is called `{pattern}`{near}")
}

/// Whether a text fits a pattern, in which `*` stands for any characters and `?` for one.
pub(super) fn fits(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut at, mut place, mut star) = (0, 0, None);
    while place < text.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, place));
                at += 1;
            }
            Some(wanted) if *wanted == '?' || *wanted == text[place] => {
                at += 1;
                place += 1;
            }
            // Whatever follows the last star did not fit: let the star take one character more.
            _ => match star {
                Some((star_at, taken)) => {
                    star = Some((star_at, taken + 1));
                    at = star_at + 1;
                    place = taken + 1;
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|rest| *rest == '*')
}

/// ` ; did you mean …?` with the name that shares the longest beginning, if that is at least half of the pattern.
fn nearest<'a>(pattern: &str, names: impl Iterator<Item = &'a str>) -> String {
    let shared = |name: &&str| name.bytes().zip(pattern.bytes()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
    match names.max_by_key(shared) {
        Some(name) if shared(&name) * 2 >= pattern.len() && !pattern.is_empty() => format!("; did you mean `{name}`?"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{fits, select};
    use crate::cli::profile::Profile;

    fn core() -> Profile {
        Profile::find("core").expect("it is built in")
    }

    #[rstest]
    #[case("prune-*", "prune-001-unknown-keys", true)]
    #[case("*keys", "prune-001-unknown-keys", true)]
    #[case("*a*b", "xaxxbxb", true)]
    #[case("prune-00?-*", "prune-001-x", true)]
    #[case("prune", "prune-001", false)]
    #[case("", "", true)]
    #[case("*", "", true)]
    #[case("a*b", "a", false)]
    fn patterns(#[case] pattern: &str, #[case] text: &str, #[case] expected: bool) {
        assert_eq!(fits(pattern, text), expected);
    }

    #[rstest]
    #[case::typing_error(&["prune-001-unknwn"], &[], "did you mean `prune-001-unknown-keys`")]
    #[case::unknown_requirement(&[], &["PRUNE-999"], "did you mean")]
    #[case::not_asserted(&[], &["CEL-001"], "no property asserts `CEL-001` yet")]
    #[case::both(&["prune-001-*"], &["VER-001"], "no property fits both")]
    fn what_selects_nothing_is_an_error(
        #[case] properties: &[&str],
        #[case] requirements: &[&str],
        #[case] says: &str,
    ) {
        let own = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
        let error = select(&core(), &own(properties), &own(requirements)).expect_err("it selects nothing");
        assert!(error.to_string().contains(says), "{error}");
    }

    #[test]
    fn requirements_select_in_any_case_and_by_edge() {
        let by_requirement = |pattern: &str| select(&core(), &[], &[pattern.to_owned()]).map_or(0, |found| found.len());
        assert_eq!(by_requirement("ver-001"), by_requirement("VER-001"));
        assert!(by_requirement("VER-001/e1") >= 1);
    }
}
