//! Folders of submitted results: `docs/submit-results.md` describes their form.

use std::{
    collections::BTreeSet,
    fmt, fs,
    path::{Path, PathBuf},
};

use crdible_reports::{
    KnownFailures, Report,
    journal::{StopReason, TargetKind},
    render::quoted,
    text::{self, grouped, plural},
};
use crdible_semantics::release::Version;

use super::{messages, read};
use crate::{
    error::CliError,
    files::{
        implementation::{Entry, IMPLEMENTATION, Implementation},
        known, saved,
    },
    flags::{MINIMUM, Profile},
};
use crdible::{
    properties::{self, Capability},
    run::{ScenarioSource, generator_digest},
};

/// The file that explains how to repeat the test.
const README: &str = "README.md";

/// The result for a folder.
pub(super) struct Submission {
    folder: PathBuf,
    /// What was tested, if it is known.
    what: String,
    /// One line for each result.
    results: Vec<String>,
    problems: Vec<String>,
}

impl Submission {
    /// Whether nothing is wrong with it.
    pub(super) fn is_acceptable(&self) -> bool {
        self.problems.is_empty()
    }

    fn wrong(&mut self, place: &str, what: impl fmt::Display) {
        self.problems.push(format!("{}: {what}", quoted(place)));
    }
}

impl fmt::Display for Submission {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.is_acceptable() { "acceptable" } else { "not acceptable" };
        writeln!(formatter, "{word}: {}: {}", self.folder.display(), quoted(&self.what))?;
        self.problems.iter().chain(&self.results).try_for_each(|line| writeln!(formatter, "  {line}"))
    }
}

/// Checks everything in a folder that can be read, so that all problems are reported at once.
pub(super) fn check(folder: &Path) -> Result<Submission, CliError> {
    let failed = CliError::cannot("read", folder);
    let mut files = BTreeSet::new();
    for entry in fs::read_dir(folder).map_err(&failed)? {
        files.insert(entry.map_err(&failed)?.file_name().to_string_lossy().into_owned());
    }
    let mut submission = Submission {
        folder: folder.to_owned(),
        what: "a submission".to_owned(),
        results: Vec::new(),
        problems: Vec::new(),
    };
    match fs::read_to_string(folder.join(README)) {
        Ok(text) if explains_how_to_reproduce(&text) => {}
        Ok(_) => {
            submission.wrong(README, "no section `Reproduce` with the commands, crdible among them, in a block of code")
        }
        Err(error) => submission.wrong(README, error),
    }
    let implementation = match fs::read_to_string(folder.join(IMPLEMENTATION)) {
        Ok(text) => {
            toml::from_str::<Implementation>(&text).map_err(|error| error.to_string().trim_end().replace('\n', " "))
        }
        Err(error) => Err(error.to_string()),
    };
    let implementation = match implementation {
        Ok(implementation) => implementation,
        Err(error) => {
            submission.wrong(IMPLEMENTATION, quoted(&error));
            return Ok(submission);
        }
    };
    metadata(&implementation, &mut submission);
    let mut named = BTreeSet::new();
    for entry in &implementation.result {
        if !is_fixed(&entry.version) {
            let version = quoted(&format!("{:?}", entry.version));
            submission.wrong(
                &entry.file,
                format_args!("the version {version} may be another one tomorrow: name a release (v1.36.3) or a commit"),
            );
        }
        if !named.insert(entry.file.as_str()) {
            submission.wrong(IMPLEMENTATION, format_args!("it names {} twice", quoted(&entry.file)));
        } else if !files.contains(&entry.file) {
            // The list holds only names of files in this folder, so no path leads out of it.
            submission.wrong(&entry.file, format_args!("{IMPLEMENTATION} names it, but it is not in the folder"));
        } else {
            result(folder, entry, &files, &mut submission)?;
        }
    }
    let is_result = |file: &&String| {
        Path::new(file.as_str()).extension().is_some_and(|extension| extension == "json" || extension == "ndjson")
    };
    for file in files.iter().filter(is_result).filter(|file| !named.contains(file.as_str())) {
        submission.wrong(file, format_args!("{IMPLEMENTATION} does not name it: add it as [[result]], or remove it"));
    }
    Ok(submission)
}

