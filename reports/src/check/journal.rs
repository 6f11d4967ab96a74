//! Checks a journal, line by line.

use std::collections::{BTreeSet, HashMap};
use std::io::{self, BufRead};

use crdible_spec::Catalogue;
use serde::Deserialize as _;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::{Checked, Form, Problem, Version, named, other_version, published};
use crate::fold::resolve;
use crate::journal::digest;
use crate::journal::{Case, FORMAT, Footer, Header, Line, Outcome, Plan, RecordedFinding, StopReason, TargetKind};
use crate::text::plural;

/// What is known of a journal so far.
struct Reading<'a> {
    checked: Checked,
    catalogue: &'a Catalogue,
    header: Option<Header>,
    plan: Option<Plan>,
    /// The properties of the plan: their place, and how many requirements each can assert.
    planned: HashMap<String, (u32, usize)>,
    /// Each scenario, with the outcome of its last line.
    seen: HashMap<(u32, u64), Outcome>,
    /// Lines of scenarios that were there before without a verdict, which only a resumed run has.
    again: Vec<(usize, String)>,
    findings: BTreeSet<String>,
    /// The sums that a footer states: cases, failures, errors.
    sums: [u64; 3],
    scenarios: u64,
    footer: Option<Footer>,
    /// Whether nothing but the beginning of a resumed run may follow.
    has_ended: bool,
    is_resumed: bool,
}

/// Checks a journal. Reading goes on after a problem, so that all of them are reported.
pub(super) fn check(mut input: impl BufRead, catalogue: &Catalogue) -> io::Result<Checked> {
    let mut reading = Reading {
        checked: Checked::new("a journal"),
        catalogue,
        header: None,
        plan: None,
        planned: HashMap::new(),
        seen: HashMap::new(),
        again: Vec::new(),
        findings: BTreeSet::new(),
        sums: [0; 3],
        scenarios: 0,
        footer: None,
        has_ended: false,
        is_resumed: false,
    };
    let mut hash = Sha256::new();
    let (mut bytes, mut number) = (Vec::new(), 0);
    loop {
        bytes.clear();
        if input.read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        number += 1;
        if bytes.iter().all(u8::is_ascii_whitespace) {
            hash.update(&bytes);
            continue;
        }
        match serde_json::from_slice::<Value>(&bytes) {
            // Only the last line can have been cut off while it was written.
            Err(_) if bytes.last() != Some(&b'\n') && number > 1 => {
                reading.checked.incomplete = Some(format!("line {number} was cut off, because the run was killed"));
            }
            Err(error) => {
                reading.wrong(number, format!("this is no JSON (column {}): {error}", error.column()));
            }
            Ok(value) if number == 1 && value["k"] == "header" => {
                let format = value["format"].as_str().unwrap_or_default();
                if named(format, FORMAT) == Some(Version::Other) {
                    return Ok(other_version(format, FORMAT));
                }
                reading.line(number, &value, &hash);
            }
            Ok(value) => reading.line(number, &value, &hash),
        }
        hash.update(&bytes);
    }
    Ok(reading.end())
}

