//! Which properties are run: patterns for properties and requirements.

use std::collections::BTreeMap;

use crdible_reports::glob::matches;
use crdible_semantics::Release;

use crate::{
    error::CliError,
    flags::{
        patterns::{asserts, check_id_pattern, check_requirement_pattern},
        profile::Profile,
    },
};
use crdible::{
    explore,
    properties::{self, Capability, Property},
    run::ScenarioSource,
};

/// The properties of a profile that these patterns select. Without patterns that is the whole profile; a pattern that
/// matches nothing is an error that suggests a similar name. `explores` says whether explorations can be selected, too.
pub(crate) fn select(
    profile: &Profile,
    by_id: &[String],
    by_requirement: &[String],
    explores: bool,
) -> Result<Vec<ScenarioSource>, CliError> {
    let properties = properties::all().map(ScenarioSource::Property);
    let explorations = explore::all().map(ScenarioSource::Exploration).filter(|_| explores);
    let matching = matching(properties.chain(explorations), by_id, by_requirement)?;
    let outside = matching[0].id();
    let of_profile = |source: &ScenarioSource| match source {
        ScenarioSource::Property(property) => profile.contains(property),
        ScenarioSource::Exploration(_) => true,
        ScenarioSource::Review(..) => false,
    };
    let selected: Vec<ScenarioSource> = matching.into_iter().filter(of_profile).collect();
    if selected.is_empty() {
        return Err(CliError::usage(format!(
            "the profile `{}` contains none of the selected properties, such as \
             `{outside}`; `--profile quirks` contains all of them",
            profile.name
        )));
    }
    Ok(selected)
}

/// The properties (at least one) that none of these patterns matches; each pattern matches some property.
pub(crate) fn without(sources: Vec<ScenarioSource>, excluded: &[String]) -> Result<Vec<ScenarioSource>, CliError> {
    let all = properties::all().map(ScenarioSource::Property).chain(explore::all().map(ScenarioSource::Exploration));
    for pattern in excluded {
        check_id_pattern(pattern, all.clone().map(ScenarioSource::id)).map_err(CliError::Usage)?;
    }
    let is_left = |source: &ScenarioSource| !excluded.iter().any(|pattern| matches(pattern, source.id()));
    let left: Vec<ScenarioSource> = sources.into_iter().filter(is_left).collect();
    if left.is_empty() {
        return Err(CliError::usage("--exclude leaves out all selected properties"));
    }
    Ok(left)
}

/// The properties (at least one) that can be judged in part on a target that does not claim every capability; and for
/// each unclaimed capability how many properties are left out because of it.
pub(crate) fn claimed(
    sources: Vec<ScenarioSource>,
    profile: &Profile,
) -> Result<(Vec<ScenarioSource>, BTreeMap<Capability, u64>), CliError> {
    let mut left_out: BTreeMap<Capability, u64> = profile.unclaimed.iter().map(|capability| (capability, 0)).collect();
    let mut is_claimed = |source: &ScenarioSource| match profile.unclaimed.keeps_from(*source) {
        Some(because) => {
            *left_out.entry(because).or_default() += 1;
            false
        }
        None => true,
    };
    let claimed: Vec<ScenarioSource> = sources.into_iter().filter(&mut is_claimed).collect();
    if claimed.is_empty() {
        let names: Vec<String> =
            left_out.iter().filter(|(_, count)| **count > 0).map(|(name, _)| name.to_string()).collect();
        return Err(CliError::usage(format!(
            "all selected properties need what the profile `{}` does not claim: {}",
            profile.name,
            names.join(", ")
        )));
    }
    Ok((claimed, left_out))
}

/// What [`select`] selects, of properties alone.
pub(crate) fn select_properties(
    profile: &Profile,
    by_id: &[String],
    by_requirement: &[String],
) -> Result<Vec<&'static Property>, CliError> {
    let only = |source| if let ScenarioSource::Property(property) = source { Some(property) } else { None };
    Ok(select(profile, by_id, by_requirement, false)?.into_iter().filter_map(only).collect())
}