fn metadata(implementation: &Implementation, submission: &mut Submission) {
    let Implementation { organization, project, url, contact, result } = implementation;
    submission.what = format!("{organization} {project}, {}", plural(result.len() as u64, "result"));
    for (key, value) in [("organization", organization), ("project", project)] {
        if value.trim().is_empty() {
            submission.wrong(IMPLEMENTATION, format_args!("`{key}` is empty"));
        }
    }
    let is_address = |text: &str| {
        let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        host.is_some_and(|host| !host.is_empty() && !text.contains(char::is_whitespace))
    };
    if !is_address(url) {
        submission.wrong(IMPLEMENTATION, "`url` is not the address of a page (https://…)");
    }
    let is_mail = |text: &str| {
        text.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
            && !text.contains(char::is_whitespace)
    };
    if !is_address(contact) && !is_mail(contact) {
        submission.wrong(IMPLEMENTATION, "`contact` is neither an address of a page (https://…) nor one for mail");
    }
    if result.is_empty() {
        submission.wrong(IMPLEMENTATION, "it names no [[result]]");
    }
}

/// Whether a version cannot change: a release or a commit, but not a branch or a moving tag.
fn is_fixed(version: &str) -> bool {
    let words: Vec<String> =
        version.split(|character: char| !character.is_ascii_alphanumeric()).map(str::to_ascii_lowercase).collect();
    let moves = ["latest", "nightly", "snapshot", "head", "main", "master", "trunk", "stable", "edge", "x"];
    let is_commit = (7..=64).contains(&version.len()) && version.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = version.strip_prefix('v').unwrap_or(version);
    let is_number = number.starts_with(|first: char| first.is_ascii_digit())
        && !version.contains(|character: char| character.is_whitespace() || character == '/');
    is_commit || (is_number && !words.iter().any(|word| moves.contains(&word.as_str())))
}

/// Whether a section is about reproducing, and has a block of code with crdible in it.
fn explains_how_to_reproduce(readme: &str) -> bool {
    let (mut is_in_section, mut is_in_block) = (false, false);
    for line in readme.lines() {
        let line = line.trim();
        if line.starts_with("```") {
            is_in_block = !is_in_block;
        } else if is_in_block {
            if is_in_section && line.contains("crdible") {
                return true;
            }
        } else if let Some(heading) = line.strip_prefix('#') {
            is_in_section = heading.to_ascii_lowercase().contains("reproduc");
        }
    }
    false
}

/// Checks one result of a submission.
fn result(folder: &Path, entry: &Entry, files: &BTreeSet<String>, submission: &mut Submission) -> Result<(), CliError> {
    let Entry { file, version, known } = entry;
    let path = folder.join(file);
    let checked = match read(&path) {
        Ok(checked) => checked,
        Err(CliError::Usage(_)) => {
            submission.wrong(file, "it is neither a report nor a journal");
            return Ok(());
        }
        Err(error) => return Err(error),
    };
    if !checked.is_valid() {
        messages(&checked).iter().for_each(|line| submission.wrong(file, line));
        return Ok(());
    }
    if !checked.is_sealed {
        submission.wrong(
            file,
            "it has no digest, which would show that it was not changed; run it with this version of crdible",
        );
    }
    let known = match known {
        Some(known) if !files.contains(known) => {
            submission.wrong(known, format_args!("{IMPLEMENTATION} names it, but it is not in the folder"));
            return Ok(());
        }
        Some(known) => known::read(Some(&folder.join(known)))?,
        None => KnownFailures::default(),
    };
    match saved::read(&path, &known) {
        Ok(report) => {
            of_a_run(file, version, &report, submission);
            // A result stays acceptable when a later version has other requirements.
            if !checked.is_of_this_catalogue {
                submission.results.push(format!(
                    "{}: it was made by crdible {} with another catalogue, so its requirements were not looked up",
                    quoted(file),
                    quoted(&report.tool.version)
                ));
            }
        }
        Err(CliError::Saved { source, .. }) => submission.wrong(file, quoted(&source.to_string())),
        Err(error) => return Err(error),
    }
    Ok(())
}

