//! Who is to blame for a failure: what fails on the embedded server is a defect of crdible.

use crate::journal::{Target, TargetKind};
use crate::model::Report;
use crate::soak::Soak;

/// Where defects of crdible are reported.
pub const ISSUES: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/issues");

/// A line that says so, if a run found a failure on the embedded server that is not known; it names the file to report.
pub fn blame(report: &Report) -> Option<String> {
    let path = report.failures.iter().find_map(|found| found.replay.as_ref()?.path.as_deref());
    report.failures.first().and_then(|_| line(&report.target, path, report.seed))
}

/// The same of a soak.
pub fn soak_blame(soak: &Soak) -> Option<String> {
    let mut found = soak.failures.iter().chain(&soak.unconfirmed);
    let first = found.clone().next()?;
    let shown = found.find(|found| found.path.is_some()).unwrap_or(first);
    line(&soak.target, shown.path.as_deref(), shown.seed)
}

fn line(target: &Target, path: Option<&str>, seed: u64) -> Option<String> {
    let file = path.map_or_else(|| format!("this output (seed {seed})"), |path| format!("the file {path}"));
    (target.kind == TargetKind::Embedded).then(|| {
        format!(
            "The embedded server is part of crdible, so this is a defect of crdible \
             itself: please report it with {file} at {ISSUES}"
        )
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::journal::{Journal, TargetKind};
    use crate::render::{Style, human, markdown};
    use crate::sample::{KNOWN, catalogue, clean, eventful, fold};

    const DEFECT: &str = "this is a defect of crdible itself: please report it with ";

    fn on(kind: TargetKind, mut journal: Journal) -> Journal {
        journal.header.target.kind = kind;
        journal
    }

    #[test]
    fn a_failure_on_the_embedded_server_is_a_defect_of_crdible() {
        let report = fold(&on(TargetKind::Embedded, eventful()), KNOWN);
        let path = report.failures.iter().find_map(|found| found.replay.as_ref().unwrap().path.clone()).unwrap();
        let expected = format!("{DEFECT}the file {path} at https://github.com/crdible/crdible/issues");
        let text = human(&report, &catalogue(), Style::default());
        assert!(text.lines().last().unwrap().ends_with(&expected), "it is the last line: {text}");
        assert!(markdown(&report, &catalogue()).contains(DEFECT));
    }

    #[test]
    fn what_was_not_confirmed_is_one_too_and_has_no_file() {
        let mut journal = on(TargetKind::Embedded, eventful());
        journal.findings.clear();
        let text = human(&fold(&journal, ""), &catalogue(), Style::default());
        assert!(text.lines().last().unwrap().contains(&format!("{DEFECT}this output (seed 42) at ")), "{text}");
    }

    #[test]
    fn nothing_else_is() {
        for (kind, journal) in [
            (TargetKind::Server, eventful()),
            (TargetKind::Launched, eventful()),
            (TargetKind::Converter, eventful()),
            (TargetKind::Embedded, clean()),
        ] {
            let report = fold(&on(kind, journal), KNOWN);
            assert!(!human(&report, &catalogue(), Style::default()).contains("defect of crdible"), "{kind:?}");
            assert!(!markdown(&report, &catalogue()).contains("defect of crdible"), "{kind:?}");
        }
    }
}
