#![allow(clippy::unwrap_used)]

use std::path::Path;

use crdible_spec::Catalogue;
use proptest::prelude::*;
use rstest::rstest;

use super::{KUBE_APISERVER, KnownFailures, Subject, TargetRelease, UnusableKnown};
use crate::sample::{KNOWN, catalogue, known, signature, today};

#[test]
fn all_fields_of_an_entry_are_read() {
    let known = known(KNOWN);
    let [first, _, last] = known.entries() else { panic!("three entries: {known:?}") };
    assert_eq!(first.subject, Subject::Requirement("DEFAULT-001".parse().unwrap()));
    assert_eq!(first.releases, ["1.35", "1.36"]);
    assert_eq!(first.issue.as_deref(), Some("https://issues.example/7"));
    assert_eq!((first.line, last.line), (2, 13));
    assert_eq!(last.subject, Subject::Signature("prune-undeclared:*".to_owned()));
    assert_eq!(last.expires, Some("2026-06-30".parse().unwrap()));
    assert!(self::known("").entries().is_empty());
}

#[test]
fn an_entry_without_releases_applies_to_all() {
    let known = known("[[known]]\nsignature = \"*\"\nreason = \"r\"\n");
    assert!(["1.33", "1.37"].iter().all(|minor| known.entries()[0].holds_at(&TargetRelease::new(minor, None))));
}

fn of_baseline() -> TargetRelease {
    TargetRelease::new("1.36", Some("v1.36.3"))
}

/// An entry for a patch release applies to no other, nor to a target that does not say which one it is.
#[rstest]
#[case::the_patch_release(&["1.34.0"], "1.34", Some("v1.34.0"), true)]
#[case::one_of_several(&["1.34.0", "1.34.1"], "1.34", Some("v1.34.1"), true)]
#[case::a_fork(&["1.34.0"], "1.34", Some("v1.34.0-fork.1"), true)]
#[case::another_patch_release(&["1.34.0"], "1.34", Some("v1.34.1"), false)]
#[case::a_longer_number(&["1.34.1"], "1.34", Some("v1.34.10"), false)]
#[case::a_shorter_number(&["1.34.10"], "1.34", Some("v1.34.1"), false)]
#[case::no_patch_release(&["1.34.0"], "1.34", Some("1.34"), false)]
#[case::no_version(&["1.34.0"], "1.34", None, false)]
#[case::judged_by_another_minor(&["1.34.0"], "1.36", Some("v1.34.0"), false)]
#[case::emulating_another_minor(&["1.34.0"], "1.34", Some("v1.36.0"), false)]
#[case::the_minor(&["1.34"], "1.34", Some("v1.34.7"), true)]
#[case::the_minor_without_version(&["1.34"], "1.34", None, true)]
fn entries_apply_to_minors_or_patch_releases(
    #[case] releases: &[&str],
    #[case] minor: &str,
    #[case] version: Option<&str>,
    #[case] expected: bool,
) {
    let known = known(&format!("[[known]]\nsignature = \"*\"\nreason = \"r\"\nreleases = {releases:?}\n"));
    assert_eq!(known.entries()[0].holds_at(&TargetRelease::new(minor, version)), expected);
}

const REST: &str = "releases = [\"1.36\"]\nreason = \"r\"\n";

