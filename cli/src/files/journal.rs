//! Journals: the header, which states run, program and target; and reading one from a file.

use std::{fs::File, io::BufReader, path::Path};

use crdible_reports::{across::SavedError, journal, redact::Redactor};
use crdible_semantics::Release;
use crdible_spec::Catalogue;

use crate::error::CliError;
use crdible::{
    connection::{Secrets, TargetKind},
    doctor::ServerFacts,
    run::{RunOptions, generator_digest},
};

/// The journal of a run in a file; that of a comparison is an error.
pub(crate) fn read(path: &Path) -> Result<journal::Journal, CliError> {
    let file = File::open(path).map_err(CliError::cannot("read", path))?;
    let saved = |source| CliError::Saved { path: path.to_owned(), source };
    let journal = journal::Journal::read(BufReader::new(file)).map_err(|error| saved(error.into()))?;
    if journal.header.second_target.is_some() {
        return Err(saved(SavedError::Comparison));
    }
    Ok(journal)
}

/// The header of a run with this ID, profile and options. The command line is recorded without secrets.
pub(crate) fn header(
    id: &str,
    profile: &str,
    options: &RunOptions,
    qps: Option<f64>,
    secrets: &[&Secrets],
    targets: (journal::Target, Option<journal::Target>),
) -> journal::Header {
    let catalogue = Catalogue::embedded();
    let (target, second_target) = targets;
    journal::Header {
        format: journal::FORMAT.to_owned(),
        tool: journal::Tool { name: "crdible".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        catalogue: journal::CatalogueStamp { digest: catalogue.digest(), requirements: catalogue.iter().count() },
        generator: journal::GeneratorStamp { digest: generator_digest() },
        run: journal::Run {
            id: id.to_owned(),
            started: jiff::Timestamp::now().to_string(),
            command: command(with_seed(std::env::args().collect(), options.seed).into_iter(), secrets),
            seed: options.seed,
            cases: options.cases,
            time_seconds: options.time.map(|time| time.as_secs_f64()),
            workers: u32::try_from(options.workers).unwrap_or(u32::MAX),
            qps,
            shard: options.shard,
            fuzz: options.supply.is_some(),
        },
        target,
        second_target,
        profile: profile.to_owned(),
    }
}

/// A command line that draws the same cases again: with the seed, if that was drawn. A replay draws nothing.
fn with_seed(mut words: Vec<String>, seed: u64) -> Vec<String> {
    let names = |flag: &str| words.iter().any(|word| word.split('=').next() == Some(flag));
    if !names("--seed") && !names("--replay") {
        words.extend(["--seed".to_owned(), seed.to_string()]);
    }
    words
}

/// A command line without secrets.
pub(crate) fn command(words: impl Iterator<Item = String>, secrets: &[&Secrets]) -> String {
    let redactor = Redactor::new(secrets.iter().flat_map(|secrets| secrets.all()));
    let words: Vec<String> = words.collect();
    redactor.command(words.iter().map(String::as_str))
}

/// A target as the header names it.
pub(crate) fn target(kind: TargetKind, address: &str, facts: &ServerFacts, release: Release) -> journal::Target {
    journal::Target {
        kind: match kind {
            TargetKind::Embedded => journal::TargetKind::Embedded,
            TargetKind::Server => journal::TargetKind::Server,
            TargetKind::Launched => journal::TargetKind::Launched,
        },
        address: address.to_owned(),
        version: facts.version.clone().map(|git_version| journal::ServerVersion {
            git_version,
            platform: facts.platform.clone(),
            ..journal::ServerVersion::default()
        }),
        release: release.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::with_seed;

    #[rstest]
    #[case("crdible run --cases 5", "crdible run --cases 5 --seed 7")]
    #[case("crdible run --seed 3", "crdible run --seed 3")]
    #[case("crdible run --seed=3", "crdible run --seed=3")]
    #[case("crdible compare a b --replay f.json", "crdible compare a b --replay f.json")]
    fn a_drawn_seed_is_recorded(#[case] words: &str, #[case] expected: &str) {
        assert_eq!(with_seed(words.split(' ').map(str::to_owned).collect(), 7).join(" "), expected);
    }
}
