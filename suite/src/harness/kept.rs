//! Kept counterexamples as tests: whether what was found once is still there.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use libtest_mimic::{Failed, Trial};

use super::{Harness, variable};
use crate::run::{Counterexample, Replayer, Standing, files_in};

/// How often each is run: one that fails only sometimes is flaky.
const TIMES: u32 = 3;

/// A test for each counterexample in the folder that `CRDIBLE_REPLAY` names, in the order of [`files_in`].
pub(super) fn trials(harness: &Arc<Harness>) -> Result<Vec<Trial>, String> {
    let Some(folder) = variable("CRDIBLE_REPLAY").map(PathBuf::from) else { return Ok(Vec::new()) };
    let problem = |what: &dyn std::fmt::Display| format!("CRDIBLE_REPLAY: {}: {what}", folder.display());
    let files = files_in(&folder).map_err(|error| problem(&error))?;
    if files.is_empty() {
        return Err(problem(&"it holds no counterexample: no file ends in .json"));
    }
    files.iter().map(|path| trial(harness, path)).collect()
}

fn trial(harness: &Arc<Harness>, path: &Path) -> Result<Trial, String> {
    let problem = |error: &dyn std::fmt::Display| format!("CRDIBLE_REPLAY: {}: {error}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| problem(&error))?;
    let counterexample = Counterexample::parse(&text).map_err(|error| problem(&error))?;
    let (harness, name) = (Arc::clone(harness), path.file_name().unwrap_or_default().to_string_lossy());
    let name = format!("replay {name}");
    Ok(Trial::test(name, move || harness.replay(&counterexample)).with_kind("counterexample"))
}

/// Runs a counterexample, the text of a file that `crdible run` wrote, on the target that the environment names;
/// without one on the embedded server, as the release by which the failure was found.
///
/// # Panics
/// If it still fails, does not apply to the target, or cannot be run; the message says what and why.
pub fn replay(counterexample: &str) {
    if let Err(problem) = try_replay(counterexample) {
        panic!("{problem}");
    }
}

fn try_replay(counterexample: &str) -> Result<(), String> {
    let counterexample = Counterexample::parse(counterexample).map_err(|error| error.to_string())?;
    let mut harness = Harness::from_environment()?;
    if harness.release.is_none() {
        harness.target.release = counterexample.release;
    }
    let result = harness.replay(&counterexample);
    harness.close();
    result.map_err(|failed| failed.message().unwrap_or("it failed").to_owned())
}

impl Harness {
    /// Fails if a counterexample still fails, always or sometimes, and if it does not apply to the target.
    fn replay(&self, counterexample: &Counterexample) -> Result<(), Failed> {
        let failure = &counterexample.failure;
        let Some(scenario) = counterexample.scenario.server() else {
            return Err(Failed::from("it is about a conversion webhook: run it with `crdible replay`"));
        };
        let uses = scenario.uses();
        let opened = self.open()?;
        let mut counterexample = counterexample.clone();
        let known = opened.known(&self.known);
        if known.covers(&failure.requirements, &failure.signature) || !counterexample.keep_promised(opened.release) {
            // It is reported elsewhere, or nothing of it is promised at this release.
            return Ok(());
        }
        if uses.iter().any(|capability| opened.session.is_excused(*capability)) {
            // It is no fault, so nothing is known of the server.
            return Ok(());
        }
        let replayer = Replayer::of(&opened.session);
        let standing = self.runtime.block_on(replayer.standing(&counterexample, TIMES));
        let about = format!("{} ({})", failure.signature, failure.requirements.join(", "));
        match standing.map_err(|error| format!("the target stopped responding: {error}"))? {
            Standing::Fixed => Ok(()),
            Standing::Fails(now) => {
                let text = format!(
                    "it still fails: {}\n{about}\nexpected: {}\nactual: {}",
                    now.summary, now.expected, now.actual
                );
                Err(Failed::from(text))
            }
            Standing::FailsDifferently(failures) => {
                let summaries: Vec<&str> = failures.iter().map(|failure| failure.summary.as_str()).collect();
                Err(Failed::from(format!("it fails differently than before: {}\n{about}", summaries.join("; "))))
            }
            Standing::Flaky { failed, of } => Err(Failed::from(format!(
                "it is flaky: it failed in {failed} of {of} runs: {}\n{about}",
                failure.summary
            ))),
            Standing::Inconclusive(reason) => {
                Err(Failed::from(format!("it does not apply to this target: {reason}\n{about}")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Counterexample, replay};
    use crate::{
        run::FORMAT,
        scenario::{Expectation, Plan},
    };

    /// What is expected of an object that every server must accept.
    fn counterexample(expected: Expectation) -> String {
        let mut plan = Plan::new();
        let definition = plan.define_schema(json!({ "type": "object" }));
        let step = plan.try_create(definition, json!({}));
        plan.check("answer", &["VALUE-001"], step, expected);
        plan.count_case();
        let file = json!({
            "format": FORMAT, "release": "1.34",
            "signature": "p:answer:place:reason", "requirements": ["VALUE-001"], "summary": "s", "expected": null, "actual": null,
            "scenario": plan.finish(),
        });
        Counterexample::parse(&file.to_string()).expect("a counterexample").to_text()
    }

    #[test]
    fn what_holds_passes() {
        replay(&counterexample(Expectation::Accepted));
    }

    #[test]
    #[should_panic(expected = "it fails differently than before: POST")]
    fn what_does_not_hold_fails() {
        replay(&counterexample(Expectation::Status(404)));
    }

    #[test]
    #[should_panic(expected = "it is not a counterexample")]
    fn what_is_no_counterexample_fails() {
        replay("{}");
    }
}
