//! A counterexample as a file: everything needed to run it again anywhere, even after the generators have changed.

use std::{
    io,
    path::{Path, PathBuf},
};

use crdible_generators::choice::Tape;
use crdible_journal::Failure;
use crdible_scenario::{AnyScenario, ReviewScenario, Scenario};
use crdible_semantics::{Release, release::Version};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned, de::Error as _};
use serde_json::Value;
use thiserror::Error;

use super::finding::ConfirmedFinding;

/// The format that this version writes; it reads every file with the same name and major version.
pub const FORMAT: &str = "crdible-replay/2";

/// A counterexample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Counterexample<S = AnyScenario> {
    /// [`FORMAT`].
    pub format: String,
    /// The failure.
    #[serde(flatten)]
    pub failure: Failure,
    /// The release by which the target was judged; an embedded server emulates it in a replay. Files without it are of
    /// [`Release::BASELINE`].
    #[serde(default, serialize_with = "release_as_text", deserialize_with = "release_from_text")]
    pub release: Release,
    /// The whole experiment; a replay runs this.
    pub scenario: S,
    /// The choices that generated it, for the generators of the version that wrote the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tape: Option<Tape>,
}

/// The files of a folder whose names end in `.json`, shorter names first: `f2` before `f10`.
///
/// # Errors
///
/// The folder cannot be read.
pub fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort_by_cached_key(|path| (path.as_os_str().len(), path.clone()));
    Ok(files)
}

/// Why a file is not a counterexample.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CounterexampleError {
    /// It is not JSON of this shape.
    #[error("it is not a counterexample: {0}; `crdible run` writes counterexamples and prints their folder")]
    Malformed(#[from] serde_json::Error),
    /// Another format.
    #[error("its format is `{0}`, but this version reads `{FORMAT}`; replay it with the version that wrote it")]
    Format(String),
    /// It has other parts than this version reads, or refers to missing steps or definitions.
    #[error("it is invalid: {0}")]
    Invalid(String),
}

impl Counterexample {
    /// The counterexample of a finding on a target that was judged by this release.
    pub fn of(finding: &ConfirmedFinding, release: Release) -> Self {
        Self {
            format: FORMAT.to_owned(),
            release,
            failure: finding.failure().clone(),
            scenario: finding.scenario.clone(),
            tape: finding.tape.clone(),
        }
    }

    /// Parses the text of a file.
    pub fn parse(text: &str) -> Result<Self, CounterexampleError> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
        }
        let head: Head = serde_json::from_str(text)?;
        if head.format != FORMAT && !head.format.starts_with(&format!("{FORMAT}.")) {
            return Err(CounterexampleError::Format(head.format));
        }
        let json: Value = read(text)?;
        let is_of_converter = AnyScenario::is_of_converter(&json["scenario"]).map_err(CounterexampleError::Invalid)?;
        let parsed = if is_of_converter {
            read::<Counterexample<ReviewScenario>>(text)?.of_any_kind()
        } else {
            read::<Counterexample<Scenario>>(text)?.of_any_kind()
        };
        parsed.scenario.check_references().map_err(CounterexampleError::Invalid)?;
        Ok(parsed)
    }

    /// Its text: pretty-printed JSON with a final newline.
    pub fn to_text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

