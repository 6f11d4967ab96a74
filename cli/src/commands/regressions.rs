//! `crdible replay` of several counterexamples: which failures are fixed.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use crdible::{
    connection::{self, Target},
    run::{Counterexample, Replayer, Standing, files_in},
};
use crdible_reports::{ExitCode as Code, render::quoted, text::plural};
use crdible_semantics::Release;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};

use crate::{
    commands::check_webhook, error::CliError, files::counterexamples, flags::ReplayArgs, output, runs::shut_down,
    signals::terminated,
};

/// A counterexample and where it is.
type Kept = (PathBuf, Counterexample);

/// Runs all counterexamples again, those of the same release together.
pub(crate) async fn replay(arguments: &ReplayArgs) -> Result<u8, CliError> {
    let kept = read(&arguments.paths)?;
    let of_converters = kept.iter().filter(|(_, counterexample)| counterexample.scenario.server().is_none()).count();
    if of_converters != 0 && of_converters != kept.len() {
        return Err(CliError::usage(
            "some counterexamples are about a conversion webhook and others \
             about an API server: replay them one kind at a time",
        ));
    }
    let mut summary = Summary::default();
    for (release, kept) in by_release(arguments, kept) {
        let target = connection::connect(&arguments.options(release)).await?;
        output::keep_secret(target.secrets());
        let ended = if of_converters == 0 {
            of_server(arguments, &target, &kept, &mut summary).await
        } else {
            of_converter(arguments, &target, &kept, &mut summary).await
        };
        shut_down(target).await;
        if !ended? {
            return Ok(Code::INTERRUPTED);
        }
    }
    output::result(&summary.text());
    Ok(summary.code())
}

/// The groups that can share a target: only the embedded server can be several releases, unless one is named.
fn by_release(arguments: &ReplayArgs, kept: Vec<Kept>) -> BTreeMap<Release, Vec<Kept>> {
    let is_one = arguments.target.is_given() || !arguments.release.is_auto();
    let mut groups: BTreeMap<Release, Vec<Kept>> = BTreeMap::new();
    for (path, counterexample) in kept {
        let release = if is_one { Release::BASELINE } else { counterexample.release };
        groups.entry(release).or_default().push((path, counterexample));
    }
    groups
}

/// Reads files, and the files of folders whose names end in `.json`, by name.
fn read(paths: &[PathBuf]) -> Result<Vec<Kept>, CliError> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let found = files_in(path).map_err(CliError::cannot("read the folder", path))?;
            if found.is_empty() {
                return Err(CliError::usage(format!(
                    "{} holds no counterexample: no file ends in .json",
                    path.display()
                )));
            }
            files.extend(found);
        } else {
            files.push(path.clone());
        }
    }
    files.into_iter().map(|file| Ok((file.clone(), counterexamples::read(&file)?))).collect()
}

/// Replays on an API server. `false` if it was interrupted.
async fn of_server(
    arguments: &ReplayArgs,
    target: &Target,
    kept: &[Kept],
    summary: &mut Summary,
) -> Result<bool, CliError> {
    crdible::doctor::preflight(target).await?;
    let setup = arguments.setup(target, |workers| workers)?;
    let mut executor = setup.executor(target);
    let work = async {
        let replayer = Replayer::prepare(&mut executor, kept.iter().map(|(_, counterexample)| counterexample)).await?;
        let replayer = &replayer;
        let standings = stream::iter(kept).map(|(path, counterexample)| async move {
            let standing = replayer.standing(counterexample, arguments.times).await?;
            Ok::<_, CliError>((path, counterexample, standing))
        });
        // In order, and several at once: most of the time is waiting.
        let mut standings = standings.buffered(setup.workers);
        while let Some((path, counterexample, standing)) = standings.try_next().await? {
            summary.add(path, counterexample, &standing);
        }
        Ok::<_, CliError>(())
    };
    let ended = tokio::select! {
        // The signal handler must be ready before anything is created.
        biased;
        () = terminated() => None,
        ended = work => Some(ended),
    };
    let left = executor.clean_up().await;
    output::warn_left_behind(&left, executor.run());
    Ok(ended.transpose()?.is_some())
}

/// Replays on a conversion webhook. `false` if it was interrupted.
async fn of_converter(
    arguments: &ReplayArgs,
    target: &Target,
    kept: &[Kept],
    summary: &mut Summary,
) -> Result<bool, CliError> {
    for (path, counterexample) in kept {
        let mut results = Vec::new();
        for _ in 0..arguments.times {
            let Some((replayed, _)) = check_webhook::replay(target, counterexample).await? else { return Ok(false) };
            results.push(replayed);
        }
        summary.add(path, counterexample, &Standing::of(results, counterexample));
    }
    Ok(true)
}

/// The number of counterexamples for each result.
#[derive(Debug, Default)]
struct Summary {
    fixed: usize,
    fails: usize,
    flaky: usize,
    inconclusive: usize,
}

impl Summary {
    /// Prints a line for a counterexample, and counts it.
    fn add(&mut self, path: &Path, counterexample: &Counterexample, standing: &Standing) {
        let (count, word, detail) = match standing {
            Standing::Fixed => (&mut self.fixed, "fixed", String::new()),
            Standing::Fails(failure) => (&mut self.fails, "fails", failure.summary.clone()),
            Standing::FailsDifferently(failures) => {
                let first = failures.first().map_or("", |failure| failure.summary.as_str());
                (&mut self.fails, "fails", format!("differently than before: {first}"))
            }
            Standing::Flaky { failed, of } => (&mut self.flaky, "flaky", format!("failed in {failed} of {of} runs")),
            Standing::Inconclusive(reason) => (&mut self.inconclusive, "inconclusive", reason.clone()),
        };
        *count += 1;
        let requirements = counterexample.failure.requirements.join(", ");
        let detail = if detail.is_empty() { detail } else { format!(": {detail}") };
        output::result(&quoted(&format!("{word:<12} {} ({requirements}){detail}", path.display())));
    }

    fn text(&self) -> String {
        let Self { fixed, fails, flaky, inconclusive } = self;
        let all = plural((fixed + fails + flaky + inconclusive) as u64, "counterexample");
        format!("\n{all}: {fixed} fixed, {fails} fail, {flaky} flaky, {inconclusive} inconclusive")
    }

    fn code(&self) -> u8 {
        if self.fails + self.flaky > 0 {
            Code::FAILURE
        } else if self.inconclusive > 0 {
            Code::INCOMPLETE
        } else {
            Code::SUCCESS
        }
    }
}
