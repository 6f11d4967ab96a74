//! Profiles: what a target claims to be, and therefore what a run asserts.

use std::path::Path;

use crdible_reports::glob::matches;
use crdible_spec::Level;
use serde::Deserialize;
use toml::Spanned;

use crate::{
    error::CliError,
    flags::patterns::{asserts, check_property_pattern, check_requirement_pattern},
};
use crdible::{
    profile::{self, BUILT_IN},
    properties::{self, Capability, Property},
    run::Unclaimed,
};

/// A named set of properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Profile {
    /// The name in a report if all of it was run.
    pub(crate) name: String,
    levels: Vec<Level>,
    include: Globs,
    exclude: Globs,
    /// What the target does not claim.
    pub(crate) unclaimed: Unclaimed,
}

/// The contents of a profile file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    name: String,
    levels: Option<Vec<Level>>,
    #[serde(default, rename = "not-claimed")]
    not_claimed: Vec<Spanned<String>>,
    #[serde(default)]
    include: Globs,
    #[serde(default)]
    exclude: Globs,
}

/// The capability that a target need not claim, by the name that reports use.
fn claimable(name: &str) -> Result<Capability, String> {
    match Capability::named(name) {
        Some(capability) if capability.row().is_indispensable => {
            Err(format!("`{name}` cannot be left out: without it nothing can be judged"))
        }
        Some(capability) => Ok(capability),
        None => {
            let known = Capability::all().filter(|known| !known.row().is_indispensable).map(|known| known.to_string());
            let known = known.collect::<Vec<_>>().join(", ");
            Err(format!("`{name}` is not a capability; the known ones are: {known}"))
        }
    }
}

/// Patterns with the wildcards `*` and `?`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Globs {
    #[serde(default)]
    properties: Vec<String>,
    #[serde(default)]
    requirements: Vec<String>,
}

impl Globs {
    fn is_empty(&self) -> bool {
        self.properties.is_empty() && self.requirements.is_empty()
    }

    fn match_property(&self, property: &Property) -> bool {
        self.properties.iter().any(|pattern| matches(pattern, property.id))
            || self.requirements.iter().any(|pattern| asserts(property.asserts, pattern))
    }
}

impl Profile {
    /// The profile of this name, or that of the file at this path.
    pub(crate) fn find(word: &str) -> Result<Self, CliError> {
        if let Some(profile) = Self::built_in(word) {
            return Ok(profile);
        }
        let path = Path::new(word);
        if !path.exists() {
            return Err(CliError::usage(format!(
                "`{word}` is neither a profile nor a file; pass {}, or the path of a TOML file",
                BUILT_IN.map(|(name, _)| name).join(", ")
            )));
        }
        let text = std::fs::read_to_string(path).map_err(CliError::cannot("read", path))?;
        Self::parse(&text).map_err(|detail| CliError::usage(format!("{word}: {detail}")))
    }

    /// The built-in profile of this name.
    pub(crate) fn built_in(word: &str) -> Option<Self> {
        let levels = profile::levels(word)?;
        let (include, exclude) = (Globs::default(), Globs::default());
        let unclaimed = Unclaimed::default();
        Some(Self { name: word.to_owned(), levels: levels.to_vec(), include, exclude, unclaimed })
    }

    /// Reads a profile from the text of its file. The error names the problem and its place.
    fn parse(text: &str) -> Result<Self, String> {
        let document: Document = toml::from_str(text).map_err(|error| error.to_string())?;
        let name = document.name.trim().to_owned();
        check_name(&name)?;
        let levels = document.levels.unwrap_or_else(|| vec![Level::Must]);
        if levels.is_empty() {
            return Err("`levels` is empty: omit it to select MUST only".to_owned());
        }
        for (part, globs) in [("include", &document.include), ("exclude", &document.exclude)] {
            for pattern in &globs.properties {
                check_property_pattern(pattern).map_err(|error| format!("{part}.properties: {error}"))?;
            }
            for pattern in &globs.requirements {
                check_requirement_pattern(pattern).map_err(|error| format!("{part}.requirements: {error}"))?;
            }
        }
        let Document { include, exclude, not_claimed, .. } = document;
        let at = |name: &Spanned<String>| text[..name.span().start].matches('\n').count() + 1;
        let unclaimed = not_claimed
            .iter()
            .map(|name| claimable(name.get_ref()).map_err(|error| format!("line {}: {error}", at(name))))
            .collect::<Result<Unclaimed, String>>()?;
        let profile = Self { name, levels, include, exclude, unclaimed };
        if !properties::all().any(|property| profile.contains(property)) {
            return Err("no property is selected: check include, exclude and levels".to_owned());
        }
        Ok(profile)
    }

