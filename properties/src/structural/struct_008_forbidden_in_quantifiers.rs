//! STRUCT-008: structural keywords are forbidden in quantifiers.

use crdible_generators::rule::{self, Row, Site};

use super::shared::{JUDGING, rows_alone, try_row};
use crate::prelude::*;
use crate::shared::{PIECES, host};

pub(super) const PROPERTY: Property = Property::new("struct-008-forbidden-in-quantifiers", plan)
    .title("keywords for structure, defaults or documentation are forbidden at any depth of a quantifier")
    .asserts(&["STRUCT-008", "STRUCT-008/e2", "STRUCT-008/e3"])
    .needs(JUDGING)
    .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, RULE) }]);

const RULE: &str = "STRUCT-008";

fn plan(plan: &mut Plan, choices: &mut Choices) {
    choices.many("branch", 1, PIECES, |choices, _| {
        if choices.chance(1, 2) { try_keywords(choices, plan) } else { try_row(choices, plan, RULE) }
    });
}

/// Tries several keywords of the table in one branch: all of them forbidden, or all with values that count as absent.
fn try_keywords(choices: &mut Choices, plan: &mut Plan) {
    let is_zero = choices.chance(1, 4);
    let branches = rule::rows_of(RULE).filter(|row| matches!(row.site, Site::Branch));
    let wanted = branches.filter(|row| if is_zero { row.causes.is_empty() } else { is_forbidden_keyword(row) });
    let keywords: Vec<(&String, &Value)> = wanted.filter_map(|row| row.schema.as_object()).flatten().collect();
    let mut branch = Map::new();
    choices.many("keyword", 1, 4, |choices, _| {
        let (keyword, value) = *choices.pick(&keywords);
        branch.insert(keyword.clone(), value.clone());
    });
    let names: Vec<String> = branch.keys().map(|keyword| format!(".{keyword}")).collect();
    let buried = rule::bury(choices, Value::Object(branch), json!({ "type": "string" }));
    let planted = host::plant(choices, &buried.node);
    let defined = plan.try_define(planted.schema);
    plan.count_case();
    if is_zero {
        plan.check("zero", &["STRUCT-008/e2"], defined, Expectation::Accepted);
    } else {
        let causes = names.iter().map(|name| (format!("{}{name}", buried.path), "Forbidden"));
        plan.check_causes("forbidden", &["STRUCT-008", "STRUCT-008/e3"], defined, planted.place.schema_causes(causes));
    }
}

/// Whether a branch is one keyword, and is rejected for that and nothing else.
fn is_forbidden_keyword(row: &Row) -> bool {
    let keywords = row.schema.as_object().filter(|keywords| keywords.len() == 1);
    let Some(keyword) = keywords.and_then(|keywords| keywords.keys().next()) else { return false };
    let is_its = |field: &str| field.strip_prefix('.') == Some(keyword);
    matches!(row.causes[..], [only] if is_its(only.field) && only.reason == Reason::Forbidden.name())
}
