#![allow(clippy::unwrap_used)]

use super::{html, with_code};
use crate::journal::Journal;
use crate::model::{RequirementResult, Status};
use crate::sample::{KNOWN, catalogue, clean, eventful, fold, many_failures};

fn page(journals: &[Journal], known: &str) -> String {
    let reports: Vec<_> = journals.iter().map(|journal| fold(journal, known)).collect();
    html(&reports, &catalogue()).unwrap()
}

/// Style and script are files of their own: they are not repeated in the snapshot.
fn body(page: &str) -> String {
    let (_, body) = page.split_once("<body>").unwrap();
    let (body, _) = body.split_once("<script>").unwrap();
    let lines = body.lines().map(str::trim_end).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn an_eventful_run() {
    insta::assert_snapshot!(body(&page(&[eventful()], KNOWN)));
}

#[test]
fn three_runs_side_by_side() {
    insta::assert_snapshot!(body(&page(&[clean(), eventful(), Journal { footer: None, ..clean() }], "")));
}

#[test]
fn it_loads_nothing_and_runs_only_its_own_script() {
    let text = page(&[eventful()], KNOWN);
    let (_, policy) = text.split_once("content=\"default-src 'none'; style-src 'sha256-").unwrap();
    assert!(policy.split('"').next().unwrap().ends_with("base-uri 'none'; form-action 'none'"));
    for attribute in [" src=", " srcset=", " style=", " onclick=", "@import", "url(", "<link", "<img", "<iframe"] {
        assert!(!text.contains(attribute), "{attribute}");
    }
    for address in text.split(" href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(address.starts_with('#'), "{address}");
    }
    assert_eq!(text.matches("<script").count(), 1);
}

#[test]
fn every_link_leads_to_a_place_on_the_page() {
    for text in [page(&[eventful()], KNOWN), page(&[clean(), eventful()], "")] {
        let ids: Vec<&str> = text.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
        for address in text.split(" href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            assert!(ids.contains(&address), "{address}");
        }
        let mut unique = ids.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), ids.len(), "no ID occurs twice");
    }
}

#[test]
fn the_place_of_a_failure_is_marked() {
    let text = page(&[eventful()], "");
    assert!(text.contains("<mark>    x: &quot;yes&quot;\n</mark>"), "{text}");
}

/// 700 requirements with long texts, and 50 failures with large examples.
#[test]
fn a_large_report_is_less_than_a_mebibyte() {
    let mut journal = many_failures(50);
    for finding in &mut journal.findings {
        let field =
            |number: u32| (format!("field-{number:05}"), serde_json::json!({"type": "string", "maxLength": 12}));
        finding.minimal.objects[0]["spec"] = (0..2000).map(field).collect();
    }
    let mut report = fold(&journal, "");
    let first = report.requirements[0].clone();
    for number in 0..700 {
        let id = if number % 2 == 0 { "PRUNE-001".to_owned() } else { format!("CRDVAL-{number}") };
        let properties = (0..4).map(|of| format!("crdval-{number}-some-property-{of}")).collect();
        let title = "a title of as many words as the longer ones have".to_owned();
        let extended = RequirementResult { id: format!("{id}{number}"), title, properties, ..first.clone() };
        report.requirements.push(extended);
    }
    let text = html(&[report], &catalogue()).unwrap();
    assert!(text.len() < 1 << 20, "{} bytes", text.len());
}

#[test]
fn of_many_failures_the_first_are_shown_in_full() {
    let text = page(&[many_failures(60)], "");
    assert_eq!(text.matches("<details class=\"failure bad\"").count(), 50);
    assert!(text.contains("10 more; the report in JSON has them in full"), "{text}");
    assert!(fold(&many_failures(60), "").requirements.iter().any(|one| one.status == Status::Fail));
}

#[test]
fn code_of_the_specification() {
    assert_eq!(with_code("a `b<c>` d & `e`").to_string(), "a <code>b&lt;c&gt;</code> d &amp; <code>e</code>");
    assert_eq!(with_code("a ` b").to_string(), "a ` b");
}