    /// Whether a property belongs to it: everything that it asserts has one of the profile's
    /// levels, it is included, and it is not excluded.
    pub(crate) fn contains(&self, property: &Property) -> bool {
        profile::is_within(property, &self.levels)
            && (self.include.is_empty() || self.include.match_property(property))
            && !self.exclude.match_property(property)
    }
}

/// Checks the name of a user's profile.
pub(crate) fn check_name(name: &str) -> Result<(), String> {
    if name.is_empty() {
        return Err("`name` is empty: reports need it".to_owned());
    }
    if Profile::built_in(name).is_some() {
        return Err(format!("`name` is `{name}`, a built-in profile: choose another name"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::Profile;
    use crdible::{profile::BUILT_IN, properties};

    fn size(profile: &Profile) -> usize {
        properties::all().filter(|property| profile.contains(property)).count()
    }

    #[test]
    fn each_built_in_profile_contains_the_one_before() {
        let sizes: Vec<usize> =
            BUILT_IN.iter().map(|(name, _)| size(&Profile::find(name).expect("it is built in"))).collect();
        assert!(sizes[0] > 0 && sizes.is_sorted(), "{sizes:?}");
        assert_eq!(sizes[2], properties::all().count(), "`quirks` is everything");
    }

    #[test]
    fn a_file_includes_and_excludes() {
        let profile = Profile::parse(
            "name = 'mine'\n[include]\nproperties = ['prune-*']\nrequirements = ['VER-*']\n\
             [exclude]\nproperties = ['prune-001-*']\n",
        )
        .expect("it is valid");
        let has = |id: &str| properties::find(id).is_some_and(|property| profile.contains(property));
        assert!(has("ver-004-spec-order"), "included by its requirement");
        assert!(!has("prune-001-unknown-keys"), "excluded");
        assert!(!has("default-001-missing-property"), "not included");
        assert!(properties::all().any(|property| property.id.starts_with("prune-") && profile.contains(property)));
    }

    #[rstest]
    #[case::not_toml("name = ", &["line 1"])]
    #[case::no_name("levels = ['MUST']", &["name"])]
    #[case::unknown_key("name = 'x'\nlevel = ['MUST']", &["line 2", "level"])]
    #[case::unknown_inner_key("name = 'x'\n[include]\nproperty = ['a']", &["line 3", "property"])]
    #[case::unknown_level("name = 'x'\nlevels = ['MUSTN']", &["line 2", "MUSTN", "SHOULD"])]
    #[case::no_level("name = 'x'\nlevels = []", &["levels"])]
    #[case::taken("name = 'core'", &["core", "choose another"])]
    #[case::empty_name("name = ' '", &["name"])]
    #[case::matches_nothing("name = 'x'\n[exclude]\nproperties = ['zzz-*']", &["exclude.properties", "zzz-*"])]
    #[case::requirement("name = 'x'\n[include]\nrequirements = ['PRUNE-999']", &["include.requirements", "PRUNE-999"])]
    #[case::unknown_capability(
        "name = 'x'\nnot-claimed = [\n  'watches',\n  'watch']",
        &["line 4", "`watch` is not a capability", "watches, tables"]
    )]
    #[case::needed_capability(
        "name = 'x'\nnot-claimed = ['definitions']", &["line 2", "`definitions` cannot be left out"]
    )]
    #[case::nothing_selected("name = 'x'\nlevels = ['MAY']", &["no property is selected"])]
    fn errors_say_what_is_wrong(#[case] text: &str, #[case] words: &[&str]) {
        let error = Profile::parse(text).expect_err("it is invalid");
        for word in words {
            assert!(error.contains(word), "no {word:?} in {error}");
        }
    }
}
