//! What an entry of a report is. This module alone decides it; the renderings print what it says.
//!
//! 1. Failures with the same symptom are one entry. If there are many, those whose symptoms begin alike are, so that a
//!    server on which everything fails gets a list of areas and not one of details. What a symptom and its area are
//!    says `symptom` of the engine: outside of schemas the section of the specification, inside them what the server
//!    does wrong. So what follows from another failure is in the entry of that failure.
//! 2. The entry shows one of its failures: one that counts against the server, of the strongest level, a missing
//!    capability before what follows from it. Of the others it is one of the requirement or keyword that most failures
//!    are about, and of these the plainest: with the fewest bytes to read.
//! 3. The others are listed below it: first one for each requirement or keyword, with a count for each, then the rest.
//! 4. Entries that explain most come first, also by what was not judged because of them.
//! 5. A failure without a symptom stands alone.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crdible_journal::symptom::{SEPARATOR, VALUE_KEYWORDS};
use crdible_spec::Level;
use serde_json::Value;

use crate::Signature;
use crate::journal::{Body, Minimal};
use crate::model::{AlsoSeen, EvidenceKind, ReportedFinding, Share};

/// The most groups for each number of parts of the symptoms. If there are more groups, one part less counts: a few
/// details can be read one by one, many only by their area.
const MOST: [(usize, usize); 2] = [(3, 4), (2, 12)];

/// Further keywords that a failure may be about: those of definitions, and those that decide together with another.
/// Others, such as `items` and `default`, only say where the value is.
const FURTHER_KEYWORDS: [&str; 7] = [
    "exclusiveMaximum",
    "exclusiveMinimum",
    "required",
    "type",
    "uniqueItems",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-validations",
];

/// How many bytes a request counts for a reader, besides those of its body.
const BYTES_OF_A_REQUEST: usize = 80;

/// The entries of these findings, none of which is a known failure, in the order of the report. `skipped` is the number
/// of properties that were not judged because of what an entry shows.
pub(super) fn entries(
    findings: Vec<ReportedFinding>,
    skipped: &dyn Fn(&ReportedFinding) -> u64,
) -> Vec<ReportedFinding> {
    let (mut entries, with_symptom): (Vec<ReportedFinding>, Vec<ReportedFinding>) =
        findings.into_iter().partition(|finding| finding.symptom.is_empty());
    let mut parts =
        with_symptom.iter().map(|finding| finding.symptom.split(SEPARATOR).count()).max().unwrap_or(0).min(3);
    let groups = loop {
        let groups = grouped(&with_symptom, parts);
        let most = MOST.iter().find(|(of, _)| *of == parts).map_or(usize::MAX, |(_, most)| *most);
        if parts <= 1 || groups.len() <= most {
            break groups;
        }
        parts -= 1;
    };
    entries.extend(groups.into_values().flat_map(merged));
    entries.sort_by_cached_key(|entry| {
        let is_uncertain = entry.evidence == EvidenceKind::Unconfirmed;
        let explained = entry.explains() + skipped(entry);
        (is_uncertain, entry.level, Reverse(explained), entry.failure.signature.clone())
    });
    entries
}

/// The findings by this many parts of their symptoms.
fn grouped(findings: &[ReportedFinding], parts: usize) -> BTreeMap<String, Vec<ReportedFinding>> {
    let mut groups: BTreeMap<String, Vec<ReportedFinding>> = BTreeMap::new();
    for finding in findings {
        let beginning = finding.symptom.split(SEPARATOR).take(parts).collect::<Vec<_>>().join(SEPARATOR);
        groups.entry(beginning).or_default().push(finding.clone());
    }
    groups
}

/// The clearest finding of a group, which lists the others.
///
/// A finding that counts against the server is clearer than any that does not. If one that does not is of a stronger
/// level than all that do, it is an entry of its own: in the list of a weaker one it would be missing from the verdict.
fn merged(mut group: Vec<ReportedFinding>) -> Vec<ReportedFinding> {
    let about = counted(group.iter());
    group.sort_by_cached_key(|finding| clarity(finding, &about));
    let mut entries: Vec<(ReportedFinding, Vec<ReportedFinding>)> = Vec::new();
    for finding in group {
        match entries.iter_mut().find(|(entry, _)| entry.level <= finding.level) {
            Some((_, others)) => others.push(finding),
            None => entries.push((finding, Vec::new())),
        }
    }
    let entry = |(entry, others): (ReportedFinding, Vec<ReportedFinding>)| {
        let is_of_one_symptom = others.iter().all(|other| other.symptom == entry.symptom);
        let counts = counted(std::iter::once(&entry).chain(&others));
        let shares = if is_of_one_symptom { Vec::new() } else { shares(&counts) };
        let mut listed = BTreeSet::from([about_what(&entry)]);
        let (first, rest): (Vec<_>, Vec<_>) = others.iter().partition(|finding| listed.insert(about_what(finding)));
        let also = first.into_iter().chain(rest).map(AlsoSeen::of).collect();
        ReportedFinding { also, shares, ..entry }
    };
    entries.into_iter().map(entry).collect()
}

