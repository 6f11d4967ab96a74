//! What rules say about the objects of a finding, as text.

use std::fmt::Write as _;

use crate::model::{Operand, RuleEvaluation, RuleOutcome, RulesOfFinding};
use crate::render::{Style, visible};
use crate::text::plural;

/// The title above the text.
pub(super) const TITLE: &str = "what the rules say";

/// At most this many operands of a rule are shown.
const MOST_OPERANDS: usize = 24;

/// What rules say, below a title; empty if none matters.
pub fn rules(rules: &RulesOfFinding, style: Style) -> String {
    let text = text(&visible::visible(rules));
    if text.is_empty() { text } else { format!("\n{}\n{text}", style.strong(TITLE)) }
}

/// The text alone.
pub(super) fn text(rules: &RulesOfFinding) -> String {
    let mut text = String::new();
    let mut before = None;
    for evaluation in &rules.evaluations {
        let heading = heading(evaluation);
        // Those of one request stand below one line.
        if before.as_ref() != Some(&heading) {
            let _ = writeln!(text, "{heading}");
        }
        before = Some(heading);
        one(&mut text, evaluation);
    }
    if rules.left_out > 0 {
        let _ = writeln!(text, "and {}, which are not listed", plural(rules.left_out, "more evaluation"));
    }
    text
}

/// What was answered, and what the rule says.
fn heading(evaluation: &RuleEvaluation) -> String {
    let RuleEvaluation { request, status, outcome, .. } = evaluation;
    let said = match outcome {
        RuleOutcome::True => "this rule is true",
        RuleOutcome::False => "this rule is false",
        RuleOutcome::Error => "this rule has no value",
        RuleOutcome::Forgiven => "this rule, which is false, only warns: the value was there before",
        RuleOutcome::NotAsked => "this rule is not asked: it compares with an old value, and there is none",
    };
    let refuses = matches!(outcome, RuleOutcome::False | RuleOutcome::Error);
    match status {
        None => format!("{request}: {said}"),
        Some(code) if (200..300).contains(code) == refuses => {
            let answered = if refuses { "accepted" } else { "refused" };
            format!("{request} was {answered} ({code}), although {said}")
        }
        Some(code) => {
            let answered = if refuses { "refused" } else { "accepted" };
            format!("{request} was {answered} ({code}), and {said}")
        }
    }
}

fn one(text: &mut String, evaluation: &RuleEvaluation) {
    let RuleEvaluation { version, field, rule, place, value, old_value, error, because, left_out, .. } = evaluation;
    let _ = writeln!(text, "  rule: {}", one_line(rule));
    let _ = writeln!(text, "  written at: {field} of {version}");
    let place = if place.is_empty() { "the object" } else { place };
    let _ = writeln!(text, "  self, {place}: {}", one_line(value));
    if let Some(old) = old_value {
        let _ = writeln!(text, "  oldSelf: {}", one_line(old));
    }
    if let Some(error) = error {
        let _ = writeln!(text, "  error: {}", one_line(error));
    }
    let mut room = MOST_OPERANDS;
    operands(text, because, *left_out, 2, &mut room);
    if room == 0 {
        let _ = writeln!(text, "  … and further operands");
    }
}

