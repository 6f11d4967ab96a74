//! What the rules of a definition say, for people.

use std::fmt::Write as _;

use crdible_reports::text::{grouped, plural};

use super::findings::{
    Advice, Cause, Cost, Decided, Difference, Findings, OfDefinition, OfExpression, OfObject, OfRelease, OfRule,
    of_limit,
};

/// The whole text. `all`: with the rules that hold.
pub(super) fn text(findings: &Findings, all: bool) -> String {
    let mut text = String::new();
    let shown = match findings.releases.as_slice() {
        [one] => Some(one),
        several => several.iter().find(|release| release.release == baseline()).or(several.last()),
    };
    if let Some(release) = shown {
        of_release(&mut text, findings, release, all);
    }
    if findings.releases.len() > 1 {
        differences(&mut text, findings);
    }
    text
}

fn baseline() -> String {
    crdible_semantics::Release::BASELINE.to_string()
}

fn of_release(text: &mut String, findings: &Findings, release: &OfRelease, all: bool) {
    if let Some(definition) = &release.definition {
        let verdict = if definition.is_accepted { "accepted" } else { "refused" };
        let _ = writeln!(text, "{} at Kubernetes {}: {verdict}", findings.definition, release.release);
        of_definition(text, definition, all || release.objects.is_empty());
    }
    for object in &release.objects {
        text.push('\n');
        of_object(text, object, all);
    }
    for (index, expression) in release.expressions.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        of_expression(text, &findings.definition, &release.release, expression);
    }
}

fn of_definition(text: &mut String, definition: &OfDefinition, all: bool) {
    if let Some(message) = &definition.message {
        indented(text, 2, message);
    }
    causes(text, &definition.causes);
    for warning in &definition.warnings {
        indented(text, 2, &format!("warning: {warning}"));
    }
    for version in &definition.versions {
        let names = version.versions.join(", ");
        let _ = write!(text, "\n{names}: {}", plural(version.rules.len() as u64, "rule"));
        if version.rules.is_empty() {
            text.push('\n');
        } else {
            let _ = writeln!(text, ", together {} of a version", of_limit(version.cost, version.limit));
        }
        for rule in version.rules.iter().filter(|rule| all || is_remarkable(rule)) {
            of_rule(text, rule);
        }
    }
}

fn is_remarkable(rule: &OfRule) -> bool {
    let costs = [&rule.cost, &rule.message_cost];
    !rule.causes.is_empty() || costs.iter().any(|cost| cost.as_ref().is_some_and(is_much))
}

/// Whether it is more than a tenth of the limit.
fn is_much(cost: &Cost) -> bool {
    cost.total >= cost.limit / 10
}

fn of_rule(text: &mut String, rule: &OfRule) {
    let state = if rule.causes.is_empty() { "" } else { "refused: " };
    let _ = writeln!(text, "  {state}{}: {}", place(&rule.place), one_line(&rule.rule));
    for cause in &rule.causes {
        indented(text, 4, &cause.message);
    }
    for (what, cost) in [("costs", &rule.cost), ("its messageExpression costs", &rule.message_cost)] {
        let Some(cost) = cost else { continue };
        let values = if cost.values == 1 {
            String::new()
        } else {
            format!(" ({} × {} values)", grouped(cost.once), grouped(cost.values))
        };
        let _ = writeln!(text, "    {what} {}{values}", of_limit(cost.total, cost.limit));
        for (index, advice) in cost.advice.iter().enumerate() {
            let _ = writeln!(text, "    {}", advised(advice, cost.limit, index > 0));
        }
    }
}

fn advised(advice: &Advice, limit: u64, is_second: bool) -> String {
    let bounds: Vec<String> = advice
        .bounds
        .iter()
        .map(|bound| {
            let or_enum = if bound.keyword == "maxLength" { " (or an enum)" } else { "" };
            format!("{}: {}{or_enum} at {}", bound.keyword, advice.value, place(&bound.place))
        })
        .collect();
    let highest = match advice.highest {
        Some(highest) if highest >= 3 * 1024 * 1024 => String::new(),
        Some(highest) => format!("; up to {} is within the limit", grouped(highest)),
        None => String::new(),
    };
    let (start, verb) = match (is_second, bounds.len()) {
        (false, 1) => ("", "makes"),
        (false, _) => ("", "make"),
        (true, 1) => ("and then ", "makes"),
        (true, _) => ("and then ", "make"),
    };
    format!("{start}{} {verb} it {}{highest}", bounds.join(" and "), of_limit(advice.total, limit))
}

