//! `crdible list`.

use std::fmt::Write as _;

use clap::Args;
use crdible_reports::ExitCode as Code;
use crdible_spec::{
    Catalogue, Reference,
    coverage::{Coverage, Exclusion, coverage},
};
use serde_json::json;

use crate::{
    error::CliError,
    flags::{OutputFormat, Profile, selection},
    output,
};
use crdible::{
    profile::CORE,
    properties::{self, Property, exclusions},
};

/// What to list.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Show the coverage of the specification instead: how much of each chapter is asserted, what is not, and why
    #[arg(long)]
    coverage: bool,
    /// Only properties whose ID matches (`*` and `?` are wildcards)
    #[arg(long, value_name = "GLOB", num_args = 1.., conflicts_with = "coverage")]
    property: Vec<String>,
    /// Only properties that assert a matching requirement or edge
    #[arg(long, value_name = "GLOB", num_args = 1.., conflicts_with = "coverage")]
    requirement: Vec<String>,
    /// Only properties of this profile: core, full, quirks, or the path of a TOML file
    #[arg(long, value_name = "NAME|FILE", default_value = CORE, conflicts_with = "coverage")]
    profile: String,
    /// Output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = OutputFormat::Human)]
    output: OutputFormat,
}

pub(crate) fn list(arguments: &ListArgs) -> Result<u8, CliError> {
    let text = if arguments.coverage {
        let coverage = covered();
        match arguments.output {
            OutputFormat::Human => coverage_for_people(&coverage),
            OutputFormat::Json => serde_json::to_string_pretty(&coverage_as_data(&coverage)).unwrap_or_default(),
        }
    } else {
        let profile = Profile::find(&arguments.profile)?;
        let selected = selection::select_properties(&profile, &arguments.property, &arguments.requirement)?;
        match arguments.output {
            OutputFormat::Human => for_people(&selected),
            OutputFormat::Json => serde_json::to_string_pretty(&as_data(&selected)).unwrap_or_default(),
        }
    };
    output::result(&text);
    Ok(Code::SUCCESS)
}

fn for_people(selected: &[&Property]) -> String {
    let width = selected.iter().map(|property| property.id.len()).max().unwrap_or(0);
    let mut text = String::new();
    for property in selected {
        let _ = writeln!(text, "{:width$}  {}", property.id, property.title);
    }
    let _ = writeln!(text, "\n{} properties; `crdible explain ID` shows one in detail", selected.len());
    text
}

fn as_data(selected: &[&Property]) -> serde_json::Value {
    let entry =
        |property: &&Property| json!({ "id": property.id, "title": property.title, "requirements": property.asserts });
    json!(selected.iter().map(entry).collect::<Vec<_>>())
}

/// How much of the specification the properties assert.
fn covered() -> Coverage {
    let asserted = properties::all()
        .flat_map(|property| property.asserts)
        .filter_map(|reference| reference.parse::<Reference>().ok());
    let exclusions = exclusions::all().filter_map(|(scope, reason)| Some(Exclusion::new(scope.parse().ok()?, reason)));
    coverage(Catalogue::embedded(), asserted, exclusions)
}

fn coverage_for_people(coverage: &Coverage) -> String {
    let mut text = String::from("chapter                                    MUST items      their edges\n");
    for chapter in &coverage.chapters {
        let title: String = chapter.title.chars().take(36).collect();
        let _ = writeln!(
            text,
            "{:>2}  {title:36}  {:>4} of {:<4}   {:>4} of {:<4}",
            chapter.number, chapter.items.asserted, chapter.items.must, chapter.edges.asserted, chapter.edges.must
        );
    }
    for chapter in &coverage.chapters {
        if !chapter.left_out.is_empty() {
            let _ = writeln!(text, "\nnot asserted in chapter {}, with the reason:", chapter.number);
            let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
            for left_out in &chapter.left_out {
                let reference = left_out.reference.to_string();
                match reasons.iter_mut().find(|(reason, _)| *reason == left_out.reason) {
                    Some((_, references)) => references.push(reference),
                    None => reasons.push((&left_out.reason, vec![reference])),
                }
            }
            for (reason, references) in reasons {
                let _ = writeln!(text, "  {reason}:\n    {}", references.join(" "));
            }
        }
    }
    for chapter in
        coverage.chapters.iter().filter(|chapter| !chapter.unaccounted.is_empty() && chapter.items.asserted > 0)
    {
        let references: Vec<String> = chapter.unaccounted.iter().map(ToString::to_string).collect();
        let _ = writeln!(text, "\nnot asserted yet in chapter {}: {}", chapter.number, references.join(" "));
    }
    text
}

fn coverage_as_data(coverage: &Coverage) -> serde_json::Value {
    let chapters = coverage.chapters.iter().map(|chapter| {
        json!({
            "chapter": chapter.number,
            "title": chapter.title,
            "must": { "asserted": chapter.items.asserted, "total": chapter.items.must },
            "edges": { "asserted": chapter.edges.asserted, "total": chapter.edges.must },
            "leftOut": chapter.left_out.iter()
                .map(|left_out| json!({ "requirement": left_out.reference.to_string(), "reason": left_out.reason }))
                .collect::<Vec<_>>(),
            "notAssertedYet": chapter.unaccounted.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    });
    json!(chapters.collect::<Vec<_>>())
}