#[rstest]
#[case::no_toml("[[known]]\nrequirement = \n", 2, "not TOML", "fix")]
#[case::unknown_table("[[unknown]]\nx = 1\n", 1, "`unknown`", "`[[known]]`")]
#[case::no_list("known = 1\n", 1, "not a list of tables", "`[[known]]`")]
#[case::no_table("known = [1]\n", 1, "not a table", "`[[known]]`")]
#[case::unknown_key(&format!("[[known]]\nrequirement = \"PRUNE-001\"\n{REST}expired = 1\n"), 5, "`expired`", "expires")]
#[case::neither(&format!("[[known]]\n{REST}"), 1, "neither", "add one")]
#[case::both(&format!("[[known]]\nrequirement = \"PRUNE-001\"\nsignature = \"x\"\n{REST}"), 1, "both", "keep one")]
#[case::unknown_requirement(&format!("[[known]]\nrequirement = \"PRUNE-01\"\n{REST}"), 2, "`PRUNE-01`", "PRUNE-001")]
#[case::far_requirement(&format!("[[known]]\nrequirement = \"hello\"\n{REST}"), 2, "`hello`", "such as")]
#[case::unknown_edge(&format!("[[known]]\nrequirement = \"PRUNE-001/e3\"\n{REST}"), 2, "`PRUNE-001/e3`", "e1 to e2")]
#[case::no_edges(&format!("[[known]]\nrequirement = \"PRUNE-002/e1\"\n{REST}"), 2, "`PRUNE-002/e1`", "no edges")]
#[case::no_string(&format!("[[known]]\nrequirement = 7\n{REST}"), 2, "integer", "quotes")]
#[case::empty(&format!("[[known]]\nsignature = \" \"\n{REST}"), 2, "empty", "remove")]
#[case::no_reason("[[known]]\nsignature = \"x\"\nreleases = [\"1.36\"]\n", 1, "no `reason`", "add")]
#[case::empty_releases("[[known]]\nsignature = \"x\"\nreason = \"r\"\nreleases = []\n", 4, "empty", "1.36")]
#[case::bad_release("[[known]]\nsignature = \"x\"\nreason = \"r\"\nreleases = [\"v1.36\"]\n", 4, "minor", "1.36")]
#[case::bad_patch("[[known]]\nsignature = \"x\"\nreason = \"r\"\nreleases = [\"1.34.x\"]\n", 4, "patch", "1.36")]
#[case::number_release("[[known]]\nsignature = \"x\"\nreason = \"r\"\nreleases = [1.36]\n", 4, "minor", "1.36")]
#[case::bad_date(&format!("[[known]]\nsignature = \"x\"\n{REST}expires = \"2027-02-30\"\n"), 5, "not a date", "2027")]
#[case::date_with_time(&format!("[[known]]\nsignature = \"x\"\n{REST}expires = 2027-02-03T10:00:00Z\n"), 5, "not a date", "2027")]
fn errors_are_specific(#[case] text: &str, #[case] line: usize, #[case] what: &str, #[case] hint: &str) {
    let errors = KnownFailures::parse(text, "known.toml", &catalogue()).unwrap_err();
    let error = &errors[0];
    assert_eq!((errors.len(), error.line), (1, line), "{errors:?}");
    assert!(error.what.contains(what), "{error}");
    assert!(error.hint.contains(hint), "{error}");
    assert!(error.to_string().starts_with(&format!("known.toml:{line}: ")), "{error}");
}

#[test]
fn all_mistakes_are_reported_at_once_in_file_order() {
    let text = "[[known]]\nreason = 1\nmood = 2\n\n[[known]]\nrequirement = \"X\"\nreleases = []\n";
    let errors = KnownFailures::parse(text, "f", &catalogue()).unwrap_err();
    let lines: Vec<usize> = errors.iter().map(|error| error.line).collect();
    assert_eq!(lines, [1, 2, 3, 5, 6, 7], "{errors:#?}");
}

#[test]
fn a_place_is_a_file_or_the_name_of_what_is_built_in() {
    let of_place = |place: &str| KnownFailures::of_place(Path::new(place), Catalogue::embedded());
    let built_in = KnownFailures::of_kube_apiserver(Catalogue::embedded()).unwrap();
    assert!(!built_in.entries().is_empty());
    assert_eq!(of_place(KUBE_APISERVER).unwrap(), built_in);
    assert_eq!(of_place("../upstream/known-defects.toml").unwrap(), built_in, "tests run in the folder of the crate");
    assert!(matches!(of_place("nothing.toml").unwrap_err(), UnusableKnown::File(_)));
    let UnusableKnown::Entries(errors) = of_place("Cargo.toml").unwrap_err() else { panic!("it can be read") };
    assert!(errors.iter().all(|error| error.file == "Cargo.toml"), "{errors:?}");
}

