//! `crdible explain`.

mod counterexample;

use std::{fmt::Write as _, path::Path};

use clap::Args;
use crdible_reports::ExitCode as Code;
use crdible_semantics::release::Version;
use crdible_spec::{Catalogue, Defect, Reference, Requirement, Since};

use crate::{error::CliError, flags::similar_requirements, output};
use crdible::{
    doctor::unknown_release_remark,
    properties::{self, exclusions},
};

/// What to explain.
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// ID of a requirement (PRUNE-004), of one of its edge cases (PRUNE-004/e2), or of a property; or the file of a
    /// counterexample
    #[arg(value_name = "ID|FILE")]
    id: String,
    /// Only what this Kubernetes release promises, such as 1.34
    #[arg(long, value_name = "MINOR")]
    release: Option<Version>,
}

pub(crate) async fn explain(arguments: &ExplainArgs) -> Result<u8, CliError> {
    if let Some(property) = properties::find(&arguments.id) {
        if arguments.release.is_some() {
            return Err(CliError::usage(format!("--release is for requirements; `{}` is a property", property.id)));
        }
        output::result(&of_property(property));
        return Ok(Code::SUCCESS);
    }
    let catalogue = Catalogue::embedded();
    let wanted = arguments.id.to_ascii_uppercase().replace("/E", "/e");
    let reference = wanted.parse::<Reference>().ok().filter(|reference| catalogue.resolve(reference).is_some());
    match reference.and_then(|reference| catalogue.get(reference.requirement)) {
        Some(requirement) => {
            if let Some(remark) = arguments.release.and_then(unknown_release_remark) {
                output::warn(&remark);
            }
            output::result(&of_requirement(requirement, arguments.release));
            Ok(Code::SUCCESS)
        }
        None if is_file(&arguments.id) => {
            if arguments.release.is_some() {
                let what = format!("--release is for requirements; {} names its own release", arguments.id);
                return Err(CliError::usage(what));
            }
            counterexample::explain(Path::new(&arguments.id)).await
        }
        None => {
            let similar = similar_requirements(&wanted);
            Err(CliError::usage(format!(
                "`{}` is neither a requirement nor a property, nor a file{similar}",
                arguments.id
            )))
        }
    }
}

/// Whether a file is meant, even if it is not there.
fn is_file(text: &str) -> bool {
    let path = Path::new(text);
    path.is_file() || path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

fn of_property(property: &properties::Property) -> String {
    let mut text = format!("{}\n\n  {}\n\nasserts:\n", property.id, property.title);
    for reference in property.asserts {
        let parsed = reference.parse::<Reference>().ok();
        let title = parsed
            .and_then(|parsed| Catalogue::embedded().get(parsed.requirement))
            .map_or("", |requirement| &requirement.title);
        let _ = writeln!(text, "  {reference:14} {title}");
    }
    let needs: Vec<String> = property.needs.iter().map(ToString::to_string).collect();
    let _ = writeln!(text, "\nneeds: {}", if needs.is_empty() { "nothing".to_owned() } else { needs.join(", ") });
    let edges: Vec<&str> = property.edges.iter().map(|edge| edge.name).collect();
    let _ = writeln!(text, "hand-made cases: {}", if edges.is_empty() { "none".to_owned() } else { edges.join(", ") });
    let _ = writeln!(text, "run only this property: crdible run --property {}", property.id);
    text
}

fn of_requirement(requirement: &Requirement, version: Option<Version>) -> String {
    let release = version.map(Version::nearest);
    let is_promised = |since: &Since| release.is_none_or(|release| since.holds_in(release.minor()));
    let id = requirement.id.to_string();
    let mut text = format!(
        "{id} — {} [{}]\n\n  {}\n",
        requirement.title,
        requirement.level,
        requirement.text.replace('\n', "\n  ")
    );
    if let Some(invariant) = &requirement.invariant {
        let covers: Vec<String> = invariant.covers.iter().map(ToString::to_string).collect();
        let _ =
            write!(text, "\n  do: {}\n  check: {}\n  covers: {}\n", invariant.act, invariant.check, covers.join(", "));
    }
    if let Some(release) = release.filter(|_| !is_promised(&requirement.since)) {
        let _ = writeln!(text, "\n  not promised by Kubernetes {release}");
    }
    for edge in &requirement.edges {
        if let Some(release) = release.filter(|_| !is_promised(&edge.since)) {
            let _ = writeln!(text, "\n  edge {id}/e{}: not promised by Kubernetes {release}", edge.number);
            continue;
        }
        let _ = writeln!(text, "\n  edge {id}/e{} [{}]: {}", edge.number, edge.level, edge.text);
        let checks = checked_by(&format!("{id}/e{}", edge.number));
        if !checks.is_empty() {
            let _ = writeln!(text, "    checked by {}", checks.join(", "));
        }
    }
    let patch = version.filter(|version| version.known().is_some()).and_then(Version::patch);
    let is_seen = |defect: &&Defect| release.is_none_or(|release| defect.is_seen_in(release.minor(), patch));
    for defect in requirement.defects.iter().filter(is_seen) {
        let _ = writeln!(text, "\n  known defect of kube-apiserver {}: {}", defect.releases(), defect.text);
    }
    let _ = writeln!(text, "\nsince: {}", requirement.since);
    if let Some(source) = &requirement.source {
        let _ = writeln!(text, "source: {source}");
        for (name, address) in crdible_spec::addresses(source) {
            let _ = writeln!(text, "  {name} {address}");
        }
    }
    let checks = checked_by(&id);
    if checks.is_empty() {
        let reason = exclusions::reason(&id).unwrap_or("not asserted yet");
        let _ = writeln!(text, "checked by: no property ({reason})");
    } else {
        let _ = writeln!(text, "checked by: {}", checks.join(", "));
    }
    text
}

fn checked_by(reference: &str) -> Vec<&'static str> {
    properties::all().filter(|property| property.asserts.contains(&reference)).map(|property| property.id).collect()
}
