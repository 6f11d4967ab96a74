//! Counterexamples as files: written by runs and comparisons, read by replays.

use std::path::Path;

use crate::{error::CliError, output};
use crdible::run::{ConfirmedFinding, Counterexample};
use crdible_reports::Signature;
use crdible_semantics::Release;

/// Reads a counterexample.
pub(crate) fn read(path: &Path) -> Result<Counterexample, CliError> {
    let text = std::fs::read_to_string(path).map_err(CliError::cannot("read", path))?;
    Counterexample::parse(&text).map_err(|source| CliError::Counterexample { path: path.to_owned(), source })
}

/// Writes the counterexample of a finding by this release to a file in a folder, which is created if missing. Its name
/// is the signature of the failure, after the prefix: a later run that finds the same failure replaces it. Returns
/// the path; if it cannot be written, prints a warning and returns nothing.
pub(crate) fn write(folder: &Path, prefix: &str, finding: &ConfirmedFinding, release: Release) -> Option<String> {
    let path = folder.join(format!("{prefix}{}.json", file_stem(finding.signature())));
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

/// The longest name of a file, without its extension; longer ones end with a digest.
const LONGEST_STEM: usize = 120;

/// A signature as the name of a file: what is neither a letter nor a digit becomes one dash.
fn file_stem(signature: &Signature) -> String {
    let text = signature.to_string();
    let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let stem = words.join("-");
    if stem.len() <= LONGEST_STEM {
        return stem;
    }
    let digest = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{}-{digest:016x}", &stem[..LONGEST_STEM])
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{LONGEST_STEM, file_stem};

    #[rstest]
    #[case("prune-001-unknown-keys:kept:.spec.a[*]:lost", "prune-001-unknown-keys-kept-spec-a-lost")]
    #[case("conv-045-every-object:there::status-500", "conv-045-every-object-there-status-500")]
    fn a_file_has_the_name_of_its_failure(#[case] signature: &str, #[case] expected: &str) {
        assert_eq!(file_stem(&signature.parse().expect("a signature")), expected);
    }

    #[test]
    fn long_names_stay_apart() {
        let stem = |last: char| {
            let signature = format!("p:c:.{}{last}:lost", "spec.".repeat(60));
            file_stem(&signature.parse().expect("a signature"))
        };
        assert_ne!(stem('a'), stem('b'));
        assert!(stem('a').len() < LONGEST_STEM + 20);
    }
}