/// The properties (at least one) that assert something that the release promises; and the others.
pub(crate) fn promised(
    sources: Vec<ScenarioSource>,
    release: Release,
) -> Result<(Vec<ScenarioSource>, Vec<ScenarioSource>), CliError> {
    let (promised, others): (Vec<_>, Vec<_>) = sources.into_iter().partition(|source| source.applies_to(release));
    if promised.is_empty() {
        let first = others.first().map_or("", |source| source.id());
        return Err(CliError::usage(format!(
            "Kubernetes {release} promises nothing that the selected properties assert, such as \
             `{first}`; `--release` judges by another release"
        )));
    }
    Ok((promised, others))
}

/// The properties and explorations that these patterns select.
pub(crate) fn select_sources(by_id: &[String], by_requirement: &[String]) -> Result<Vec<ScenarioSource>, CliError> {
    let properties = properties::all().map(ScenarioSource::Property);
    matching(properties.chain(explore::all().map(ScenarioSource::Exploration)), by_id, by_requirement)
}

/// At least one of the candidates.
fn matching(
    candidates: impl Iterator<Item = ScenarioSource> + Clone,
    by_id: &[String],
    by_requirement: &[String],
) -> Result<Vec<ScenarioSource>, CliError> {
    for pattern in by_id {
        check_id_pattern(pattern, candidates.clone().map(ScenarioSource::id)).map_err(CliError::Usage)?;
    }
    for pattern in by_requirement {
        check_requirement_pattern(pattern).map_err(CliError::Usage)?;
    }
    let matching: Vec<ScenarioSource> = candidates
        .filter(|source| by_id.is_empty() || by_id.iter().any(|pattern| matches(pattern, source.id())))
        .filter(|source| {
            by_requirement.is_empty() || by_requirement.iter().any(|pattern| asserts(source.asserts(), pattern))
        })
        .collect();
    if matching.is_empty() {
        return Err(CliError::usage(
            "each pattern matches something, but no property matches both --property and --requirement",
        ));
    }
    Ok(matching)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{select, select_sources, without};
    use crate::flags::profile::Profile;

    fn core() -> Profile {
        Profile::find("core").expect("it is built in")
    }

    fn owned(list: &[&str]) -> Vec<String> {
        list.iter().map(ToString::to_string).collect()
    }

    #[rstest]
    #[case::misspelt(&["prune-001-unknwn"], &[], "did you mean `prune-001-unknown-keys`")]
    #[case::unknown_requirement(&[], &["PRUNE-999"], "did you mean")]
    #[case::not_asserted(&[], &["ADM-001"], "no property asserts `ADM-001` yet")]
    #[case::both(&["prune-001-*"], &["VER-001"], "no property matches both")]
    #[case::exploration(&["explore-*"], &[], "no property matches `explore-*`")]
    fn selecting_nothing_is_an_error(#[case] ids: &[&str], #[case] requirements: &[&str], #[case] message: &str) {
        let error = select(&core(), &owned(ids), &owned(requirements), false).expect_err("it selects nothing");
        assert!(error.to_string().contains(message), "{error}");
    }

    #[test]
    fn what_is_excluded_is_not_run() {
        let selected = || select(&core(), &owned(&["prune-*"]), &[], false).expect("there are some");
        let left = without(selected(), &owned(&["prune-001-*", "ver-*"])).expect("others are left");
        assert_eq!(left.len(), selected().len() - 1);
        let error = |excluded: &[&str]| without(selected(), &owned(excluded)).expect_err("an error").to_string();
        assert!(error(&["*"]).contains("leaves out all"));
        assert!(error(&["prune-*,ver-*"]).contains("several patterns are separate words"));
    }

    #[test]
    fn requirements_select_in_any_case_and_by_edge() {
        let by_requirement =
            |pattern: &str| select(&core(), &[], &[pattern.to_owned()], false).map_or(0, |found| found.len());
        assert_eq!(by_requirement("ver-001"), by_requirement("VER-001"));
        assert!(by_requirement("VER-001/e1") >= 1);
    }

    #[test]
    fn explorations_are_selected_by_their_id_only() {
        let count = |ids: &[&str], requirements: &[&str]| {
            select_sources(&owned(ids), &owned(requirements)).map_or(0, |found| found.len())
        };
        assert_eq!(count(&["explore-watches"], &[]), 1);
        assert!(count(&[], &[]) > count(&[], &["*"]));
    }
}