/// Operands, and below each what decided it.
fn operands(text: &mut String, because: &[Operand], left_out: u64, indent: usize, room: &mut usize) {
    for part in because {
        if *room == 0 {
            return;
        }
        *room -= 1;
        let element = part.element.as_ref().map_or_else(String::new, |element| format!("for {}: ", one_line(element)));
        let word = if indent == 2 { "because " } else { "" };
        let _ = writeln!(text, "{:indent$}{word}{element}{} is {}", "", one_line(&part.text), one_line(&part.value));
        operands(text, &part.because, part.left_out, indent + 2, room);
    }
    if left_out > 0 {
        let _ = writeln!(text, "{:indent$}… and {}", "", plural(left_out, "more element"));
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::text;
    use crate::model::{Operand, RuleEvaluation, RuleOutcome, RulesOfFinding};
    use crate::render::{Style, html, human, json, junit, markdown};
    use crate::sample::{catalogue, eventful, fold};

    fn operand(text: &str, value: &str, because: Vec<Operand>) -> Operand {
        Operand { text: text.to_owned(), element: None, value: value.to_owned(), because, left_out: 0 }
    }

    fn evaluation(outcome: RuleOutcome, status: Option<u16>) -> RuleEvaluation {
        RuleEvaluation {
            request: "POST /things".to_owned(),
            status,
            version: "v1".to_owned(),
            field: "openAPIV3Schema.x-kubernetes-validations[0]".to_owned(),
            rule: "self.all(x,\n  x > 0)".to_owned(),
            outcome,
            place: String::new(),
            value: "[1,0,-1]".to_owned(),
            old_value: None,
            error: None,
            because: vec![Operand {
                element: Some("x = 0".to_owned()),
                ..operand("x > 0", "false", vec![operand("x", "0", Vec::new())])
            }],
            left_out: 1,
        }
    }

    fn rules(evaluations: Vec<RuleEvaluation>) -> RulesOfFinding {
        RulesOfFinding { evaluations, left_out: 0 }
    }

    const FALSE: &str = "POST /things was accepted (201), although this rule is false
  rule: self.all(x, x > 0)
  written at: openAPIV3Schema.x-kubernetes-validations[0] of v1
  self, the object: [1,0,-1]
  because for x = 0: x > 0 is false
    x is 0
  … and 1 more element
";

    #[test]
    fn a_rule_is_shown_with_its_value_and_what_decided() {
        assert_eq!(text(&rules(vec![evaluation(RuleOutcome::False, Some(201))])), FALSE);
        assert_eq!(text(&RulesOfFinding::default()), "");
    }

    #[rstest]
    #[case(RuleOutcome::False, Some(422), "was refused (422), and this rule is false")]
    #[case(RuleOutcome::Error, Some(200), "was accepted (200), although this rule has no value")]
    #[case(RuleOutcome::True, Some(422), "was refused (422), although this rule is true")]
    #[case(
        RuleOutcome::NotAsked,
        Some(422),
        "was refused (422), although this rule is not asked: it compares with an old value, and there is none"
    )]
    #[case(
        RuleOutcome::Forgiven,
        Some(200),
        "was accepted (200), and this rule, which is false, only warns: the value was there before"
    )]
    #[case(
        RuleOutcome::Forgiven,
        Some(422),
        "was refused (422), although this rule, which is false, only warns: the value was there before"
    )]
    #[case(RuleOutcome::False, None, ": this rule is false")]
    fn the_first_line_compares_with_the_answer(
        #[case] outcome: RuleOutcome,
        #[case] status: Option<u16>,
        #[case] expected: &str,
    ) {
        let text = text(&rules(vec![evaluation(outcome, status)]));
        let first = text.lines().next().unwrap_or_default();
        assert_eq!(first.strip_prefix("POST /things").map(str::trim_start), Some(expected));
    }

    #[test]
    fn what_is_too_much_is_counted() {
        let mut deep = evaluation(RuleOutcome::False, Some(201));
        deep.because = (0..40).map(|number| operand(&format!("a{number}"), "false", Vec::new())).collect();
        let text = text(&RulesOfFinding { evaluations: vec![deep], left_out: 2 });
        assert!(text.contains("because a23 is false\n") && !text.contains("a24"), "{text}");
        assert!(text.ends_with("  … and further operands\nand 2 more evaluations, which are not listed\n"), "{text}");
    }

    #[test]
    fn every_report_for_people_has_it() {
        let mut report = fold(&eventful(), "");
        let without = human(&report, &catalogue(), Style::default());
        assert!(!without.contains(super::TITLE) && !json(&report).contains("evaluations"));
        report.failures[0].rules = rules(vec![evaluation(RuleOutcome::False, Some(201))]);
        let titled = format!("\n\n{}\n{FALSE}\nreplay\n", super::TITLE);
        let with = human(&report, &catalogue(), Style::default());
        assert!(with.contains(&titled), "{with}");
        assert_eq!(with.replace(&titled, "\n\nreplay\n"), without, "nothing else changes");
        assert!(junit(&report, &catalogue()).contains("although this rule is false\n  rule: self.all(x, x &gt; 0)\n"));
        let page = html(std::slice::from_ref(&report), &catalogue()).expect("a page");
        let escaped = FALSE.replace('>', "&gt;").replace('/', "&#x2f;");
        assert!(page.contains(&escaped) && page.contains(super::TITLE), "{page}");
        let text = markdown(&report, &catalogue());
        assert!(text.contains(&format!("{}\n\n```text\n{FALSE}```\n", super::TITLE)), "{text}");
        let document: serde_json::Value = serde_json::from_str(&json(&report)).expect("JSON");
        let evaluation = &document["failures"][0]["rules"]["evaluations"][0];
        assert_eq!((&evaluation["outcome"], &evaluation["because"][0]["value"]), (&"false".into(), &"false".into()));
    }
}
