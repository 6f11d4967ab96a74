//! `allOf`, `anyOf`, `oneOf`, `not` (VALUE-027..030).

use std::fmt::Display;

use serde_json::Value;

use super::Findings;
use crate::{FieldPath, Schema, Semantics, go_text::quoted};

pub(crate) fn check(
    semantics: &Semantics,
    value: &Value,
    schema: &Schema,
    path: &FieldPath<'_>,
    findings: &mut Findings,
) {
    if !schema.any_of.is_empty() {
        semantics.check_any_of(value, schema, path, findings);
    }
    if !schema.one_of.is_empty() {
        semantics.check_one_of(value, schema, path, findings);
    }
    if !schema.all_of.is_empty() {
        semantics.check_all_of(value, schema, path, findings);
    }
    if let Some(branch) = &schema.not {
        semantics.check_not(value, branch, path, findings);
    }
}

fn run(semantics: &Semantics, value: &Value, branch: &Schema, path: &FieldPath<'_>, findings: &Findings) -> Findings {
    let mut found = findings.branch();
    semantics.check_value(value, branch, path, &mut found);
    found
}

/// A rule about a whole value, as a summary says it.
fn says(path: &FieldPath<'_>, rule: impl Display) -> String {
    format!("{} {rule}", quoted(&path.in_body()))
}

/// Keeps the branch in which more checks passed; in a tie, the first one.
fn keep_better(best: &mut Option<Findings>, found: Findings) {
    if best.as_ref().is_none_or(|best| found.passed_count() > best.passed_count()) {
        *best = Some(found);
    }
}

pub(crate) fn any_of(
    semantics: &Semantics,
    value: &Value,
    schema: &Schema,
    path: &FieldPath<'_>,
    findings: &mut Findings,
) {
    let mut best = None;
    for branch in &schema.any_of {
        let found = run(semantics, value, branch, path, findings);
        if found.is_valid() {
            return findings.merge(found);
        }
        keep_better(&mut best, found);
    }
    findings.summary("VALUE-028", || says(path, "must validate at least one schema (anyOf)"));
    if let Some(best) = best {
        findings.merge(best);
    }
}

pub(crate) fn one_of(
    semantics: &Semantics,
    value: &Value,
    schema: &Schema,
    path: &FieldPath<'_>,
    findings: &mut Findings,
) {
    let mut best = None;
    let mut valid = Vec::new();
    for branch in &schema.one_of {
        let found = run(semantics, value, branch, path, findings);
        if found.is_valid() {
            valid.push(found);
        } else {
            keep_better(&mut best, found);
        }
    }
    match valid.len() {
        0 => {
            let rule = "must validate one and only one schema (oneOf). Found none valid";
            findings.summary("VALUE-029", || says(path, rule));
            if let Some(best) = best {
                findings.merge(best);
            }
        }
        1 => valid.into_iter().for_each(|found| findings.merge(found)),
        count => findings.summary("VALUE-029", || {
            let found = format_args!("Found {count} valid alternatives");
            says(path, format_args!("must validate one and only one schema (oneOf). {found}"))
        }),
    }
}

pub(crate) fn all_of(
    semantics: &Semantics,
    value: &Value,
    schema: &Schema,
    path: &FieldPath<'_>,
    findings: &mut Findings,
) {
    let mut valid = 0;
    for branch in &schema.all_of {
        let found = run(semantics, value, branch, path, findings);
        valid += usize::from(found.is_valid());
        findings.merge(found);
    }
    if valid != schema.all_of.len() {
        // Summaries with equal messages are one cause (chapter 5, head), and upstream's message depends on whether any
        // branch is valid.
        let none = if valid == 0 { ". None validated" } else { "" };
        findings.summary("VALUE-027", || says(path, format_args!("must validate all the schemas (allOf){none}")));
    }
}

pub(crate) fn not(
    semantics: &Semantics,
    value: &Value,
    branch: &Schema,
    path: &FieldPath<'_>,
    findings: &mut Findings,
) {
    let mut found = Findings::verdict_only();
    semantics.check_value(value, branch, path, &mut found);
    if found.is_valid() {
        findings.summary("VALUE-030", || says(path, "must not validate the schema (not)"));
    }
}
