//! Text of servers and users that tries to break a format is shown as text in every format.
#![allow(clippy::unwrap_used)]

use rstest::rstest;
use serde_json::json;

use super::{
    badge_json, badge_svg, comparison, comparison_html, comparison_junit, comparison_markdown, github, html, human,
    json, junit, markdown, sarif,
};
use crate::journal::{Body, Event, Journal, RequestHeader, ServerVersion};
use crate::model::{Operand, Report, RuleEvaluation, RuleOutcome, RulesOfFinding};
use crate::render::Style;
use crate::sample::{self, catalogue, eventful, fold};

const EVIL: &str = "<script>alert(1)</script><!-- ]]> --> \u{1b}[31mred\0\u{8}\u{202e}\u{ffff}\r\n::error::x\n``` | a \
                    | **b** [l](javascript:alert(1)) `` \
                    <img src=x onerror=alert(1)> \"'><i>&lt; {{ 7*7 }} {% raw %} @all";

/// A journal with this text wherever a server or a user can put some.
fn planted(text: &str) -> Journal {
    let mut journal = eventful();
    let own = || text.to_owned();
    let header = &mut journal.header;
    header.profile = own();
    header.run.command = own();
    header.run.id = own();
    header.target.address = own();
    header.target.version =
        Some(ServerVersion { git_version: own(), platform: Some(own()), ..ServerVersion::default() });
    for finding in &mut journal.findings {
        finding.failure.summary = own();
        finding.failure.requirements.push(own());
        finding.failure.signature.place = own();
        finding.failure.expected = json!({own(): own(), "causes": [{"field": own(), "reason": own()}]});
        finding.failure.actual = json!({own(): [own()]});
        finding.minimal.definitions[0]["spec"][text] = json!(own());
        finding.minimal.objects[0][text] = json!([own(), {own(): own()}]);
        let request = &mut finding.minimal.requests[0];
        request.path.push_str(text);
        request.headers.push(RequestHeader { name: own(), value: own() });
        request.body = Some(Body::Text(own()));
        finding.replay.command = own();
        finding.replay.path = Some(own());
    }
    // The other one has two answers that disagree, and a symptom.
    journal.findings[0].failure.between = Some(Box::new([own(), own()]));
    journal.findings[0].symptom = own();
    journal.events.push(Event::new(text, own()));
    journal.events.push(Event::new(Event::NOTE, own()));
    journal.events.push(Event::about("default-missing", Event::SKIPPED, own()));
    journal.plan.unsupported[0].reason = own();
    for case in journal.cases.iter_mut().filter(|case| case.detail.is_some()) {
        case.detail = Some(own());
    }
    journal
}

/// The report of such a run, with a known failure.
fn report(text: &str) -> Report {
    let known = "[[known]]\nsignature = \"default-missing*\"\nreason = \"REASON\"\nissue = \"ISSUE\"\n";
    let mut report = fold(&planted(text), known);
    // The cases name other signatures, which are failures that were not confirmed.
    assert_eq!((report.failures.len(), report.known.len()), (2, 2));
    let operand = |because| Operand {
        text: text.to_owned(),
        element: Some(text.to_owned()),
        value: text.to_owned(),
        because,
        left_out: 1,
    };
    let evaluation = RuleEvaluation {
        request: text.to_owned(),
        status: Some(201),
        version: text.to_owned(),
        field: text.to_owned(),
        rule: text.to_owned(),
        outcome: RuleOutcome::False,
        place: text.to_owned(),
        value: text.to_owned(),
        old_value: Some(text.to_owned()),
        error: Some(text.to_owned()),
        because: vec![operand(vec![operand(Vec::new())])],
        left_out: 1,
    };
    for finding in &mut report.failures {
        finding.rules = RulesOfFinding { evaluations: vec![evaluation.clone(); 2], left_out: 1 };
    }
    for known in &mut report.known {
        (known.reason, known.issue, known.entry) = (text.to_owned(), Some(text.to_owned()), text.to_owned());
    }
    report
}

/// Nothing that controls a terminal or a CI server, reverses text, or may not be in a document.
fn assert_plain(text: &str) {
    let control = text.chars().find(|&character| super::visible::is_invisible(character));
    assert_eq!(control, None);
    assert!(!super::visible::has_command(text));
}

/// A page on which the text is shown, and nothing of it is an element.
fn assert_harmless_page(page: &str, evil: &str) {
    assert_plain(page);
    assert_eq!((page.matches("<script").count(), page.matches("</script").count()), (1, 1));
    for tag in ["<img", "<i>", "<!-- ]]"] {
        assert!(!page.contains(tag), "{tag}");
    }
    assert!(page.contains("&lt;script&gt;") || !evil.contains("<script>"), "it is shown");
}

