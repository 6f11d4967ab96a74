//! Writes entries for failures that are accepted from now on.

use jiff::civil::Date;

use crate::Signature;
use crate::model::Report;

/// The longest reason that is taken from the summary of a failure, in characters.
const LONGEST_SUMMARY: usize = 300;

/// What entries say about the failures that they accept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Acceptance {
    /// What the server does instead, or why that is accepted; without it, what the run says of each failure.
    pub reason: Option<String>,
    /// Where it is tracked.
    pub issue: Option<String>,
    /// The last day on which the entries apply.
    pub expires: Option<Date>,
}

/// Entries of a file of known failures, as TOML: one for each confirmed failure of a report that is not known yet, and
/// for each that it reports together with them. Empty if there is none.
pub fn accept(report: &Report, acceptance: &Acceptance) -> String {
    let mut entries = String::new();
    for finding in report.failures.iter().filter(|finding| finding.is_settled()) {
        entries.push_str(&entry(&finding.failure.signature, &finding.failure.summary, acceptance));
        for also in &finding.also {
            entries.push_str(&entry(&also.signature, &also.summary, acceptance));
        }
    }
    entries
}

fn entry(signature: &Signature, summary: &str, acceptance: &Acceptance) -> String {
    let Acceptance { reason, issue, expires } = acceptance;
    let mut lines = vec!["[[known]]".to_owned(), format!("signature = {}", quoted(&signature.to_string()))];
    // A server may have written parts of it, in any length.
    let summary: String = summary.chars().take(LONGEST_SUMMARY).collect();
    lines.push(format!("reason = {}", quoted(reason.as_deref().unwrap_or(&summary))));
    lines.extend(issue.iter().map(|issue| format!("issue = {}", quoted(issue))));
    lines.extend(expires.iter().map(|expires| format!("expires = {}", quoted(&expires.to_string()))));
    format!("{}\n\n", lines.join("\n"))
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    let escaped = |character: char| match character {
        '"' | '\\' => format!("\\{character}"),
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        character if character.is_control() => format!("\\u{:04X}", u32::from(character)),
        character => character.to_string(),
    };
    format!("\"{}\"", text.chars().map(escaped).collect::<String>())
}

#[cfg(test)]
mod tests {
    use crdible_spec::Catalogue;

    use super::{Acceptance, accept};
    use crate::{KnownFailures, fold, model::ReportedFinding, sample};

    #[test]
    fn what_is_accepted_is_known() {
        let (catalogue, today) = (Catalogue::embedded(), "2026-11-25".parse().expect("a date"));
        let journal = sample::eventful();
        let before = fold(&journal, &KnownFailures::default(), catalogue, today);
        let settled = before.failures.iter().filter(|finding| finding.is_settled()).count();
        assert!(settled > 0);
        let acceptance = Acceptance {
            reason: Some("says \"no\"\tto C:\\\nand \u{7}".to_owned()),
            issue: Some("https://example.com/1".to_owned()),
            expires: Some("2027-01-31".parse().expect("a date")),
        };
        for acceptance in [acceptance, Acceptance::default()] {
            let text = accept(&before, &acceptance);
            let known = KnownFailures::parse(&text, "known.toml", catalogue).expect("valid entries");
            let after = fold(&journal, &known, catalogue, today);
            assert!(!after.failures.iter().any(ReportedFinding::is_settled), "{text}");
            assert_eq!(accept(&after, &acceptance), "");
            if let Some(reason) = &acceptance.reason {
                assert_eq!(&after.known_entries[0].reason, reason);
            }
        }
    }
}