/// How many of these findings are about each requirement or keyword.
fn counted<'a>(findings: impl Iterator<Item = &'a ReportedFinding>) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for finding in findings {
        *counts.entry(about_what(finding)).or_default() += 1;
    }
    counts
}

/// The counts of an entry, the largest first; none if all are about one thing.
fn shares(counts: &BTreeMap<String, u64>) -> Vec<Share> {
    if counts.len() < 2 {
        return Vec::new();
    }
    let mut shares: Vec<Share> = counts.iter().map(|(of, &failures)| Share { of: of.clone(), failures }).collect();
    shares.sort_by_key(|share| Reverse(share.failures));
    shares
}

/// What a finding is about within its area: the requirement, or the keyword of a schema. If several keywords, or none,
/// have to do with the place, it is what the name of the property says.
fn about_what(finding: &ReportedFinding) -> String {
    if let Some(requirement) = finding.requirement() {
        return requirement.to_owned();
    }
    let is_keyword = |word: &&str| VALUE_KEYWORDS.contains(word) || FURTHER_KEYWORDS.contains(word);
    let keywords: Vec<&str> = finding.detail().split(' ').filter(is_keyword).collect();
    match keywords[..] {
        [keyword] if !finding.failure.signature.is_of_capability() => keyword.to_owned(),
        _ => words_of(&finding.failure.signature.property),
    }
}

/// `multiple of` of `value-010-multiple-of`.
fn words_of(property: &str) -> String {
    let is_number = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = property.split('-').collect();
    let is_head = |part: &&str| is_number(part) || *part == "capability";
    let from = parts.iter().position(is_head).map_or(0, |at| at + 1);
    let words = &parts[from.min(parts.len() - 1)..];
    words.join(" ")
}

/// The key that sorts the findings of a group, the clearest first. `about` counts what they are about.
fn clarity(
    finding: &ReportedFinding,
    about: &BTreeMap<String, u64>,
) -> (bool, Level, bool, EvidenceKind, bool, Reverse<u64>, bool, usize, Signature) {
    let signature = &finding.failure.signature;
    (
        !finding.is_settled(),
        finding.level,
        !signature.is_of_capability(),
        finding.evidence,
        // A property for a defect of one server is the least useful to the maintainer of another.
        signature.property.contains("-defect-"),
        Reverse(about.get(&about_what(finding)).copied().unwrap_or_default()),
        !finding.names_its_requirement(),
        size(&finding.minimal),
        signature.clone(),
    )
}

/// How much of an experiment there is to read, in bytes. What a create sends is among the documents, too.
fn size(minimal: &Minimal) -> usize {
    let of_documents = |documents: &[Value]| documents.iter().map(|document| document.to_string().len()).sum::<usize>();
    let bodies =
        minimal.requests.iter().filter(|request| request.method != "POST").map(|request| match &request.body {
            Some(Body::Text(text) | Body::Base64(text)) => text.len(),
            None => 0,
        });
    of_documents(&minimal.definitions)
        + of_documents(&minimal.objects)
        + bodies.sum::<usize>()
        + minimal.requests.len() * BYTES_OF_A_REQUEST
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{about_what, words_of};
    use crate::sample;

    #[rstest]
    #[case("value-010-multiple-of", "multiple of")]
    #[case("inv-022-yaml", "yaml")]
    #[case("prune-undeclared", "prune undeclared")]
    #[case("conv-001", "001")]
    #[case("capability-validation", "validation")]
    fn properties_in_words(#[case] property: &str, #[case] expected: &str) {
        assert_eq!(words_of(property), expected);
    }

    #[rstest]
    #[case::requirement("11.3 Update and patch / REST-034", "REST-034")]
    #[case::keyword("objects: what is invalid is accepted / TooLong items maxLength / write", "maxLength")]
    #[case::keyword_of_definitions(
        "definitions: what is invalid is accepted / Invalid schema required / write",
        "required"
    )]
    #[case::several("objects: what is invalid is accepted / Invalid maxLength minimum / write", "undeclared")]
    #[case::keyword_of_a_definition(
        "definitions: what is valid is rejected / Invalid schema pattern / write",
        "pattern"
    )]
    #[case::place("objects: metadata / metadata.labels / write, missing", "undeclared")]
    #[case::reason("discovery / missing / read", "undeclared")]
    #[case::act("objects: answers / write, status-500 / create objects", "undeclared")]
    #[case::none("objects: unknown fields / undeclared / write, unexpected", "undeclared")]
    fn what_a_finding_is_about(#[case] symptom: &str, #[case] expected: &str) {
        let signature = sample::signature("prune-001-undeclared", "c", "", "r");
        let found = sample::finding("prune-001-undeclared", 1, &["PRUNE-001"], &signature);
        let mut found = super::super::findings::alone(&found, &sample::catalogue()).expect("one finding");
        symptom.clone_into(&mut found.symptom);
        assert_eq!(about_what(&found), expected);
    }
}
