//! The evidence for the result of a requirement: what was sent to test it.

use std::collections::{BTreeMap, BTreeSet};

use crdible_spec::Catalogue;
use serde::Serialize;

use crate::fold::resolve;
use crate::journal::{Classes, Sent};
use crate::model::Report;
use crate::text::{grouped, plural};

/// The most keywords that are listed of a requirement.
const MOST_KEYWORDS: usize = 3;
/// The most missed classes that are listed of a keyword.
const MOST_MISSED: usize = 4;

/// What the properties of a requirement have sent in the first run.
#[derive(Debug, Serialize)]
pub(super) struct Evidence {
    /// Scenarios and schemas, in a few words.
    scenarios: String,
    /// The keywords that the requirement is about.
    keywords: Vec<Judged>,
}

/// The values that the whole run judged of a keyword.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Judged {
    name: String,
    /// Pairs of position and class of value that were judged.
    hit: usize,
    /// All such pairs.
    all: usize,
    /// Classes that were judged at no position.
    missed: String,
}

impl Evidence {
    /// The evidence; `None` if nothing was sent for it.
    pub(super) fn of(id: &str, report: &Report, catalogue: &Catalogue) -> Option<Self> {
        let requirement = report.requirements.iter().find(|requirement| requirement.id == id)?;
        let properties = report.properties.iter().filter(|property| requirement.properties.contains(&property.id));
        let (mut judged, mut discarded, mut errors) = (0, 0, 0);
        for property in properties {
            judged += property.passed + property.failed;
            discarded += property.discarded;
            errors += property.errors;
        }
        if judged + discarded + errors == 0 {
            return None;
        }
        let mut scenarios = plural(judged, "scenario");
        for (count, word) in [(discarded, "discarded"), (errors, "with errors")] {
            if count > 0 {
                scenarios.push_str(&format!(", {} {word}", grouped(count)));
            }
        }
        let schemas = requirement.properties.iter().filter_map(|property| report.sent.schemas.get(property)).sum();
        if schemas > 0 {
            scenarios.push_str(&format!(", {}", plural(schemas, "different schema")));
        }
        let text = resolve(catalogue, id).map_or("", |found| found.text());
        Some(Self { scenarios, keywords: keywords(text, &report.sent) })
    }
}

/// The keywords that a text names as code, with the classes of values that were judged of
/// them, at all positions and with all arguments.
fn keywords(text: &str, sent: &Sent) -> Vec<Judged> {
    let code: BTreeSet<&str> = text.split('`').skip(1).step_by(2).collect();
    let mut named: BTreeMap<&str, Vec<&Classes>> = BTreeMap::new();
    for (keyword, positions) in &sent.cells {
        let without_argument = keyword.split(": ").next().unwrap_or(keyword);
        let name = [keyword.as_str(), without_argument].into_iter().find(|name| code.contains(name));
        if let Some(name) = name {
            named.entry(name).or_default().extend(positions.values());
        }
    }
    named.into_iter().take(MOST_KEYWORDS).map(|(name, cells)| Judged::of(name, &cells)).collect()
}

impl Judged {
    fn of(name: &str, cells: &[&Classes]) -> Self {
        let hit: BTreeSet<&String> = cells.iter().flat_map(|classes| &classes.hit).collect();
        let nowhere: BTreeSet<&String> =
            cells.iter().flat_map(|classes| &classes.missed).filter(|class| !hit.contains(class)).collect();
        let shown: Vec<&str> = nowhere.into_iter().take(MOST_MISSED).map(String::as_str).collect();
        Self {
            name: name.to_owned(),
            hit: cells.iter().map(|classes| classes.hit.len()).sum(),
            all: cells.iter().map(|classes| classes.hit.len() + classes.missed.len()).sum(),
            missed: shown.join(", "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_of_a_text() {
        let classes = |hit: &[&str], missed: &[&str]| {
            let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
            Classes { hit: set(hit), missed: set(missed) }
        };
        let mut sent = Sent::default();
        for (keyword, position, found) in [
            ("maxLength", "top", classes(&["on bound"], &["empty", "null"])),
            ("maxLength", "items", classes(&["empty"], &["null", "on bound"])),
            ("minLength", "top", classes(&["on bound"], &[])),
            ("type: string", "top", classes(&["given"], &["null"])),
            ("type: object", "top", classes(&["given"], &[])),
        ] {
            sent.cells.entry(keyword.to_owned()).or_default().insert(position.to_owned(), found);
        }
        let found = keywords(
            "A text MUST have at most `maxLength` code points, whatever its `type` says about minLength.",
            &sent,
        );
        let judged =
            |name: &str, hit, all, missed: &str| Judged { name: name.to_owned(), hit, all, missed: missed.to_owned() };
        assert_eq!(found, [judged("maxLength", 2, 6, "null"), judged("type", 2, 3, "null")]);
        assert_eq!(keywords("only `type: object`", &sent), [judged("type: object", 1, 1, "")]);
    }
}
