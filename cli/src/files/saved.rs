//! Reports, comparisons and sums of soaks in files.

use std::{fs::File, path::Path};

use crdible_reports::{
    Report,
    across::{Column, Saved, SavedError},
};
use crdible_spec::Catalogue;

use crate::{error::CliError, explanations::explained};

/// The report in a file: a report as JSON, or the journal of a run, even of one that was killed.
pub(crate) fn read(path: &Path, known: &crdible_reports::KnownFailures) -> Result<Report, CliError> {
    report_of(read_any(path, known)?, path)
}

/// The reports in several files. Runs of servers that claim the same version are distinguished by their files.
pub(crate) fn read_several(paths: &[&Path], known: &crdible_reports::KnownFailures) -> Result<Vec<Report>, CliError> {
    let mut reports = paths.iter().map(|path| read(path, known)).collect::<Result<Vec<_>, _>>()?;
    let names: Vec<String> = reports.iter().map(|report| Column::of(report).name).collect();
    for (at, report) in reports.iter_mut().enumerate() {
        let name = &names[at];
        if names.iter().filter(|other| *other == name).count() > 1 {
            report.implementation = Some(format!("{} {name}", paths[at].display()));
        }
    }
    Ok(reports)
}

/// The report of a run; anything else that is rendered is an error.
pub(crate) fn report_of(saved: Saved, path: &Path) -> Result<Report, CliError> {
    let source = match saved {
        Saved::Run(report) => return Ok(*report),
        Saved::Soak(_) => SavedError::Soak,
        _ => SavedError::Comparison,
    };
    Err(CliError::Saved { path: path.to_owned(), source })
}

/// The report, the comparison or the sum of a soak in a file.
pub(crate) fn read_any(path: &Path, known: &crdible_reports::KnownFailures) -> Result<Saved, CliError> {
    let file = File::open(path).map_err(CliError::cannot("read", path))?;
    let input = std::io::BufReader::with_capacity(1 << 16, file);
    let today = jiff::Zoned::now().date();
    let mut saved = crdible_reports::across::read_any(input, known, Catalogue::embedded(), today)
        .map_err(|source| CliError::Saved { path: path.to_owned(), source })?;
    if let Saved::Run(report) = &mut saved {
        report.implementation = crate::files::implementation::implementation_of(path);
    }
    Ok(match saved {
        Saved::Run(report) => Saved::Run(Box::new(explained(*report))),
        other => other,
    })
}
