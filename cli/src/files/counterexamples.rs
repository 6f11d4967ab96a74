//! Counterexamples as files: written by runs and comparisons, read by replays.

use std::path::Path;

use crate::{error::CliError, output};
use crdible::{
    run::{ConfirmedFinding, Counterexample, files_in},
    scenario::fnv::Fnv,
};
use crdible_reports::Signature;
use crdible_semantics::Release;

/// Reads a counterexample.
pub(crate) fn read(path: &Path) -> Result<Counterexample, CliError> {
    let text = std::fs::read_to_string(path).map_err(CliError::cannot("read", path))?;
    Counterexample::parse(&text).map_err(|source| CliError::Counterexample { path: path.to_owned(), source })
}

/// The counterexamples in a folder. What is none that this version reads is left out.
pub(crate) fn all_in(folder: &Path) -> Vec<Counterexample> {
    files_in(folder).unwrap_or_default().iter().filter_map(|path| read(path).ok()).collect()
}

/// Writes the counterexample of a finding by this release to a file in a folder, which is created if missing. A later
/// run that finds the same failure replaces it. Returns the path; if it cannot be written, prints a warning and returns
/// nothing.
pub(crate) fn write(folder: &Path, prefix: &str, finding: &ConfirmedFinding, release: Release) -> Option<String> {
    let path = folder.join(format!("{prefix}{}.json", file_stem(finding.signature(), finding.is_flaky())));
    let text = Counterexample::of(finding, release).to_text();
    let written =
        std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, output::without_secrets(&text).as_bytes()));
    match written {
        Ok(()) => Some(path.display().to_string()),
        Err(error) => {
            output::warn(&format!("cannot write the counterexample {}: {error}", path.display()));
            None
        }
    }
}

/// The most bytes of a signature in the name of a file.
const LONGEST_STEM: usize = 120;

/// What ends the name of a failure that was not reproduced each time.
const UNSURE: &str = "-unsure";

/// The name of the file for a failure, without its extension: its signature, in which what is neither a letter nor a
/// digit becomes one dash, and a digest, since others may then read the same. One that was not reproduced each time
/// has a file of its own, so that it never replaces one that was.
fn file_stem(signature: &Signature, is_unsure: bool) -> String {
    let text = signature.to_string();
    let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut stem = words.join("-");
    stem.truncate(LONGEST_STEM);
    let mut digest = Fnv::default();
    digest.add(text.as_bytes());
    let [high, low] = [digest.value() >> 32, digest.value() & u64::from(u32::MAX)];
    format!("{stem}-{:08x}{}", high ^ low, if is_unsure { UNSURE } else { "" })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{LONGEST_STEM, file_stem};

    fn stem(signature: &str) -> String {
        file_stem(&signature.parse().expect("a signature"), false)
    }

    #[rstest]
    #[case("prune-001-unknown-keys:kept:.spec.a[*]:lost", "prune-001-unknown-keys-kept-spec-a-lost-")]
    #[case("conv-045-every-object:there::status-500", "conv-045-every-object-there-status-500-")]
    fn a_file_has_the_name_of_its_failure(#[case] signature: &str, #[case] expected: &str) {
        let stem = stem(signature);
        assert_eq!(
            stem.rsplit_once('-').map(|(words, digest)| (format!("{words}-"), digest.len())),
            Some((expected.to_owned(), 8))
        );
        assert_ne!(file_stem(&signature.parse().expect("a signature"), true), stem, "an unsure one replaces nothing");
    }

    #[rstest]
    #[case::place_or_reason("p:c:.spec.a:lost", "p:c:.spec:a-lost")]
    #[case::element("p:c:.spec.a:lost", "p:c:.spec.a[*]:lost")]
    #[case::no_ascii("p:c:.spec.ä:lost", "p:c:.spec.ö:lost")]
    #[case::check("p:c-d::lost", "p:c:.d:lost")]
    fn no_two_failures_share_a_file(#[case] one: &str, #[case] other: &str) {
        assert_ne!(stem(one), stem(other));
    }

    #[test]
    fn long_names_stay_apart() {
        let long = |last: char| stem(&format!("p:c:.{}{last}:lost", "spec.".repeat(60)));
        assert_ne!(long('a'), long('b'));
        assert!(long('a').len() < LONGEST_STEM + 20);
    }
}