/// The run must be a whole one of a whole profile.
fn of_a_run(file: &str, version: &str, report: &Report, submission: &mut Submission) {
    use crdible_reports::Verdict;

    submission.results.push(format!(
        "{}: {}: {}, profile {}, {} cases, {} known failures",
        quoted(file),
        quoted(version),
        report.verdict.as_str(),
        quoted(&report.profile),
        grouped(report.counts.cases),
        grouped(report.counts.known_failures)
    ));
    if report.target.kind == TargetKind::Converter {
        return submission.wrong(file, "it is about a conversion webhook; results of servers are submitted");
    }
    if report.run.shard.is_some() {
        submission.wrong(file, "it is one part of a divided run: put all parts together (`crdible report merge`)");
    }
    if matches!(report.verdict, Verdict::Incomplete | Verdict::Unusable) {
        let why = report.reasons.first().map(|reason| format!(": {}", quoted(reason))).unwrap_or_default();
        submission.wrong(file, format_args!("its verdict is {}{why}", report.verdict.as_str()));
    }
    let Some(profile) = Profile::built_in(&report.profile) else {
        return submission.wrong(
            file,
            format_args!(
                "its profile {} is not core, full or quirks: it may leave out what a server must do",
                quoted(&report.profile)
            ),
        );
    };
    if !report.profile_complete {
        submission.wrong(
            file,
            format_args!(
                "it is a run of a part of the profile: run all of it, with at least {MINIMUM} cases of each property"
            ),
        );
    }
    // A faulty server may stop a property early; the run itself must not have ended early.
    if report.stop_reason != Some(StopReason::Finished) {
        let why = report.reasons.first().map(|reason| format!(": {}", quoted(reason))).unwrap_or_default();
        submission.wrong(file, format_args!("it is a run that ended early{why}"));
    } else if let Some(short) = report.properties.iter().find(|property| property.planned < MINIMUM) {
        let (id, cases) = (quoted(&short.id), plural(short.planned, "case"));
        submission.wrong(file, format_args!("{id} was to be judged in {cases}, which are fewer than {MINIMUM}"));
    }
    // Another version of crdible has other properties.
    if report.generator.digest == generator_digest()
        && let Ok(version) = report.target.release.parse::<Version>()
    {
        let skipped = report.lacks.iter().flat_map(|missing| &missing.properties);
        let ran = report.properties.iter().map(|property| &property.id).chain(skipped);
        let ran: BTreeSet<&str> = ran.map(String::as_str).collect();
        let left_out: Vec<&str> = properties::all()
            .filter(|property| profile.contains(property))
            // These are not judged on a server without a second namespace; a note of the report says so.
            .filter(|property| !property.needs.contains(&Capability::Namespaces))
            .filter(|property| ScenarioSource::Property(property).applies_to(version.nearest()))
            .map(|property| property.id)
            .filter(|id| !ran.contains(id))
            .collect();
        if let Some(first) = left_out.first() {
            let count = text::properties(left_out.len() as u64);
            submission.wrong(file, format_args!("{count} of its profile left out, such as {first}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{explains_how_to_reproduce, is_fixed};

    #[rstest]
    #[case("v1.36.3", true)]
    #[case("1.36.3-eks-1234", true)]
    #[case("2026-11-25", true)]
    #[case("4f2c8d1", true)]
    #[case("4f2c8d14f2c8d14f2c8d14f2c8d14f2c8d14f2c8", true)]
    #[case("main", false)]
    #[case("release-1.36", false)]
    #[case("v1.36-latest", false)]
    #[case("1.37.0-SNAPSHOT", false)]
    #[case("1.x", false)]
    #[case("v1/main", false)]
    #[case("feature/1", false)]
    #[case("v", false)]
    #[case("", false)]
    fn versions(#[case] version: &str, #[case] expected: bool) {
        assert_eq!(is_fixed(version), expected);
    }

    #[rstest]
    #[case("# X\n## Reproduce\n```sh\ncrdible run\n```\n", true)]
    #[case("# How to reproduce it\n\ntext\n\n```\n$ target/release/crdible run\n```", true)]
    #[case("# X\n```sh\ncrdible run\n```\n## Reproduce\n", false)]
    #[case("## Reproduce\ncrdible run\n", false)]
    #[case("## Reproduce\n```\nmake\n```\n## Other\n```\ncrdible\n```", false)]
    #[case("", false)]
    fn readmes(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(explains_how_to_reproduce(text), expected);
    }
}