impl Reading<'_> {
    fn wrong(&mut self, line: usize, what: impl Into<String>) {
        self.checked.wrong(Some(line), what);
    }

    fn line(&mut self, number: usize, value: &Value, before: &Sha256) {
        let violations = published::violations(Form::Journal, value);
        if !violations.is_empty() {
            violations.into_iter().for_each(|problem| self.checked.add(Problem { line: Some(number), ..problem }));
            return;
        }
        // The reader is stricter than the schema about some values, such as the form of a signature.
        let line = match Line::deserialize(value) {
            Ok(line) => line,
            Err(error) => return self.wrong(number, error.to_string()),
        };
        if self.header.is_none() && !matches!(line, Line::Header(_)) {
            // Reported alone, since everything depends on the header.
            if number == 1 {
                self.wrong(
                    number,
                    "a journal begins with a header, but this is another line: its beginning is missing",
                );
            }
            return;
        }
        if self.has_ended && !matches!(&line, Line::Event(event) if event.kind == "resumed") {
            self.wrong(
                number,
                "nothing may follow the footer, except a resumed run (`run --resume`): \
                 the lines are in a wrong order, or of another journal",
            );
        }
        self.has_ended = false;
        match line {
            Line::Header(header) => self.header(number, *header),
            Line::Plan(plan) => self.plan(number, plan),
            Line::Case(case) => self.case(number, &case),
            Line::Finding(finding) => self.finding(number, &finding),
            Line::Event(event) => self.is_resumed |= event.kind == "resumed",
            // Counts of what the run has learned and sent; no other figure depends on them.
            Line::Reached(_) | Line::Sent(_) => {}
            Line::Footer(footer) => self.footer(number, footer, value, before),
            Line::Unknown => self.unknown(number, value),
        }
    }

    fn header(&mut self, number: usize, header: Header) {
        if self.header.is_some() {
            return self
                .wrong(number, "this is a second header: the file holds several journals; split it and merge them");
        }
        if number != 1 {
            self.wrong(number, "the header is not the first line");
        }
        if let Some(shard) = header.run.shard
            && shard.index >= shard.count
        {
            self.wrong(number, format!("it claims to be part {} of {}, counted from 0", shard.index, shard.count));
        }
        let catalogue = self.catalogue;
        self.checked.note_catalogue(&header.catalogue.digest, catalogue);
        if self.checked.is_of_this_catalogue && header.catalogue.requirements != catalogue.iter().count() {
            self.wrong(number, format!("the catalogue has {} requirements", catalogue.iter().count()));
        }
        self.header = Some(header);
    }

    fn plan(&mut self, number: usize, plan: Plan) {
        if self.plan.is_some() {
            return self
                .wrong(number, "this is a second plan: the file holds several journals; split it and merge them");
        }
        if number != 2 {
            self.wrong(number, "the plan is not the second line: the lines are in a wrong order");
        }
        for (place, property) in (0..).zip(&plan.properties) {
            let known = self.planned.insert(property.id.clone(), (place, property.requirements.len()));
            if known.is_some() {
                self.wrong(number, format!("it plans the property {} twice", property.id));
            }
            self.references(number, &property.requirements);
        }
        self.plan = Some(plan);
    }

    /// Each must be in the catalogue, if the journal was written with this one.
    fn references(&mut self, number: usize, references: &[String]) {
        if !self.checked.is_of_this_catalogue {
            return;
        }
        for reference in references {
            if resolve(self.catalogue, reference).is_none() {
                self.wrong(number, format!("the catalogue has no requirement {reference}"));
            }
        }
    }

    fn case(&mut self, number: usize, case: &Case) {
        let failed = u64::from(case.outcome == Outcome::Fail);
        let ended_in_error = u64::from(case.outcome == Outcome::Error);
        for (sum, more) in self.sums.iter_mut().zip([case.cases, failed, ended_in_error]) {
            *sum = sum.saturating_add(more);
        }
        self.scenarios += 1;
        let scenario = format!("scenario {} of {}", case.index, case.property);
        let Some(&(place, requirements)) = self.planned.get(&case.property) else {
            let why =
                if self.plan.is_none() { "no plan comes before it" } else { "the plan does not have its property" };
            return self.wrong(number, format!("{scenario}: {why}; the line may be of another journal"));
        };
        if let Some(at) = case.asserted.iter().find(|at| **at >= requirements) {
            self.wrong(
                number,
                format!("{scenario} asserts requirement {at}, but the plan lists {requirements}, counted from 0"),
            );
        }
        if let Some(signature) = case.failures.iter().find(|signature| signature.property != case.property) {
            self.wrong(number, format!("{scenario} has a failure of another property: {signature}"));
        }
        if case.outcome != Outcome::Fail && !case.failures.is_empty() {
            self.wrong(number, format!("{scenario} did not fail, but names failures"));
        }
        match self.seen.insert((place, case.index), case.outcome) {
            None => {}
            // A resumed run repeats scenarios without a verdict, and failures that were not confirmed.
            Some(Outcome::Error | Outcome::Fail) => self.again.push((number, scenario)),
            Some(Outcome::Pass | Outcome::Discard) => self.wrong(number, format!("{scenario} is there twice")),
        }
    }

    fn finding(&mut self, number: usize, finding: &RecordedFinding) {
        if !self.findings.insert(finding.id.clone()) {
            self.wrong(number, format!("the failure {} is there twice", finding.id));
        }
        let signature = &finding.failure.signature;
        if !signature.is_of_capability() && !self.planned.contains_key(&signature.property) {
            self.wrong(number, format!("the plan does not have the property of the failure {signature}"));
        }
        if finding.reproduced.times > finding.reproduced.attempts {
            let (times, attempts) = (finding.reproduced.times, finding.reproduced.attempts);
            self.wrong(number, format!("reproduced {times} times in {attempts} attempts"));
        }
        self.references(number, &finding.failure.requirements);
    }

    fn footer(&mut self, number: usize, footer: Footer, value: &Value, before: &Sha256) {
        let words = ["cases", "failures", "errors"];
        for ((word, stated), summed) in words.iter().zip([footer.cases, footer.failures, footer.errors]).zip(self.sums)
        {
            if stated != summed {
                self.wrong(
                    number,
                    format!(
                        "the footer states {stated} {word}, but the lines before it have \
                             {summed}: lines are missing, doubled or changed"
                    ),
                );
            }
        }
        let times = |text: &str| text.parse::<jiff::Timestamp>();
        if let Some(header) = &self.header
            && let (Ok(started), Ok(ended)) = (times(&header.run.started), times(&footer.ended))
            && ended < started
        {
            self.wrong(number, "the run ended before it began");
        }
        if let Some(stated) = value[digest::FIELD].as_str() {
            self.checked.is_sealed = stated == digest::named(before.clone());
            if !self.checked.is_sealed {
                self.wrong(
                    number,
                    "the digest does not fit the lines before it: they were changed after they had been written",
                );
            }
        }
        self.has_ended = true;
        self.footer = Some(footer);
    }

    /// A newer minor version may have lines that this one does not know.
    fn unknown(&mut self, number: usize, value: &Value) {
        let is_newer = self
            .header
            .as_ref()
            .is_some_and(|header| header.format.strip_prefix(FORMAT).is_some_and(|minor| !minor.is_empty()));
        let kind = value["k"].as_str().unwrap_or_default();
        if is_newer {
            let note = format!("it has lines of the kind {kind:?}, which this version does not know");
            if !self.checked.notes.contains(&note) {
                self.checked.notes.push(note);
            }
        } else {
            self.wrong(
                number,
                format!("journals of this version have no lines of the kind {kind:?}: the line is of another file"),
            );
        }
    }

    fn end(mut self) -> Checked {
        if !self.is_resumed {
            for (number, scenario) in std::mem::take(&mut self.again) {
                self.wrong(number, format!("{scenario} is there twice, but the run was not resumed"));
            }
        }
        let Some(header) = self.header else {
            if self.checked.problems.is_empty() {
                self.checked.wrong(Some(1), "a journal begins with a header");
            }
            return self.checked;
        };
        let kind = match (&header.second_target, header.target.kind) {
            (Some(_), _) => "a comparison",
            (None, TargetKind::Converter) => "a check of a conversion webhook",
            (None, _) => "a run",
        };
        let part =
            header.run.shard.map(|shard| format!(", part {} of {}", shard.index + 1, shard.count)).unwrap_or_default();
        let targets = std::iter::once(&header.target).chain(&header.second_target).map(ToString::to_string);
        self.checked.what = format!(
            "the journal of {kind}{part} on {}: {}, {}",
            targets.collect::<Vec<_>>().join(" and "),
            plural(self.scenarios, "scenario"),
            plural(self.findings.len() as u64, "failure")
        );
        if !self.has_ended && self.checked.incomplete.is_none() {
            self.checked.incomplete = Some(match self.footer {
                Some(_) => "it has lines after its last footer: the run was resumed, and killed".to_owned(),
                None => "it has no footer: the run was killed, or goes on".to_owned(),
            });
        }
        match self.footer.as_ref().map(|footer| footer.stop_reason) {
            None | Some(StopReason::Finished | StopReason::TimeBudget) => {}
            Some(reason) => {
                let reason = serde_json::to_value(reason).ok().and_then(|word| word.as_str().map(str::to_owned));
                self.checked.notes.push(format!("the run ended early: {}", reason.unwrap_or_default()));
            }
        }
        self.checked
    }
}