#[rstest]
#[case::requirement("requirement = \"PRUNE-001\"", &["PRUNE-001"], true)]
#[case::among_several("requirement = \"PRUNE-001\"", &["PRUNE-002", "PRUNE-001"], false)]
#[case::with_its_edges("requirement = \"PRUNE-001\"", &["PRUNE-001", "PRUNE-001/e1", "PRUNE-001/e2"], true)]
#[case::no_requirement("requirement = \"PRUNE-001\"", &[], false)]
#[case::other("requirement = \"PRUNE-001\"", &["PRUNE-002"], false)]
#[case::edge_of_requirement("requirement = \"PRUNE-001\"", &["PRUNE-001/e2"], true)]
#[case::requirement_of_edge("requirement = \"PRUNE-001/e2\"", &["PRUNE-001"], false)]
#[case::edge_among_others("requirement = \"PRUNE-001/e2\"", &["PRUNE-001/e1", "PRUNE-001/e2"], false)]
#[case::edge("requirement = \"PRUNE-001/e2\"", &["PRUNE-001/e2"], true)]
#[case::other_edge("requirement = \"PRUNE-001/e2\"", &["PRUNE-001/e1"], false)]
#[case::signature("signature = \"a:b:*\"", &[], true)]
#[case::other_signature("signature = \"a:b\"", &[], false)]
#[case::last_day("signature = \"*\"\nexpires = 2026-11-21", &[], true)]
#[case::day_after("signature = \"*\"\nexpires = 2026-11-20", &[], false)]
fn failures_are_matched(#[case] keys: &str, #[case] requirements: &[&str], #[case] expected: bool) {
    let known = known(&format!("[[known]]\n{keys}\n{REST}"));
    let requirements: Vec<String> = requirements.iter().map(|&reference| reference.to_owned()).collect();
    let failed = signature("a", "b", "c", "d");
    assert_eq!(known.matches(&requirements, &failed, &of_baseline(), today()).is_some(), expected);
    assert!(
        known.matches(&requirements, &failed, &TargetRelease::new("1.35", None), today()).is_none(),
        "another release"
    );
}

#[rstest]
#[case::both(&[("requirement", "PRUNE-002"), ("requirement", "PRUNE-001")], Some(vec![1, 0]))]
#[case::one_is_not_needed(
    &[("requirement", "DEFAULT-001"), ("requirement", "PRUNE-001"), ("requirement", "PRUNE-002")], Some(vec![1, 2]))]
#[case::a_signature_is_enough(&[("requirement", "PRUNE-001"), ("signature", "a:*")], Some(vec![1]))]
#[case::a_signature_covers_no_requirement(&[("requirement", "PRUNE-001"), ("signature", "b:*")], None)]
#[case::an_edge_is_not_its_requirement(&[("requirement", "PRUNE-001/e1"), ("requirement", "PRUNE-002")], None)]
fn entries_cover_together(#[case] entries: &[(&str, &str)], #[case] expected: Option<Vec<usize>>) {
    let entries: Vec<String> =
        entries.iter().map(|(key, subject)| format!("[[known]]\n{key} = \"{subject}\"\n{REST}")).collect();
    let known = known(&entries.concat());
    let requirements = ["PRUNE-001", "PRUNE-001/e1", "PRUNE-002"].map(str::to_owned);
    let matched = known.matches(&requirements, &signature("a", "b", "", ""), &of_baseline(), today());
    let expected: Option<Vec<_>> = expected.map(|places| places.iter().map(|&at| &known.entries()[at]).collect());
    assert_eq!(matched, expected);
}

#[rstest]
#[case::requirement("requirement = \"PRUNE-001\"", "capability-pruning:capability:content:unexpected", false)]
#[case::signature("signature = \"capability-pruning:*\"", "capability-pruning:capability::unable", true)]
#[case::of_a_property("requirement = \"PRUNE-001\"", "prune-capability:capability::present", true)]
#[case::another_check("requirement = \"PRUNE-001\"", "capability-pruning:nothing-stored::present", false)]
fn a_missing_capability_is_known_by_its_signature_only(
    #[case] subject: &str,
    #[case] signature: &str,
    #[case] expected: bool,
) {
    let known = known(&format!("[[known]]\n{subject}\n{REST}"));
    assert_eq!(
        known.matches(&["PRUNE-001".to_owned()], &signature.parse().unwrap(), &of_baseline(), today()).is_some(),
        expected
    );
}

proptest! {
    #[test]
    fn no_text_makes_the_parser_panic(text in "(\\[\\[known\\]\\]\n)?((requirement|releases|expires|reason|known)( = | )[\"\\[\\]0-9.éa-]{0,8}\n?){0,5}") {
        let _ = KnownFailures::parse(&text, "f", &catalogue());
    }
}