#[rstest]
#[case::everything(EVIL)]
#[case::long(&"<script>x\u{1b}".repeat(10_000))]
#[case::lines(&"::error::\n| x |\n```\n".repeat(1_000))]
fn text_stays_text(#[case] evil: &str) {
    let (report, catalogue) = (report(evil), catalogue());

    let text = human(&report, &catalogue, Style::default());
    assert_plain(&text);

    let document = junit(&report, &catalogue);
    assert_plain(&document);
    let elements = super::junit::tests::check(&document);
    assert!(elements.iter().all(|(path, _)| path.iter().all(|name| name != "script")));

    let log = sarif(&report, &catalogue);
    assert_plain(&log);
    super::sarif::tests::check(&serde_json::from_str(&log).unwrap());

    let commands = github(&report, &catalogue);
    assert_eq!(commands.chars().find(|&character| super::visible::is_invisible(character)), None);
    assert_eq!(commands.lines().count(), 2, "one for the verdict, one for the failure with details");
    let is_command = |line: &str| line.starts_with("::error title=") || line.starts_with("::warning title=");
    assert!(commands.lines().all(is_command), "{commands}");

    let page = html(&[report.clone(), report.clone()], &catalogue).unwrap();
    assert_harmless_page(&page, evil);

    let mut journal = planted(evil);
    journal.header.second_target = Some(journal.header.target.clone());
    for finding in &mut journal.findings {
        finding.second_requests = finding.minimal.requests.clone();
    }
    let known = sample::known("[[known]]\nsignature = \"default-missing*\"\nreason = \"REASON\"\n");
    let mut compared = crate::compare(&journal, &known, sample::today());
    assert_eq!(compared.new_differences().count(), 1);
    compared.differences.iter_mut().filter_map(|found| found.known.as_mut()).for_each(|reason| evil.clone_into(reason));
    compared.errors.push(evil.to_owned());
    assert_plain(&comparison(&compared, &catalogue, Style::default()));
    let document = comparison_junit(&compared, &catalogue);
    assert_plain(&document);
    let elements = super::junit::tests::check(&document);
    assert!(elements.iter().all(|(path, _)| path.iter().all(|name| name != "script")));
    assert_harmless_page(&comparison_html(&compared, &catalogue).unwrap(), evil);
    let text = comparison_markdown(&compared, &catalogue);
    assert_plain(&text);
    assert_harmless_markdown(&text);

    let badge = badge_svg(&report);
    assert_plain(&badge);
    let elements = super::junit::tests::elements(&badge);
    assert!(
        elements
            .iter()
            .flat_map(|(path, _)| path)
            .all(|name| ["svg", "title", "rect", "path", "g", "text"].contains(&name.as_str()))
    );
    assert_plain(&badge_json(&report));

    let exact: serde_json::Value = serde_json::from_str(&json(&report)).unwrap();
    assert_eq!(exact["target"]["address"], evil, "JSON has everything as it was");

    let text = markdown(&report, &catalogue);
    assert_plain(&text);
    assert_harmless_markdown(&text);
    let outside = outside_of_code(&text);
    let rows = outside.lines().filter(|line| line.starts_with('|'));
    // Statuses of the requirements, and four columns of failures.
    let borders: std::collections::BTreeSet<usize> =
        rows.map(|row| row.replace("\\|", "").matches('|').count()).collect();
    assert_eq!(borders.len(), 2, "{borders:?}");
}

/// Markdown in which nothing of the text is an element, a link or strong.
fn assert_harmless_markdown(text: &str) {
    let outside = outside_of_code(text);
    for tag in ["<script", "<img", "<!--"] {
        assert!(!outside.contains(tag), "{tag} in {outside}");
    }
    // Lines of HTML are not read as Markdown.
    for line in outside.lines().filter(|line| !line.starts_with("<details>")) {
        assert!(!line.contains("[l](") && !line.contains(" **b"), "{line}");
    }
    assert_eq!(outside.matches("<details>").count(), outside.matches("</details>").count());
}

/// Markdown without its blocks of code.
fn outside_of_code(text: &str) -> String {
    let mut fence: Option<String> = None;
    let mut outside = String::new();
    for line in text.lines() {
        let backquotes: String = line.chars().take_while(|&character| character == '`').collect();
        match &fence {
            None if backquotes.len() >= 3 => fence = Some(backquotes),
            None => {
                outside.push_str(line);
                outside.push('\n');
            }
            Some(open) if line.trim_end() == backquotes && backquotes.len() >= open.len() => fence = None,
            Some(_) => {}
        }
    }
    assert_eq!(fence, None, "every block of code ends");
    without_code(&outside)
}

/// Without what is between backquotes that are not escaped. In a line of HTML they mean nothing.
fn without_code(text: &str) -> String {
    let mut outside = String::new();
    for line in text.lines() {
        let (mut is_code, mut is_escaped) = (false, false);
        for character in line.chars() {
            match character {
                '`' if !is_escaped && !line.starts_with("<details>") => is_code = !is_code,
                character if !is_code => outside.push(character),
                _ => {}
            }
            is_escaped = character == '\\' && !is_escaped && !is_code;
        }
        assert!(!is_code, "{line}");
        outside.push('\n');
    }
    outside
}

#[test]
fn a_long_text_makes_no_long_report() {
    // Longer than a report may be, so that it must be cut wherever it is shown.
    let report = report(&"long ".repeat(250_000));
    let page = html(std::slice::from_ref(&report), &catalogue()).unwrap();
    for text in [
        page,
        sarif(&report, &catalogue()),
        junit(&report, &catalogue()),
        human(&report, &catalogue(), Style::default()),
    ] {
        assert!(text.len() < 1 << 20, "{}", text.len());
    }
    assert!(markdown(&report, &catalogue()).len() < 65_536, "{}", markdown(&report, &catalogue()).len());
}