fn of_object(text: &mut String, object: &OfObject, all: bool) {
    let verdict = if object.is_accepted { "accepted" } else { "refused" };
    let name = if object.name.is_empty() { String::new() } else { format!(" ({})", object.name) };
    let _ = writeln!(text, "{}{name} at {}: {verdict}", object.place, object.version);
    for field in &object.unknown_fields {
        let _ = writeln!(text, "  warning: unknown field \"{field}\", which a server removes");
    }
    causes(text, &object.causes);
    let mut holding = 0;
    for rule in &object.rules {
        let is_silent = matches!(rule.outcome, "holds" | "has no old value");
        holding += usize::from(rule.outcome == "holds");
        if is_silent && !all {
            continue;
        }
        if is_silent {
            let _ = writeln!(text, "  {}: {}: {}", rule.outcome, place(&rule.place), one_line(&rule.rule));
            continue;
        }
        let warning = if rule.outcome == "forgiven" { "warning (unchanged): " } else { "" };
        for message in &rule.messages {
            indented(text, 2, &format!("{warning}{message}"));
        }
        let _ = writeln!(text, "    rule: {}", one_line(&rule.rule));
        let _ = writeln!(text, "    self: {}", rule.value);
        if let Some(decision) = &rule.decision {
            because(text, decision, 4);
        }
    }
    if object.are_rules_asked && !object.rules.is_empty() {
        let asked = object.rules.iter().filter(|rule| rule.outcome != "has no old value").count();
        let _ = writeln!(text, "  {holding} of {} held", plural(asked as u64, "evaluation"));
    }
}

/// The operands that decided, below the expression.
fn because(text: &mut String, decision: &Decided, indent: usize) {
    for part in &decision.because {
        let element = part.element.as_ref().map_or_else(String::new, |element| format!("for {element}: "));
        let word = if indent == 4 { "because " } else { "" };
        let _ = writeln!(text, "{:indent$}{word}{element}{} is {}", "", part.text, part.value);
        because(text, part, indent + 2);
    }
    if decision.left_out > 0 {
        let _ = writeln!(text, "{:indent$}… and {}", "", plural(decision.left_out as u64, "more element"));
    }
}

fn of_expression(text: &mut String, definition: &str, release: &str, expression: &OfExpression) {
    let object = expression.object.as_ref().map_or_else(String::new, |object| format!(" of {object}"));
    let at = if expression.at.is_empty() { "the object" } else { &expression.at };
    let _ = writeln!(text, "{definition} {} at Kubernetes {release}: self is {at}{object}", expression.version);
    let _ = writeln!(text, "  {}", one_line(&expression.expression));
    if let Some(error) = &expression.error {
        indented(text, 2, &format!("refused: {error}"));
        return;
    }
    if let Some(of) = &expression.of {
        let _ = writeln!(text, "  type: {of}");
    }
    if let Some(decision) = &expression.decision {
        let _ = writeln!(text, "  value: {}", decision.value);
        because(text, decision, 4);
    }
    if let (Some(least), Some(most)) = (expression.least_cost, expression.most_cost) {
        let spent = expression.spent.map_or_else(String::new, |spent| format!("; here it was {spent}"));
        let _ = writeln!(text, "  estimated cost of one evaluation: {} to {}{spent}", grouped(least), grouped(most));
    }
}

fn differences(text: &mut String, findings: &Findings) {
    let known: Vec<&str> = findings.releases.iter().map(|release| release.release.as_str()).collect();
    let (first, last) = (known.first().unwrap_or(&""), known.last().unwrap_or(&""));
    if findings.differences.is_empty() {
        let _ = writeln!(text, "\nthe same from {first} to {last}");
        return;
    }
    let _ = writeln!(text, "\nwhat differs from {first} to {last}");
    for difference in &findings.differences {
        let _ = writeln!(text, "  {}", one_line(&difference.about));
        for (releases, said) in by_release(difference, &known) {
            indented(text, 4, &format!("{releases}: {said}"));
        }
    }
}

/// What neighbouring releases say in the same way, together.
fn by_release(difference: &Difference, known: &[&str]) -> Vec<(String, String)> {
    let mut groups: Vec<(&str, &str, &str)> = Vec::new();
    for release in known {
        let said = difference.releases.get(*release).map_or("nothing", String::as_str);
        match groups.last_mut() {
            Some((_, last, same)) if *same == said => *last = release,
            _ => groups.push((release, release, said)),
        }
    }
    let named = |(first, last, said): (&str, &str, &str)| {
        let releases = if first == last { first.to_owned() } else { format!("{first} to {last}") };
        (releases, said.to_owned())
    };
    groups.into_iter().map(named).collect()
}

fn causes(text: &mut String, causes: &[Cause]) {
    for cause in causes {
        indented(text, 2, &format!("{}: {}", cause.field, cause.message));
    }
}

/// Each line of a text behind this number of blanks.
fn indented(text: &mut String, indent: usize, lines: &str) {
    for line in lines.lines() {
        let _ = writeln!(text, "{:indent$}{line}", "");
    }
}

fn place(place: &str) -> &str {
    if place.is_empty() { "the object" } else { place }
}

/// A text without line breaks; of a long one, its beginning.
fn one_line(text: &str) -> String {
    /// As long as the longest rules that people write.
    const LONGEST: usize = 2_000;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
