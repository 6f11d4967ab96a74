//! A report as workflow commands of GitHub Actions, which become annotations.

use crdible_spec::{Catalogue, Level};

use super::human::finding;
use super::visible;
use crate::model::{Report, ReportedFinding};
use crate::verdict::Verdict;

/// The report as lines that GitHub Actions turns into annotations: an error for each failure of a MUST, a
/// warning for each other failure, and the verdict.
pub fn github(report: &Report, catalogue: &Catalogue) -> String {
    let report = &visible::visible(report);
    let is_good = matches!(report.verdict, Verdict::Conformant | Verdict::ConformantWithKnownFailures);
    let level = if is_good { "notice" } else { "error" };
    let reasons = if report.verdict == Verdict::Nonconformant { &[][..] } else { &report.reasons };
    let mut message = vec![format!("verdict: {}", report.statement)];
    message.extend_from_slice(reasons);
    let mut lines = vec![command(level, "crdible", &message.join("\n"))];
    let with_details = report.failures.iter().filter(|found| found.has_details());
    lines.extend(with_details.map(|found| failure(found, catalogue)));
    lines.concat()
}

fn failure(found: &ReportedFinding, catalogue: &Catalogue) -> String {
    let level = if found.level == Level::Must && found.is_settled() { "error" } else { "warning" };
    let title = format!("{} {}", found.level, finding::first_requirement(found, catalogue));
    let message = [
        found.failure.summary.clone(),
        finding::evidence(found),
        format!("replay: {}", finding::replay(found)),
        format!("signature: {}", found.failure.signature),
    ];
    command(level, &title, &message.join("\n"))
}

fn command(level: &str, title: &str, message: &str) -> String {
    format!("::{level} title={}::{}\n", property(title), data(message))
}

/// What follows the second pair of colons.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property: it ends at a comma, and the properties end at a colon.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{command, github};
    use crate::journal::Journal;
    use crate::sample::{KNOWN, catalogue, clean, eventful, fold};

    #[test]
    fn an_eventful_run() {
        insta::assert_snapshot!("github", github(&fold(&eventful(), KNOWN), &catalogue()));
    }

    #[test]
    fn a_killed_run_is_an_error() {
        let text = github(&fold(&Journal { footer: None, ..clean() }, ""), &catalogue());
        assert!(text.starts_with("::error title=crdible::verdict: incomplete"), "{text}");
    }

    #[test]
    fn text_is_escaped() {
        let line = command("error", "100%: a, b\n::error::", "c: d, e\r\n::error::%0A");
        assert_eq!(line, "::error title=100%25%3A a%2C b%0A%3A%3Aerror%3A%3A::c: d, e%0D%0A::error::%250A\n");
    }
}
