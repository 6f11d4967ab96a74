//! `allOf`, `anyOf`, `oneOf`, `not` (VALUE-027..030).

use serde_json::Value;

use super::Findings;
use crate::{FieldPath, Schema, Semantics};

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
    findings.summary(path, "VALUE-028", || "must validate at least one schema (anyOf)".to_owned());
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
            findings
                .summary(path, "VALUE-029", || "must validate one and only one schema (oneOf): none does".to_owned());
            if let Some(best) = best {
                findings.merge(best);
            }
        }
        1 => valid.into_iter().for_each(|found| findings.merge(found)),
        count => {
            findings
                .summary(path, "VALUE-029", || format!("must validate one and only one schema (oneOf): {count} do"));
        }
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
        let none = if valid == 0 { ": none does" } else { "" };
        findings.summary(path, "VALUE-027", || format!("must validate all the schemas (allOf){none}"));
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
        findings.summary(path, "VALUE-030", || "must not validate the schema (not)".to_owned());
    }
}