impl<S: Into<AnyScenario>> Counterexample<S> {
    fn of_any_kind(self) -> Counterexample {
        let Self { format, failure, release, scenario, tape } = self;
        Counterexample { format, failure, release, scenario: scenario.into(), tape }
    }
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, CounterexampleError> {
    serde_json::from_str(text).map_err(|error| CounterexampleError::Invalid(error.to_string()))
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn release_as_text<S: Serializer>(release: &Release, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(release)
}

/// Parses a release; one that this version does not know is replaced by the nearest.
fn release_from_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Release, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse::<Version>().map(Version::nearest).map_err(D::Error::custom)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{Counterexample, FORMAT};

    #[rstest]
    #[case::unknown_check("unheard-of@1", json!({}), "check `unheard-of@1`: this version of crdible does not have it")]
    #[case::unknown_argument("taken@1", json!({ "more": 1 }), "check `taken@1`: it has no argument `more`")]
    #[case::no_expectation("all@1", json!({ "of": [] }), "check `c`: `of` must be expectations")]
    fn a_file_may_have_what_this_version_does_not(
        #[case] check: &str,
        #[case] arguments: Value,
        #[case] expected: &str,
    ) {
        let request = json!({ "send": { "method": "Get", "resource": "definitions" } });
        let expect = json!({ "named": { "check": check, "arguments": arguments } });
        let file = json!({
            "format": FORMAT,
            "signature": "p:check:place:reason", "requirements": [], "summary": "", "expected": null, "actual": null,
            "scenario": {
                "steps": [{ "action": request }],
                "checks": [{ "name": "c", "asserts": [], "step": 0, "expect": expect }],
                "cases": 1,
            },
        });
        let error = Counterexample::parse(&file.to_string()).expect_err("an invalid check").to_string();
        assert!(error.starts_with("it is invalid: ") && error.contains(expected), "{error}");
    }

    /// A scenario is about an API server or about a converter, as a whole.
    #[rstest]
    #[case::definitions(json!({ "definitions": [{ "versions": [] }] }), "has definitions of an API server")]
    #[case::request(
        json!({ "steps": [{ "action": { "send": { "method": "Get", "resource": "definitions" } } }] }),
        "step 0 and the scenario are not both about a converter"
    )]
    #[case::review(
        json!({ "contract": null, "steps": [{ "action": { "review": { "desired": "g/v1", "objects": [] } } }] }),
        "step 0 and the scenario are not both about a converter"
    )]
    #[case::expectation(
        json!({ "checks": [{ "name": "c", "asserts": [], "step": 0, "expect": "accepted" }] }),
        "expected an expectation `{\"demand\": …}`"
    )]
    #[case::demand(
        json!({
            "contract": null, "steps": [{ "action": { "send": { "method": "Get", "resource": "definitions" } } }],
            "checks": [{ "name": "c", "asserts": [], "step": 0, "expect": { "demand": "converted" } }],
        }),
        "unknown variant `demand`"
    )]
    fn a_file_is_of_one_kind(#[case] parts: Value, #[case] expected: &str) {
        let contract =
            json!({ "group": "g.dev", "kind": "Thing", "namespaced": true, "versions": [], "reviews": ["v1"] });
        let review = json!({ "review": { "desired": "g.dev/v1", "objects": [] } });
        let mut file = json!({
            "format": FORMAT,
            "signature": "p:check:place:reason", "requirements": [], "summary": "", "expected": null, "actual": null,
            "scenario": { "steps": [{ "action": review }], "checks": [], "cases": 1, "contract": contract },
        });
        assert!(Counterexample::parse(&file.to_string()).is_ok(), "without these parts it is one of a converter");
        for (name, part) in parts.as_object().expect("parts") {
            file["scenario"][name] = part.clone();
        }
        let error = Counterexample::parse(&file.to_string()).expect_err("it is of both kinds").to_string();
        assert!(error.starts_with("it is invalid: ") && error.contains(expected), "{error}");
    }

    #[rstest]
    #[case::absent(None, Ok("1.36"))]
    #[case::known(Some("1.34"), Ok("1.34"))]
    #[case::of_a_later_version(Some("1.99"), Ok("1.37"))]
    #[case::none(Some("x"), Err("`x` is not a version of Kubernetes"))]
    fn a_file_may_name_its_release(#[case] release: Option<&str>, #[case] expected: Result<&str, &str>) {
        let mut file = json!({
            "format": FORMAT,
            "signature": "p:check:place:reason", "requirements": [], "summary": "", "expected": null, "actual": null,
            "scenario": { "steps": [], "checks": [], "cases": 1 },
        });
        if let Some(release) = release {
            file["release"] = Value::from(release);
        }
        let parsed = Counterexample::parse(&file.to_string());
        match (parsed, expected) {
            (Ok(parsed), Ok(release)) => {
                assert_eq!(parsed.release.to_string(), release);
                assert_eq!(Counterexample::parse(&parsed.to_text()).expect("its own text"), parsed);
            }
            (Err(error), Err(words)) => assert!(error.to_string().contains(words), "{error}"),
            (parsed, _) => panic!("{parsed:?}"),
        }
    }
}
